#!/bin/bash
# Proves: a program that touches memory which is not there says so and aborts, compiled and interpreted alike, also when a C function
# did it; under `sx run --vm` it says where it stood.
. "$(dirname "$0")/lib.sh"

# crashes NAME LINE:COL TEXT [IN-VM]: both machines say what happened, and the interpreter where, perhaps with more words.
crashes() {
    local name=$1 place=$2 text=$3
    sx run "$name.sx"
    expect_status 134
    expect_err_has "^panic: $text"
    expect_out 'before\n'
    sx run --vm "$name.sx"
    expect_status 134
    expect_err_has "^panic: ${4:-$text} at $name\.sx:$place\$"
    expect_out 'before\n'
}

head='#import "modules/std.sx";'

cat >read.sx <<END
$head
Pair :: struct { a: i64; b: i64; }
second :: (p: *Pair) -> i64 {
    one := 1;
    one + p.b
}
main :: () {
    print("before\n");
    p : *Pair = xx 0;
    print("{}\n", second(p));
}
END
crashes read 5:12 'null pointer at read\.sx:5:12' 'null pointer'

cat >write.sx <<END
$head
main :: () {
    print("before\n");
    p : [*]i64 = xx 8;
    for 0..10 (i) {
        if i == 3 { p[i] = i; }
    }
}
END
crashes write 6:21 'invalid memory access at address 0x20'

cat >copy.sx <<END
$head
Big :: struct { words: [40]i64; }
main :: () {
    print("before\n");
    p : *Big = xx 0;
    b := p.*;
    print("{}\n", b.words[3]);
}
END
crashes copy 6:11 'null pointer at copy\.sx:6:11' 'null pointer'

cat >wild.sx <<END
$head
main :: () {
    print("before\n");
    p : *i64 = xx 0x7ff0_0000_0000_1000;
    print("{}\n", p.*);
}
END
crashes wild 5:5 'SIGSEGV'

cat >call.sx <<END
$head
main :: () {
    print("before\n");
    f : () -> i64 = xx 0;
    print("{}\n", f());
}
END
crashes call 5:19 'null pointer at call\.sx:5:19' 'null pointer'

cat >in_c.sx <<END
$head
strlen :: (text: [*]u8) -> usize extern;
length :: (p: [*]u8) -> i64 { strlen(p).(i64) }
main :: () {
    print("before\n");
    p : [*]u8 = xx 16;
    print("{}\n", length(p));
}
END
crashes in_c 3:31 'invalid memory access at address 0x10' 'invalid memory access at address 0x10 in the C function `strlen`'

# Called back by C, the code is interpreted again.
cat >back.sx <<END
$head
qsort :: (base: *void, count: usize, size: usize, compare: (*i32, *i32) -> i32 abi(.c)) extern;
compare :: (a: *i32, b: *i32) -> i32 abi(.c) {
    p : *i32 = xx 4;
    a.* - p.*
}
main :: () {
    print("before\n");
    xs : [3]i32 = .[3, 1, 2];
    qsort(*xs[0], 3, 4, compare);
}
END
crashes back 5:5 'invalid memory access at address 0x4'

cat >thread.sx <<END
$head
work :: (arg: *void) -> *void abi(.c) {
    p : *i64 = xx arg;
    p.* = 5;
    null
}
main :: () {
    print("before\n");
    t : usize = 0;
    c.pthread_create(*t, null, work, null);
    c.pthread_join(t, null);
}
END
crashes thread 4:6 'null pointer at thread\.sx:4:6' 'null pointer'

# The trace that is in flight follows.
cat >handler.sx <<END
$head
E :: error { Bad }
leaf :: () -> !E { raise error.Bad; }
main :: () {
    print("before\n");
    leaf() catch (e) {
        p : *i64 = xx 0;
        p.* = 3;
    }
}
END
crashes handler 8:10 'null pointer at handler\.sx:8:10' 'null pointer'
expect_err_has '^  leaf at handler.sx:3:20$'

# What a stray write into dead frames breaks is the interpreter's own: it says so much at least.
cat >stale.sx <<END
$head
leak :: () -> [*]i64 { a : [100]i64 = ---; p : [*]i64 = *a[0]; p }
smash :: (p: [*]i64, n: i64) -> i64 { for 0..n (i) { p[i] = 77; } n }
main :: () {
    p := leak();
    at := p.(i64) - 4000;
    print("{}\n", smash(xx at, 2000));
}
END
sx run --vm stale.sx
if [ "$status" -ge 128 ]; then expect_err_has '^panic: '; fi

# Constants are read-only in both.
cat >constant.sx <<END
$head
main :: () {
    print("before\n");
    s := "abc";
    s[0] = 65;
    print("{}\n", s);
}
END
crashes constant 5:5 'write to constant memory in main at constant\.sx:2:1' 'write to constant memory'

# C that ends the process.
cat >aborts.sx <<END
$head
main :: () {
    print("before\n");
    c.abort();
}
END
crashes aborts 4:5 'SIGABRT'

# Signals that somebody sends are no crash.
cat >sent.sx <<END
$head
raise_signal :: (signal: i32) -> i32 extern "raise";
main :: () { raise_signal(11); }
END
sx run --vm sent.sx
expect_status 139
check "no message" lacks "$err" '^panic'

finish
