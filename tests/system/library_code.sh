#!/bin/bash
# Proves: `sx run` calls functions of the library that the executable contains (codegen/library/LibraryCode.h), where
# they are those of the program; and what a program does with them is what it does without. Also which library it is.
. "$(dirname "$0")/lib.sh"

cat >where.sx <<'SX'
#import "modules/std.sx";
main :: () { f := out; address : u64 = xx f; print("{}\n", address < 0x1_0000_0000); }
SX
sx run where.sx
check "a function of the executable" test "$(cat "$out")" = true
sx run -O1 where.sx
check "the program's own when it is optimised" test "$(cat "$out")" = false

# The program defines what the library calls.
cat >own.sx <<'SX'
#import "modules/std.sx";
puts :: (text: *u8) -> i32 extern;
write :: (fd: i32, bytes: *u8, count: i64) -> i64 export { puts("mine".ptr); count }
main :: () { print("hi\n"); }
SX
sx run own.sx
check "the program's write" test "$(cat "$out")" = mine

# Also where only the compiler calls it, and where assembly defines it.
cat >zeroes.sx <<'SX'
#import "modules/std.sx";
n : i32 = 0;
set :: (p: *void, v: i64, k: i64) export "memset" { n += 1; b : [*]u8 = xx p; i := 0; while i < k { b[i] = xx v; i += 1; } }
main :: () -> i32 { s := int_to_string(4); n }
SX
sx run zeroes.sx
check "the program's memset" test "$status" = 1
cat >assembly.sx <<'SX'
#import "modules/std.sx";
asm {
    #string ASM
.globl write
write:
    movl $7, %edi
    jmp _exit
ASM
};
main :: () { out("x\n"); }
SX
sx run assembly.sx
check "the assembly's write" test "$status" = 7

# What fails in such a function is told as everywhere.
cat >fault.sx <<'SX'
#import "modules/std.sx";
main :: () { xs := List(i64).{}; q : i64 = 16; xs.items = []i64.{ ptr = xx q, len = 2 }; xs.swap_remove(0); }
SX
cat >panic.sx <<'SX'
#import "modules/std.sx";
main :: () { xs := List(i64).{}; xs.append(1); xs.swap_remove(7); }
SX
for program in fault panic; do
    sx run -g $program.sx
    cp "$err" expected
    sx run -g0 $program.sx
    check "the report of $program.sx with code of its own" cmp -s expected "$err"
    check "the status of a panic" test "$status" = 134
done

# The registry of the heap sees what they allocate.
cat >heap.sx <<'SX'
#import "modules/std.sx";
main :: () { xs := List(i64).{}; xs.append(1); first := *xs.items[0]; xs.deinit(); mem.free(first.(*void)); }
SX
SX_HEAP=track sx run -g0 heap.sx
check "a second free is noticed" grep -q "freed" "$err"
# A whole copy of the library beside the program is its library, with what was changed in it, whoever is imported first.
library=$(dirname "$SX")
while [ ! -e "$library/library/modules/std.sx" ]; do library=$(dirname "$library"); done
mkdir copied
cp -r "$library/library/modules" copied/modules
sed -i "s/^is_space :: .*/is_space :: ufcs (b: u8) -> bool { b == 'z' }/" copied/modules/std/text.sx
cat >copied/trimmed.sx <<'SX'
text :: #import "modules/std/text.sx";
#import "modules/std.sx";
main :: () { xs : List(i64) = .{}; xs.append(3); print("{} [{}]\n", xs.items[0], text.trim("zz x zz")); }
SX
for command in run "run -O2" "run --vm"; do
    sx $command copied/trimmed.sx
    expect_out '3 [ x ]\n'
done
finish
