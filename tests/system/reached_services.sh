#!/bin/bash
# Proves: code that runs and calls what only the compiler can do is rejected with a line that names the service and the path of
# calls from the root to it; code that cannot run is not.
. "$(dirname "$0")/lib.sh"

cat >reached.sx <<'END'
#import "modules/std.sx";
number :: (s: string) -> u32 { raw_intern(s) }
inner :: (s: string) -> u32 { f := (t: string) => number(t); f(s) }
outer :: ($T: Type) -> u32 { inner(type_name(T)) }
EARLY :: #run number("fine");
main :: () { print("{} {}\n", EARLY, outer(i64)); }
END
for command in check run build ir asm; do
    sx "$command" reached.sx
    expect_status 1
    check "nothing on stdout" [ ! -s "$out" ]
    check "an error line and the path" [ "$(tail -n +2 "$err")" = "$(printf '  %s\n' main 'outer(i64)' inner inner.lambda number raw_intern)" ]
    expect_err_has '^error: `raw_intern`'
done

# An export is a root of its own.
cat >exported.sx <<'END'
on_tick :: (n: i32) -> i32 export { raw_intern("x").(i32) + n }
main :: () { }
END
sx check exported.sx
expect_status 1
check "the path begins at the export" [ "$(sed -n 2p "$err")" = '  on_tick' ]

# What only compile-time code calls may call it, and so may what asks first.
cat >guarded.sx <<'END'
#import "modules/std.sx";
number :: (s: string) -> i64 {
    if is_comptime() { return raw_intern(s).(i64); }
    return -1;
}
FOUND :: #run number("x") > 0;
unreached :: () -> u32 { raw_intern("y") }
main :: () { print("{} {}\n", FOUND, number("x")); }
END
for options in "" --vm -O2; do
    sx run $options guarded.sx
    expect_status 0
    check "its output" [ "$(cat "$out")" = 'true -1' ]
done

finish
