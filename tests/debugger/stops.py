#!/usr/bin/env python3
"""Where a program stops, and how it goes on: steps, signals, threads, optimised code, the same with every engine.

usage: stops.py SX FOLDER-OF-PROGRAMS ENGINE [CASE…]
"""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time

from dap import Client, descendants, run_cases
from sessions import SX, ENGINE, program, line_of, begin, stop_at, value, go_on, exits


def restarted_frame():
    """A call begins again at its first statement, also where the interpreter prepares constants of loops before it."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "main.sx")
        with open(path, "w", encoding="utf-8") as f:
            f.write('#import "modules/std.sx";\nmain :: () {\n    t := 0.0;\n'
                    '    for 0..2 (i) {\n        t += 212.0;\n        print("{} {}\\n", t, i);\n    }\n}\n')
        c = Client(SX)
        c.start(path, [5], engine=ENGINE)
        c.event("stopped")
        assert c.locals(c.top()[0]["id"])["t"]["value"] == "0"
        c.must("restartFrame", frameId=c.top()[0]["id"])
        assert c.event("stopped")["reason"] == "restart" and c.top()[0]["line"] == 3, c.top()
        c.must("next", threadId=1)
        assert c.event("stopped")["reason"] == "step" and c.top()[0]["line"] == 4, c.top()
        c.finish()


def interrupted_steps():
    """A step that another thread's stop has interrupted is over: going on does not end where it would have."""
    c = begin("threads", [line_of("threads", "a := "), line_of("threads", "sum.* += i")])
    stop = c.event("stopped")
    while stop["threadId"] == 1:
        c.must("next", threadId=1)
        stop = c.event("stopped")
    assert stop["reason"] == "breakpoint", stop
    c.must("setBreakpoints", source={"path": program("threads")}, breakpoints=[])
    exits(c)


def pausing():
    c = begin("endless")
    while "ready" not in c.output_text("stdout"):
        c.next()
    time.sleep(0.3) # it has left `write` and runs its loop
    c.must("pause", threadId=1)
    assert c.event("stopped")["reason"] == "pause"
    assert c.top()[0]["name"] == "main"
    c.must("next", threadId=1)
    assert c.event("stopped")["reason"] == "step"
    c.must("continue", threadId=1)
    os.kill(c.event("process")["systemProcessId"], signal.SIGINT)
    assert c.event("stopped")["reason"] == "pause"
    c.finish()
    if ENGINE == "vm":
        return
    # Nor is a pause lost while a false condition is looked at, all the time.
    c = begin("hot", [{"line": line_of("hot", "sum += i"), "condition": "i == -1"}, {"line": line_of("hot", "sum := 0")}])
    assert c.event("stopped")["reason"] == "breakpoint"
    for _ in range(10):
        c.must("continue", threadId=1)
        c.must("pause", threadId=1)
        assert c.event("stopped")["reason"] == "pause"
        assert c.top()[-1]["name"] == "main", c.top()
    c.finish()


def optimized():
    """Expressions need nothing of the program that its optimizer takes out."""
    c, f = stop_at("cleanups", "print(\"{}", optLevel=1)
    assert value(c, "1 + 2", f) == "3" and value(c, 'format("{}", 3)', f) == '"3"'
    answer = c.must("setExceptionBreakpoints", filters=["raise", "panic"])["breakpoints"]
    assert [(b["verified"], "optimized" in b.get("message", "")) for b in answer] == [(True, True), (True, False)], answer
    c.finish()


def left_out():
    """A global variable that nothing uses is not in machine code: it can be looked at, and no more."""
    c, f = stop_at("signals", "names : ")
    no = "! the program that runs has no `spare`, as nothing in it uses it" if ENGINE == "native" else None
    assert value(c, "spare", f) == "7"
    assert (no is None) == value(c, "*spare", f).startswith("0x")
    if no: # nor is code that is typed
        no_code = "! the C function `signal` cannot call code that an evaluation has made"
        assert value(c, "handle(10, (n: i32) -> void abi(.c) { })", f, "repl") == no_code
    for line, done in (("*spare", no), ("spare = 8", no or "void"), ("q := *spare", no), ("spare", "7" if no else "8")):
        assert value(c, line, f, "repl") == done or not done, line
    c.finish()


def left_by_the_optimizer():
    """Breakpoints are told where they stop, and are refused where no code is left; values are right or said to be gone."""
    true = {"found": "0x", "animal": "0x", "four": "4"}
    for level in (1, 2):
        c = Client(SX)
        c.must("initialize")
        wanted = [line_of("left", text) for text in ("m := n * 2", "unused := 3", 'print("now', "print(\"{} {}")]
        c.must("launch", program=program("left"), engine=ENGINE, optLevel=level)
        told = c.must("setBreakpoints", source={"path": program("left")}, breakpoints=[{"line": n} for n in wanted])["breakpoints"]
        assert not told[0]["verified"] and told[0]["message"] == "the optimizer has left no code of this", told
        assert [(b["verified"], b["line"]) for b in told[1:]] == [(True, wanted[2])] * 2 + [(True, wanted[3])], told
        named = c.must("setFunctionBreakpoints", breakpoints=[{"name": "twice"}])["breakpoints"]
        assert not named[0]["verified"] and "left no code" in named[0]["message"], named
        c.must("configurationDone")
        for ids, line in (([b["id"] for b in told[1:3]], wanted[2]), ([told[3]["id"]], wanted[3])):
            stop = c.event("stopped")
            assert stop["hitBreakpointIds"] == ids and c.top()[0]["line"] == line, (level, stop, c.top())
            for name, row in c.locals(c.top()[0]["id"]).items():
                good = true.get(name)
                assert not good or row["value"] == "<optimized out>" or row["value"].startswith(good), (level, name, row)
            c.must("continue", threadId=1)
        assert c.event("exited")["exitCode"] == 0
        c.finish()


def moved_conditions():
    """A condition has the names of the place where its breakpoint stops, not of the one where it was wanted."""
    c = Client(SX)
    c.must("initialize")
    c.must("launch", program=program("moved"), engine=ENGINE, optLevel=1)
    wanted = [line_of("moved", text) for text in ("main :: ", "twice := ")]
    told = c.must("setBreakpoints", source={"path": program("moved")}, breakpoints=[{"line": n, "condition": "i == 2"} for n in wanted])["breakpoints"]
    assert [b["line"] for b in told] == [line_of("moved", '"{}'), line_of("moved", '"end')], told
    assert told[0]["verified"] and told[1]["message"] == "unknown name `i` (column 1)", told
    c.finish()


def merged_by_the_optimizer():
    """A breakpoint is at its line or later, and stops there, once each time that this is run, or less often."""
    run = {"done {}": 4, "half": 2, "// once": 2, "end {}": 4, "mid": 2, "// cleaned": 2, "// filled": 5, "// earlier": 3, "state.len": 3}
    wanted = [line_of("merged", text) for text in run]
    for level in (1, 2):
        c = Client(SX)
        c.must("initialize")
        c.must("launch", program=program("merged"), engine=ENGINE, optLevel=level, releaseTraces=True)
        told = c.must("setBreakpoints", source={"path": program("merged")}, breakpoints=[{"line": n} for n in wanted])["breakpoints"]
        assert not told[-1]["verified"], told # all that is left before it is what comes later
        assert all(b["line"] >= n for b, n in zip(told, wanted)), told
        c.must("setExceptionBreakpoints", filters=["unhandled"])
        c.must("configurationDone")
        hits = {b["id"]: 0 for b in told}
        while (stop := c.event("stopped"))["reason"] == "breakpoint":
            ids, top = stop["hitBreakpointIds"], c.top()[0]
            assert len(set(ids)) == len(ids), (level, ids)
            for b in told:
                if b["id"] in ids:
                    hits[b["id"]] += 1
                    assert (b["line"], b["column"]) == (top["line"], top["column"]), (level, b, top)
            value = c.locals(top["id"]).get("state", {}).get("value", "")
            assert value.startswith("len ") or value in ("", "<optimized out>"), (level, value)
            c.must("continue", threadId=1)
        assert all(0 < hits[b["id"]] <= most for b, most in zip(told[:-1], run.values())), (level, hits)
        # What returns the error of `main` has no line of its own.
        assert stop["reason"] == "exception" and c.top()[0]["line"] == line_of("merged", "// fails"), (level, c.top())
        exits(c, 1)


def placed_by_the_optimizer():
    """A statement is at code that runs when it does, once, and before a value that it gives a variable is there."""
    gone = "<optimized out>"
    run = {"// n is 3": (1, "n", ["3"]), "// full is 1": (1, "full", ["1", gone]), "// not yet": (2, "i", ["0", "1", gone]),
           "// a word": (8, "width", ["12", "8", gone]), "// pair.0 is 1": (1, "pair.0", ["1", gone]),
           # Values that are told of wrongly, or are computed by lldb otherwise than they would have been.
           "// what is given": (2, "n", ["5", "6", gone]), "// o is there": (3, "o", ["2.5", gone]), "// less is true": (1, "less", ["true", gone]),
           "// rest is negative": (1, "rest", ["-3", gone]), "// half is negative": (1, "half", ["-33", gone]),
           "// a is zeros": (1, "a", ["[0, 0, 0, 0, 0]", gone])}
    wanted = [line_of("placed", text) for text in run]
    for level in (1, 2):
        c = Client(SX)
        c.must("initialize")
        c.must("launch", program=program("placed"), engine=ENGINE, optLevel=level)
        told = c.must("setBreakpoints", source={"path": program("placed")}, breakpoints=[{"line": n} for n in wanted])["breakpoints"]
        c.must("configurationDone")
        hits = {b["id"]: 0 for b in told}
        while True:
            while not any(e["event"] in ("stopped", "exited") for e in c.events):
                c.next()
            if any(e["event"] == "exited" for e in c.events):
                break
            stop, top = c.event("stopped"), c.top()[0]
            for b, line, (_, name, good) in zip(told, wanted, run.values()):
                if b["id"] not in stop["hitBreakpointIds"]:
                    continue
                hits[b["id"]] += 1
                assert (b["line"], b["column"]) == (top["line"], top["column"]), (level, b, top)
                if b["line"] == line:
                    shown = value(c, name, top["id"])
                    assert any(text in shown for text in good), (level, name, shown)
            c.must("continue", threadId=1)
        for b, (most, name, _) in zip(told, run.values()):
            assert (0 < hits[b["id"]] <= most) == b["verified"], (level, name, hits[b["id"]])
        c.finish()


def listed_all_the_same():
    """What the optimizer has left nothing of is in the list, and says so. Who calls what runs at the end is not shown."""
    c = begin("last", [line_of("last", "// x is known"), line_of("last", "// the last one")], optLevel=1)
    c.event("stopped")
    x = c.locals(c.top()[0]["id"])["x"]["value"]
    assert x == ("160" if ENGINE == "vm" else "<optimized out>"), x
    go_on(c)
    assert [f["name"] for f in c.top()] == ["last"], c.top()
    exits(c)


def dropped_by_the_optimizer():
    """Results and values are right or said to be gone; what cannot be set is refused; C code is no exception."""
    gone = "<optimized out>"
    for level in (0, 2) if ENGINE == "native" else (0,):
        c = begin("dropped", [line_of("dropped", 'print("begin'), line_of("dropped", 'print("made')], optLevel=level)
        c.event("stopped")
        scope = c.must("scopes", frameId=c.top()[0]["id"])["scopes"][0]["variablesReference"]
        rows = c.locals(c.top()[0]["id"])
        assert rows["none"]["value"] == "{}", rows
        assert c.must("setVariable", variablesReference=scope, name="none", value=".{}")["value"] == "{}"
        answer = c.ask("setVariable", variablesReference=scope, name="four", value="4 + 1")
        if level == 0:
            assert answer["body"]["value"] == "5", answer
        else:
            assert answer["message"] == "the optimizer has left no place for a value of `four`", answer
        go_on(c)
        c.must("stepOut", threadId=1)
        c.event("stopped")
        given = c.locals(c.top()[0]["id"])["return"]["value"]
        assert given == "{x: 5, y: 15, z: 7}" or level > 0 and given == "<it is returned as the optimizer has it>", given
        if ENGINE == "native":
            path = program("dropped")[:-2] + "c"
            with open(path, encoding="utf-8") as f:
                line = next(i for i, text in enumerate(f, 1) if "printf" in text)
            c.must("setBreakpoints", source={"path": program("dropped")}, breakpoints=[])
            assert c.must("setBreakpoints", source={"path": path}, breakpoints=[{"line": line}])["breakpoints"][0]["verified"]
            go_on(c)
            f = c.top()[0]["id"]
            for text, good in {"q.a": "10", "q.name": '"abc"', "q.b": "6", "r.name": '"xyz"', "r.b": "6"}.items():
                assert value(c, text, f) in ([good, gone, f"! there is no value: {gone}"] if level > 0 else [good]), (text, value(c, text, f))
            if level == 0:
                assert value(c, 'q.name = "x"', f, "repl").startswith("! `char [8]` is set element by element")
        c.finish()


def signals():
    """A signal from outside that would end the program stops it; then it ends by it. `terminate` does not stop."""
    c = begin("endless")
    while "ready" not in c.output_text("stdout"):
        c.next()
    os.kill(c.event("process")["systemProcessId"], signal.SIGTERM)
    stop = c.event("stopped")
    assert stop["reason"] == "exception" and stop["description"] == "SIGTERM", stop
    assert c.must("exceptionInfo", threadId=stop["threadId"])["exceptionId"] == "SIGTERM"
    assert stop["text"] == "the process is ended by SIGTERM, which another process has sent", stop
    assert c.top()[-1]["name"] == "main" # it may be in a call that writes
    exits(c, 128 + signal.SIGTERM)
    c = begin("endless")
    while "ready" not in c.output_text("stdout"):
        c.next()
    os.kill(c.event("process")["systemProcessId"], signal.SIGTRAP)
    assert (stop := c.event("stopped"))["text"] == "the process is ended by SIGTRAP, which another process has sent", stop
    exits(c, 128 + signal.SIGTRAP)
    # So it is with those that say of themselves that the program is broken.
    for count, number, name in ((4, 11, "SIGSEGV"), (5, 5, "SIGTRAP"), (6, 13, "SIGPIPE"), (7, 31, "SIGSYS"),
                                (8, 40, "SIGRTMIN+6"), (9, 2, "SIGINT")):
        c = begin("signals", args=["x"] * count)
        stop = c.event("stopped")
        text = f"the process is ended by {name}, which it has sent itself in the C function `raise`"
        assert (stop["reason"], stop["description"], stop["text"]) == ("exception", name, text), stop
        assert [f["name"] for f in c.top()] == ["raise", "main"], c.top()
        exits(c, 128 + number)
    for more in [{}, {"record": True}] if ENGINE == "vm" else [{}]: # one of its own is met where it is sent
        c = Client(SX)
        c.start(program("signals"), engine=ENGINE, args=["x", "y", "z"], **more)
        stop = c.event("stopped")
        text = "the process is ended by SIGTERM, which it has sent itself in the C function `raise`"
        assert (stop["reason"], stop["description"], stop["text"]) == ("exception", "SIGTERM", text), stop
        frame = next(f for f in c.top() if f["name"] == "main")
        assert frame["line"] == line_of("signals", "raise_signal(15)") and value(c, "n", frame["id"], "repl") == "4", frame
        exits(c, 128 + signal.SIGTERM)
    # What comes while the program stands, or while a line at the console runs in it, is met when it goes on.
    for number, name in ((15, "SIGTERM"), (14, "SIGALRM"), (5, "SIGTRAP"), (36, "SIGRTMIN+2"),
                         (11, "SIGSEGV"), (6, "SIGABRT")):
        c, f = stop_at("signals", "names : ", args=["x"] * 11)
        if number == 15: # the copy does nothing, as its caller is not there
            assert value(c, "split() >= 0", f, "repl") == "true"
        if number == 15: # the program sees no handler of the debugger's, and can have the default again
            assert [value(c, f"reset({n}, {to}) == null", f, "repl") for n, to in ((10, "*n"), (10, "null"), (15, "null"))] == ["true", "false", "true"]
        if number in (14, 6):
            rests = c.send("evaluate", {"expression": "rest(300000)", "frameId": f, "context": "repl"})
            time.sleep(0.1)
        os.kill(c.event("process")["systemProcessId"], number)
        assert number not in (14, 6) or c.response(rests)["success"]
        assert [value(c, text, f, "repl") for text in ("n", "raise_signal(0)", "rest(1)")] == ["4", "0", "0"], name
        c.must("continue", threadId=1)
        assert (stop := c.event("stopped"))["text"] == f"the process is ended by {name}, which another process has sent", stop
        assert value(c, "n", c.top()[-1]["id"], "repl") == "4"
        exits(c, 128 + number)
        assert c.output_text("stderr") == "", c.output_text("stderr")
    # The other threads do nothing any more once it has been told, whatever they are about to come to.
    c = begin("signals", [line_of("signals", "names : ")], args=["x"] * 10)
    c.event("stopped")
    c.must("setExceptionBreakpoints", filters=["raise", "propagate", "absorb"])
    c.must("continue", threadId=1)
    while (stop := c.event("stopped"))["description"] != "SIGTERM":
        c.must("continue", threadId=stop["threadId"])
    assert stop["text"] == text, stop
    exits(c, 128 + signal.SIGTERM)
    # One that is ignored takes no hit of a breakpoint with it.
    c, _ = stop_at("stubborn", "n = (n + 1)")
    process = c.event("process")["systemProcessId"]
    for n in range(1, 3):
        os.kill(process, signal.SIGTERM)
        assert go_on(c)["reason"] == "breakpoint" and value(c, "n", c.top()[0]["id"]) == str(n), c.top()
    c.finish()
    c = begin("stubborn") # which ignores it
    while "ready" not in c.output_text("stdout"):
        c.next()
    process = c.event("process")["systemProcessId"]
    os.kill(process, signal.SIGTERM)
    c.must("pause", threadId=1)
    assert c.event("stopped")["reason"] == "pause"
    # An interrupt that has come meanwhile pauses the program when it goes on, unless the program sees to it.
    os.kill(process, signal.SIGINT)
    c.must("continue", threadId=1)
    assert c.event("stopped")["reason"] == "pause"
    while (said := value(c, "signal(2, 1)", c.top()[-1]["id"], "repl")) == "! the thread is inside a C function":
        c.must("continue", threadId=1)
        c.must("pause", threadId=1)
        c.event("stopped")
    assert said == "0", said
    os.kill(process, signal.SIGINT)
    c.must("continue", threadId=1)
    os.kill(process, signal.SIGINT)
    time.sleep(0.1)
    c.must("threads")
    assert not [e for e in c.events if e["event"] == "stopped"], c.events
    c.finish()
    c = begin("endless")
    while "ready" not in c.output_text("stdout"):
        c.next()
    c.must("terminate")
    assert c.event("exited")["exitCode"] == 128 + signal.SIGTERM
    c.finish()
    if ENGINE == "native": # before `main` nothing is shown
        c = Client(SX)
        c.must("initialize")
        c.must("launch", program=program("endless"), engine=ENGINE)
        process = [pid for pid in descendants(c.process.pid) if "endless" in os.readlink(f"/proc/{pid}/exe")]
        assert len(process) == 1 and process[0] > 1, process
        os.kill(process[0], signal.SIGTERM)
        c.must("configurationDone")
        assert c.event("stopped")["description"] == "SIGTERM" and c.top() == [], c.top()
        exits(c, 128 + signal.SIGTERM)


def handled_signals():
    """A signal that the program handles waits while the program stands; its handler runs once when that goes on."""
    c, f = stop_at("handled", "// stands")
    process = c.event("process")["systemProcessId"]
    def look(*texts):
        return [value(c, text, c.top()[0]["id"]) for text in texts]
    for _ in range(2): # no more than one waits
        os.kill(process, signal.SIGUSR1)
        time.sleep(0.05)
    assert [f["name"] for f in c.top()] == ["main"] and look("count") == ["0"], look("count")
    c.must("setBreakpoints", source={"path": program("handled")}, breakpoints=[])
    c.must("next", threadId=1)
    assert c.event("stopped")["reason"] == "step" and c.top()[0]["line"] == line_of("handled", "// stands") + 1, c.top()
    assert look("count", "last.signal", "last.code", f"last.sender == {os.getpid()}") == ["1", "10", "0", "true"]
    rests = c.send("evaluate", {"expression": "rest(200000)", "frameId": c.top()[0]["id"], "context": "repl"})
    time.sleep(0.05)
    os.kill(process, signal.SIGUSR2)
    assert c.response(rests)["success"] and [f["name"] for f in c.top()] == ["main"]
    assert ENGINE == "native" or look("count") == ["1"] # machine code may run it in the call
    c.must("next", threadId=1)
    assert c.event("stopped")["reason"] == "step" and look("count", "last.signal") == ["2", "12"], look("count", "last.signal")
    assert value(c, "raise_signal(14)", c.top()[0]["id"], "repl") == "0" and look("count") == ["3"]
    c.must("setBreakpoints", source={"path": program("handled")}, breakpoints=[{"line": line_of("handled", "// in the handler")}])
    for number, depth in ((40, 1), (10, 2)): # a handler is interrupted by another one as it goes on
        os.kill(process, number)
        assert go_on(c)["reason"] == "breakpoint"
        assert [f["name"] for f in c.top() if f["name"] in ("note", "main")] == ["note"] * depth + ["main"], c.top()
        assert look("last.signal", "b", "count") == [str(number), "2", "3"]
    # What it has interrupted stands where it stood, and is gone back to.
    here = line_of("handled", "// stands") + 2
    assert [f["line"] for f in c.top() if f["name"] == "main"] == [here], c.top()
    c.must("setBreakpoints", source={"path": program("handled")}, breakpoints=[])
    left = (("note", line_of("handled", "// in the handler") + 1), ("main", here + 7))
    for name, line in left if ENGINE == "native" else ():
        c.must("stepOut", threadId=1)
        assert c.event("stopped")["reason"] == "step" and (c.top()[0]["name"], c.top()[0]["line"]) == (name, line), c.top()
    exits(c)
    assert c.output_text("stdout") == "0 3 5\n", c.output_text("stdout")
    # However many there are, in two threads that compute: they stay as they were.
    c = begin("handled", args=["x"])
    while "ready" not in c.output_text("stdout"):
        c.next()
    process = c.event("process")["systemProcessId"]
    for i in range(10):
        for number in (2, 10, 11, 15, 40, 40):
            os.kill(process, number)
        c.must("pause", threadId=1)
        c.event("stopped")
        os.kill(process, 40)
        c.must("continue", threadId=1)
    with contextlib.suppress(ProcessLookupError):
        for _ in range(100):
            os.kill(process, 40)
    assert c.event("exited")["exitCode"] == 0
    bad, three, count = c.output_text("stdout").split()[1:]
    assert (bad, three) == ("0", "3") and int(count) >= 100, c.output_text("stdout")
    c.finish()


def left_alone():
    """A launched program that is left runs on, also where nobody reads its output any more."""
    for running in (False, True): # what is watched is written all the time, and no breakpoint is left
        c, f = stop_at("endless", 'print("ready')
        process = c.event("process")["systemProcessId"]
        data = c.must("dataBreakpointInfo", name="turns", frameId=f)["dataId"]
        assert c.must("setDataBreakpoints", breakpoints=[{"dataId": data, "condition": "turns < 0"}])["breakpoints"][0]["verified"]
        if running:
            c.must("continue", threadId=1)
        else:
            c.must("setBreakpoints", source={"path": program("endless")},
                   breakpoints=[{"line": line_of("endless", "turns += 1")}])
        c.must("disconnect", terminateDebuggee=False)
        c.close()
        time.sleep(0.3)
        with open(f"/proc/{process}/stat", encoding="utf-8") as f:
            state = f.read().rpartition(")")[2].split()[0]
        os.kill(process, signal.SIGKILL)
        assert state in "RS", (running, state)


def back_at_a_breakpoint():
    """A step that comes back with a value is shown at the call, also where a breakpoint stands at what comes next."""
    behind = line_of("returns", "wide(5);")
    for condition, reason in (("a == 3", "breakpoint"), ("a == 4", "step")):
        c = begin("returns", [line_of("returns", "return .{ x = n")])
        c.event("stopped")
        c.must("setBreakpoints", source={"path": program("returns")}, breakpoints=[{"line": behind, "condition": condition}])
        c.must("stepOut", threadId=1)
        assert c.event("stopped")["reason"] == "step"
        frame = c.top()[0]
        assert frame["line"] == line_of("returns", "w := wide(4)") and "return" in c.locals(frame["id"]), frame
        c.must("next", threadId=1)
        assert c.event("stopped")["reason"] == reason and c.top()[0]["line"] == behind, (reason, c.top()[0])
        c.must("next", threadId=1) # it stops there once
        assert c.event("stopped")["reason"] == "step" and c.top()[0]["line"] > behind, c.top()[0]
        c.finish()


def step_in_targets():
    """Each call of the line is a target of its own, and a step with it enters that very call."""
    wanted = {"add(one(), add(": [("one", 14, None), ("one", 25, None), ("add", 21, "4"), ("add", 10, "5"), ("one", 42, None)],
              ".next().next()": [("Step.next", 10, "1"), ("Step.next", 10, "2")], "r := fn(1)": [("fn(1)", 10, None)]}
    for text, calls in wanted.items():
        for i, (label, column, argument) in enumerate(calls):
            if i > 0 and argument is None: # each is a session
                continue
            c, f = stop_at("targets", text)
            targets = c.must("stepInTargets", frameId=f)["targets"]
            assert [(t["label"], t["column"]) for t in targets] == [(t[0], t[1]) for t in calls], targets
            c.must("stepIn", threadId=1, targetId=targets[i]["id"])
            assert c.event("stopped")["reason"] == "step"
            inner, outer = c.top()[:2]
            name = "main.lambda" if label == "fn(1)" else label
            assert (inner["name"], outer["name"], outer["column"]) == (name, "main", column), (text, i, inner, outer)
            if argument is not None:
                got = value(c, "b" if label == "add" else "self.n", inner["id"])
                assert got == argument, (text, i, got)
            assert not c.ask("stepIn", threadId=1, targetId=targets[i]["id"])["success"], "a stale target"
            c.finish()
    # A lambda that is made for a call is one as well, whoever calls it.
    c, f = stop_at("targets", "w := apply(")
    targets = c.must("stepInTargets", frameId=f)["targets"]
    assert [(t["label"], t["column"]) for t in targets] == [("apply", 10), ("main.lambda", 16), ("apply", 39), ("main.lambda", 45)], targets
    c.must("stepIn", threadId=1, targetId=targets[3]["id"])
    assert c.event("stopped")["reason"] == "step"
    assert [f["name"] for f in c.top()][:3] == ["main.lambda", "apply", "main"] and c.locals(c.top()[0]["id"])["x"]["value"] == "2", c.top()
    for name in ("apply", "main.lambda"): # a step goes on as any other
        c.must("next" if name == "apply" else "stepIn", threadId=1)
        assert c.event("stopped")["reason"] == "step" and c.top()[0]["name"] == name, c.top()
    c.finish()


def constant_results():
    """The last statement of `main` is one to stop at also where it is a constant."""
    with open(program("targets"), encoding="utf-8") as f:
        last = sum(1 for _ in f) - 1
    c = begin("targets", [last])
    assert c.event("stopped")["reason"] == "breakpoint"
    assert c.top()[0]["line"] == last, c.top()
    exits(c)
    c, _ = stop_at("targets", "if count != 1")
    for line in (last - 1, last):
        c.must("next", threadId=1)
        c.event("stopped")
        assert c.top()[0]["line"] == line, c.top()
    exits(c)


def threads_of_the_system():
    """Neither start-up nor the inner functions of the C library are shown; names do not depend on the engine."""
    c = begin("targets", [line_of("targets", "count.* += 1")])
    thread = c.event("stopped")["threadId"]
    assert [f["name"] for f in c.top(thread)] == ["worker"], c.top(thread)
    names = [t["name"].split(" (")[0] for t in c.must("threads")["threads"]]
    assert names == ["main", "thread"], names
    frames = c.top()
    assert frames[0]["name"].startswith("pthread_") and frames[-1]["name"] == "main", frames
    assert all("unnamed" not in f["name"] for f in frames) and frames[1]["line"] > 0, frames
    c.finish()


def steps_over_captures():
    """Statements begin where they stand, whatever of the closure's environment they use first."""
    c, _ = stop_at("captures", 'print("begin')
    lines = [line_of("captures", 'print("begin')]
    while c.top()[0]["name"] == "main.lambda":
        lines.append(c.top()[0]["line"])
        c.must("next", threadId=1)
        c.event("stopped")
    assert lines[1:] == [lines[0] + i for i in range(6)], lines # the last one is the end of the body
    c.finish()


def steps_over_recursion():
    """A step over a call of the same function ends at the statement behind it; what begins at one instruction is told
    one by one, whatever the user goes on by."""
    def go_by(c, how):
        c.must(how, threadId=1)
        stop, top = c.event("stopped"), c.top()
        return stop["reason"], top[0]["line"], top[0]["column"], len(top)

    cleanup, call = line_of("nested", "count += 1"), line_of("nested", "down(n - 1)")
    behind, leaving, end = ("step", call + 1, 5, 2), (call + 2, 17, 2), ("breakpoint", cleanup, 13, 2)
    c, _ = stop_at("nested", "down(n - 1)")
    c.must("setBreakpoints", source={"path": program("nested")}, breakpoints=[])
    told = [go_by(c, "next") for _ in range(2)]
    c.must("setBreakpoints", source={"path": program("nested")}, breakpoints=[{"line": cleanup}])
    told += [go_by(c, "next") for _ in range(3)]
    assert told == [behind, ("step", call + 2, 5, 2), ("step", *leaving), end, ("step", line_of("nested", "count = 0"), 5, 1)], told
    c.finish()
    for how in ("next", "stepOut", "continue"):
        c = begin("nested", [{"line": leaving[0], "column": leaving[1]}, cleanup])
        c.event("stopped")
        told = [go_by(c, "continue") for _ in range(2)] + [go_by(c, how)]
        assert told == [("breakpoint", cleanup, 13, 3), ("breakpoint", *leaving), end], (how, told)
        if how != "continue":
            c.finish()
    # So it is of each of several threads that stand there at the same time.
    hits = []
    while not any(e["event"] == "exited" for e in c.events) and len(hits) < 30:
        thread = c.event("stopped")["threadId"] if hits else 1
        hits.append(c.top(thread)[0]["line"])
        c.must("continue", threadId=thread)
        while not any(e["event"] in ("stopped", "exited") for e in c.events):
            c.next()
    assert (hits.count(cleanup), hits.count(leaving[0])) == (13, 4), hits
    c.finish()


def cancelled_lines():
    """A line that writes the program's memory all the time, which takes long for each write, hears of a cancel."""
    c, frame = stop_at("calls", "while n > 0")
    line = c.send("evaluate", {"expression": "{ while true { n += 1; } }", "context": "repl", "frameId": frame})
    time.sleep(0.1)
    # So do requests that wait for it, at once.
    waits, stays = (c.send("evaluate", {"expression": "1 + 1", "frameId": frame}) for _ in range(2))
    cancel = c.send("cancel", {"requestId": waits})
    assert c.response(waits).get("message") == "cancelled" and c.response(cancel)["success"]
    c.send("cancel", {"requestId": line})
    assert c.response(line).get("message") == "cancelled" and c.response(stays)["body"]["result"] == "2"
    c.finish()


def cut_calls():
    """What a call of C leaves behind that does not return: the program's signals, locks and calls are as they were."""
    c, f = stop_at("cuts", "x := n + 1")

    def cut(line):
        running = c.send("evaluate", {"expression": line, "context": "repl", "frameId": f})
        time.sleep(0.2)
        c.send("cancel", {"requestId": running})
        assert not c.response(running)["success"]

    assert value(c, "c.counted", f) == "0" and value(c, "c.crash(5)", f, "repl").startswith("! the C function `crash` crashed")
    assert value(c, "c.counted", f) == "5" # what it has done before it failed
    assert value(c, "c.leave(1)", f, "repl") == "! the C function `leave` goes back to a call of the program's by `longjmp`, and cannot be called from here"
    assert [value(c, text, f, "repl") for text in ("c.stay(3)", "n", "c.blocked(10)", "c.traps(0)")] == ["3", "1", "0", "5"]
    for line in ["c.churn(3000)", "c.flush(50)"] + ["c.chat(0)"] * 3 + ["c.block(5000)"] * (ENGINE == "native"): # the other does not leave that
        cut(line)
        assert [value(c, text, f, "repl") for text in ("c.blocked(10)", "c.stay(3)", "c.locked(0)")] == ["0", "3", "0"], line
    c.must("setBreakpoints", source={"path": program("cuts")}, breakpoints=[{"line": line_of("cuts", "print(\"{} {}")}])
    go_on(c)
    f = c.top()[0]["id"]
    left = value(c, "c.leave(1)", f, "repl")
    assert left == "! the C function `leave` goes back by `longjmp` to a call that has returned", left
    assert value(c, "r", f) == "3"
    c.must("continue", threadId=1)
    assert c.event("exited")["exitCode"] == 0 # `trap` has not stopped it
    assert c.output_text("stdout") == "within 2\n3 5\n", c.output_text("stdout")
    c.finish()


def before_main():
    """A signal that comes before the program runs stops it where it begins."""
    for number, reason, code in ((signal.SIGTERM, "exception", 143), (signal.SIGSEGV, "exception", 139), (signal.SIGINT, "pause", 0)):
        waiting = subprocess.Popen([SX, "run", "--vm", "--debug-listen", "0", program("loops")], stderr=subprocess.PIPE, text=True)
        c = Client(SX)
        c.must("initialize")
        c.must("attach", connect=waiting.stderr.readline().split()[-1])
        os.kill(waiting.pid, number)
        time.sleep(0.05) # it has come
        c.must("configurationDone")
        assert c.event("stopped")["reason"] == reason and c.top()[0]["name"] == "main", (number, c.top())
        exits(c, code)
        waiting.communicate(timeout=60)


CASES = [interrupted_steps, left_out, pausing, cancelled_lines, dropped_by_the_optimizer, signals, handled_signals, left_alone, step_in_targets,
         constant_results, threads_of_the_system, steps_over_captures, steps_over_recursion, cut_calls, back_at_a_breakpoint,
         listed_all_the_same]
CASES += [restarted_frame, before_main] if ENGINE == "vm" else [optimized, left_by_the_optimizer, merged_by_the_optimizer, placed_by_the_optimizer, moved_conditions]
run_cases(CASES, sys.argv[4:])
