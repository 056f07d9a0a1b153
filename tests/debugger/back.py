#!/usr/bin/env python3
"""Going back under the interpreter: steps, breakpoints, watches, errors, panics, C functions, and random programs.

usage: back.py SX PROGRAMS [SEED COUNT]
"""

import os
import random
import sys
import tempfile
import time

import dap

SX, PROGRAMS = sys.argv[1:3]
BACK = os.path.join(PROGRAMS, "back.sx")
LINES = open(BACK, encoding="utf-8").read().split("\n")


def line(text):
    """The number of the first line of the program that has this text."""
    return next(i for i, l in enumerate(LINES, 1) if text in l)


def start(program, stops, **launch):
    c = dap.Client(SX)
    c.start(program, stops, engine="vm", record=True, **launch)
    c.event("stopped")
    return c


def place(c):
    frame = c.top(levels=1)[0]
    return frame["name"], frame["line"]


def go(c, command, **arguments):
    """The stop that follows a request to go on."""
    c.must(command, threadId=1, **arguments)
    return c.event("stopped")


def value(c, name):
    return c.locals(c.top(levels=1)[0]["id"])[name]["value"]


def breakpoints(c, program, *stops):
    c.must("setBreakpoints", source={"path": program}, breakpoints=[s if isinstance(s, dict) else {"line": s} for s in stops])


def same(found, wanted):
    assert found == wanted, f"{found!r} instead of {wanted!r}"


def refused_without_record():
    c = dap.Client(SX)
    c.start(BACK, [line("total += s")], engine="vm")
    c.event("stopped")
    for command in ("stepBack", "reverseContinue"):
        reply = c.ask(command, threadId=1)
        assert not reply["success"] and reply["message"] == "launch with `record`: true to go back", reply
    assert not [e for e in c.events if e["event"] == "capabilities" and e["body"]["capabilities"].get("supportsStepBack")]
    c.finish()


def steps():
    c = start(BACK, [line("second :=")])
    assert [e for e in c.events if e["event"] == "capabilities" and e["body"]["capabilities"].get("supportsStepBack")]
    first = value(c, "first")
    for text, times in (("first :=", 0), ('print("total', 1)):
        same(go(c, "stepBack")["reason"], "step")
        same(place(c), ("main", line(text)))
        same(c.output_text("console").count("going back does not take back output"), times)
    go(c, "next"), go(c, "next")
    same(value(c, "first"), first)  # the clock is not asked again
    assert c.output_text("stdout").count("total") == 1, c.output_text("stdout")
    # Back over the loop, into a function at its breakpoint, and out of it.
    breakpoints(c, BACK, {"line": line("return r"), "condition": "n == 5"})
    same(go(c, "reverseContinue")["reason"], "breakpoint")
    same((place(c), value(c, "r")), (("square", line("return r")), "25"))
    go(c, "stepBack")
    same(place(c), ("square", line("r := n")))
    go(c, "stepBack")
    same((place(c), value(c, "total")), (("main", line("s := square")), "36"))
    go(c, "stepBack", granularity="line")
    same(place(c), ("main", line("for 0..10")))
    for _ in range(3):
        go(c, "stepBack", granularity="instruction")
    stop = go(c, "reverseContinue")
    same((stop.get("text"), place(c)), ("history begins at the start of the program", ("main", line("total := 0"))))
    stop = go(c, "stepBack")
    same((stop.get("text"), place(c)), ("history begins at the start of the program", ("main", line("total := 0"))))
    # A change from outside is where history begins.
    go(c, "next"), go(c, "next")
    here = place(c)

    # What the console keeps is no change of the program as long as the program has no address of it.
    def say(*lines):
        for text in lines:
            c.must("evaluate", expression=text, context="repl", frameId=c.top()[0]["id"])

    say("total", '"a"', "kept := total + 1", "kept = 5", "p := *kept", "p.* += $1", "p.*")
    go(c, "stepBack"), go(c, "stepBack")
    same(place(c), ("main", line("total := 0")))
    same(c.must("evaluate", expression="kept", context="repl", frameId=c.top()[0]["id"])["result"], "5")
    go(c, "next"), go(c, "next")
    same(place(c), here)
    c.must("setVariable", variablesReference=c.must("scopes", frameId=c.top()[0]["id"])["scopes"][0]["variablesReference"],
           name="total", value="7")
    go(c, "next")
    go(c, "stepBack")
    stop = go(c, "stepBack")
    same(stop.get("text"), "history begins at a change that the debugger made")
    same(value(c, "total"), "7")
    c.finish()


def into_calls():
    """A step into what was called before, where it is the user's."""
    c = start(BACK, [line("total += s")])
    for _ in range(3):
        go(c, "continue")
    go(c, "stepBack", intoCalls=True)
    same((place(c), value(c, "n"), value(c, "r")), (("square", line("return r")), "3", "9"))
    go(c, "stepBack", intoCalls=True)
    same(place(c), ("square", line("r := n")))
    go(c, "stepBack", intoCalls=True)
    same(place(c), ("main", line("s := square")))
    reply = c.ask("stepBack", threadId=1, intoCalls="yes")
    assert not reply["success"], reply
    c.finish()


def what_the_console_keeps():
    """Writes to it are changes of the program from when that has an address of it."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "keeps.sx")
        with open(program, "w", encoding="utf-8") as f:
            f.write('#import "modules/std.sx";\nmain :: () {\n    x := 1;\n    p := *x;\n    y := 2;\n    z := 3;\n'
                    '    print("{} {}\\n", p.*, y + z);\n}\n')
        c = start(program, [5])

        def say(text):
            return c.must("evaluate", expression=text, context="repl", frameId=c.top()[0]["id"])["result"]

        say("kept := 7")
        same((go(c, "stepBack").get("text"), place(c)), (None, ("main", 4)))
        go(c, "next")
        for change, shown in (("p = *kept", "7"), ("kept = 8", "8")):
            say(change)
            same(say("p.*"), shown)
            same(go(c, "stepBack")["text"], "history begins at a change that the debugger made")
            go(c, "next")
        say("other := 9")
        go(c, "stepBack")
        same((place(c), say("p.*")), (("main", 6), "8"))
        breakpoints(c, program)
        c.must("continue", threadId=1)
        c.event("exited")
        same(c.output_text("stdout"), "8 5\n")
        c.finish()


def tracked_heap():
    """Blocks and what is recorded of them are as they were; what is freed again was not freed before."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "frees.sx")
        with open(program, "w", encoding="utf-8") as f:
            f.write('#import "modules/std.sx";\nmain :: () {\n    p := context.allocator.create(i64);\n    x := 0;\n'
                    "    for 0..1000000 (i) { x += i & 7; }\n    q := context.allocator.create(i64);\n    p.* = x;\n"
                    '    context.allocator.destroy(p);\n    print("{}\\n", x);\n}\n')
        c = start(program, [8], heap="track")
        shown = [value(c, name) for name in "pq"]
        breakpoints(c, program, 9)
        for _ in range(2):
            same((go(c, "continue")["reason"], c.must("sxDominators")["total"]), ("breakpoint", 1))
            go(c, "stepBack")
            same((place(c), [value(c, name) for name in "pq"], c.must("sxDominators")["total"]), (("main", 8), shown, 2))
        for _ in range(2):
            go(c, "stepBack")
        same((place(c), c.must("sxDominators")["total"]), (("main", 6), 1))
        breakpoints(c, program)
        c.must("continue", threadId=1)
        same((c.event("exited")["exitCode"], c.output_text("stderr")), (0, ""))
        c.close()


def errors_and_watches():
    c = start(BACK, [line("first :=")])
    c.must("setExceptionBreakpoints", filters=["raise"])
    for n in ("7", "3"):
        same(go(c, "reverseContinue")["reason"], "exception")
        same(value(c, "n"), n)
    c.must("setExceptionBreakpoints", filters=["raise", "panic"])
    go(c, "continue"), go(c, "continue")
    c.must("setExceptionBreakpoints", filters=[])
    frame = c.top()[0]["id"]
    info = c.must("dataBreakpointInfo", variablesReference=c.must("scopes", frameId=frame)["scopes"][0]["variablesReference"],
                  name="total")
    c.must("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
    stop = go(c, "reverseContinue")
    same((stop["reason"], stop["text"]), ("data breakpoint", "total: 309 → 318"))
    stop = go(c, "reverseContinue")
    same(stop["text"], "total: 228 → 309")
    stop = go(c, "continue")
    same(stop["text"], "total: 309 → 318")
    c.finish()
    # A watch that is set while the program runs takes effect at once.
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "runs.sx")
        with open(program, "w", encoding="utf-8") as f:
            f.write("n := 0;\nmain :: () {\n    m := 0;\n    while n >= 0 { n = (n + 1) & 1023; m = n; }\n}\n")
        c = start(program, [4])
        frame = c.top(levels=1)[0]["id"]
        ids = [c.must("dataBreakpointInfo", name=name, frameId=frame)["dataId"] for name in ("m", "n")]
        breakpoints(c, program)
        c.must("continue", threadId=1)
        answer = c.must("setDataBreakpoints", breakpoints=[{"dataId": i} for i in ids])["breakpoints"]
        same([a["verified"] for a in answer], [False, True])
        assert "`pause` it first" in answer[0]["message"], answer
        same(c.event("stopped")["reason"], "data breakpoint")
        c.finish()
    # A watched local ends with its frame, whichever way that is left.
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "leaf.sx")
        with open(program, "w", encoding="utf-8") as f:
            f.write("leaf :: (n: i64) -> i64 {\n    loc := n;\n    loc += 1;\n    loc *= 2;\n    return loc;\n}\n"
                    "main :: () -> i32 {\n    x := 0;\n    for 0..4 (i) { x += leaf(i); }\n    return x.(i32);\n}\n")
        c = start(program, [{"line": 5, "condition": "n == 2"}])
        info = c.must("dataBreakpointInfo", name="loc", frameId=c.top(levels=1)[0]["id"])
        breakpoints(c, program, 9)
        c.must("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
        same([go(c, "reverseContinue")["text"] for _ in range(3)], ["loc: 3 → 6", "loc: 2 → 3", "loc: 0 → 2"])
        same(go(c, "reverseContinue")["reason"], "breakpoint")
        same((place(c), c.event("breakpoint")["reason"]), (("main", 9), "removed"))
        breakpoints(c, program)
        c.must("continue", threadId=1)
        same(c.event("exited")["exitCode"], 20)
        c.close()


def panics_and_unknown_functions():
    c = dap.Client(SX)
    c.must("initialize", adapterID="sx")
    c.must("launch", program=BACK, engine="vm", record=True)
    c.must("setExceptionBreakpoints", filters=["panic"])
    c.must("configurationDone")
    same(c.event("stopped")["text"], "division by zero")
    same(go(c, "stepBack")["reason"], "step")
    same((place(c), value(c, "total")), (("main", line("total /=")), "319"))
    go(c, "stepBack")
    same((place(c), value(c, "total")), (("main", line("total += three")), "318"))
    stop = go(c, "stepBack")
    same(stop["text"], "history begins at the call of qsort")
    same(value(c, "three"), "[1, 2, 3]")
    same(go(c, "continue")["text"], "division by zero")
    c.finish()


def faults():
    """Of the program's code, of C's, and `abort`: the way on comes to them again."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "fault.sx")
        for fault in ("p.* = n.(u8)", "n = strlen(p).(i64)", "abort()"):
            with open(program, "w", encoding="utf-8") as f:
                f.write("main :: () {\n    n := 1;\n    p : *u8 = xx 4096;\n    n = 2;\n    " + fault + ";\n}\n"
                        "strlen :: (s: *u8) -> usize extern;\nabort :: () extern;\n")
            c = dap.Client(SX)
            c.start(program, [], engine="vm", record=True)
            first = c.event("stopped")
            same(first["reason"], "exception")
            for _ in range(2):
                go(c, "stepBack")
                same((place(c), value(c, "n")), (("main", 5), "2"))
                go(c, "stepBack")
                same((place(c), value(c, "n")), (("main", 4), "1"))
                same(go(c, "continue"), first)
            c.must("continue", threadId=1)
            same((c.event("exited")["exitCode"], "panic: " in c.output_text("stderr")), (134, True))
            c.finish()


STARTED_LATER = """#import "modules/std.sx";
thread :: #import "modules/std/thread.sx";
flag := 0;
main :: () -> ! {
    n := 0;
    n += 1;
    n += 2;
    p := *n;
    t := try thread.spawn_task(() -> ! { p.* += 10; });
    t.join() catch { };
    print("{}\\n", n);
    for 0..1000000 (i) { n += i & 1; }
    m := n;
    u := try thread.spawn_task(() -> ! { flag = 1; });
    while flag == 0 {
        for 0..30000 (i) { n += i & 1; }
        print("-");
    }
    u.join() catch { };
    print("{}\\n", m);
}
"""


def threads_started_later():
    """After it was gone back threads are started for the first time: they run once, and get their turns."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "later.sx")
        with open(program, "w", encoding="utf-8") as f:
            f.write(STARTED_LATER)
        for forth, back in ((1, 1), (3, 1), (4, 3)):
            c = start(program, [6, 13])
            for command in ["next"] * forth + ["stepBack"] * back:
                go(c, command)
            same(go(c, "continue")["reason"], "breakpoint")
            if place(c) != ("main", 13):
                go(c, "continue")
            same((place(c), value(c, "n")), (("main", 13), "500013"))
            go(c, "stepBack")
            go(c, "next")
            c.must("continue", threadId=1)
            c.event("exited")
            same(c.output_text("stdout").replace("-", ""), "13\n500013\n")
            c.finish()


def signals_of_its_own():
    """From the call that sends a signal, which is made again on the way on."""
    program = os.path.join(PROGRAMS, "signals.sx")
    with open(program, encoding="utf-8") as f:
        sends = next(i for i, l in enumerate(f, 1) if "raise_signal(15)" in l)
    c = start(program, [], args=["a", "b", "c"])
    for _ in range(2):
        same(place(c), ("raise", 0))
        for _ in range(2):
            same(go(c, "stepBack")["reason"], "step")
        same(place(c), ("main", sends))
        assert "which it has sent itself in the C function `raise`" in go(c, "continue")["text"]
    c.must("continue", threadId=1)
    same(c.event("exited")["exitCode"], 143)
    c.finish()


def bounded():
    """A small history, and a write that is larger than it."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "large.sx")
        with open(program, "w", encoding="utf-8") as f:
            f.write('#import "modules/std.sx";\nmain :: () {\n    a := alloc_slice(i64, 100000);\n    b := alloc_slice(i64, 100000);\n'
                    "    for 0..100000 (i) { a[i] = i; }\n    c.memcpy(xx b.ptr, xx a.ptr, 800000);\n    x := b[5];\n    x += 1;\n"
                    '    print("{}\\n", x);\n}\n')
        c = start(program, [6, 9], historyBytes=65536)
        assert "historyBytes" in go(c, "reverseContinue")["text"]
        go(c, "continue"), go(c, "continue")
        same(go(c, "reverseContinue")["text"], "history begins at the end of a write of 800000 bytes")
        c.finish()


# ---- random programs

class Program:
    """A loop over statements that write variables, arrays, lists, structs and texts."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        r = self.random
        body = "\n".join("        " + self.statement() for _ in range(r.randint(6, 12)))
        self.text = f"""#import "modules/std.sx";
Point :: struct {{ x: i64; y: i32; z: u8; }}
Odd :: error {{ Bad }}
deep :: (n: i64, p: *i64) -> i64 {{
    p.* += n;
    if n <= 0 {{ return p.*; }}
    return deep(n - 1, p) + 1;
}}
risky :: (n: i64) -> (i64, !Odd) {{
    if n % 3 == 0 {{ raise error.Bad; }}
    return n;
}}
main :: () {{
    a := {r.randint(1, 9)};
    b := {r.randint(1, 9)};
    p := Point.{{ x = 1, y = 2, z = 3 }};
    arr : [8]i64 = .[1, 2, 3, 4, 5, 6, 7, 8];
    xs := List(i64).{{}};
    text := "";
    for 0..1000000 (i) {{
{body}
    }}
    print("{{}}\\n", a);
}}
"""

    def statement(self):
        r = self.random
        return r.choice([
            lambda: f"a = a * {r.randint(2, 7)} % 1000003 + {r.randint(0, 9)};",
            lambda: f"b += a % {r.randint(2, 50)};",
            lambda: "p.x += b; ",
            lambda: f"p.z = xx ((a + {r.randint(0, 9)}) % 256);",
            lambda: f"arr[a % 8] = b + {r.randint(0, 99)};",
            lambda: f"arr[{r.randint(0, 7)}] += arr[b % 8];",
            lambda: "xs.append(a);",
            lambda: "if xs.len > 20 { xs.len = 0; }",
            lambda: f"b = deep(b % {r.randint(2, 9)}, *p.x) % 1009;",
            lambda: "a += (risky(b) or -1) % 17;",
            lambda: 'text = format("{}-{}", a % 100, i);',
            lambda: "b += time.mono_ns() % 7;",
            lambda: "for 0..b % 5 (k) { a += k; }",
        ])()


SIZES = {"p": 13, "arr": 64, "xs": 16}  # bytes of variables that lie in memory


def state(c):
    """What there is to see: where the program is, its variables, and the bytes that they and the list have."""
    frame = c.top(levels=1)[0]
    found = [frame["line"], frame["column"]]
    scope = c.must("scopes", frameId=frame["id"])["scopes"][0]
    for v in c.must("variables", variablesReference=scope["variablesReference"])["variables"]:
        found.append((v["name"], v["value"]))
        if v.get("variablesReference"):
            parts = c.must("variables", variablesReference=v["variablesReference"])["variables"]
            found.append([(p["name"], p["value"]) for p in parts])
        if v["name"] in SIZES:
            found.append(c.must("readMemory", memoryReference=v["memoryReference"], count=SIZES[v["name"]])["data"])
    return found


def walk_there_and_back(seed, folder):
    program = os.path.join(folder, f"random{seed}.sx")
    made = Program(seed)
    with open(program, "w", encoding="utf-8") as f:
        f.write(made.text)
    loop = next(i for i, l in enumerate(made.text.split("\n"), 1) if "1000000" in l)
    c = start(program, [{"line": loop + 1, "condition": f"i == {made.random.choice([1, 40, 3000])}"}])
    breakpoints(c, program)
    n = made.random.randint(5, 25)
    seen = [state(c)]
    for _ in range(n):
        go(c, "next")
        seen.append(state(c))
    for i in reversed(range(n)):
        go(c, "stepBack")
        same(state(c), seen[i])
    before = []
    for _ in range(n // 2):
        go(c, "stepBack")
        before.append(state(c))
    for found in reversed(before[:-1]):
        go(c, "next")
        same(state(c), found)
    go(c, "next")
    for i in range(n):
        same(state(c), seen[i])
        go(c, "next")
    same(state(c), seen[n])
    c.finish()


ERRNO = """#import "modules/std.sx";
errno_at :: () -> *i32 extern libc "__errno_location";
strtol :: (text: *u8, end: *void, base: i32) -> i64 extern libc;
posix_memalign :: (to: **void, align: usize, size: usize) -> i32 extern libc;
main :: () {
    digits : [32]u8;
    for 0..30 (i) { digits[i] = 57; }
    errno_at().* = 0;
    before := errno_at().*;
    most := strtol(*digits[0], null, 10);
    after := errno_at().*;
    block : *void = null;
    odd := posix_memalign(*block, 3, 8);
    small := posix_memalign(*block, 4, 8);
    print("{} {} {} {} {}\\n", before, most, after, odd, small);
}
"""


def errors_of_c():
    """What C says by `errno` is as it was, too; what the program's own heap refuses it refuses as libc does."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "errno.sx")
        with open(program, "w", encoding="utf-8") as f:
            f.write(ERRNO)
        c = start(program, [15])
        results = [value(c, name) for name in ("before", "after", "odd", "small")]
        same(results, ["0", "34", "22", "22"])
        for _ in range(6):
            go(c, "stepBack")
        same(place(c), ("main", 9))
        go(c, "next")
        same(value(c, "before"), "0")
        breakpoints(c, program, 15)
        go(c, "continue")
        same([value(c, name) for name in ("before", "after", "odd", "small")], results)
        c.finish()


WAITING = """#import "modules/std.sx";
thread :: #import "modules/std/thread.sx";

a := thread.Mutex.{};
b := thread.Mutex.{};
steps := 0;

other :: (arg: *void) -> *void abi(.c) {
    steps += 1;
    b.lock();
    return null;
}

main :: () -> i32 {
    b.lock();
    t := thread.Thread.spawn(other, null) catch { return 2; };
    t.join();
    return 0;
}

test_alone :: () {
    a.lock();
    steps += 10;
    a.lock();
}
"""


def waiting_for_each_other():
    """From where no thread can go on, each waiting for another one, or for itself."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "waiting.sx")
        with open(program, "w", encoding="utf-8") as f:
            f.write(WAITING)
        for launch, stops in (({}, {1: 17, 2: 10}), ({"test": "test_alone"}, {1: 24})):
            c = dap.Client(SX)
            c.start(program, [], engine="vm", record=True, **launch)

            def wait_until_stuck():
                for _ in range(100):
                    time.sleep(0.1)
                    c.must("pause", threadId=1)
                    c.event("stopped")
                    threads = [t["id"] for t in c.must("threads")["threads"]]
                    if len(threads) == len(stops) and all(c.top(t, 1)[0]["name"].startswith("pthread_") for t in threads):
                        return
                    c.must("continue", threadId=1)
                raise AssertionError("the threads have not come to wait")

            for thread, stop in stops.items():
                wait_until_stuck()
                for _ in range(10):
                    c.must("stepBack", threadId=thread)
                    same(c.event("stopped").get("text"), None)
                    top = c.top(thread, 1)[0]
                    if "std" not in top["source"]["path"]:
                        break
                same(top["line"], stop)
                c.must("continue", threadId=1)
            wait_until_stuck()
            frame = c.top(max(stops))[-1]["id"]
            c.must("setExpression", expression="steps", value="777", frameId=frame)
            for _ in range(2): # however often one asks
                c.must("stepBack", threadId=1)
                same(c.event("stopped")["text"], "history begins at a change that the debugger made")
            c.finish()


def main():
    tests = [waiting_for_each_other, refused_without_record, steps, errors_of_c, into_calls, what_the_console_keeps, tracked_heap, errors_and_watches, panics_and_unknown_functions, faults, threads_started_later, signals_of_its_own, bounded]
    seed, count = (int(a) for a in sys.argv[3:5]) if len(sys.argv) > 4 else (1, 8)
    for test in tests:
        print(test.__name__, flush=True)
        test()
    with tempfile.TemporaryDirectory() as folder:
        for s in range(seed, seed + count):
            try:
                walk_there_and_back(s, folder)
            except BaseException:
                print(f"random program {s}:\n{Program(s).text}")
                raise
    print(f"{len(tests)} tests, {count} random programs")


main()
