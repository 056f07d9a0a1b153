#!/usr/bin/env python3
"""Fibers, tasks, futures and channels, the same with every engine.

usage: fibers.py SX FOLDER-OF-PROGRAMS ENGINE
"""

import os
import struct
import subprocess
import sys
import tempfile
import time

from dap import Client

SX, PROGRAMS, ENGINE = sys.argv[1:4]
PROGRAM = os.path.join(PROGRAMS, "fibers.sx")


def line_of(text, nth=1):
    with open(PROGRAM, encoding="utf-8") as f:
        return [i for i, line in enumerate(f, 1) if text in line][nth - 1]


def stop_at(*lines, **more):
    c = Client(SX)
    c.start(PROGRAM, lines, engine=ENGINE, **more)
    return c, c.event("stopped")


def titles(c):
    return {t["id"]: t["name"] for t in c.must("threads")["threads"]}


def user_frames(c, thread):
    """Names and lines of frames in the program, and labels."""
    return [(f["name"], f["line"]) for f in c.top(thread, 0)
            if f.get("presentationHint") == "label" or f.get("source", {}).get("name") == "fibers.sx"]


def user_frames_of(c, file):
    return [f["name"] for f in c.top(1, 0) if f.get("source", {}).get("name") == file]


def thread_events(c, reason):
    return sorted(e["body"]["threadId"] for e in c.events if e["event"] == "thread" and e["body"]["reason"] == reason)


def frame_of(c, thread, name):
    return next(f["id"] for f in c.top(thread, 0) if f["name"] == name)


def value(c, expression, frame):
    return c.must("evaluate", expression=expression, frameId=frame, context="watch")


def children(c, result):
    return c.must("variables", variablesReference=result["variablesReference"])["variables"]


def texts(rows):
    return [(r["name"], r["value"]) for r in rows]


EXPECTED = {
    2: "fiber 2: fetch (waiting for channel 1)",
    5: "fiber 5: begin.lambda (waiting for time 30 ms)",
    6: "fiber 6: begin.lambda (waiting for fiber 5: begin.lambda)",
    7: "fiber 7: begin.lambda (waiting for fiber 6: begin.lambda)",
    8: "fiber 8: begin.lambda (waiting for channel 2)",
    9: "fiber 9: begin.lambda (running)",
}


def threads_and_stacks():
    c, stop = stop_at(line_of("here := 25"))
    assert stop["threadId"] == 9 and stop["reason"] == "breakpoint", stop
    seen = titles(c)
    assert seen.pop(1).startswith("main (") and seen == EXPECTED, seen
    assert set(thread_events(c, "started")) - set(thread_events(c, "exited")) == {1, *EXPECTED}, c.events
    assert user_frames(c, 9) == [("begin.lambda", line_of("here := 25"))], user_frames(c, 9)
    assert user_frames(c, 1) == [("begin", line_of("s.run()")), ("main", line_of("begin(*s"))], user_frames(c, 1)
    assert user_frames(c, 2) == [("fetch", line_of("got := jobs.recv()")), ("begin.lambda", line_of("a := fetch("))], user_frames(c, 2)
    assert user_frames(c, 5) == [
        ("work", line_of("try context.io.sleep(30)")), ("begin.lambda", line_of("answer := context")),
        ("awaited by fiber 6: begin.lambda", 0), ("begin.lambda", line_of("n := try answer.await()")),
        ("awaited by fiber 7: begin.lambda", 0), ("begin.lambda", line_of("task.join()"))], user_frames(c, 5)
    # Frames of those that wait, one's own and others', can be looked into.
    fetch = frame_of(c, 2, "fetch")
    assert {n: v["value"] for n, v in c.locals(fetch).items()}["wanted"] == "10"
    assert value(c, "wanted + n", fetch)["result"] == "11"
    work = frame_of(c, 5, "work")
    assert (c.locals(work)["half"]["value"], c.locals(work)["n"]["value"]) == ("4", "8")
    whole = c.must("stackTrace", threadId=5, levels=0)
    page = c.must("stackTrace", threadId=5, startFrame=len(whole["stackFrames"]) - 3, levels=2)
    assert whole["totalFrames"] == page["totalFrames"] == len(whole["stackFrames"]), page
    assert [f["name"] for f in page["stackFrames"]] == [f["name"] for f in whole["stackFrames"][-3:-1]], page
    # Where the program stands is untouched by that.
    assert user_frames(c, 9) == [("begin.lambda", line_of("here := 25"))]
    c.must("continue", threadId=9)
    c.event("terminated")
    assert thread_events(c, "started") == thread_events(c, "exited"), c.events
    assert c.output_text("stdout").splitlines() == ["b 103", "c 203", "first 17", "answer 5", "all", "end"], c.output_text("stdout")
    c.finish()
    if ENGINE == "vm":
        return
    # Where the call that waits is the last code of functions that were inlined they have their frames, too.
    c, _ = stop_at(line_of("here := 25"), optLevel=1)
    assert user_frames(c, 7) == [("begin.lambda", line_of("task.join()"))], c.top(7, 0)
    top = c.must("stackTrace", threadId=7)["stackFrames"][0]
    registers = next(s for s in c.must("scopes", frameId=top["id"])["scopes"] if s["name"] == "Registers")
    rows = c.must("variables", variablesReference=registers["variablesReference"])["variables"]
    rip = next(r["value"] for r in rows if r["name"] == "rip")
    assert int(rip, 16) == int(top["instructionPointerReference"], 16), (rip, top)
    c.finish()


def async_stacks():
    c, _ = stop_at(line_of("here := 25"), **({"inMemory": True} if ENGINE == "native" else {}))
    frames = c.must("sxAsyncStack", fiberId=5)["frames"]
    assert [(f["name"], f["line"], f["awaiting"]) for f in frames] == [
        ("work", line_of("try context.io.sleep(30)"), "time 30 ms"), ("begin.lambda", line_of("answer := context"), None),
        ("begin.lambda", line_of("n := try answer.await()"), "fiber 5: begin.lambda"),
        ("begin.lambda", line_of("task.join()"), "fiber 6: begin.lambda")], frames
    assert {f["file"] for f in frames} == {PROGRAM}, frames
    assert c.must("ariaAsyncStack", coroutineHandle="5")["frames"] == frames
    at = c.must("stack.info", threadId=5)["frames"][0]["fp"]
    assert c.must("ariaAsyncStack", coroutineHandle=hex(at))["frames"] == frames
    # The same frames as in the stack, of one that waits too; by the address of any frame.
    for thread in (1, 2, 5):
        own = c.must("stack.info", threadId=thread)["frames"]
        shown = [(f["name"], f["line"]) for f in c.must("stackTrace", threadId=thread)["stackFrames"]]
        assert [(f["symbol"], f["line"]) for f in own] == shown[:len(own)] and own, (own, shown)
        assert c.must("ariaAsyncStack", coroutineHandle=hex(own[-1]["fp"])) == c.must("sxAsyncStack", fiberId=thread), thread
    assert [f["awaiting"] for f in c.must("sxAsyncStack", fiberId=2)["frames"]] == ["channel 1", None]
    assert [f["awaiting"] for f in c.must("sxAsyncStack", fiberId=9)["frames"]] == [None]
    assert [f["name"] for f in c.must("sxAsyncStack", fiberId=1)["frames"]] == ["begin", "main"]
    for wrong in ({"fiberId": 99}, {}, {"fiberId": "five"}, {"coroutineHandle": "x"}, {"coroutineHandle": "0x10"},
                  {"coroutineHandle": 7}):
        assert not c.ask("sxAsyncStack", **wrong)["success"], wrong
    c.finish()


RACE = """#import "modules/std.sx";
#import "modules/std/sched.sx";
thread :: #import "modules/std/thread.sx";
usleep :: (us: u32) -> i32 extern libc;
m : thread.Mutex;
late :: (arg: *void) -> *void abi(.c) { m.lock(); m.unlock(); return null; }
fails :: () -> ! { raise error.Lost; }
racing :: (s: *Scheduler) {
    room := Channel(*i64).init(s, 2);
    boxes := *room;
    a := context.io.async(() -> (i64, !) { try context.io.sleep(30); 1 });
    b := context.io.async(() -> (i64, !) { try context.io.sleep(40); 2 });
    s.spawn(() => {
        r := context.io.race(.{ a = a, b = b });
        print("{}\\n", r);
    });
    s.spawn(() => {
        s.sleep(10);
        here := 10;
        s.sleep(here);
    });
    s.spawn(() => {
        kept := context.allocator.create(i64);
        boxes.send(kept) catch (e) {};
        fails() catch (e) {
            s.sleep(30);
            kept.* = 1;
        };
    });
    s.run();
}
main :: () -> ! {
    s := Scheduler.init();
    push .{ io = s } { racing(*s); }
    s.deinit();
    m.setup();
    m.lock();
    t := try thread.Thread.spawn(late, null);
    usleep(200000);
    held := 1;
    m.unlock();
    t.join();
    print("{}\\n", held);
    again := Scheduler.init();
    forever := *again;
    forever.spawn(() => { forever.suspend_self(); });
    forever.run();
}
"""


def lost_and_kept(c):
    """A fiber that stands still has an error that it handles, and keeps an object, as a channel does."""
    trace = c.must("sxErrorTrace", threadId=6)
    assert [f["func"] for f in trace["chains"][0]["frames"]] == ["fails", "racing.lambda"], trace
    assert "error return trace: error.Lost (most recent call last)" in [f["name"] for f in c.top(6, 0)], c.top(6, 0)
    assert all(c.must("sxErrorTrace", threadId=t)["chains"] == [] for t in (1, 4, 5))
    frame = next(f["id"] for f in c.top(6, 0) if f["name"] == "racing.lambda")
    number = c.locals(frame)["kept"]["sxObjectId"]
    assert c.must("sxObject", id=number)["owner"] == "fiber 6"
    paths = c.must("sxPathsToRoots", id=number, max=10)["paths"]
    roots = {(p["root"]["kind"], p["root"].get("threadId"), p["edges"][-1]["kind"] if p["edges"] else "") for p in paths}
    assert {("fiber", 6, ""), ("local", 1, "element")} <= roots, roots


def races_and_mutexes():
    """Who waits for the first of several waits for each of them; a thread may wait for a mutex."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "race.sx")
        with open(program, "w", encoding="utf-8") as f:
            f.write(RACE)
        lines = RACE.split("\n")
        c = Client(SX)
        wanted = ("here := 10", 'print("{}\\n", r)', "held := 1")
        c.start(program, [next(i for i, l in enumerate(lines, 1) if text in l) for text in wanted], engine=ENGINE,
                heap="track")
        c.event("stopped")
        lost_and_kept(c)
        assert titles(c)[4] == "fiber 4: racing.lambda (waiting for the first of several futures)", titles(c)
        for fiber in (2, 3):
            assert "awaited by fiber 4: racing.lambda" in [f["name"] for f in c.top(fiber, 0)], c.top(fiber, 0)
        c.must("continue", threadId=1)
        c.event("stopped")  # the winner was canceled with the others, and has its value
        won = value(c, "a.*", frame_of(c, 4, "racing.lambda"))
        assert won["result"] == "ready", won
        assert texts(children(c, won))[:3] == [("state", "ready"), ("value", "1"), ("canceled", "true")], children(c, won)
        c.must("continue", threadId=4)
        c.event("stopped")
        assert any(name.endswith("(waiting for a mutex)") for name in titles(c).values()), titles(c)
        if ENGINE == "native":
            for text in ("{ while true { usleep(1000); } }", "usleep(1500000)"):
                asked = time.time()
                long = c.send("evaluate", {"expression": text, "context": "repl", "frameId": c.top()[0]["id"]})
                time.sleep(0.1)
                cancel = c.send("cancel", {"requestId": long})
                reply = c.response(long)
                assert reply.get("message") == "cancelled" and time.time() - asked < 1.2, (text, reply)
                assert c.response(cancel)["success"]
        c.must("continue", threadId=1)
        stop = c.event("stopped")  # a panic that the library makes
        assert stop["reason"] == "exception" and stop["description"].startswith("panic: deadlock: 1 fiber waits"), stop
        assert user_frames_of(c, "race.sx") == ["main"], c.top()
        c.must("continue", threadId=1)
        c.event("terminated")
        assert c.output_text("stdout") == ".a(1)\n1\n", c.output_text("stdout")
        c.finish()


def values():
    c, _ = stop_at(line_of("here := 25"))
    main = frame_of(c, 1, "main")
    full = value(c, "full", main)
    assert full["result"] == "channel 2, len 3, cap 3", full
    rows = children(c, full)
    assert texts(rows[:-1]) == [("[0]", "2"), ("[1]", "3"), ("[2]", "5"), ("capacity", "3"), ("length", "3"),
                                ("closed", "false"), ("senders", "len 1"), ("receivers", "len 0")], texts(rows)
    assert rows[-1]["name"] == "[raw]", rows[-1]
    assert [value(c, r["evaluateName"], main)["result"] for r in rows[:5]] == ["2", "3", "5", "3", "3"], rows
    assert texts(children(c, rows[6]))[0] == ("[0]", EXPECTED[8]), children(c, rows[6])
    jobs = value(c, "jobs", main)
    assert jobs["result"] == "channel 1, len 0, cap 2", jobs
    assert texts(children(c, children(c, jobs)[4]))[0] == ("[0]", EXPECTED[2])
    begin = frame_of(c, 1, "begin")
    first = value(c, "first.*", begin)
    assert first["result"] == EXPECTED[2], first
    assert texts(children(c, first))[:2] == [("state", ".waiting"), ("waiting for", "channel 1")], children(c, first)
    answer = value(c, "answer.*", begin)
    assert answer["result"] == "pending", answer
    assert texts(children(c, answer))[:3] == [("state", "pending"), ("fiber", EXPECTED[5]),
                                              ("awaited by", "fiber 6: begin.lambda")], children(c, answer)
    task = value(c, "task.*", begin)
    assert task["result"] == "pending", task
    assert texts(children(c, task))[:3] == [("state", "pending"), ("fiber", EXPECTED[6]), ("canceled", "false")], children(c, task)
    c.finish()


def steps():
    first = line_of("s.sleep(5);")
    c, stop = stop_at(first)
    assert stop["threadId"] == 3, stop
    c.must("setBreakpoints", source={"path": PROGRAM}, breakpoints=[])
    for line in (first + 1, first + 2, first + 3, first + 4):
        c.must("next", threadId=3)
        stop = c.event("stopped")
        frame = c.top(3)[0]
        assert stop["threadId"] == 3 and stop["reason"] == "step" and frame["line"] == line, (stop, frame)
        assert c.locals(frame["id"])["id"]["value"] == "100"
    c.must("stepOut", threadId=3)
    stop = c.event("stopped")
    assert stop["threadId"] == 3 and c.top(3)[0]["name"] == "begin.lambda", stop
    rows = c.locals(c.top(3)[0]["id"])
    assert rows["return"]["value"] == "103", rows
    # One that waits is stepped over what it waits for.
    c.must("next", threadId=5)
    stop = c.event("stopped")
    frame = c.top(5)[0]
    assert stop["threadId"] == 5 and frame["name"] == "work" and frame["line"] == line_of("if n < 0"), (stop, frame)
    # So is the program itself.
    c.must("next", threadId=1)
    stop = c.event("stopped")
    assert stop["threadId"] == 1 and c.top(1)[0]["line"] == line_of("print(\"all"), (stop, c.top(1)[0])
    seen = titles(c)
    assert list(seen) == [1], seen
    c.finish()


def tasks():
    c = Client(SX)
    c.must("initialize")
    c.must("launch", program=PROGRAM, engine=ENGINE)
    opened = c.must("session.open", capabilities={"features": ["task_state"]})
    assert opened["capabilities"]["features"] == ["task_state"], opened
    c.must("setBreakpoints", source={"path": PROGRAM}, breakpoints=[{"line": line_of("here := 25")}])
    c.must("configurationDone")
    c.event("stopped")
    c.must("threads")
    told = [e["body"] for e in c.events if e["event"] == "task_state"]
    assert all(set(t) == {"id", "prev_state", "new_state", "reason", "ts", "pid"} for t in told), told
    short = [(t["id"], t["prev_state"], t["new_state"], t["reason"]) for t in told]
    assert short[:3] == [(2, "ready", "running", None), (2, "running", "waiting", "channel_wait"),
                         (3, "ready", "running", None)], short[:3]
    assert short[-2:] == [(9, "ready", "running", None), (9, "running", "paused", "debug_break")], short[-2:]
    for one in ((3, "running", "waiting", "sleep"), (3, "waiting", "ready", None), (3, "running", "done", "finished"),
                (6, "running", "waiting", "await"), (8, "running", "waiting", "channel_wait")):
        assert one in short, (one, short)
    c.events.clear()
    c.must("setBreakpoints", source={"path": PROGRAM}, breakpoints=[])
    c.must("continue", threadId=1)
    c.event("terminated")
    short = [(t["id"], t["prev_state"], t["new_state"], t["reason"])
             for t in (e["body"] for e in c.events if e["event"] == "task_state")]
    assert short[0] == (9, "paused", "running", None), short
    assert sorted(t[0] for t in short if t[2:] == ("done", "finished")) == [2, 5, 6, 7, 8, 9], short
    c.finish()
    # The same where it is asked for late: what has its state since before is known.
    c, _ = stop_at(line_of("here := 25"))
    c.must("session.open", capabilities={"features": ["task_state"]})
    c.must("setBreakpoints", source={"path": PROGRAM}, breakpoints=[])
    c.must("continue", threadId=1)
    c.event("terminated")
    told = [e["body"] for e in c.events if e["event"] == "task_state"]
    ended = sorted(t["id"] for t in told if (t["new_state"], t["reason"]) == ("done", "finished"))
    assert ended == [2, 5, 6, 7, 8, 9], told
    c.finish()


def not_begun():
    c, stop = stop_at(line_of("first.set_name"))
    assert thread_events(c, "started") == [1, 2], c.events
    assert stop["threadId"] == 1 and titles(c)[2] == "fiber 2: begin.lambda (ready)", titles(c)
    assert c.must("stackTrace", threadId=2)["stackFrames"] == []
    assert c.must("sxAsyncStack", fiberId=2)["frames"] == []
    for command in ("next", "stepIn", "stepOut"):
        answer = c.ask(command, threadId=2)
        assert answer.get("message") == "fiber 2: begin.lambda has not begun: a breakpoint in it stops it there", answer
    c.must("next", threadId=1)
    c.event("stopped")
    assert titles(c)[2] == "fiber 2: fetch (ready)", titles(c)
    c.finish()
    # Nor leave the fiber in which it is made: what refuses that has changed nothing.
    c, stop = stop_at(line_of("sum := id")) # the first sleep of the program, which takes room for its timers
    frame = c.top(stop["threadId"])[0]["id"]
    c.must("evaluate", expression="n := 1", context="repl", frameId=frame)
    answer = c.ask("evaluate", expression="{ n = 5; s.sleep(1); }", context="repl", frameId=frame)
    assert "a call of the debugger cannot wait for other fibers" in answer.get("message", ""), answer
    assert c.must("evaluate", expression="n", context="repl", frameId=frame)["result"] == "1"
    c.finish()
    c, _ = stop_at(line_of("here := 25"))
    answer = c.ask("evaluate", expression="s.sleep(1)", context="repl", frameId=c.top(9)[0]["id"])
    assert "a call of the debugger cannot wait for other fibers" in answer.get("message", ""), answer
    answer = c.ask("evaluate", expression="s.yield_now()", context="repl", frameId=c.top(9)[0]["id"])
    assert "a call of the debugger cannot wait for other fibers" in answer.get("message", ""), answer
    assert c.ask("evaluate", expression="1 + 1", context="repl", frameId=c.top(9)[0]["id"])["body"]["result"] == "2"
    frame = c.top(9)[0]["id"]
    lines = [("{ n = 5; s.sleep(1); }", "1")]
    if ENGINE == "vm": # which undoes it to where the line has called C last
        lines.append(('{ n = 6; print("said\\n"); n = 7; s.sleep(1); }', "6"))
    for line, left in lines:
        c.must("evaluate", expression="n := 1", context="repl", frameId=frame)
        answer = c.ask("evaluate", expression=line, context="repl", frameId=frame)
        assert "a call of the debugger cannot wait for other fibers" in answer.get("message", ""), answer
        assert c.must("evaluate", expression="n", context="repl", frameId=frame)["result"] == left, line
    c.must("setBreakpoints", source={"path": PROGRAM}, breakpoints=[])
    c.must("continue", threadId=1)
    assert c.event("exited")["exitCode"] == 0
    c.finish()
    # The console cannot have others run. What it has written before, since it called C, is as it was.
    for more in [{}, {"record": True}] if ENGINE == "vm" else [{}]:
        c = Client(SX)
        c.start(PROGRAM, [line_of("first.set_name")], engine=ENGINE, **more)
        c.event("stopped")
        frame = c.top()[0]["id"]
        why = "switch fibers" if more else "have other fibers run"
        for line in ("s.run()", '{ print("a\\n"); s.run(); }') + (() if more else ("{ s.spawn(() { }); s.run(); }",)):
            answer = c.ask("evaluate", expression=line, context="repl", frameId=frame)
            assert f"a call of the debugger cannot {why}" in answer.get("message", ""), answer
        if ENGINE == "native":
            assert c.must("evaluate", expression="s.running == null", context="repl", frameId=frame)["result"] == "true"
        c.must("setBreakpoints", source={"path": PROGRAM}, breakpoints=[])
        c.must("continue", threadId=1)
        assert c.event("exited")["exitCode"] == 0
        c.finish()


def announced():
    """What is no fiber of the library: a record that the program has made."""
    program = os.path.join(PROGRAMS, "announced.sx")
    with open(program, encoding="utf-8") as f:
        lines = f.read().splitlines()
    c = Client(SX)
    c.start(program, [i for i, line in enumerate(lines, 1) if "print(" in line], engine=ENGINE)
    assert c.event("stopped")["threadId"] == 1
    assert titles(c)[2] == 'fiber 2: "work\\ner" (waiting for descriptor 5)', titles(c)
    assert c.must("stackTrace", threadId=2)["stackFrames"] == []
    assert c.top(1)[0]["name"] == "main"
    c.must("continue", threadId=1)
    c.event("stopped")
    assert list(titles(c)) == [1], titles(c)
    c.finish()


CRASHES = """#import "modules/std.sx";
#import "modules/std/sched.sx";
fails :: () -> ! { raise error.Lost; }
inner :: (s: *Scheduler, n: i64) { twice := n * 2; s.sleep(twice); print("{}\\n", twice); }
start :: (s: *Scheduler) {
    s.spawn(() => { inner(s, 50); });
    s.spawn(() => { fails() catch (e) { s.sleep(70); }; });
    s.spawn(() => { s.sleep(10); at : u64 = 8; wild : *i64 = xx at; wild.* = 1; });
    s.run();
}
main :: () {
    s := Scheduler.init();
    start(*s);
}
"""


def core_of(program, *args):
    """The core file of a program that crashes, beside it. None where the kernel does not write one there."""
    folder = os.path.dirname(program)
    run = subprocess.run(["bash", "-c", 'ulimit -c unlimited && exec "$@"', "bash", program, *args], cwd=folder, check=False,
                         capture_output=True, text=True)
    assert run.returncode < 0, (run.returncode, run.stderr)
    cores = [name for name in os.listdir(folder) if name.startswith("core")]
    if not cores:
        with open("/proc/sys/kernel/core_pattern", encoding="utf-8") as pattern:
            print("no core file of", program, "is written to its folder: core_pattern is", pattern.read().strip(), "-", run.stderr)
        return None
    os.rename(os.path.join(folder, cores[0]), program + ".dump")
    return program + ".dump"


def open_core(core, program):
    """A session that looks into a core file, and its stop."""
    c = Client(SX)
    c.must("initialize")
    c.must("attach", core=core, program=program, engine="native")
    c.must("configurationDone")
    return c, c.event("stopped")


ENDS = """#import "modules/std.sx";
libc :: #library "c";
abort :: () -> void extern libc;
kill :: (process: i32, signal: i32) -> i32 extern libc;
getpid :: () -> i32 extern libc;
item :: (xs: []i64, i: i64) -> i64 { xs[i] }
deep :: (n: i64) -> i64 { deep(n + 1) + n }
main :: () {
    names : [4]string = ---;
    count := cli.os_args(names[..]).len - 1;
    xs := .[1, 2, 3];
    if count == 0 { print("{}\\n", item(xs[0..3], 5)); }
    if count == 1 { abort(); }
    if count == 2 { kill(getpid(), 11); }
    print("{}\\n", deep(1));
}
"""


def core_ends():
    """A core file says why the program has ended, and where in its own code, as a session with the program says it."""
    if ENGINE != "native":
        return
    with tempfile.TemporaryDirectory() as folder:
        source, program = (os.path.join(folder, name) for name in ("ends.sx", "ends"))
        with open(source, "w", encoding="utf-8") as f:
            f.write(ENDS)
        subprocess.run([SX, "build", "-O0", "-o", program, source], check=True, capture_output=True)
        for args, description, text, top in (
                ([], "panic: index 5 out of range for length 3", "index 5 out of range for length 3", [("item", 6), ("main", 12)]),
                (["x"], "SIGABRT", "the process is ended by `abort` in the C function `abort`", [("abort", 0), ("main", 13)]),
                (["x"] * 2, "SIGSEGV", "the process is ended by SIGSEGV, which it has sent itself in the C function `kill`",
                 [("kill", 0), ("main", 14)]),
                (["x"] * 3, "panic: stack overflow", "stack overflow", [("deep", 7), ("deep", 7)])):
            core = core_of(program, *args)
            if core is None:
                return
            c, stop = open_core(core, program)
            assert (stop["reason"], stop["description"], stop["text"]) == ("exception", description, text), stop
            assert [(f["name"], f["line"]) for f in c.top(levels=2)] == top, c.top(levels=4)
            assert c.must("exceptionInfo", threadId=1)["description"] == text
            c.finish()


def core_files():
    """A core file has the stacks of all fibers."""
    if ENGINE != "native":
        return
    with tempfile.TemporaryDirectory() as folder:
        source, program = (os.path.join(folder, name) for name in ("crashes.sx", "crashes"))
        with open(source, "w", encoding="utf-8") as f:
            f.write(CRASHES)
        subprocess.run([SX, "build", "-O0", "-o", program, source], check=True, capture_output=True)
        core = core_of(program)
        if core is None:
            return
        other = os.path.join(folder, "other")
        with open(source, "a", encoding="utf-8") as f:
            f.write("// more\nmore :: () { print(\"more\\n\"); }\n")
        subprocess.run([SX, "build", "-O1", "-o", other, source], check=True, capture_output=True)
        c = Client(SX)
        c.must("initialize")
        reply = c.ask("attach", core=core, program=other, engine="native")
        assert not reply["success"] and "of another program" in reply["message"], reply
        reply = c.ask("attach", core=program, program=program, engine="native")
        assert not reply["success"] and reply["message"] == f"`{program}` is no core file that could be read", reply
        with open(core, "rb") as f: # a segment of more than all memory, and no segments
            good = f.read()
        headers, = struct.unpack_from("<Q", good, 32)
        for damaged in (good[:headers + 56 + 40] + struct.pack("<Q", 1 << 55) + good[headers + 56 + 48:], good[:64]):
            with open(program + ".damaged", "wb") as f:
                f.write(damaged)
            reply = c.ask("attach", core=program + ".damaged", program=program, engine="native")
            assert not reply["success"] and "is no core file that could be read" in reply["message"], reply
        with open(source, "w", encoding="utf-8") as f:
            f.write(CRASHES)
        c.must("attach", core=core, program=program, engine="native")
        c.must("configurationDone")
        stop = c.event("stopped")
        assert stop["reason"] == "exception" and stop["description"] == "SIGSEGV" and stop["threadId"] == 4, stop
        assert stop["text"] == "invalid memory access at address 0x8", stop
        inner = next(f for f in c.top(2, 0) if f["name"] == "inner")
        assert value(c, "twice + n", inner["id"])["result"] == "150" and inner["line"] == 4, inner
        assert [f["func"] for f in c.must("sxErrorTrace", threadId=3)["chains"][0]["frames"]] == ["fails", "start.lambda"]
        assert [f["name"] for f in c.must("sxAsyncStack", fiberId=1)["frames"]] == ["start", "main"]
        assert [(f["name"], f["line"]) for f in c.top(4, 1)] == [("start.lambda", 8)], c.top(4, 0)
        regions = c.must("memory.regions")["regions"]
        assert all(r["start"] < r["end"] and len(r["permissions"]) == 3 for r in regions), regions
        assert {"text", "data", "stack", "heap", "file"} <= {r["type"] for r in regions}, regions
        assert any(r["name"] == os.path.realpath(program) and r["permissions"] == "r-x" for r in regions), regions
        assert any(r["name"] == "[stack]" and r["type"] == "stack" for r in regions), regions
        assert all(r["start"] >= 0 and r["type"] != "jit" for r in regions), regions
        c.must("terminate")
        c.event("terminated")
        c.finish()


MANY = """#import "modules/std.sx";
#import "modules/std/sched.sx";
work :: (s: *Scheduler) { s.sleep(1); }
make :: (s: *Scheduler) {
    for 0..5000 (i) { s.spawn(() => work(s)); }
    s.run();
}
main :: () {
    s := Scheduler.init();
    make(*s);
    print("end\\n");
}
"""


def many():
    """A step over code that makes thousands of fibers costs each of them the same (measured: 0.6 s)."""
    if ENGINE != "vm":
        return
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "many.sx")
        with open(source, "w", encoding="utf-8") as f:
            f.write(MANY)
        c = Client(SX)
        c.start(source, [10], engine=ENGINE)
        c.event("stopped")
        began = time.monotonic()
        c.must("next", threadId=1)
        assert c.event("stopped")["reason"] == "step"
        took = time.monotonic() - began
        assert took < 5, took
        told = thread_events(c, "started") + thread_events(c, "exited")
        assert told == [1], len(told)
        c.finish()


for part in (many, threads_and_stacks, async_stacks, races_and_mutexes, values, steps, tasks, not_begun, announced, core_files, core_ends):
    part()
    print(part.__name__, "is fine")
