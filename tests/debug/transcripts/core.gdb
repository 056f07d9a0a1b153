backtrace 2
info args
sx trace
up
info locals
