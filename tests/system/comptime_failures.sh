#!/bin/bash
# Proves: an evaluation that fails shows the calls that led there, innermost first, through C and with a gap where there
# are many; a crash in C names the function; `--comptime-steps` bounds an evaluation.
. "$(dirname "$0")/lib.sh"

program() { { echo '#import "modules/std.sx";'; cat; } >text.sx; }

program <<'E'
at :: (n: i64) -> i64 { xs : [3]i64 = .[1, 2, 3]; xs[n] }
next :: (n: i64) -> i64 {
    at(n) + 1
}
qsort :: (base: *void, count: usize, size: usize, compare: (*void, *void) -> i32 abi(.c)) extern;
compare :: (a: *void, b: *void) -> i32 abi(.c) { next(7).(i32) }
sorted :: () -> i64 { xs : [3]i64 = .[1, 2, 3]; qsort(xx *xs[0], 3, 8, compare); xs[0] }
SORTED :: #run sorted();
#run { x := next(3); };
local :: () -> i64 { #run next(6) }
main :: () { print("{}\n", local()); }
E
sx check text.sx
expect_status 1
expect_err 'error: a `#run` expression in `local` failed while compiling: index 6 out of range for length 3 at text.sx:2:53
  at at (text.sx:2:53)
  at next (text.sx:4:5)
  at #run (text.sx:11:27)

error: the constant `SORTED` failed while compiling: index 7 out of range for length 3 at text.sx:2:53
  at at (text.sx:2:53)
  at next (text.sx:4:5)
  at compare (text.sx:7:50)
  at sorted (text.sx:8:49)
  at SORTED (text.sx:9:16)

error: a top-level `#run` statement failed while compiling: index 3 out of range for length 3 at text.sx:2:53
  at at (text.sx:2:53)
  at next (text.sx:4:5)
  at __run_0 (text.sx:10:13)
'

program <<'E'
bad_text :: (o: ?i64) -> string { x := o!; "" }
main :: () { #insert bad_text(null); }
E
sx run text.sx
expect_status 1
expect_err 'error: the text of an `#insert` failed while compiling: unwrapped a null optional at text.sx:2:41
  at bad_text (text.sx:2:41)
  at #insert (text.sx:3:22)
'

# Twenty frames are shown, and how many are not.
program <<'E'
down :: (n: i64) -> i64 {
    if n == 0 { return 1 / n; }
    down(n - 1) + 1
}
deep :: (n: i64) -> i64 { deep(n + 1) + 1 }
SHOWN :: #run down(18);
CUT :: #run down(30);
DEEP :: #run deep(0);
main :: () { }
E
sx check text.sx
expect_status 1
frames() { # CONSTANT: its lines of frames
    awk -v name="\`$1\`" '/^error:/ { mine = index($0, name) } mine && /^  / { print }' "$err"
}
check "all of 20 frames" same "$(frames SHOWN | grep -c '^  at ') $(frames SHOWN | grep -c more)" "20 0"
check "20 of 32 frames" same "$(frames CUT | sed -n '1p;10,12p;21p')" '  at down (text.sx:3:26)
  at down (text.sx:4:5)
  ... 12 more
  at down (text.sx:4:5)
  at CUT (text.sx:8:13)'
check "two ends of a long recursion" same "$(frames DEEP | sed 's/[0-9]* more/N more/' | uniq -c | tr -s ' \n' ' ')" ' 10 at deep (text.sx:6:27) 1 ... N more 9 at deep (text.sx:6:27) 1 at DEEP (text.sx:9:14) '

# What crashes in C, and what interpreted code itself cannot reach.
program <<'E'
strlen :: (s: *u8) -> usize extern;
send_signal :: (n: i32) -> i32 extern libc "raise";
lost :: () -> i64 {
    p : *u8 = xx 16;
    strlen(p).(i64)
}
wild :: () -> i64 { p : *i64 = xx 0x123456789000; p.* }
LOST :: #run lost();
ABORTED :: #run send_signal(6);
WILD :: #run wild();
main :: () { }
E
sx check text.sx
expect_status 1
expect_err 'error: the constant `LOST` failed while compiling: the C function `strlen` crashed: dereferenced a null pointer at text.sx:6:5
  at lost (text.sx:6:5)
  at LOST (text.sx:9:14)

error: the constant `ABORTED` failed while compiling: the C function `raise` crashed: it ended the process by `abort` at text.sx:10:17
  at ABORTED (text.sx:10:17)

error: the constant `WILD` failed while compiling: accessed memory that is not mapped at text.sx:8:51
  at wild (text.sx:8:51)
  at WILD (text.sx:11:14)
'

# Limits.
program <<'E'
count :: (n: i64) -> i64 { k := 0; while k < n { k += 1; } k }
N :: #run count(100000);
main :: () { print("{}\n", N); }
E
for command in run build check ir ir-dump asm; do
    sx $command --comptime-steps 1000 text.sx
    expect_status 1
    check "the limit" has "$err" '^error: the constant `N` failed while compiling: the evaluation takes too long: it did not end within 1000 steps at text.sx:2:'
    check "the calls" has "$err" '^  at count \(text.sx:2:'
    sx $command text.sx
    expect_status 0
done
sx run --comptime-steps=1000000 text.sx
expect_out '100000\n'

# What runs while compiling is checked at every level, and so is what --vm runs; release builds leave the checks out.
program <<'E'
at :: (i: i64) -> i64 { a := .[1, 2, 3]; a[i] }
part :: (n: i64) -> i64 { "abc"[1..n].len }
by :: (n: i64) -> i64 { 10 / n }
A :: #run at(7);
B :: #run part(9);
C :: #run by(0);
main :: () { print("{} {} {}\n", A, B, C); }
E
for level in -O0 -O1 -O2 -O3; do
    for command in run build check; do
        [ $command = check ] && level=
        sx $command $level text.sx
        expect_status 1
        expect_err_has 'the constant `A` failed while compiling: index 7 out of range for length 3 at text.sx:2:43'
        expect_err_has 'the constant `B` failed while compiling: slice 1..9 out of range for length 3 at text.sx:3:32'
        expect_err_has 'the constant `C` failed while compiling: division by zero at text.sx:4:28'
    done
done
sed -i -e 's/#run at(7)/at(1)/; s/#run part(9)/part(2)/; s/#run by(0)/by(5)/' -e 's/^main.*/main :: () { print("{}\\n", by(at(1) - 2)); }/' text.sx
for level in -O0 -O2; do
    sx run --vm $level text.sx
    expect_status 134
    expect_err_has '^panic: division by zero at text.sx:4:28$'
done
sx asm -O0 -o checked.s text.sx
check "checks at level 0" has checked.s 'sx_panic_index'
sx asm -O2 -o unchecked.s text.sx
check "none at level 2" lacks unchecked.s 'sx_panic_(index|slice)'

# A checked cast that does not hold is a failure like the others, and the next constant is evaluated.
program <<'E'
cast :: () -> i64 { x : any = "s"; x.(i64) }
A :: #run cast();
B :: #run 1 / zero();
zero :: () -> i64 { 0 }
main :: () { print("{} {}\n", A, B); }
E
sx run text.sx
expect_status 1
expect_err_has '^error: the constant `A` failed while compiling: type assertion failed: expected i64, got string at text.sx:2:36$'
expect_err_has '^error: the constant `B` failed while compiling: division by zero at text.sx:4:13$'

finish
