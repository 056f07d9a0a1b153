#!/bin/bash
# Proves: which run-time checks each level keeps, that `--checks` and `--no-checks` change it on every machine, that the last
# of them counts, and that the help says so; reports of faults need no symbols.
. "$(dirname "$0")/lib.sh"

cat >null.sx <<'END'
#import "modules/std.sx";
Node :: struct { room: [8]i64; v: i64; }
get :: (n: *Node) -> i64 { return n.v; }
main :: () { print("{}\n", get(null)); }
END
cat >index.sx <<'END'
#import "modules/std.sx";
at :: (xs: []i64, i: i64) -> i64 { return xs[i]; }
main :: () { a := .[1, 2, 3, 4]; print("{}\n", at(a[0..3], 3)); }
END
cat >unwrap.sx <<'END'
#import "modules/std.sx";
get :: (v: ?i64) -> i64 { return v!; }
main :: () { print("{}\n", get(null)); }
END

# fails NAME TEXT OPTION…: `sx run` with the options panics; passes: it does not.
fails() {
    local name=$1 text=$2
    shift 2
    sx run "$@" "$name.sx"
    expect_status 134
    expect_err_has "^panic: $text"
}

for options in -O0 -O1 --vm '--vm -O2' '-O2 --checks' '-O3 --checks' '-O1 --checks' '-O2 --no-checks --checks'; do
    fails null 'null pointer at null\.sx:3:36' $options
    fails index 'index 3 out of range for length 3 at index\.sx:2:45' $options
done
for options in -O2 -O3 '-O0 --no-checks' '-O1 --no-checks' '--vm --no-checks' '-O0 --checks --no-checks'; do
    sx run $options index.sx
    expect_status 0
    expect_out '4\n'
    fails unwrap 'unwrapped a null optional' $options
done
fails null 'invalid memory access at address 0x40 in get at null\.sx:3:1' -O0 --no-checks
fails null 'invalid memory access at address 0x40 at null\.sx:3:2[0-9]' --vm --no-checks

# What runs while compiling is always checked.
cat >comptime.sx <<'END'
#import "modules/std.sx";
get :: (n: *i64) -> i64 { return n.*; }
N :: #run get(null);
main :: () { print("{}\n", N); }
END
sx run --no-checks comptime.sx
expect_status 1
expect_err_has 'null pointer'

# An executable without symbols knows its functions.
cat >wild.sx <<'END'
#import "modules/std.sx";
down :: (n: i64) -> i64 { if n < 0 { return 0; } return 1 + down(n + 1) * 3; }
main :: () { print("{}\n", down(1)); }
END
for level in -O0 -O1 -O2 -O3; do
    sx build $level -g0 wild.sx -o wild
    expect_status 0
    strip wild
    run ./wild
    expect_status 134
    expect_err_has '^panic: stack overflow in down at wild\.sx:2:1$'
done

for command in run build; do
    sx help $command
    check "the default level" has "$out" '\(default: -O[01]\)'
    check "--checks" has "$out" '--checks'
    check "--no-checks" has "$out" '--no-checks'
done

finish
