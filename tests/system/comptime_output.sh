#!/bin/bash
# Proves: what compile-time code prints comes in its order, and only from programs that are right; an error that escapes
# a `#run`, a failure in it and `process.exit` in it stop the build with the line that says so.
. "$(dirname "$0")/lib.sh"

program() { { echo '#import "modules/std.sx";'; cat; } >text.sx; }

program <<'E2'
say :: (s: string, n: i64) -> i64 { print("{}\n", s); n }
#run print("statement\n");
B :: #run say("B", 2) + A;
A :: #run say("A", 1);
main :: () { x := #run say("local", 4); print("main {} {}\n", B, x); }
E2
sx run text.sx
expect_status 0
expect_out 'B\nA\nstatement\nlocal\n--- build done ---\nmain 3 4\n'

program <<'E2'
A :: #run say("A", 1);
say :: (s: string, n: i64) -> i64 { print("{}\n", s); n }
main :: () { x : string = A; }
E2
sx run text.sx
expect_status 1
check "nothing on stdout" [ ! -s "$out" ]

program <<'E2'
fails :: () -> (i64, !) { raise error.Bad; }
A :: #run fails();
#run fails();
main :: () { print("{}\n", A); }
E2
sx run text.sx
expect_status 1
check "nothing on stdout" [ ! -s "$out" ]
expect_err_has '^error: the constant `A` .*error\.Bad$'
expect_err_has '^  fails at text\.sx:2:27$'
expect_err_has '^error: a top-level `#run` statement .*error\.Bad$'
expect_err_has '^help: '

program <<'E2'
half :: (n: i64) -> i64 { 10 / n }
A :: #run half(0);
main :: () { print("{}\n", A); }
E2
sx build text.sx -o program
expect_status 1
check "no program" missing program
expect_err_has '^error: the constant `A` .*division by zero'

program <<'E2'
stop :: () -> i64 { print("before\n"); process.exit(3); 0 }
A :: #run stop();
main :: () { print("{}\n", A); }
E2
sx run text.sx
expect_status 3
expect_out 'before\n\nprocess.exit(3) called from stop at text.sx:2\ncomptime call frames (most recent call last):\n  at constant\n  at stop\n  at exit\n'

# What has been checked, as code that may run, is there for what runs while compiling; `check` puts it away in between.
program <<'E2'
E :: error { Odd }
half :: (n: i64) -> (i64, !E) { if n % 2 != 0 raise error.Odd; n / 2 }
larger :: (a: $T, b: T) -> T { if a > b then a else b }
name :: (n: i64) -> string { if n == { case 0: "none"; case 9223372036854775807: "most"; else: "some"; } }
all :: (n: i64) -> f64 {
    defer { print("{} ", name(n)); }
    twice := (x: i64) => x * 2 + n % 7;
    sum := 0.25;
    for 0..3 (i) { h := half(twice(i)) catch (e) { print("{} ", e); -3 }; sum += xx h; }
    larger(sum, 0.5)
}
main :: () { print("{}\n", all(1)); }
#run { for .[-1, 0, 2, 9223372036854775807] (n) { print("{}\n", all(n)); } };
E2
sx run text.sx
expect_status 0
cp "$out" run.out
sx check text.sx
expect_status 0
check "the same as in a run" [ "$(cat "$out")" = "$(sed '/^---/,$d' run.out)" ]
check "a line for each call" lines "$out" 4

finish
