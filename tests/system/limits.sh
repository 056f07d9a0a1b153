#!/bin/bash
# Proves: what the system does not give (address space, room on a disk) is done without or told in one line; texts of absurd depth, length or size, and evaluations without end, are accepted or rejected like others: an
# exit status of 0 or 1 with a diagnostic, no signal, and less than ten seconds of processor time and 4 GB of memory.
. "$(dirname "$0")/lib.sh"

# times COUNT TEXT
times() { printf "%.0s$2" $(seq "$1"); }

# text STATUS NAME…: `sx check` answers text.sx with STATUS.
text() {
    local wanted=$1
    shift
    (ulimit -v 4000000 -t 10 && "$SX" check text.sx) >"$out" 2>"$err" </dev/null
    status=$?
    what="sx check: $*"
    expect_status "$wanted"
    [ "$wanted" = 1 ] && expect_err_has '^error: '
}

in_main() { echo "main :: () { $1 }" >text.sx; }
program() { cat >text.sx; }
deep=20000

in_main "x := $(times $deep '(')1$(times $deep ')');"
text 1 parentheses
in_main "x := $(times $deep '(')"
text 1 parentheses that stay open
in_main "$(times $deep '{')$(times $deep '}')"
text 1 blocks
in_main "x := $(times $deep '- ')1;"
text 1 prefix operators
in_main "x := $(times $deep '.[')"
text 1 array literals
in_main "x : $(times $deep '*')i64 = null;"
text 1 pointer types
in_main "x := $(times $deep '() => ')1;"
text 1 lambdas
in_main "y := 1; x := y$(times $deep ' + y');"
text 1 operators
in_main "x := y$(times $deep '[0]');"
text 1 indexing
in_main "x := f$(times $deep '()');"
text 1 calls
in_main "x := y$(times $deep '.a');"
text 1 members
in_main "y := 1; if y == 0 { } $(times $deep 'else if y == 1 { } ')"
text 1 else-ifs
in_main "x := 0; $(times $deep 'x += 1; ')"
text 0 statements
in_main "$(times 100000 a) := 1;"
text 0 a long name
in_main "x := \"$(times 100000 'a\\\\n')\";"
text 0 a long string
{ for ((i = 0; i < 2000; i++)); do echo "fn$i :: (n: i64) -> i64 { return n + $i; }"; done; echo "main :: () { x := fn7(1); }"; } | program
text 0 functions

program <<<'f :: ($n: i64) -> i64 { return f(n + 1); }
main :: () { f(0); }'
text 1 an instance that asks for another
program <<<'f :: (n: i64) -> i64 { return f(n + 1) + 1; }
X :: #run f(0);
main :: () { x := X; }'
text 1 recursion while compiling
program <<<'f :: () -> i64 { while true { } 0 }
X :: #run f();
main :: () { x := X; }'
text 1 a loop without end while compiling
program <<<'f :: () -> string { return "#insert f();"; }
main :: () { #insert f(); }'
text 1 inserted text that inserts itself
program <<<'A :: struct { b: B; }
B :: struct { a: A; }
main :: () { a : A = ---; }'
text 1 types that contain each other
program <<<'A :: B + 1;
B :: A + 1;
main :: () { y := A; }'
text 1 constants that need each other
program <<<'#import "text.sx";
main :: () { }'
text 0 a file that imports itself

# Chains of declarations are followed as far as the stack goes.
{ echo 'id :: (n: i64) -> i64 { n }'; echo "main :: () { x := 0$(times 1900 ' |> id'); }"; } | program
text 0 pipes
{ echo 'id :: (n: i64) -> i64 { n }'; echo "main :: () { x := 0$(times $deep ' |> id'); }"; } | program
text 1 more pipes
{ for ((i = 0; i < 5000; i++)); do echo "A$i :: A$((i + 1)) + 1;"; done; echo "A5000 :: 1; main :: () { x := A0; }"; } | program
text 0 constants that follow from each other
{ for ((i = 0; i < 150; i++)); do echo "S$i :: struct { s: S$((i + 1)); }"; done; echo "S150 :: struct { n: i64; } main :: () { s : S0; }"; } | program
text 0 structs in each other

# Types whose names double at each level. What is cut off is told apart.
{ echo '#import "modules/std.sx"; P :: struct ($A: Type, $B: Type) { a: *A; b: *B; } T0 :: P(i8, i8); U0 :: Tuple(i8, i8);'
  for ((i = 1; i <= 40; i++)); do echo "T$i :: P(T$((i - 1)), T$((i - 1))); U$i :: Tuple(*U$((i - 1)), *U$((i - 1)));"; done
  echo 'f :: (x: $T) -> i64 { type_name(T).len }
deep :: (x: $T, $n: i64) -> string {
    inline if n > 0 { return deep(P(T, T).{ a = null, b = null }, n - 1); }
    else { return format("{} {}", type_name(T).len, type_name(P(T, *T)) == type_name(P(*T, T))); }
}
main :: () {
    t : P(T40, T39) = .{a = null, b = null};
    u : U40 = ---;
    print("{} {} {}\n", deep(1, 40), f(u), t.a == null);
    print("{} {}\n", type_name(U40) == type_name(U39), type_name(type_of(u)) == type_name(U40));
}'; } | program
for command in "run -g" "run --vm" "build -O2 -o text"; do
    (ulimit -v 4000000 -t 10 && exec "$SX" $command text.sx) >"$out" 2>"$err" </dev/null
    status=$?
    what="sx $command: nested generic types"
    expect_status 0
    case $command in run*) expect_out '4096 false 4096 true\nfalse true\n' ;; esac
done

# What is large but zero costs nothing.
program <<<'cells : [1000000000]i64;
Tail :: struct { n: i64 = 3; rest: [500000000]i64; }
tail : Tail;
main :: () { cells[7] = tail.n; }'
text 0 large globals
program <<<'cells : [4000000000][4000000000]i64;
main :: () { }'
text 1 a type larger than memory

# A long function takes time in proportion to its length.
{ echo 'main :: () { x := 0;'; for ((i = 0; i < 100000; i++)); do echo 'x = x + 1;'; done; echo 'if x != 100000 { y := 1 / (x - x); } }'; } | program
(ulimit -t 5 && exec "$SX" run --vm text.sx) >"$out" 2>"$err" </dev/null
status=$?
what="100,000 statements in the interpreter"
expect_status 0

# So do its declarations, and what debuggers are told of them is not nested as deep as they are many.
{ echo 'main :: () { x0 := 0;'; for ((i = 1; i < 60000; i++)); do echo "x$i := x0 + $i; x0 = x$i;"; done; echo '}'; } | program
(ulimit -t 2 && exec "$SX" check text.sx) >"$out" 2>"$err" </dev/null
status=$?
what="60,000 declarations"
expect_status 0
{ echo 'main :: () { x0 := 0;'; for ((i = 1; i < 2000; i++)); do echo "x$i := x0;"; done; echo '}'; } | program
sx ir -g text.sx
blocks=$(grep -c 'DILexicalBlock(' "$out")
check "2,000 declarations have $blocks blocks" [ "$blocks" -lt 300 ]

# What is wrong, imported, given or nested many times takes no longer for each than once.
quick() {
    local wanted=$1
    shift
    what="sx $1: $2"
    (ulimit -t 3 && exec "$SX" $1 text.sx) >"$out" 2>"$err" </dev/null
    status=$?
    expect_status "$wanted"
}
{ echo 'main :: () { nearest := 1; wrong := nearesd;'; for ((i = 0; i < 20000; i++)); do echo "x$i := y$i;"; done; echo '}'; } | program
quick 1 check "20,000 wrong names"
expect_err_has 'did you mean `nearest`'
{ for ((i = 0; i < 40000; i++)); do echo "m$i :: #import \"modules/std/c.sx\";"; done; echo 'main :: () { }'; } | program
quick 0 check "40,000 imports of one file"
{ echo 'f :: (..all: []i64) -> i64 { all.len } main :: () { x := f(0'; for ((i = 0; i < 50000; i++)); do echo ",$i"; done; echo '); }'; } | program
quick 0 check "a call with 50,001 arguments"
{ for ((i = 0; i < 20000; i++)); do printf 'inline if OS == .linux { '; done; for ((i = 0; i < 20000; i++)); do printf '} '; done; } | program
quick 1 "fmt --check" "20,000 nested blocks in a line"

# What turns numbers into text is in a program once, not as often as it prints one.
{ echo '#import "modules/std.sx"; show :: (n: i64, x: f64) {'; for ((i = 0; i < 20; i++)); do echo "print(\"$i {} {}\\n\", n, x);"; done
  echo '} main :: () { for 0..2 (i) { show(i, xx i); } }'; } | program
sx ir -O2 text.sx
divisions=$(grep -cE ' u(div|rem) ' "$out")
check "20 prints of numbers have $divisions divisions" [ "$divisions" -lt 60 ]

# Little address space; the interpreter is wanted while compiling.
program <<<'#import "modules/std.sx";
ran :: () -> string { "ran" }
main :: () { print("{}\n", #run ran()); }'
for command in check "run --vm" run "build -o text"; do
    for kilobytes in 400000 200000; do
        (ulimit -v $kilobytes && exec "$SX" $command text.sx) >"$out" 2>"$err" </dev/null
        status=$?
        what="sx $command with $kilobytes KB of address space"
        expect_status 0
    done
    (ulimit -v 75000 && exec "$SX" $command text.sx) >"$out" 2>"$err" </dev/null
    status=$?
    what="sx $command with next to no address space"
    # Where even the executable does not fit, it is the system that says no.
    [ $status = 139 ] || { expect_status 1; expect_one_error 'memory'; }
done

# Runs the program in the interpreter within so many kilobytes of address space. $2: what it does.
interpret_within() {
    (ulimit -v "$1" && exec "$SX" run --vm text.sx) >"$out" 2>"$err" </dev/null
    status=$?
    what="$2 in the interpreter with $1 KB of address space"
}

# A stack that has less room than others is used up sooner, and said to be.
program <<<'f :: (n: i64) -> i64 { f(n + 1) + 1 }
main :: () -> i64 { f(0) }'
for kilobytes in 3000000 400000 150000; do
    interpret_within $kilobytes "endless recursion"
    expect_status 134
    expect_err_has '^panic: stack overflow in f at text.sx:1:1$'
done

# Where there is no room for one more thread of the interpreter, none begins, and the program is told.
program <<<'#import "modules/std.sx";
thread :: #import "modules/std/thread.sx";
main :: () {
    begun : List(*thread.ThreadTask) = .{};
    refused := false;
    for 0..40 { begun.append(thread.spawn_task(() -> ! { }) catch (e) { refused = e == error.Spawn; break; }); }
    for begun.items (t) { t.join() catch { }; }
    print("{}\n", refused);
}'
for kilobytes in 200000 250000; do
    interpret_within $kilobytes threads
    expect_status 0
    expect_out 'true\n'
done

# Memory ends as soon as the executable is there, or while its loader works (139, 127).
size=$(($(stat -L -c %s "$SX") / 1024))
for ((more = -10000; more < 8000; more += 1000)); do
    (ulimit -v $((size + more)) && exec "$SX" version) >"$out" 2>"$err" </dev/null
    status=$?
    what="sx version with $((size + more)) KB of address space"
    case $status in
    139 | 127) ;;
    1) expect_one_error 'out of memory' ;;
    *) expect_status 0 ;;
    esac
done

# ---- fibers that are given up leave nothing behind: 2,000 of them in the room of some hundreds
cat >text.sx <<END
#import "modules/std.sx";
sx_fiber_create :: (entry: (*void) -> void abi(.c), argument: *void, bytes: usize) -> *void extern;
sx_fiber_resume :: (fiber: *void) -> bool extern;
sx_fiber_pause :: () extern;
sx_fiber_release :: (fiber: *void) extern;
body :: (argument: *void) abi(.c) { sx_fiber_pause(); }
main :: () {
    for 0..2000 {
        fiber := sx_fiber_create(body, null, 65536);
        sx_fiber_resume(fiber);
        sx_fiber_release(fiber);
    }
    print("done\n");
}
END
(ulimit -v 6000000 && "$SX" run --vm text.sx) >"$out" 2>"$err" </dev/null
status=$?
what="fibers that are given up"
expect_status 0
expect_out 'done\n'

# Names of error tags, of which there are more than 16 bits count.
{
    echo "Many :: error { $(seq -f 'A%.0f' -s ', ' 0 65540) }"
    cat <<'END'
#import "modules/std.sx";
last :: () -> !Many { raise error.A65540; }
text :: () -> string { last() catch (e) { return format("{}", e); }; return ""; }
WHILE_COMPILING :: #run text();
main :: () -> ! { print("{} {}\n", WHILE_COMPILING, text()); try last(); }
END
} >tags.sx
for command in run "run --vm"; do
    sx $command tags.sx
    expect_status 1
    expect_out 'A65540 A65540\n'
    expect_err_has '^error: unhandled error reached main: error.A65540$'
done

# No room where the executable is to be written.
sx build -o /dev/full text.sx
expect_status 1
expect_one_error 'cannot write `/dev/full`: No space left on device'
(ulimit -n 7 && exec "$SX" build -o program text.sx) >"$out" 2>"$err" </dev/null
status=$?
what="sx build with a limit on open files"
expect_status 1
expect_one_error 'cannot link: too many open files \(`ulimit -n` allows 7\)'
mkdir gone
(cd gone && rmdir ../gone && exec "$SX" build -o program "$scratch/work/text.sx") >"$out" 2>"$err" </dev/null
status=$?
what="sx build in a folder that is gone"
expect_status 1
expect_one_error 'cannot write `program`: No such file or directory'
(ulimit -f 10 && exec "$SX" build -o program text.sx) >"$out" 2>"$err" </dev/null
status=$?
what="sx build with a limit on sizes of files"
expect_status 1
expect_one_error 'File too large'
check "no program is left" test ! -e program
if mkdir small && mount -t tmpfs -o size=64k none small 2>/dev/null; then
    cp text.sx small
    (cd small && exec "$SX" build -o program text.sx) >"$out" 2>"$err" </dev/null
    status=$?
    what="sx build on a full disk"
    expect_status 1
    expect_one_error 'cannot write `program`: No space left on device'
    check "nothing is left but the source" same "$(ls small)" text.sx
    umount small
fi

finish
