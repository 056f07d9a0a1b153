break note
run
sx trace
gcore stepping.core
kill
