#!/bin/bash
# Proves: what the assembler rejects is an error at the assembly, on every way to machine code; the interpreter names the place of
# assembly that it cannot run; assembly is kept by `build`, `--emit-obj` and `asm` at every level.
. "$(dirname "$0")/lib.sh"

cat >wrong.sx <<'END'
#import "modules/std.sx";
main :: () {
    x : i64 = asm { "frobnicate %[x]", [x] "=r" -> i64 };
    print("{}\n", x);
}
END
cat >wrong_module.sx <<'END'
asm { "sx_right: ret\n" };
asm { "sx_wrong:\n  movq %rax\n", };
main :: () { }
END
for command in "run" "build -O0" "build -O2" "build --emit-obj"; do
    sx $command wrong.sx
    expect_status 1
    expect_err_has '^error: .*frobnicate'
    expect_err_has '^  --> wrong.sx:3:15$'
    sx $command wrong_module.sx
    expect_status 1
    expect_err_has '^  --> wrong_module.sx:2:7$'
done
# Also where C code uses a symbol of it.
echo 'extern int wrong_cell; int uses(void) { return wrong_cell; }' >uses.c
cat >wrong_for_c.sx <<'END'
#import c { #source "uses.c"; };
asm { ".globl wrong_cell\nwrong_cell:\nwrong_cell- .long 5\n" };
uses :: () -> i32 extern;
AT_ONCE :: #run uses();
main :: () { }
END
sx check wrong_for_c.sx
expect_status 1
expect_err_has 'the assembler rejects `wrong_cell- .long 5`: .* at wrong_for_c.sx:4:17$'

cat >right.sx <<'END'
#import "modules/std.sx";
asm { ".global sx_probe\nsx_probe:\n  movq %rdi, %rax\n  ret\n", };
sx_probe :: (n: i64) -> i64 extern;
naked :: (n: i64) -> i64 abi(.naked) { asm volatile { "leaq 1(%rdi), %rax\nret" } }
main :: () { print("{} {} {}\n", sx_probe(5), naked(6), asm { "movq $7, %[x]", [x] "=r" -> i64 }); }
END
sx run right.sx
check "it runs" [ "$(cat "$out")" = "5 7 7" ]
for level in 0 1 2 3; do
    sx build -O$level -o right right.sx
    run ./right
    check "it runs at level $level" [ "$(cat "$out")" = "5 7 7" ]
done
sx build --emit-obj -o right right.sx
run ./right
check "it runs" [ "$(cat "$out")" = "5 7 7" ]
check "the object defines the symbol" grep -q sx_probe .sx-tmp/main.o
sx asm -o right.s right.sx
check "the text has the symbol" grep -q '^sx_probe:' right.s
sx run --vm right.sx
check "the interpreter runs it" [ "$(cat "$out")" = "5 7 7" ]

cat >inline.sx <<'END'
#import "modules/std.sx";
main :: () {
    print("before\n");
    print("{}\n", asm { "movq $7, %[x]", [x] "=r" -> i64 });
}
END
sx run --vm inline.sx
check "the interpreter runs it" [ "$(tail -1 "$out")" = 7 ]
sx run --vm --record inline.sxr inline.sx
expect_status 1
expect_err_has '^error: the assembly at inline.sx:4:19 cannot be interpreted'
finish
