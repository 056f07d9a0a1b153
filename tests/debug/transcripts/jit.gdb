break stepping.sx:28
run
backtrace 2
info args
sx trace
finish
next
next
info locals
print total + q
continue
