#!/bin/bash
# Proves: what `sx run --vm --record` has written runs again with the same output, errors, trace and status, when the files, the
# clock, the random numbers, the arguments and the environment are others; what is no such recording is refused.
. "$(dirname "$0")/lib.sh"
CORPUS=$2

# replays NAME [ARGUMENT…]: records NAME.sx in a folder that is gone afterwards, replays it with another environment, and compares.
replays() {
    local name=$1
    shift
    mkdir -p "$scratch/gone"
    cp input.txt "$name.sx" "$scratch/gone"
    (cd "$scratch/gone" && SEEN=first "$SX" run --vm --record "$scratch/$name.rec" "$name.sx" "$@" \
        >"$scratch/out1" 2>"$scratch/err1" <"$scratch/stdin")
    local first=$?
    rm -rf "$scratch/gone"
    SEEN=second sx run --replay "$scratch/$name.rec" "$name.sx"
    expect_same_run "$first"
}
expect_same_run() {
    check "the status of the run that was recorded: $1" same "$status" "$1"
    check "its output: $(head -c 500 "$scratch/out1")" cmp -s "$scratch/out1" "$out"
    check "its errors: $(head -c 500 "$scratch/err1")" cmp -s "$scratch/err1" "$err"
}
printf 'a line\nanother\n' >"$scratch/stdin"
printf 'from a file\n' >input.txt

head='#import "modules/std.sx"; #import "modules/std/mem.sx";'

cat >reads.sx <<END
$head
files :: #import "modules/std/files.sx";
main :: () -> ! {
    text := try files.read("input.txt");
    print("{}", text);
    try files.write("made.txt", text);
    there := try files.info("made.txt");
    print("{} {}\n", there.size, there.modified_seconds);
    free(text);
}
END
replays reads
check "it has read the file" has "$out" 'from a file'

cat >missing.sx <<END
$head
files :: #import "modules/std/files.sx";
load :: (path: string) -> (string, !) { return try files.read(path); }
main :: () -> ! {
    print("{}", try load("nowhere.txt"));
}
END
replays missing
expect_status 1
expect_err_has 'load at missing.sx'

cat >clock.sx <<END
$head
time :: #import "modules/std/time.sx";
main :: () {
    print("{} {}\n", time.now_secs(), time.mono_ns());
    civil, ok := time.local_civil(time.now_secs());
    print("{} {}\n", civil, ok);
}
END
replays clock
expect_status 0

cat >freed.sx <<END
$head
take :: (size: usize) -> *void extern "malloc";
back :: (block: *void) extern "free";
main :: () {
    print("before\n");
    a := take(4);
    back(a);
    back(a);
    print("after\n");
}
END
replays freed
expect_status 134

cat >chance.sx <<END
$head
random :: #import "modules/std/random.sx";
main :: () {
    print("{} {}\n", random.system_seed(), random.system_seed());
}
END
replays chance
expect_status 0

cat >surroundings.sx <<END
$head
environment :: #import "modules/std/environment.sx";
sx_program_argc :: () -> i32 extern;
main :: () -> ! {
    print("{} {}\n", sx_program_argc(), environment.get_or("SEEN", "none"));
    try environment.set("ANOTHER", "x");
    print("{}\n", environment.get_or("ANOTHER", "none"));
    all := environment.all();
    for all.items (v) { if v.name == "SEEN" or v.name == "ANOTHER" { print("{}={}\n", v.name, v.value); } }
    all.deinit();
}
END
replays surroundings one "two words"
expect_out_has '^3 first'
expect_out_has '^SEEN=first'

cat >addresses.sx <<END
$head
total := 7;
main :: () {
    local := 1;
    a := alloc_string(10);
    b := alloc_string(100000);
    n : u64 = xx a.ptr;
    m : u64 = xx b.ptr;
    l : u64 = xx *local;
    g : u64 = xx *total;
    print("{} {} {} {}\n", n, m, l, g);
    free(a);
    free(b);
}
END
replays addresses
expect_status 0

cat >panics.sx <<END
$head
time :: #import "modules/std/time.sx";
main :: () {
    xs := .[1, 2, 3];
    i := 3 + time.now_secs() % 1000;
    print("before\n");
    print("{}\n", xs[i]);
}
END
replays panics
expect_status 134

cat >exits.sx <<END
$head
process :: #import "modules/std/process.sx";
time :: #import "modules/std/time.sx";
main :: () {
    print("{}\n", time.mono_ns());
    process.exit(7);
}
END
replays exits
expect_status 7

cat >dies.sx <<END
$head
kill :: (pid: i32, signal: i32) -> i32 extern;
getpid :: () -> i32 extern;
main :: () {
    print("before\n");
    kill(getpid(), 15);
    print("after\n");
}
END
replays dies
expect_status 143
expect_out 'before\n'

cat >children.sx <<END
$head
command :: #import "modules/std/command.sx";
main :: () -> ! {
    o := try command.run(.["sh", "-c", "cat; date +%N; exit 3"], "input");
    print("{} {}\n", o.output, o.status);
    o.deinit();
}
END
replays children
expect_status 0

cat >copies.sx <<END
$head
c :: #import "modules/std/c.sx";
dup :: (fd: i32) -> i32 extern;
dup2 :: (fd: i32, to: i32) -> i32 extern;
creat :: (path: cstring, mode: i32) -> i32 extern;
main :: () {
    print("one\n");
    kept := dup(1);
    to := creat("made.txt", 0o600);
    dup2(to, 1);
    print("into the file\n");
    dup2(kept, 1);
    c.close(kept);
    print("two\n");
}
END
replays copies
expect_out 'one\ntwo\n'

# ---- programs of the corpus, replayed where their files are not
count=0
for program in "$CORPUS"/library/{files,outputs,streams,environment,commands,dates,sorting,read_without_memory,files_trace}.sx \
    "$CORPUS"/errors/process.sx "$CORPUS"/modules/c_threads.sx "$CORPUS"/tasks/threads.sx "$CORPUS"/programs/*.sx \
    "$CORPUS"/traces/*.sx; do
    [ "$count" -lt 26 ] && [ -e "$program" ] || continue
    grep -q reject "$program" && continue
    count=$((count + 1))
    rm -rf "$scratch/there"
    mkdir "$scratch/there"
    (cd "$scratch/there" && timeout 60 "$SX" run --vm --warnings=off --record "$scratch/p.rec" "$program" \
        >"$scratch/out1" 2>"$scratch/err1" </dev/null)
    first=$?
    rm -rf "$scratch/there"
    mkdir "$scratch/there"
    run timeout 60 "$SX" run --replay "$scratch/p.rec"
    what="replay of $program"
    sed -i '/^warning: the recording is incomplete/d' "$scratch/err1"
    expect_same_run "$first"
done
check "some twenty programs: $count" [ "$count" -ge 15 ]

# ---- signals from outside
cat >waits.sx <<END
$head
nanosleep :: (time: *[2]i64, left: *[2]i64) -> i32 extern;
main :: () {
    print("waiting\n");
    for 0..300 (i) {
        t : [2]i64 = .[0, 100000000];
        nanosleep(*t, *t);
    }
    print("never\n");
}
END
cat >computes.sx <<END
$head
main :: () {
    print("computing\n");
    n := 0;
    while true { n += 1; if n > 1000 { n = 0; } }
}
END
for name in waits computes; do
    "$SX" run --vm --record $name.rec $name.sx >$name.out 2>/dev/null &
    pid=$!
    for _ in $(seq 200); do [ -s $name.out ] && break; sleep 0.1; done
    kill -TERM $pid
    wait $pid 2>/dev/null
    check "$name: ended by the signal" same $? 143
    run timeout 60 "$SX" run --replay $name.rec
    expect_status 143
    check "$name: the same output" cmp -s $name.out "$out"
done

# ---- what is not known, and what is described
cat >unknown.sx <<END
$head
getloadavg :: (to: *[3]f64, count: i32) -> i32 extern;
main :: () {
    loads : [3]f64 = ---;
    print("{}\n", getloadavg(*loads, 3));
    print("{} {}\n", loads[0] >= 0.0, loads);
}
END
sx run --vm --record u.rec unknown.sx
expect_status 0
expect_err 'warning: the recording is incomplete: of `getloadavg` only the result is recorded\n'
cat >spec.json <<END
{ "functions": [ { "name": "getloadavg", "arguments": [
    { "argument": 0, "direction": "out", "length": { "argument": 1, "times": 8 } } ] } ] }
END
sx run --vm --record u.rec --record-spec spec.json unknown.sx
expect_status 0
expect_err ''
cp "$out" "$scratch/out1"
rm spec.json
sx run --replay u.rec
expect_status 0
check "the same output" cmp -s "$scratch/out1" "$out"

wrong_spec() {
    printf '%s' "$1" >wrong.json
    sx run --vm --record w.rec --record-spec wrong.json unknown.sx
    expect_status 1
    expect_one_error "$2"
    check "no recording" missing w.rec
}
wrong_spec '{' '`wrong.json` describes no functions: it is no JSON'
wrong_spec '[]' 'an object with the list `functions`'
wrong_spec '{"functions": [{}]}' 'an object with a `name`'
wrong_spec '{"functions": [{"name": "f", "arguments": [{"argument": 0, "direction": "up"}]}]}' '`direction` is `in`, `out` or `inout`'
wrong_spec '{"functions": [{"name": "f", "arguments": [{"argument": 0, "direction": "out"}]}]}' 'needs a `length`'
printf '%s' '{"functions": [{"name": "getloadavg", "arguments": [{"argument": 2, "direction": "out", "length": 8}]}]}' >wrong.json
sx run --vm --record w.rec --record-spec wrong.json unknown.sx
expect_status 1
expect_err_has 'getloadavg.* has no argument 2'

# ---- threads: what they print and compute depends on every moment at which another one went on
cat >threads.sx <<END
$head
thread :: #import "modules/std/thread.sx";
counter := 0;
done := 0;
m : thread.Mutex;
work :: (arg: *void) -> *void abi(.c) {
    n : i64 = xx arg;
    for 0..25000 (i) {
        old := counter;
        counter = old + n;
    }
    m.lock();
    print("{} has {}\n", n, counter);
    m.unlock();
    return null;
}
spin :: (arg: *void) -> *void abi(.c) {
    while atomic_load(i64, *done, .acquire) == 0 { counter += 1; }
    print("spun up to {}\n", counter);
    return null;
}
main :: () -> ! {
    m.setup();
    spinning := try thread.Thread.spawn(spin, null);
    all : [3]thread.Thread;
    for 0..3 (i) { all[i] = try thread.Thread.spawn(work, xx (i + 1)); }
    for 0..3 (i) { all[i].join(); }
    atomic_store(i64, *done, 1, .release);
    spinning.join();
    print("{}\n", counter);
}
END
replays threads
expect_status 0
check "no warning" same "$(cat "$scratch/err1")" ''

cat >c11.sx <<END
$head
thrd_create :: (t: *u64, entry: (*void) -> i32 abi(.c), argument: *void) -> i32 extern;
thrd_join :: (t: u64, result: *i32) -> i32 extern;
thrd_exit :: (result: i32) extern;
counter := 0;
work :: (arg: *void) -> i32 abi(.c) {
    n : i64 = xx arg;
    for 0..50000 { counter += n; }
    if n == 2 { thrd_exit(-1); }
    return xx (n - 3);
}
main :: () {
    threads : [2]u64;
    for 0..2 (i) { if thrd_create(*threads[i], work, xx (i + 1)) != 0 { return; } }
    for 0..2 (i) {
        result : i32 = 0;
        thrd_join(threads[i], *result);
        print("{} ", result);
    }
    print("{}\n", counter);
}
END
replays c11
expect_out '-2 -1 150000\n'
check "no warning" same "$(cat "$scratch/err1")" ''

cat >cstarts.sx <<END
$head
clone :: (entry: *void, stack: *void, flags: i32, argument: *void) -> i32 extern;
main :: () {
    _ = clone(null, null, 0, null);
    print("never\n");
}
END
sx run --vm --record t.rec cstarts.sx
expect_status 1
expect_one_error 'a program that calls `clone` cannot be recorded'
check "no recording" missing t.rec

# ---- a copy of the process goes on by itself, and is not there again
cat >copy.sx <<END
$head
fork :: () -> i32 extern;
waitpid :: (pid: i32, status: *i32, options: i32) -> i32 extern;
_exit :: (code: i32) extern;
main :: () {
    pid := fork();
    if pid == 0 {
        text := alloc_string(100);
        free(text);
        _exit(3);
    }
    status : i32 = 0;
    print("{} {} {}\n", waitpid(pid, *status, 0) == pid, status, pid);
}
END
replays copy
expect_out_has '^true 768 '

# ---- other programs, broken files
cp clock.sx other.sx
echo '// changed' >>other.sx
rec=$scratch/clock.rec
sx run --replay "$rec" other.sx
expect_status 1
expect_one_error '`[^`]*clock.rec` is of another program, `clock.sx` \(hash [0-9a-f]{16}\), this is `other.sx` \(hash [0-9a-f]{16}\)'

size=$(stat -c %s "$rec")
for n in 0 5 20 40 100 $((size - 1)); do
    head -c "$n" "$rec" >cut.rec
    sx run --replay cut.rec clock.sx
    expect_status 1
    expect_one_error 'is cut off|is no recording'
done
for n in 3 9 14 17 25 33 60 $((size / 2)) $((size - 1)); do
    cp "$rec" changed.rec
    byte=$(od -An -tu1 -j "$n" -N1 changed.rec)
    printf "\\x$(printf %02x $(((byte + 1) % 256)))" | dd of=changed.rec bs=1 seek="$n" conv=notrunc status=none
    sx run --replay changed.rec clock.sx
    expect_status 1
    expect_one_error 'was changed|is no recording|version|is cut off'
done
(cat "$rec"; echo) >long.rec
sx run --replay long.rec clock.sx
expect_status 1
expect_one_error 'was changed'
for file in clock.sx /dev/null nowhere.rec .; do
    sx run --replay "$file" clock.sx
    expect_status 1
    expect_one_error 'is no recording|cannot read the recording'
done

# ---- a disk that is full
sx run --vm --record /dev/full clock.sx
expect_status 1
expect_one_error 'cannot write `/dev/full`: No space left on device'
sx run --vm --record /nowhere/x clock.sx
expect_status 1
expect_one_error 'cannot write `/nowhere/x`: No such file or directory'
# ---- a file that is something else stays
cp clock.sx kept.sx
sx run --vm --record kept.sx kept.sx
expect_status 1
expect_one_error 'cannot write `kept.sx`: the file is there and is no recording'
check "the source is there" cmp -s clock.sx kept.sx
sx run --vm --record kept.rec kept.sx
sx run --vm --record kept.rec kept.sx
expect_status 0

# ---- a file that grows too large
cat >many.sx <<END
$head
time :: #import "modules/std/time.sx";
main :: () {
    n := 0;
    for 0..20000 (i) { if time.mono_ns() > 0 { n += 1; } }
    print("{}\n", n);
}
END
run bash -c 'ulimit -f 64; trap "" XFSZ; exec "$0" run --vm --record many.rec many.sx' "$SX"
expect_status 0
expect_out '20000\n'
check "one line on stderr" lines "$err" 1
expect_err_has '^error: recording ends: cannot write `many.rec`: File too large'
check "no recording" missing many.rec

# ---- the command line
sx run --record x.rec clock.sx
expect_status 2
expect_one_error '`--record` needs `--vm`'
sx run --vm --record-spec x clock.sx
expect_status 2
expect_one_error '`--record-spec` needs `--record`'
sx run --vm --record x --replay y clock.sx
expect_status 2
expect_one_error 'exclude each other'
sx run --replay "$rec" clock.sx argument
expect_status 2
expect_one_error 'arguments from the recording'
sx help run
for option in record record-spec replay; do expect_out_has "^ *--$option PATH"; done
sx completions bash
expect_out_has '--replay'
finish
