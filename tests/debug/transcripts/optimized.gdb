break optimized.sx:6
run
bt
print counter
up
