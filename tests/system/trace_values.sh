#!/bin/bash
# Proves: `--trace-values` shows values while compiling too; SX_TRACE_VALUES=0 leaves them out; without the option
# nothing of it is in a program, and with it no instruction more runs on the success path.
. "$(dirname "$0")/lib.sh"

cat >fails.sx <<'SX'
#import "modules/std.sx";
E :: error { Bad }
half :: (n: i64, why: string) -> (i64, !E) { if n % 2 == 1 { raise error.Bad; } return n / 2; }
main :: () -> !E { n := try half(7, "odd"); }
SX
sed 's/^main.*/main :: () { n := #run half(7, "odd"); }/' fails.sx >comptime.sx

for options in '' --vm; do
    run "$SX" run $options --trace-values fails.sx
    what="run $options --trace-values"
    expect_status 1
    check "values" has "$err" '^      with n = 7, why = "odd"$'
    run env SX_TRACE_VALUES=0 "$SX" run $options --trace-values fails.sx
    check "no values with SX_TRACE_VALUES=0" lacks "$err" 'with n'
    run env SX_TRACE=json "$SX" run $options --trace-values fails.sx
    check "values in JSON" has "$err" '"values":\{"n":"7","why":"\\"odd\\""\}'
    run "$SX" run $options fails.sx
    check "no values without the option" lacks "$err" 'with n'
done

for command in run check; do
    run "$SX" $command --trace-values comptime.sx
    what="$command --trace-values of compile-time code"
    check "values" has "$err" '^      with n = 7, why = "odd"$'
    run "$SX" $command comptime.sx
    check "no values without the option" lacks "$err" 'with n'
done
SX_TRACE_VALUES=0 "$SX" check --trace-values comptime.sx >"$out" 2>"$err"
check "no values with SX_TRACE_VALUES=0" lacks "$err" 'with n'

what="what the option adds"
"$SX" build -O0 --emit-obj -o without fails.sx >/dev/null 2>&1 && cp .sx-tmp/main.o without.o
"$SX" build -O0 --emit-obj --trace-values -o with fails.sx >/dev/null 2>&1 && cp .sx-tmp/main.o with.o
check "a call with the option" has <(nm -u with.o) sx_program_values
check "no call without" lacks <(nm -u without.o) sx_program_values
check "no list of parameters without" lacks <(nm without.o) 'sx\.parameters'

# A chain of functions with parameters of every shape, none of which fails.
cat >succeeds.sx <<'SX'
#import "modules/std.sx";
E :: error { Bad }
Pair :: struct { a: i64; b: i64; }
f0 :: (n: i64, s: string) -> (i64, !E) { if n < 0 { raise error.Bad; } return n + s.len; }
f1 :: (n: i64, p: Pair) -> (i64, !E) { v := try f0(n, "abc"); return v + p.a; }
f2 :: (n: i64, xs: []i64, d: f64) -> !E { v := f1(n, .{ a = 1, b = n }) catch { raise error.Bad; }; if v == -7 { raise error.Bad; } }
main :: () -> !E { xs : [3]i64 = .[1, 2, 3]; for 0..100000 (i) { try f2(i, xs[..], 1.5); } }
SX
if command -v valgrind >/dev/null; then
    count() { valgrind --tool=callgrind --callgrind-out-file=callgrind.out "./$1" >/dev/null 2>&1; awk '/^(summary|totals):/ { print $2; exit }' callgrind.out; }
    "$SX" build -O0 -o without succeeds.sx 2>/dev/null
    "$SX" build -O0 --trace-values -o with succeeds.sx 2>/dev/null
    a=$(count with) b=$(count without)
    what="the success path"
    check "the calls were counted" [ "${b:-0}" -gt 3000000 ]
    check "no instruction more ($a, $b)" [ $((a - b)) -lt 100000 ]
    check "no instruction less" [ $((b - a)) -lt 100000 ]
fi
finish
