source editors/gdb/sx.py
starti
sx trace
