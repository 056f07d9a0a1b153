#!/usr/bin/env python3
"""Where a program stops, and how it goes on, the same with every engine.

usage: stops.py SX FOLDER-OF-PROGRAMS ENGINE [CASE…]
"""

import os
import signal
import sys
import tempfile
import time

from dap import Client, run_cases
from sessions import SX, ENGINE, program, line_of, begin, stop_at, value, go_on, exits


def carried_traces():
    """An error variable has its trace as a child."""
    c, f = stop_at("carried", "print(\"{}\\n\", moved")
    rows = c.locals(f)
    assert rows["e"]["value"] == "error.Low" and rows["none"]["variablesReference"] == 0, rows
    trace = c.must("sxErrorTrace", variablesReference=rows["e"]["variablesReference"])
    assert trace["error"] == "Low" and [h["func"] for h in trace["chains"][0]["frames"]][0] == "limited", trace
    child = c.must("variables", variablesReference=rows["e"]["variablesReference"])["variables"]
    assert [v["name"] for v in child] == ["[trace]"], child
    lines = c.must("variables", variablesReference=child[0]["variablesReference"])["variables"]
    assert "limited" in [v["name"] for v in lines], lines
    assert c.must("sxErrorTrace", variablesReference=child[0]["variablesReference"])["error"] == "Low"
    c.finish()


def handlers_trace():
    """The error that a handler takes has its trace as a child, while it is in flight."""
    c, f = stop_at("faults", 'print("caught')
    row = c.locals(f)["e"]
    child = c.must("variables", variablesReference=row["variablesReference"])["variables"]
    assert [v["name"] for v in child] == ["[trace]"], child
    lines = c.must("variables", variablesReference=child[0]["variablesReference"])["variables"]
    assert [v["name"] for v in lines][1:] == ["failing", "bound"], lines
    assert c.must("sxErrorTrace", variablesReference=row["variablesReference"])["error"] == "Bad"
    assert "Error trace" in [s["name"] for s in c.must("scopes", frameId=f)["scopes"]]
    c.finish()


def left_main():
    """An error that leaves `main` stops where `main` let go of it. Beyond the end of the stack there is nothing."""
    c = begin("faults")
    assert c.event("stopped")["reason"] == "exception"
    frames = c.top()
    at = line_of("faults", "try failing(-3)")
    assert [(f["name"], f["line"], f["column"]) for f in frames[:1]] == [("main", at, 10)], frames
    rows = c.locals(frames[0]["id"])
    assert list(rows) == ["c", "x", "buffer"], rows
    if ENGINE == "vm": # lldb says that they are not visible there
        assert rows["c"]["value"] == "{total: 2}" and value(c, "c.total + x", frames[0]["id"]) == "9", rows
    for start in (len(frames), 50, 2147483647):
        beyond = c.must("stackTrace", threadId=1, startFrame=start, levels=20)
        assert beyond["stackFrames"] == [] and beyond["totalFrames"] == len(frames), beyond
    c.must("continue", threadId=1)
    assert c.event("exited")["exitCode"] == 1
    c.finish()


def null_pointer():
    """A panic is shown where the program shows it: at the `.` that follows the pointer."""
    c = begin("faults", args=["null"])
    assert c.event("stopped")["text"] == "null pointer"
    frame = c.top()[0]
    line = line_of("faults", "n.next.value")
    assert (frame["name"], frame["line"], frame["column"]) == ("read", line, 26), frame
    c.must("continue", threadId=1)
    c.event("exited")
    assert c.output_text("stderr") == f"panic: null pointer at faults.sx:{line}:26\n", c.output_text("stderr")
    c.finish()


def watched_parts():
    """A watch on a part of a local ends with the local's frame. One on the whole has a life of its own."""
    for together in (True, False):
        c, f = stop_at("carried", "spot.y += by")
        spot = c.locals(f)["spot"]["variablesReference"]
        assert c.must("setVariable", variablesReference=spot, name="x", value="by - 2")["value"] == "1" # with names of the frame
        part = c.must("dataBreakpointInfo", variablesReference=spot, name="y")["dataId"]
        whole = c.must("dataBreakpointInfo", name="spot", frameId=f)["dataId"]
        for data in ([part], [part, whole]) if together else ([part, whole], [part]):
            ids = [b["id"] for b in c.must("setDataBreakpoints", breakpoints=[{"dataId": d} for d in data])["breakpoints"]]
        lines = [line_of("carried", text) for text in ("spot.x + spot.y", "if e {")]
        c.must("setBreakpoints", source={"path": program("carried")}, breakpoints=[{"line": line} for line in lines])
        stop = go_on(c)
        assert stop["reason"] == "data breakpoint" and "2 → 5" in stop["text"] and stop["hitBreakpointIds"] == ids, stop
        for line in lines: # where the thread stands now, too
            assert go_on(c)["reason"] == "breakpoint" and c.top()[0]["line"] == line, c.top()
        assert [c.event("breakpoint")["reason"] for _ in ids] == ["removed"] * len(ids)
        c.finish()


def conditions():
    body = line_of("hot", "sum += i")
    begun = time.time()
    many = 999999 if ENGINE == "vm" else 2000 # the native engine asks the adapter each time
    c = begin("hot", [{"line": body, "condition": f"i == {many}"}])
    c.event("stopped")
    took = time.time() - begun
    assert value(c, "i", c.top()[0]["id"]) == str(many)
    print(f"  {many} hits of a false condition: {took:.2f} s")
    c.must("setBreakpoints", source={"path": program("hot")}, breakpoints=[])
    exits(c)

    c = begin("hot", [{"line": body, "condition": "i + \"x\" == 1"}]) # rejected: it does not stop
    c.event("exited")
    c.finish()
    c = Client(SX)
    c.must("initialize")
    c.must("launch", program=program("hot"), engine=ENGINE)
    answer = c.must("setBreakpoints", source={"path": program("hot")},
                    breakpoints=[{"line": body, "condition": "nothing > 1"}, {"line": body, "hitCondition": "x"},
                                 {"line": 1}, {"line": body}])["breakpoints"]
    assert [b["verified"] for b in answer] == [False, False, False, True], answer
    assert "nothing" in answer[0]["message"], answer
    assert answer[2]["message"] == "no code at this line", answer
    c.finish()

    c = begin("hot", [{"line": body, "hitCondition": ">= 5"}])
    c.event("stopped")
    assert value(c, "i", c.top()[0]["id"]) == "4"
    c.finish()
    c = begin("hot", [{"line": body, "hitCondition": "% 1000", "condition": "i >= 10"}])
    c.event("stopped")
    assert value(c, "i", c.top()[0]["id"]) == "1009"
    c.finish()


def refused_conditions():
    """What would change the program is refused: when it is set where that is known, else where it is evaluated. What only
    works on its own memory is evaluated."""
    texts = [{"condition": "count() == 1"}, {"condition": "{ sum = 9; true }"}, {"condition": "more(list).len == 2"},
             {"condition": "shout(i) == 1"}, {"logMessage": "{more(list)} {shout(i)}"}]
    c = begin("prompt", [{"line": line_of("prompt", "sum += i"), "column": 21, **text} for text in texts])
    assert [b.get("message") for b in c.answers[:2]] == ["has side effects: it writes to the program's memory",
                                                     "has side effects: it changes `sum`"], c.answers
    stop = c.event("stopped")
    assert value(c, "i", c.top()[0]["id"]) == "0" and stop["hitBreakpointIds"] == [c.answers[3]["id"]], stop
    stop = go_on(c)
    assert value(c, "i", c.top()[0]["id"]) == "1", stop
    assert sorted(stop["hitBreakpointIds"]) == [c.answers[2]["id"], c.answers[3]["id"]], stop
    refused = "has side effects: it calls `write`, a function of C"
    told = sorted(c.output_text("console").splitlines())
    assert told == [f"len 1, cap 4 <{refused}>", f"len 2, cap 4 <{refused}>"] + [
        f"the condition `shout(i) == 1` failed: {refused}"] * 2, told
    c.must("continue", threadId=1)
    c.event("exited")
    assert c.output_text("stdout") == "2 2\n", c.output_text("stdout")
    c.finish()


def kept_hits():
    """A breakpoint that is sent again goes on counting; one whose texts are others counts anew."""
    for again, wanted in (("== 1", None), ("== 2", "2")):
        line = line_of("loops", "i += 1")
        c = begin("loops", [{"line": line, "hitCondition": "== 1"}])
        c.event("stopped")
        c.must("setBreakpoints", source={"path": program("loops")}, breakpoints=[{"line": line, "hitCondition": again}])
        if wanted:
            go_on(c)
            assert value(c, "i", c.top()[0]["id"]) == wanted
        exits(c)


def counted_in_threads():
    """Of all that pass a breakpoint each counts once, whichever thread it is: the last one stops, and none after it."""
    line = line_of("threads", "sum.* += i")
    c = begin("threads", [{"line": line, "hitCondition": "600"}, {"line": line, "hitCondition": "> 600"}])
    stop = c.event("stopped")
    assert value(c, "i", c.top(stop["threadId"])[0]["id"]) == "199" and len(stop["hitBreakpointIds"]) == 1, stop
    c.must("continue", threadId=stop["threadId"])
    assert c.event("exited")["exitCode"] == 0
    assert c.output_text("stdout") == "[19900, 19900, 19900]\n", c.output_text("stdout")
    c.finish()


def log_messages():
    body = line_of("hot", "sum += i")
    c = begin("hot", [{"line": body, "logMessage": "i={i} {item} {{x}} {\"}\"}", "condition": "i < 3"},
                      {"line": body, "condition": "i == 5"}])
    c.event("stopped")
    text = c.output_text("console")
    assert text == "".join(f'i={i} {{name: "nut", count: 2}} {{x}} "}}"\n' for i in range(3)), text
    c.finish()


def panic():
    c = begin("panics")
    stop = c.event("stopped")
    assert stop["reason"] == "exception" and "panic" in stop["description"], stop
    info = c.must("exceptionInfo", threadId=1)
    assert info["exceptionId"] == "panic" and info["breakMode"] == "unhandled", info
    frame = c.top()[0]
    assert frame["name"] == "at" and frame["line"] == 4, frame
    exits(c, 134)


def faults():
    """A fault of C code stops once, in the words of the runtime; what nobody asked to stop at just ends the program."""
    corpus = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "corpus", "functions")
    c = Client(SX)
    c.start(os.path.join(corpus, "panic_in_c.sx"), engine=ENGINE)
    stop = c.event("stopped")
    assert stop["reason"] == "exception" and stop["description"] == "SIGSEGV", stop
    assert stop["text"] == "invalid memory access at address 0x10 in the C function `strlen`", stop
    assert [f["name"] for f in c.top()] == ["strlen", "main"], c.top()
    exits(c, 134)
    # A used-up stack is shown at the call for which it had no room.
    c = Client(SX)
    c.start(os.path.join(corpus, "panic_stack_overflow.sx"), engine=ENGINE)
    assert c.event("stopped")["text"] == "stack overflow"
    top, caller = c.top(levels=2)
    assert (top["name"], top["line"], top["column"]) == (caller["name"], caller["line"], caller["column"]), (top, caller)
    exits(c, 134)
    # The console may call, also on another thread; the program ends as it would have ended.
    fault = "panic: invalid memory access at address 0x10"
    for args, told in (([], fault), (["x"], "panic: SIGABRT"), (["x", "y"], fault)):
        c = begin("signals", args=args)
        thread = c.event("stopped")["threadId"]
        assert c.top(thread)[0]["name"] in ("main", "fail", "abort"), c.top(thread)
        frame = next(f for f in c.top(thread) if f["name"] in ("main", "fail"))["id"]
        for _ in range(2):
            assert value(c, "n", frame, "repl") == "4"
        c.must("continue", threadId=1)
        assert c.event("exited")["exitCode"] == 134
        assert told in c.output_text("stderr"), c.output_text("stderr")
        c.finish()
    c = Client(SX)
    c.must("initialize")
    c.must("launch", program=program("panics"), engine=ENGINE)
    c.must("setExceptionBreakpoints", filters=[])
    c.must("configurationDone")
    assert c.event("exited")["exitCode"] == 134
    assert not any(e["event"] == "stopped" for e in c.events), c.events
    c.finish()


def function_breakpoints():
    c = Client(SX)
    c.must("initialize")
    c.must("launch", program=program("calls"), engine=ENGINE)
    answer = c.must("setFunctionBreakpoints", breakpoints=[{"name": "largest"}, {"name": "Counter.add"},
                                                          {"name": "main.lambda"}, {"name": "nobody"}])["breakpoints"]
    assert [b["verified"] for b in answer] == [True, True, True, False], answer
    c.must("configurationDone")
    names = []
    for _ in range(5):
        assert c.event("stopped")["reason"] == "function breakpoint"
        names.append(c.top()[0]["name"])
        c.must("continue", threadId=1)
    assert names == ["Counter.add", "largest(i64)", "largest(f64)", "main.lambda", "main.lambda"], names
    c.event("exited")
    c.finish()


def small_requests():
    """Ids of breakpoints whose texts change, names of imported functions, columns, and what no process can be given."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "main.sx")
        with open(os.path.join(folder, "util.sx"), "w", encoding="utf-8") as f:
            f.write("twice :: (n: i64) -> i64 { 2 * n }\nthrice :: (n: $T) -> T { 3 * n }\n")
        with open(path, "w", encoding="utf-8") as f:
            f.write('#import "modules/std.sx";\nutil :: #import "util.sx";\nmain :: () {\n'
                    '    s := "é"; n := util.twice(2); k := util.thrice(n);\n    print("{} {}\\n", s, k);\n}\n')
        c = Client(SX)
        c.must("initialize")
        for more, told in (({"env": {"": "x"}}, "empty"), ({"env": {"A=B": "x"}}, "`A=B`"), ({"env": {"A\0": "x"}}, "NUL"),
                           ({"env": {"A": "x\0"}}, "NUL"), ({"args": ["a\0b"]}, "NUL")):
            reply = c.ask("launch", program=path, engine=ENGINE, **more)
            assert not reply["success"] and told in reply["message"], (more, reply)
        c.must("launch", program=path, engine=ENGINE)

        def ids(*wanted):
            answer = c.must("setBreakpoints", source={"path": path}, breakpoints=[{"line": 5, **b} for b in wanted])
            return [b["id"] for b in answer["breakpoints"]]

        plain, = ids({})
        assert ids({"condition": "k > 1"}) == [plain] and ids({"logMessage": "x"}) == [plain]
        assert ids({}, {"logMessage": "x"})[1] == plain
        for wanted, columns in (({}, [5, 15, 35]), ({"column": 6}, [15, 35]), ({"column": 15, "endColumn": 15}, [15]),
                                ({"endColumn": 34}, [5, 15])):
            found = c.must("breakpointLocations", source={"path": path}, line=4, **wanted)["breakpoints"]
            assert [b["column"] for b in found] == columns, (wanted, found)
        names = ["util.twice", "util.thrice", "util.thrice(i64)", "util.main", "utils.twice"]
        answer = c.must("setFunctionBreakpoints", breakpoints=[{"name": name} for name in names])["breakpoints"]
        assert [b["verified"] for b in answer] == [True, True, True, False, False], answer
        c.must("configurationDone")
        assert c.event("stopped")["reason"] == "function breakpoint" and c.top()[0]["name"] == "twice", c.top()
        c.must("stepOut", threadId=1)
        c.event("stopped")
        targets = c.must("gotoTargets", source={"path": path}, line=4)["targets"]
        assert [t["label"].rpartition(":")[2] for t in targets] == ["5", "15", "35"], targets
        c.finish()


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


def watching():
    c, f = stop_at("calls", "i := largest")
    scope = c.must("scopes", frameId=f)["scopes"][0]["variablesReference"]
    rows = {v["name"]: v for v in c.must("variables", variablesReference=scope)["variables"]}
    info = c.must("dataBreakpointInfo", variablesReference=rows["c"]["variablesReference"], name="total")
    assert info["dataId"], info
    assert c.must("dataBreakpointInfo", name="c.total", frameId=f)["dataId"] == info["dataId"]
    assert c.must("dataBreakpointInfo", name="c.total + 1", frameId=f)["dataId"] is None
    c.must("setDataBreakpoints", breakpoints=[])
    c.finish()
    c, f = stop_at("calls", "while n > 0")
    scope = c.must("scopes", frameId=f)["scopes"][0]["variablesReference"]
    info = c.must("dataBreakpointInfo", variablesReference=scope, name="n")
    answer = c.must("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])["breakpoints"]
    assert answer[0]["verified"], answer
    for now in ("2", "1", "0"):
        stop = go_on_to_watch(c)
        assert stop["text"].endswith("→ " + now), stop
    c.finish()
    # The write by which the program goes on from where the watch was set is the first one.
    for how, more in (("continue", {}), ("next", {}), ("stepIn", {"record": True} if ENGINE == "vm" else {})):
        c, f = stop_at("calls", "n -= 1", **more)
        c.must("setDataBreakpoints", breakpoints=[{"dataId": c.must("dataBreakpointInfo", name="n", frameId=f)["dataId"]}])
        c.must(how, threadId=1)
        stop = c.event("stopped")
        assert (stop["reason"], stop["text"]) == ("data breakpoint", "n: 3 → 2"), (how, stop)
        # A step leaves the place where the write has stopped.
        before = c.top()[0]["line"]
        c.must("next", threadId=1)
        assert c.event("stopped")["reason"] == "step" and c.top()[0]["line"] != before, (how, before, c.top()[0])
        c.finish()


def watched_places_with_breakpoints():
    """A breakpoint where a write has stopped comes next, whatever the program goes on by. What a call had is watched no
    more when it has ended."""
    lines = [line_of("calls", text) for text in ("n -= 1", "if n == 1", 'print("{} {} {} {}', "n * fact(")]
    for how in ("next", "continue"):
        c = begin("calls", lines[:2])
        c.event("stopped")
        data = c.must("dataBreakpointInfo", name="n", frameId=c.top()[0]["id"])["dataId"]
        assert c.must("setDataBreakpoints", breakpoints=[{"dataId": data}])["breakpoints"][0]["verified"]
        told = []
        for _ in range(3):
            c.must(how, threadId=1)
            told.append((c.event("stopped")["reason"], c.top()[0]["line"]))
        on = ("step", lines[0] - 1) if how == "next" else ("breakpoint", lines[0])
        assert told == [("data breakpoint", lines[1]), ("breakpoint", lines[1]), on], (how, told)
        c.finish()
    # What a function of C has written for the program is told where that goes on.
    c, f = stop_at("shared", "whole = other")
    data = c.must("dataBreakpointInfo", name="whole.first", frameId=f)["dataId"]
    c.must("setDataBreakpoints", breakpoints=[{"dataId": data}])
    assert go_on(c)["text"] == "whole.first: 1 → 9"
    top = c.top()[0]
    assert (top["name"], top["line"]) == ("main", line_of("shared", "whole = other") + 1), top
    c.finish()
    c = begin("calls", lines[2:])
    c.event("stopped")
    data = c.must("dataBreakpointInfo", name="n", frameId=c.top()[0]["id"])["dataId"]
    while c.top()[0]["line"] != lines[2]:
        go_on(c)
    answer = c.must("setDataBreakpoints", breakpoints=[{"dataId": data}])["breakpoints"][0]
    assert (answer["verified"], answer["message"]) == (False, "the call that had `n` has ended"), answer
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


def watched_while_running():
    """A global variable can be watched while the program runs."""
    c, f = stop_at("endless", 'print("ready')
    data = c.must("dataBreakpointInfo", name="turns", frameId=f)["dataId"]
    c.must("setBreakpoints", source={"path": program("endless")}, breakpoints=[])
    c.must("continue", threadId=1)
    while "ready" not in c.output_text("stdout"):
        c.next()
    answer = c.must("setDataBreakpoints", breakpoints=[{"dataId": data}])["breakpoints"]
    assert answer[0]["verified"], answer
    stop = c.event("stopped")
    old, now = stop["text"].removeprefix("turns: ").split(" → ")
    assert stop["reason"] == "data breakpoint" and int(now) == int(old) + 1, stop
    c.finish()


def watched_before_main():
    """Before the program begins a place is taken for a data breakpoint, and nothing else."""
    c = Client(SX)
    c.must("initialize")
    c.must("launch", program=program("endless"), engine=ENGINE)
    ids = [c.must("dataBreakpointInfo", name=name) for name in ("turns", "turns + 1", "nothing")]
    assert [i["dataId"] for i in ids] == ["global turns", None, None], ids
    assert ids[1]["description"] == "`turns + 1` is in no memory that could be watched", ids
    c.finish()


def watched_again():
    """A program that begins again has the data breakpoints of global variables; those of locals are told as removed."""
    c, f = stop_at("endless", 'print("ready')
    ids = [c.must("dataBreakpointInfo", name=name, frameId=f)["dataId"] for name in ("n", "turns", "both.second")]
    answers = c.must("setDataBreakpoints", breakpoints=[{"dataId": i} for i in ids])["breakpoints"]
    assert all(a["verified"] for a in answers), answers
    c.must("setBreakpoints", source={"path": program("endless")}, breakpoints=[])
    assert go_on(c)["text"] == "n: 0 → 1"
    c.events.clear()
    c.must("restart")
    texts = [c.event("stopped")["text"], go_on(c)["text"]]
    assert texts == ["turns: 0 → 1", "both.second: 0 → 1"], texts
    told = {e["body"]["breakpoint"]["id"]: e["body"]["reason"] for e in c.events if e["event"] == "breakpoint"}
    assert [told.get(a["id"]) for a in answers] == ["removed", "changed", "changed"], told
    c.finish()


def watched_by_either():
    """The hardware watches four places; where it does not answer, single steps watch any number, and the console says so."""
    notes = []
    for wish in (None, "off"):
        os.environ.pop("SX_HARDWARE_WATCHES", None)
        if wish:
            os.environ["SX_HARDWARE_WATCHES"] = wish
        c, f = stop_at("calls", "while n > 0")
        places = [c.must("dataBreakpointInfo", name=name, frameId=f)["dataId"] for name in ("n", "k", "t", "i", "f")]
        answers = c.must("setDataBreakpoints", breakpoints=[{"dataId": p} for p in places])["breakpoints"]
        c.must("setBreakpoints", source={"path": program("calls")}, breakpoints=[])
        notes.append("watching by single steps" in c.output_text("console"))
        assert [a["verified"] for a in answers] == [True] * 4 + [notes[-1]], (answers, notes)
        assert notes[-1] or "four places at once" in answers[4]["message"], answers
        for now in ("2", "1", "0"):
            assert go_on(c)["text"].endswith("→ " + now), now
        c.must("continue", threadId=1)
        c.event("exited")
        assert [e["body"]["reason"] for e in c.events if e["event"] == "breakpoint"].count("removed") == len([a for a in answers if a["verified"]]), c.events
        c.finish()
    assert notes[1], notes


def watched_in_threads():
    """Each write is a stop of its own, in the thread that has written, whether or not others write at the same moment."""
    for wish in ("on", "off"):
        os.environ["SX_HARDWARE_WATCHES"] = wish
        c, f = stop_at("shared", "begins :")
        data = c.must("dataBreakpointInfo", name="last", frameId=f)["dataId"]
        c.must("setDataBreakpoints", breakpoints=[{"dataId": data}])
        before, writes, writers = "0", [], {}
        c.must("continue", threadId=1)
        while (stop := next_stop(c)) is not None:
            assert stop["reason"] == "data breakpoint", stop
            old, now = stop["text"].removeprefix("last: ").split(" → ")
            assert old == before, (stop, before)
            before = now
            writes.append(int(now))
            writers.setdefault(int(now) // 100, set()).add(stop["threadId"])
            top = c.top(stop["threadId"])[0]
            at = line_of("shared", "last = n")
            assert top["name"] == "work" and top["line"] in (at, line_of("shared", "while n")), (stop, top)
            assert value(c, "n", top["id"]) == now, (stop, top, value(c, "n", top["id"]))
            c.must("continue", threadId=stop["threadId"])
        for n in (1, 2, 3):
            assert [w for w in writes if w // 100 == n] == [n * 100 + i for i in range(1, 7)], writes
        assert len(writers) == 3 and sorted(map(len, writers.values())) == [1, 1, 1], writers
        c.finish()
    del os.environ["SX_HARDWARE_WATCHES"]
    # So is each addition of an atomic operation.
    c, f = stop_at("shared", "begins :")
    c.must("setDataBreakpoints", breakpoints=[{"dataId": c.must("dataBreakpointInfo", name="counted", frameId=f)["dataId"]}])
    for i in range(36):
        c.must("continue", threadId=1)
        stop = c.event("stopped")
        assert stop["text"] == f"counted: {i} → {i + 1}", stop
    exits(c)


def next_stop(c):
    """The next stop; None where the program has ended."""
    while True:
        for i, e in enumerate(c.events):
            if e["event"] in ("stopped", "exited"):
                c.events.pop(i)
                return e["body"] if e["event"] == "stopped" else None
        c.next()


def watch_conditions():
    c, f = stop_at("calls", "while n > 0")
    n = c.must("dataBreakpointInfo", name="n", frameId=f)["dataId"]

    def watch(data, **texts):
        return c.must("setDataBreakpoints", breakpoints=[{"dataId": data} | texts])["breakpoints"][0]

    for texts, message in (({"condition": "zork"}, "zork"), ({"condition": "n =="}, "expected"), ({"hitCondition": "x"}, "hit condition")):
        answer = watch(n, **texts)
        assert not answer["verified"] and message in answer["message"], answer
    c.must("setBreakpoints", source={"path": program("calls")}, breakpoints=[])
    first = watch(n, condition="n == 1")
    assert first["verified"], first
    assert go_on(c)["text"].endswith("2 → 1"), "condition"
    again = watch(n, hitCondition="2")
    assert again["verified"] and again["id"] == first["id"], again
    c.finish()
    c, f = stop_at("calls", "while n > 0")
    c.must("setBreakpoints", source={"path": program("calls")}, breakpoints=[])
    watch(c.must("dataBreakpointInfo", name="n", frameId=f)["dataId"], hitCondition="% 3")
    assert go_on(c)["text"].endswith("1 → 0"), "hits"
    c.finish()
    # A write in a function that is called, which knows the variable by another name; the step goes on.
    c, f = stop_at("calls", "c.add(4)")
    total = c.must("dataBreakpointInfo", name="c.total", frameId=f)["dataId"]
    assert watch(total, condition="c.total == 99")["verified"]
    c.must("next", threadId=1)
    stop = c.event("stopped")
    assert stop["reason"] == "step" and c.top()[0]["line"] == line_of("calls", "ints := ."), (stop, c.top()[0])
    assert c.output_text("console").count("failed") == 0, c.output_text("console")
    c.finish()


def log_order():
    """Log messages stand between the output before them and after them."""
    c = begin("asserts", [{"line": line_of("asserts", "sum += i"), "logMessage": "log {i}"}, {"line": line_of("asserts", "sum = 0")}])
    c.event("stopped")
    told = "".join(e["body"]["output"] for e in c.events if e["event"] == "output" and e["body"]["category"] in ("stdout", "console"))
    told = told[told.index("out 0"):]
    assert told == "".join(f"out {i}\nlog {i}\n" for i in range(20)), told
    c.finish()


def go_on_to_watch(c):
    stop = go_on(c)
    while stop["reason"] != "data breakpoint":
        stop = go_on(c)
    return stop


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


def restart():
    c, _ = stop_at("steps", "a := sum")
    c.must("restart")
    c.event("stopped")
    assert c.top()[0]["line"] == line_of("steps", "a := sum")
    exits(c)


GENERIC = """#import "modules/std.sx";
same :: (x: $T) -> T {
    return x;
}
main :: () {
    print("{} {} {}\\n", same(1), same("s"), same(1.5));
}
"""


def generic_conditions():
    """They count in the instances in which they compile."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "generic.sx")
        with open(path, "w", encoding="utf-8") as f:
            f.write(GENERIC)
        c = Client(SX)
        c.start(path, [2], engine=ENGINE, stopOnEntry=True)
        c.event("stopped")
        for condition, name in (('x == "s"', "same(string)"), ("x == 1", "same(i64)"), ("x.y == 1", None)):
            answer = c.must("setBreakpoints", source={"path": path}, breakpoints=[{"line": 3, "condition": condition}])
            assert answer["breakpoints"][0]["verified"] == bool(name), answer
            if not name:
                continue
            go_on(c)
            assert c.top()[0]["name"] == name, c.top()
            c.must("restart")
            c.event("stopped")
        exits(c)


def broken_restart():
    """A program whose source does not compile any more stays."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "changing.sx")
        with open(path, "w", encoding="utf-8") as f:
            f.write(GENERIC)
        c = Client(SX)
        c.start(path, [3], engine=ENGINE)
        c.event("stopped")
        with open(path, "w", encoding="utf-8") as f:
            f.write(GENERIC.replace("return x", "return y"))
        reply = c.ask("restart")
        assert not reply["success"] and "does not compile: 1 error" in reply["message"], reply
        assert "unknown name `y`" in c.output_text("stderr"), c.output_text("stderr")
        assert value(c, "x", c.top()[0]["id"]) == "1"
        with open(path, "w", encoding="utf-8") as f:
            f.write(GENERIC.replace("same(1)", "same(2)"))
        c.must("restart")
        c.event("stopped")
        assert value(c, "x", c.top()[0]["id"]) == "2"
        os.remove(path)
        assert not c.ask("restart", arguments={"program": path, "engine": ENGINE})["success"]
        c.event("exited")
        c.event("terminated")
        c.finish()


def error_filters():
    c = Client(SX)
    c.must("initialize")
    answer = c.must("setExceptionBreakpoints", filters=[], filterOptions=[
        {"filterId": "raise", "condition": "Empty"}, {"filterId": "absorb", "condition": "!ParseError"},
        {"filterId": "nonsense"}])["breakpoints"]
    assert [b["verified"] for b in answer] == [True, True, False], answer
    c.must("launch", program=program("errors"), engine=ENGINE)
    c.must("configurationDone")
    stop = c.event("stopped")
    assert "error.Empty is raised" in stop["description"], stop
    trace = c.must("sxErrorTrace", threadId=1)
    assert trace["error"] == "Empty" and trace["set"] == "ParseError", trace
    assert trace["chains"][0]["frames"][0]["func"] == "parse", trace
    exits(c)

    c = Client(SX)
    c.must("initialize")
    answer = c.must("setExceptionBreakpoints", filters=[], filterOptions=[
        {"filterId": "raise", "condition": "c == 'z'"}, {"filterId": "propagate", "condition": "value >"}])["breakpoints"]
    assert [b["verified"] for b in answer] == [True, False], answer
    c.must("launch", program=program("errors"), engine=ENGINE)
    c.must("setExceptionBreakpoints", filters=[], filterOptions=[{"filterId": "raise", "condition": "c == 'x'"}])
    c.must("configurationDone")
    c.event("stopped")
    assert value(c, "c", c.top()[0]["id"]) == "120"
    # A name that is nowhere in the program, or in the library alone, is refused; one that means nothing where an error is
    # raised does not stop.
    answer = c.must("setExceptionBreakpoints", filters=[], filterOptions=[
        {"filterId": "raise", "condition": f"{name} == 1"} for name in ("zork", "count", "opened")])["breakpoints"]
    assert [b["verified"] for b in answer] == [False, False, True], answer
    assert "zork" in answer[0]["message"] and "count" in answer[1]["message"], answer
    exits(c)
    assert c.output_text("console").count("means nothing in") == 1, c.output_text("console")


def raising():
    """Each `raise` stops, also where cleanups run on the way out."""
    c = Client(SX)
    c.must("initialize")
    c.must("launch", program=program("cleanups"), engine=ENGINE)
    c.must("setExceptionBreakpoints", filters=["raise"])
    c.must("configurationDone")
    for error, function, line in (("Low", "kept", 8), ("Low", "closed", 15), ("High", "kept", 9)):
        assert c.event("stopped")["text"] == f"error.{error} is raised"
        frame = c.top()[0]
        assert (frame["name"], frame["line"]) == (function, line), frame
        c.must("continue", threadId=1)
    assert c.event("exited")["exitCode"] == 0
    c.finish()


def optimized():
    """Expressions need nothing of the program that its optimizer takes out."""
    c, f = stop_at("cleanups", "print(\"{}", optLevel=1)
    assert value(c, "1 + 2", f) == "3"
    answer = c.must("setExceptionBreakpoints", filters=["raise", "panic"])["breakpoints"]
    assert [(b["verified"], "optimized" in b.get("message", "")) for b in answer] == [(True, True), (True, False)], answer
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
    # So it is with those that say of themselves that the program is broken.
    c = begin("signals", args=["x", "y", "z", "more"])
    stop = c.event("stopped")
    text = "the process is ended by SIGSEGV, which it has sent itself in the C function `raise`"
    assert (stop["reason"], stop["description"], stop["text"]) == ("exception", "SIGSEGV", text), stop
    assert [f["name"] for f in c.top()] == ["raise", "main"], c.top()
    exits(c, 128 + signal.SIGSEGV)
    for more in [{}, {"record": True}] if ENGINE == "vm" else [{}]: # one of its own is met where it is sent
        c = Client(SX)
        c.start(program("signals"), engine=ENGINE, args=["x", "y", "z"], **more)
        stop = c.event("stopped")
        text = "the process is ended by SIGTERM, which it has sent itself in the C function `raise`"
        assert (stop["reason"], stop["description"], stop["text"]) == ("exception", "SIGTERM", text), stop
        frame = next(f for f in c.top() if f["name"] == "main")
        assert frame["line"] == line_of("signals", "raise_signal(15)") and value(c, "n", frame["id"], "repl") == "4", frame
        exits(c, 128 + signal.SIGTERM)
    c = begin("stubborn") # which ignores it
    while "ready" not in c.output_text("stdout"):
        c.next()
    os.kill(c.event("process")["systemProcessId"], signal.SIGTERM)
    c.must("pause", threadId=1)
    assert c.event("stopped")["reason"] == "pause"
    c.finish()
    c = begin("endless")
    while "ready" not in c.output_text("stdout"):
        c.next()
    c.must("terminate")
    assert c.event("exited")["exitCode"] == 128 + signal.SIGTERM
    c.finish()


def left_alone():
    """A launched program that is left runs on, also where nobody reads its output any more."""
    c, _ = stop_at("endless", 'print("ready')
    process = c.event("process")["systemProcessId"]
    c.must("disconnect", terminateDebuggee=False)
    c.close()
    time.sleep(0.3)
    with open(f"/proc/{process}/stat", encoding="utf-8") as f:
        state = f.read().rpartition(")")[2].split()[0]
    os.kill(process, signal.SIGKILL)
    assert state in "RS", state


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


def columns():
    """A column within a function that stands on a line of another."""
    line, end = line_of("targets", "fn := ("), line_of("targets", "r := fn(1)")
    for column, place in ((5, ("main", line, 5)), (29, ("main.lambda", line, 29)), (30, ("main.lambda", line, 41)), (49, ("main", end, 5))):
        c = begin("targets", [{"line": line, "column": column}])
        c.event("stopped")
        top = c.top()[0]
        assert (top["name"], top["line"], top["column"]) == place, (column, top)
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


def absorbing():
    """The variable of a handler is not there yet where its error is absorbed."""
    c = Client(SX)
    c.must("initialize", adapterID="sx")
    c.must("launch", program=program("targets"), engine=ENGINE)
    c.must("setExceptionBreakpoints", filters=["absorb"])
    c.must("configurationDone")
    assert c.event("stopped")["reason"] == "exception"
    frame = c.top()[0]["id"]
    assert list(c.locals(frame)) == ["fn", "r", "s", "u", "j"], c.locals(frame)
    c.must("next", threadId=1)
    c.event("stopped")
    assert "e" in c.locals(c.top()[0]["id"]), c.locals(c.top()[0]["id"])
    c.finish()


def steps_over_captures():
    """Statements begin where they stand, whatever of the closure's environment they use first."""
    c, _ = stop_at("captures", 'print("begin')
    lines = [line_of("captures", 'print("begin')]
    while c.top()[0]["name"] == "main.lambda":
        lines.append(c.top()[0]["line"])
        c.must("next", threadId=1)
        c.event("stopped")
    assert lines[1:] == [lines[0] + i for i in range(5)], lines
    c.finish()


CASES = [conditions, refused_conditions, kept_hits, counted_in_threads, log_messages, panic, faults, function_breakpoints, watching, step_in_targets, columns,
         constant_results, threads_of_the_system, absorbing, watch_conditions, log_order, steps_over_captures, pausing,
         small_requests, restart, generic_conditions, broken_restart, error_filters, raising, dropped_by_the_optimizer, signals, left_alone, handlers_trace, left_main, null_pointer, carried_traces,
         watched_while_running, watched_before_main, watched_again]
CASES += [watched_places_with_breakpoints, interrupted_steps]
CASES += [watched_parts, watched_in_threads, restarted_frame] if ENGINE == "vm" else [optimized, left_by_the_optimizer, watched_parts, watched_by_either, watched_in_threads]
run_cases(CASES, sys.argv[4:])
