#!/bin/bash
# Proves: a program under `sx run --vm` that touches memory which is not there says where it stood, also when a C function did it,
# and ends with the status of the compiled program; a crash never goes without a message.
. "$(dirname "$0")/lib.sh"

# crashes NAME LINE:COL TEXT: the interpreter names the place, the compiled program only dies, both in the same way.
crashes() {
    local name=$1 place=$2 text=$3 compiled
    sx run "$name.sx"
    compiled=$status
    check "the compiled program dies of the access" [ "$compiled" -ge 128 ]
    sx run --vm "$name.sx"
    expect_status "$compiled"
    expect_err_has "^panic: $text at $name\.sx:$place\$"
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
crashes read 5:5 'dereferenced a null pointer'

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
crashes write 6:21 'dereferenced a null pointer'

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
crashes copy 6:5 'dereferenced a null pointer'

cat >wild.sx <<END
$head
main :: () {
    print("before\n");
    p : *i64 = xx 0x7ff0_0000_0000_1000;
    print("{}\n", p.*);
}
END
crashes wild 5:5 'accessed memory that is not mapped'

cat >call.sx <<END
$head
main :: () {
    print("before\n");
    f : () -> i64 = xx 0;
    print("{}\n", f());
}
END
crashes call 5:19 'called a null function pointer'

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
crashes in_c 3:31 'the C function `strlen` crashed: dereferenced a null pointer'

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
crashes back 5:5 'dereferenced a null pointer'

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
crashes thread 4:5 'dereferenced a null pointer'

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
crashes handler 8:9 'dereferenced a null pointer'
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
