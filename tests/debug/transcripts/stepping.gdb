break stepping.sx:32
run
next
next
next
next
next
next
print total
step
backtrace
info locals
next
info locals
next
next
step
info args
finish
next
step
info args
step
info args
finish
next
step
next
next
sx trace
print e
step
sx trace
backtrace
finish
next
next
info locals
print total + q
next
sx trace
continue
