#!/bin/bash
# Proves: C sources of a program are compiled by the compiler that there is, in one piece with the program; what is wrong with them is
# one error; sources and headers lie beside who imports them; nothing of it is left behind.
. "$(dirname "$0")/lib.sh"

mkdir -p lib
cat >lib/a.h <<'END'
int a(void);
int from_define(void);
END
cat >lib/a.c <<'END'
#include "a.h"
#include <math.h>
extern int hook(int);
static int state;
int a(void) { return hook(++state) + (int)floor(VALUE + 0.5); }
int from_define(void) { return VALUE; }
END
cat >lib/mod.sx <<'END'
c :: #import c { #include "a.h"; #source "a.c"; #define "VALUE=30"; };
both :: () -> i32 { c.a() + c.from_define() }
END
cat >main.sx <<'END'
#import "modules/std.sx";
mod :: #import "lib/mod.sx";
hook :: (n: i32) -> i32 export { n * 1000 }
EARLY :: #run mod.both();
main :: () { print("{} {}\n", EARLY, mod.both()); }
END
for command in "run" "run --vm" "run -O2"; do
    sx $command main.sx
    check "$command" [ "$(cat "$out")" = "1060 1060" ]
done
export TMPDIR=$PWD/tmp
mkdir tmp
sx build -O2 -o program main.sx
expect_status 0
run ./program
expect_out "1060 1060\n"
sx run main.sx
(cd lib && sx run ../main.sx && check "from another folder" [ "$(cat "$out")" = "1060 1060" ])
check "no temporary file is left" [ -z "$(ls tmp)" ]

cat >twice.sx <<'END'
#import c { #source "one.c"; #source "two.c"; };
main :: () { }
END
echo 'int same(void) { return 1; }' | tee one.c >two.c
for command in "run" "run --vm" "build"; do
    sx $command twice.sx
    expect_status 1
    expect_one_error '`same` is defined by `two.c` and by `one.c`'
done
sx check twice.sx
expect_status 0

cat >exported.sx <<'END'
#import c { #source "one.c"; };
same :: () -> i32 export { 2 }
main :: () { }
END
sx build exported.sx
expect_status 1
expect_one_error '`same` is defined by `one.c` and exported by the program'

cat >wrong.sx <<'END'
#import c { #source "wrong.c"; };
f :: () -> i32 extern;
main :: () { f(); }
END
echo 'int f(void) { return nowhere; }' >wrong.c
sx run wrong.sx
expect_status 1
expect_err_has '^error: cannot compile `wrong.c`'
expect_err_has 'nowhere'
echo 'int g(void); int f(void) { return g(); }' >wrong.c
sx run wrong.sx
expect_status 1
expect_one_error 'undefined symbol: g'
sx build wrong.sx
expect_status 1
expect_one_error 'undefined symbol: g'

# All that is missing is named at once, each symbol where it is declared, also what an optimiser would leave out.
cat >lacking.sx <<'END'
#import c { #include "lacking.h"; };
later :: (a: i32) -> i32 extern "sx_test_b";
again :: (a: i32) -> i32 extern "sx_test_b";
table : [1](i32) -> i32 abi(.c) = .[ sooner ];
sooner :: (a: i32) -> i32 extern "sx_test_a";
never : i32 extern "sx_test_c";
unused :: () -> i32 { never }
main :: () -> i32 {
    x := 3;
    if x == 4 { later(1) + again(1) + helper(); }
    xx table.len
}
END
echo 'int sx_test_d(void); static inline int helper(void) { return sx_test_d(); }' >lacking.h
for how in run "run --vm" "build -O0" "build -O2" "build -O2 --no-self-contained"; do
  sx $how lacking.sx
  expect_status 1
  check "what is missing, by sx $how" [ "$(grep -E '^error|-->' "$err" | tr -d '\n')" = \
    'error: undefined symbol: `sx_test_a`  --> lacking.sx:5:1error: undefined symbol: `sx_test_b`  --> lacking.sx:2:1error: undefined symbol: sx_test_d' ]
done

CC=no-such-compiler sx run wrong.sx
expect_status 1
expect_one_error 'no-such-compiler'
finish
