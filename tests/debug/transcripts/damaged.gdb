break stop
run
up
info locals
