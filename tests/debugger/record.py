#!/usr/bin/env python3
"""Recordings in the debugger: `record: FILE` writes one, `replay: FILE` debugs one, backwards to its start.

usage: record.py SX
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time

import dap

SX = sys.argv[1]
PROGRAM = """#import "modules/std.sx";
time :: #import "modules/std/time.sx";
getloadavg :: (to: *[3]f64, count: i32) -> i32 extern;
main :: () {
    loads : [3]f64 = ---;
    first := time.mono_ns();
    n := getloadavg(*loads, 3);
    second := time.mono_ns();
    print("{} {} {}\\n", first, n, second);
    third := second + 1;
    print("{}\\n", third);
}
"""


def line(text):
    return next(i for i, l in enumerate(PROGRAM.split("\n"), 1) if text in l)


def launch(program, stops, **arguments):
    c = dap.Client(SX)
    c.start(program, stops, engine="vm", **arguments)
    c.event("stopped")
    return c


def go(c, command):
    c.must(command, threadId=1)
    return c.event("stopped")


def value(c, name):
    return c.locals(c.top(levels=1)[0]["id"])[name]["value"]


def place(c):
    return c.top(levels=1)[0]["line"]


def finish(c):
    """Runs to the end; the output of the program."""
    c.must("continue", threadId=1)
    c.event("terminated")
    text = c.output_text("stdout")
    c.close()
    return text


def record(folder, program):
    """A recording that the debugger has written: its file, the clock, the output."""
    file = os.path.join(folder, "a.rec")
    c = launch(program, [line("third :=")], record=file)
    assert c.must("stepBack", threadId=1) is not None  # history is kept as with `true`
    c.event("stopped")
    go(c, "continue")
    first = value(c, "first")
    return file, first, finish(c)


def replayed_by_run(file, text):
    run = subprocess.run([SX, "run", "--replay", file], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (0, text, ""), run


def replayed(file, program, first, text):
    c = launch(program, [line("third :=")], replay=file)
    assert value(c, "first") == first
    go(c, "stepBack")
    assert place(c) == line("print(\"{} {}"), place(c)
    # Over the call of a function that nothing is known of, to the start.
    stop = go(c, "reverseContinue")
    assert "history begins at the start of the program" in str(stop), stop
    assert place(c) == line("loads :"), place(c)
    go(c, "continue")
    assert place(c) == line("third :=")
    assert finish(c) == text


def heaps(folder, program, file, text):
    """The heap of a replay is tracked where the session wants it, or where it was when it was recorded."""
    c = launch(program, [line("third :=")], replay=file, heap="track")
    c.must("sxDominators")
    assert finish(c) == text
    tracked = os.path.join(folder, "h.rec")
    subprocess.run([SX, "run", "--vm", "--heap=track", "--record", tracked, program], capture_output=True, timeout=60, check=True)
    for wish, isTracked in (({}, True), ({"heap": "off"}, False)):
        c = launch(program, [line("third :=")], replay=tracked, **wish)
        assert c.ask("sxDominators")["success"] == isTracked, wish
        c.finish()


def of_its_own_path(file, text):
    c = dap.Client(SX)
    c.must("initialize", adapterID="sx")
    c.event("initialized")
    c.must("launch", replay=file)
    c.must("configurationDone")
    c.event("terminated")
    assert c.output_text("stdout") == text
    c.close()


CHANGED = """#import "modules/std.sx";
write :: (to: i32, from: *u8, count: usize) -> isize extern;
read :: (from: i32, to: *u8, count: usize) -> isize extern;
main :: () {
    count : usize = 2;
    bytes : [8]u8 = ---;
    n := CALL;
    print("{}\\n", n);
}
"""


def changed(folder):
    """A program that the debugger has changed does not get more in a replay than it asks for; it is told where it writes
    something else."""
    for call, change in (("write(1, *bytes[0], count)", "count = 8"), ("read(0, *bytes[0], count)", "count = 8"),
                         ("write(1, *bytes[0], count)", "bytes[0] = 65")):
        program = os.path.join(folder, "changed.sx")
        with open(program, "w") as f:
            f.write(CHANGED.replace("CALL", call))
        file = os.path.join(folder, "changed.rec")
        with open(os.path.join(folder, "input"), "w") as f:
            f.write("12345678")
        c = launch(program, [7], record=file, stdio=[os.path.join(folder, "input"), None, None])
        c.must("evaluate", expression=change, frameId=c.top(levels=1)[0]["id"], context="repl")
        c.must("continue", threadId=1)
        c.event("terminated")
        c.close()
        run = subprocess.run([SX, "run", "--replay", file], capture_output=True, text=True, timeout=60)
        name = call.partition("(")[0]
        if change != "count = 8":
            assert run.returncode == 0 and run.stdout == "\0\x002\n", run
            assert run.stderr == f"warning: the program writes other bytes than it did, by the call of `{name}`\n", run
            continue
        assert run.returncode == 1 and run.stdout == "", run
        assert f"`{name}` for 2 bytes where the recording has a call of `{name}` that gave 8" in run.stderr, run


THREADS = """#import "modules/std.sx";
thread :: #import "modules/std/thread.sx";
counter := 0;
work :: (arg: *void) -> *void abi(.c) {
    n : i64 = xx arg;
    for 0..30000 (i) {
        old := counter;
        counter = old + n;
    }
    print("{} {}\\n", n, counter);
    return null;
}
main :: () -> ! {
    one := try thread.Thread.spawn(work, xx 1);
    two := try thread.Thread.spawn(work, xx 2);
    one.join();
    two.join();
    print("{}\\n", counter);
}
"""


def threads(folder):
    """What the debugger has recorded of threads runs again, in the debugger and without it, and the other way round."""
    program, file = (os.path.join(folder, name) for name in ("threads.sx", "t.rec"))
    with open(program, "w", encoding="utf-8") as f:
        f.write(THREADS)

    def debugged(stops=(), **arguments):
        c = dap.Client(SX)
        c.start(program, stops, engine="vm", **arguments)
        if stops:
            stop = c.event("stopped")
            c.must("next", threadId=stop["threadId"])
            c.event("stopped")
            c.must("setBreakpoints", source={"path": program}, breakpoints=[])
            c.must("continue", threadId=1)
        c.event("terminated")
        text = c.output_text("stdout")
        c.close()
        return text

    text = debugged(record=file)
    assert text.count("\n") == 3, text
    replayed_by_run(file, text)
    assert debugged(replay=file) == text
    subprocess.run([SX, "run", "--vm", "--record", file, program], capture_output=True, timeout=60, check=True)
    run = subprocess.run([SX, "run", "--replay", file], capture_output=True, text=True, timeout=60)
    assert debugged([8], replay=file) == run.stdout, run


ORDER = """#import "modules/std.sx";
thread :: #import "modules/std/thread.sx";
Odd :: error { Odd }
total := 0;
lock : thread.Mutex = .{};
check :: (i: i64) -> (i64, !Odd) {
    if i % 2 == 1 { raise error.Odd; }
    return i;
}
leaf :: (arg: *void) -> *void abi(.c) {
    for 0..25000 (i) {
        total += 1;
    }
    return null;
}
work :: (arg: *void) -> *void abi(.c) {
    n : i64 = xx arg;
    inner := thread.Thread.spawn(leaf, arg) catch { return null; };
    for 0..50000 (i) {
        if i % 20000 == n {
            lock.lock();
            got := check(i / 20000 + n) catch {
                total + 1
            };
            total += got;
            lock.unlock();
        }
        total += n;
    }
    inner.join();
    return null;
}
main :: () -> ! {
    one := try thread.Thread.spawn(work, xx 1);
    two := try thread.Thread.spawn(work, xx 2);
    one.join();
    two.join();
    print("{}\n", total);
}
"""


def replay_and_live(folder, name, source, stops, threads):
    """Backwards in a replay of what `sx run` has recorded, and in a session whose own recording gives the same. Returns the program."""
    program, file, live = (os.path.join(folder, name + end) for end in (".sx", ".rec", ".live"))
    with open(program, "w", encoding="utf-8") as f:
        f.write(source)
    text = subprocess.run([SX, "run", "--vm", "--record", file, program], capture_output=True, text=True, timeout=60,
                          check=True).stdout
    assert backwards(program, source, stops, threads, replay=file) == text
    replayed_by_run(live, backwards(program, source, stops, threads, record=live))
    return program


def order(folder):
    """Backwards through what several threads have done, over their starts and ends: all is as it was, each time."""
    way = (ORDER, {"one := try": None, "total += 1;": "i % 9000 == 0", "raise error": None, "total + 1": None,
                   "total += got": None, "inner.join": None, "print(": None}, 5)
    program = replay_and_live(folder, "order", *way)
    assert backwards(program, *way, record=True).count("\n") == 1


FIBERS = """#import "modules/std.sx";
#import "modules/std/sched.sx";
thread :: #import "modules/std/thread.sx";
Odd :: error { Odd }
total := 0;
check :: (i: i64) -> (i64, !Odd) {
    if i % 2 == 1 { raise error.Odd; }
    return i;
}
inside :: (n: i64) {
    scheduler := Scheduler.init();
    defer scheduler.deinit();
    s := *scheduler;
    a := s.spawn_task(() -> ! {
        s.sleep(1);
        total += n;
    });
    a.join() catch { };
}
work :: (arg: *void) -> *void abi(.c) {
    n : i64 = xx arg;
    scheduler := Scheduler.init();
    defer scheduler.deinit();
    s := *scheduler;
    chan := Channel(i64).init(s, 1);
    ch := *chan;
    counter := s.spawn_task(() -> ! {
        for 0..25000 (i) {
            if i % 8000 == 0 {
                try ch.send(i / 8000);
            }
        }
        ch.close();
    });
    taker := s.spawn_task(() -> ! {
        for 0..4 (i) {
            ch.recv();
            got := check(i) catch {
                s.yield_now();
                total + 1
            };
            total += got;
        }
        inside(n);
    });
    counter.join() catch { };
    taker.join() catch { };
    return null;
}
main :: () -> ! {
    one := try thread.Thread.spawn(work, xx 1);
    work(xx 2);
    one.join();
    print("{}\\n", total);
}
"""


def fibers(folder):
    """The same with fibers: their creation, switches and ends, with errors on their way, within each other and in two threads."""
    stops = {"one := try": None, "total += n": None, "ch.send": None, "raise error": None, "total + 1": None,
             "total += got": None, "ch.close": None, "inside(n);": None, "taker.join": None, "print(": None}
    replay_and_live(folder, "fibers", FIBERS, stops, 8)


RAISES = """#import "modules/std.sx";
#import "modules/std/sched.sx";
E :: error { Odd }
last := 0;
fails :: (k: i64) -> !E {
    last = k;
    raise error.Odd;
}
main :: () {
    s := Scheduler.init();
    at := *s;
    for 0..2 (n) {
        s.spawn(() { for 0..4 (i) { fails(n * 10 + i) catch { at.yield_now(); } } });
    }
    s.run();
}
"""


def raises(folder):
    """Errors of every fiber are told again on the way forward from where going back has ended, in whichever that was."""
    program = os.path.join(folder, "raises.sx")
    with open(program, "w", encoding="utf-8") as f:
        f.write(RAISES)
    for back in (2, 3, 7):
        c = dap.Client(SX)
        c.start(program, engine="vm", record=True, stopOnEntry=True)
        stop = c.event("stopped")
        c.must("setExceptionBreakpoints", filters=["raise"])

        def move(command):
            c.must(command, threadId=stop["threadId"])
            frame = c.must("stackTrace", threadId=c.event("stopped")["threadId"], levels=1)["stackFrames"][0]
            return c.must("evaluate", expression="last", frameId=frame["id"])["result"]

        seen = [move("continue") for _ in range(8)]
        assert seen == ["0", "10", "1", "11", "2", "12", "3", "13"], seen
        assert [move("reverseContinue") for _ in range(back)] == seen[-2:-2 - back:-1]
        assert [move("continue") for _ in range(back)] == seen[-back:]
        c.finish()


def ended(folder):
    """A program that a signal has ended, its own or another process's: the replay stops there, as the program did."""
    program, file = (os.path.join(folder, name) for name in ("ended.sx", "ended.rec"))
    others = "another process has sent"
    for last, sender in (("kill(getpid(), 15)", "it has sent itself"), ("sleep(60)", others),
                         ("t := try thread.spawn_task(() -> ! { }); sleep(60)", others)):
        with open(program, "w", encoding="utf-8") as f:
            f.write('#import "modules/std.sx"; thread :: #import "modules/std/thread.sx";\nkill :: (pid: i32, sig: i32) -> i32 extern libc;\ngetpid :: () -> i32 extern libc;\n'
                    'sleep :: (s: u32) -> u32 extern libc;\n'
                    'main :: () -> ! {\n    n := 1;\n    n += 1;\n    print("ready\\n");\n    ' + last + ';\n    n += 1;\n}\n')
        run = subprocess.Popen([SX, "run", "--vm", "--record", file, program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        run.stdout.readline()
        if "sleep" in last:
            time.sleep(0.2) # until it does
            run.terminate()
        assert run.wait(60) == -15, run.returncode
        c = dap.Client(SX)
        c.start(program, engine="vm", replay=file)
        for _ in range(2):
            stop = c.event("stopped")
            assert stop["reason"] == "exception" and f"ended by SIGTERM, which {sender}" in stop["text"], stop
            assert (stop["threadId"], c.top()[1]["line"]) == (1, 9), (stop, c.top())
            go(c, "stepBack")
            assert place(c) == 9, place(c)
            c.must("continue", threadId=1)
        c.event("stopped")
        c.must("continue", threadId=1)
        assert c.event("exited")["exitCode"] == 143, c.events
        c.close()


def backwards(program, source, stops, threads, **arguments):
    """Through a program from the first of the stops (with their conditions) to the last one, and back. `threads`: so many stop."""
    rows = [next(i for i, l in enumerate(source.split("\n"), 1) if text in l) for text in stops]
    c = dap.Client(SX)
    c.start(program, [{"line": row, **({"condition": when} if when else {})} for row, when in zip(rows, stops.values())],
            engine="vm", **arguments)

    def look(stop):
        """Where and in which thread it is, variables, the threads that are there, the trace."""
        frames = c.must("stackTrace", threadId=stop["threadId"], levels=50)["stackFrames"]
        mine = [f for f in frames if f.get("source", {}).get("path") == program]
        frame = (mine or frames)[0] # a thread that has not its turn may stand in the library
        total = mine and c.must("evaluate", expression="total", frameId=frame["id"])["result"]
        trace = c.must("sxErrorTrace", threadId=stop["threadId"])["rendered"]
        return (stop["threadId"], frame["line"], total, {n: v["value"] for n, v in c.locals(frame["id"]).items()},
                [t["id"] for t in c.must("threads")["threads"]], trace)

    def move(command, thread, **arguments):
        c.must(command, threadId=thread, **arguments)
        return look(c.event("stopped"))

    seen = [look(c.event("stopped"))]
    while seen[-1][1] != rows[-1]:
        seen.append(move("continue", seen[-1][0]))
    assert len({s[0] for s in seen}) == threads and len(seen) > 20 and any("Odd" in s[5] for s in seen), seen
    for way in (reversed(seen[:-1]), seen[1:], reversed(seen[:-1])):
        command = "continue" if isinstance(way, list) else "reverseContinue"
        now = seen[-1] if command == "reverseContinue" else seen[0]
        for wanted in way:
            now = move(command, now[0])
            assert now == wanted, (command, now, wanted)
    for _ in range(8):
        now = move("continue", now[0])
    # Steps of the thread, and of one that has not its turn; then the way on is the same.
    for _ in range(3): # perhaps to before the thread's begin: then another one is where it stops
        now = move("stepBack", now[0])
    now = move("stepBack", now[4][0])
    assert move("continue", now[0]) in seen
    c.must("setBreakpoints", source={"path": program}, breakpoints=[])
    stop = c.must("reverseContinue", threadId=1) and None or c.event("stopped")
    assert (stop.get("text"), look(stop)[:2]) == ("history begins at the start of the program", (1, rows[0])), stop
    return finish(c)


WAITS = """#import "modules/std.sx";
thread :: #import "modules/std/thread.sx";
c0 :: #import "modules/std/c.sx";
pthread_barrier_init :: (b: *void, attr: *void, count: u32) -> i32 extern libc;
pthread_barrier_wait :: (b: *void) -> i32 extern libc;
sem_init :: (s: *void, shared: i32, value: u32) -> i32 extern libc;
sem_wait :: (s: *void) -> i32 extern libc;
sem_post :: (s: *void) -> i32 extern libc;
usleep :: (us: u32) -> i32 extern libc;
pthread_cond_timedwait :: (c: *void, m: *void, t: *void) -> i32 extern libc;
barrier : [64]u8;
sem : [64]u8;
lock : thread.Mutex = .{};
filled : thread.Cond = .{};
queue := 0;
made := 0;
late := 0;
producer :: (arg: *void) -> *void abi(.c) {
    pthread_barrier_wait(xx *barrier);
    for 0..5 (i) {
        usleep(2000);
        lock.lock();
        queue += 1;
        made += i;
        filled.signal();
        lock.unlock();
    }
    sem_post(xx *sem);
    return xx 77;
}
consumer :: (arg: *void) -> *void abi(.c) {
    pthread_barrier_wait(xx *barrier);
    got := 0;
    while got < 5 {
        lock.lock();
        while queue == 0 { filled.wait(*lock); }
        queue -= 1;
        got += 1;
        lock.unlock();
    }
    return xx got;
}
main :: () -> ! {
    lock.setup();
    filled.setup();
    pthread_barrier_init(xx *barrier, null, 3);
    sem_init(xx *sem, 0, 0);
    p := try thread.Thread.spawn(producer, null);
    c := try thread.Thread.spawn(consumer, null);
    pthread_barrier_wait(xx *barrier);
    sem_wait(xx *sem);
    gone : *void = null;
    c0.pthread_join(p.handle, *gone);
    x : i64 = xx gone;
    c.join();
    when : [2]i64 = .[1, 0];
    lock.lock();
    late = xx pthread_cond_timedwait(xx *filled.buf, xx *lock.buf, xx *when);
    lock.unlock();
    print("{} {} {} {}\\n", x, made, queue, late);
}
"""


def waits(folder):
    """Backwards through a program that runs: mutexes, conditions, barriers, semaphores, sleep and joins are waited for again; and
    on another way from there."""
    program = os.path.join(folder, "waits.sx")
    with open(program, "w", encoding="utf-8") as f:
        f.write(WAITS)
    rows = [i for i, l in enumerate(WAITS.split("\n"), 1)
            if any(t in l for t in ("made += i", "sem_post(xx", "got += 1", "sem_wait(xx", "p := try", "x : i64", "print("))]
    c = dap.Client(SX)
    c.start(program, [{"line": row} for row in rows], engine="vm", record=True)

    def look(stop):
        frame = c.must("stackTrace", threadId=stop["threadId"], levels=1)["stackFrames"][0]
        values = [c.must("evaluate", expression=e, frameId=frame["id"])["result"] for e in ("queue", "made", "late")]
        return stop["threadId"], frame["line"], values, [t["id"] for t in c.must("threads")["threads"]]

    def move(command, thread):
        c.must(command, threadId=thread)
        return look(c.event("stopped"))

    seen = [look(c.event("stopped"))]
    while seen[-1][1] != rows[-1]:
        seen.append(move("continue", seen[-1][0]))
    assert seen[-1][2] == ["0", "10", "110"], seen[-1]
    for _ in range(2):
        for command, way in (("reverseContinue", seen[-2::-1]), ("continue", seen[1:])):
            now = seen[-1] if command == "reverseContinue" else seen[0]
            for wanted in way:
                now = move(command, now[0])
                assert now == wanted, (command, now, wanted)
    for _ in range(len(seen) // 2):
        now = move("reverseContinue", now[0])
    made = int(now[2][1])
    frame = c.must("stackTrace", threadId=now[0], levels=1)["stackFrames"][0]["id"]
    c.must("setExpression", expression="made", value=str(made + 1000), frameId=frame)
    c.must("setBreakpoints", source={"path": program}, breakpoints=[{"line": rows[-1]}])
    assert move("continue", now[0])[2] == ["0", "1010", "110"]
    c.must("reverseContinue", threadId=1)
    assert c.event("stopped")["text"] == "history begins at a change that the debugger made"
    c.must("continue", threadId=1)
    c.event("stopped")
    assert finish(c) == "77 1010 0 110\n"


WRITES = """#import "modules/std.sx";
main :: () {
    first := 1;
    all : [1000]i64;
    for 0..300000 (i) { all[i % 1000] += i; }
    large := alloc_slice(i64, 100000);
    for 0..100000 (i) { large[i] = i; }
    other := alloc_slice(i64, 100000);
    c.memcpy(xx other.ptr, xx large.ptr, 800000);
    last := other[5] + all[5];
    print("{}\\n", last + first);
}
"""


def whole(folder):
    """A replay is gone back in to its start, whatever `historyBytes` has room for."""
    program, file = (os.path.join(folder, name) for name in ("writes.sx", "w.rec"))
    with open(program, "w", encoding="utf-8") as f:
        f.write(WRITES)
    subprocess.run([SX, "run", "--vm", "--record", file, program], capture_output=True, timeout=60, check=True)
    c = launch(program, [11], replay=file, historyBytes=65536)
    stop = go(c, "reverseContinue")
    assert stop.get("text") == "history begins at the start of the program", stop
    assert place(c) == 3, place(c)
    go(c, "continue")
    assert place(c) == 11, place(c)
    finish(c)


def with_library(folder):
    """A recording knows where the libraries of its program were looked for."""
    folder = os.path.join(folder, "libraries")
    os.mkdir(folder)
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "foreign", "own.c")
    subprocess.run(["cc", "-g", "-shared", "-fPIC", source, "-o", os.path.join(folder, "libsxown.so")], check=True)
    program = os.path.join(folder, "owner.sx")
    with open(program, "w", encoding="utf-8") as f:
        f.write('#import "modules/std.sx";\nown :: #library "sxown";\nown_sum :: (a: i32, b: i32) -> i32 extern own;\n'
                'main :: () {\n    print("{}\\n", own_sum(2, 3));\n}\n')
    by_run, by_dap = (os.path.join(folder, name) for name in ("run.rec", "dap.rec"))
    subprocess.run([SX, "run", "--vm", "--record", by_run, "-L", folder, program], check=True, capture_output=True, timeout=60)
    c = dap.Client(SX)
    c.start(program, engine="vm", cwd=folder, libraryPaths=["."], record=by_dap)
    assert c.event("exited")["exitCode"] == 0, c.events
    c.finish()
    for file in (by_run, by_dap):
        c = dap.Client(SX)
        c.must("initialize", adapterID="sx")
        c.must("launch", replay=file, args=[], env={})
        c.must("configurationDone")
        assert c.event("exited")["exitCode"] == 0 and c.output_text("stdout") == "5\n", c.events
        c.finish()
        run = subprocess.run([SX, "run", "--replay", file], capture_output=True, text=True, timeout=60)
        assert run.stdout == "5\n", run


def refused(message, **arguments):
    c = dap.Client(SX)
    c.must("initialize", adapterID="sx")
    reply = c.ask("launch", engine="vm", **arguments)
    assert not reply["success"] and message in reply["message"], reply
    c.close()


def main():
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program.sx")
        with open(program, "w", encoding="utf-8") as f:
            f.write(PROGRAM)
        file, first, text = record(folder, program)
        replayed_by_run(file, text)
        replayed(file, program, first, text)
        of_its_own_path(file, text)
        # One that `sx run` has written.
        other = os.path.join(folder, "b.rec")
        run = subprocess.run([SX, "run", "--vm", "--record", other, program], capture_output=True, text=True, timeout=60)
        assert run.returncode == 0, run
        of_its_own_path(other, run.stdout)
        refused("exclude each other", program=program, record=True, replay=file)
        for own in ({"args": ["a"]}, {"env": {"A": "b"}}, {"stdio": [None, "out"]}):
            refused(f"`{list(own)[0]}` and `replay` exclude each other", program=program, replay=file, **own)
        with_library(folder)
        changed(folder)
        refused("cannot read the recording", program=program, replay=os.path.join(folder, "none"))
        refused("is no recording", program=program, replay=program)
        refused("cannot write", program=program, record="/dev/full")
        refused("`record` has to be true, false or a file", program=program, record=5)
        refused("`recordSpec` needs a file", program=program, recordSpec="x")
        heaps(folder, program, other, run.stdout)
        threads(folder)
        order(folder)
        fibers(folder)
        raises(folder)
        ended(folder)
        waits(folder)
        whole(folder)
        with open(program, "a", encoding="utf-8") as f:
            f.write("// changed\n")
        refused("as it was then (hash ", program=program, replay=file)
        refused(", this is `", program=program, replay=file)
        refused("as it is now (hash ", program=program, replay=file)
        other = shutil.copy(program, os.path.join(folder, "other.sx"))
        refused(f"this is `{other}` (hash ", program=other, replay=file)
        refused("`replay` has to be the name of a file: it is empty", program=program, replay="")
    print("recordings: all as expected")


main()
