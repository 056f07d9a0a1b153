#!/bin/bash
# Proves: `--cache` keeps objects in .sx-cache and takes them from there; what comes out is what would come out without;
# a damaged or unusable cache only costs time.
. "$(dirname "$0")/lib.sh"

cat >a.sx <<'E'
#import "modules/std.sx";
LIMIT :: #run limit();
limit :: () -> i64 { 7 }
main :: () { print("{}\n", LIMIT); }
E
objects() { ls .sx-cache/*.o 2>/dev/null | wc -l; }
emit_time() { sed -n 's/^  emit *\([0-9.]*\) ms$/\1/p' "$err"; }

sx build -o plain a.sx
expect_status 0
check "no cache without the option" missing .sx-cache
for round in 1 2; do
    sx build --cache --time -o cached a.sx
    expect_status 0
    check "the same program" cmp -s plain cached
    check "one object" same "$(objects)" 1
done
check "nothing was emitted the second time" same "$(emit_time)" 0.0
run ./cached
expect_out '7\n'

# Everything that changes the code changes the name of the object.
count=1
for options in -O0 -O2 '-O2 --release-traces' -g0 --no-traces '--cpu native' --dwarf=4; do
    sx build --cache $options -o other a.sx
    count=$((count + 1))
    check "another object" same "$(objects)" $count
    sx build $options -o without a.sx
    check "the same program as without" cmp -s other without
done
for round in 1 2; do
    sx run --cache a.sx
    expect_out '7\n'
    check "an object for this process" same "$(objects)" $((count + 1))
done
sed -i 's/{ 7 }/{ 8 }/' a.sx
sx run --cache a.sx
expect_out '8\n'
sx build --cache -o cached a.sx
run ./cached
expect_out '8\n'

# Damage.
for object in .sx-cache/*.o; do printf x | dd of="$object" bs=1 seek=200 conv=notrunc 2>/dev/null; done
sx run --cache a.sx
expect_out '8\n'
for object in .sx-cache/*.o; do : >"$object"; done
sx run --cache a.sx
expect_out '8\n'
sx run --cache --time a.sx
check "it was stored again" same "$(emit_time)" 0.0
check "no temporary files are left" same "$(ls .sx-cache | grep -vc '\.o$')" 0
rm -rf .sx-cache
echo 'no folder' >.sx-cache
sx run --cache a.sx
expect_status 0
expect_out '8\n'
finish
