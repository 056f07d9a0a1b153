#!/bin/bash
# Proves: errors of bodies come in the order in which they are lowered, statement by statement from `main`, a callee at its
# first call; also with methods, lambdas and a callee that is called twice.
. "$(dirname "$0")/lib.sh"

cat >a.sx <<'E'
last :: () { e := nope9; }
S :: struct { n: i64; get :: (self: *S) -> i64 { nope4; 1 } }
a :: () { nope6; c(); nope8; }
b :: () { nope2; }
c :: () { nope7; b(); }
main :: () {
    nope1;
    b();
    nope3;
    s := S.{ n = 1 };
    s.get();
    f := () { nope5; };
    a();
    b();
    f();
    last();
}
E
sx check a.sx
expect_status 1
check "the errors in order" same "$(sed -n 's/^error: unknown name `nope\([0-9]\)`$/\1/p' "$err" | tr -d '\n')" 123456789
finish
