#!/usr/bin/env python3
"""Data breakpoints and watched expressions, the same with every engine.

usage: watches.py SX FOLDER-OF-PROGRAMS ENGINE [CASE…]
"""

import os
import sys
import tempfile

from dap import Client, run_cases
from sessions import SX, ENGINE, program, line_of, begin, stop_at, value, go_on, exits


def go_on_to_watch(c):
    stop = go_on(c)
    while stop["reason"] != "data breakpoint":
        stop = go_on(c)
    return stop


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
    for was, now in ((3, 2), (2, 1), (5, 4), (9, 8), (1, 0)):
        if was == 5: # what the debugger changes is what there was before
            c.must("setVariable", variablesReference=c.must("scopes", frameId=c.top()[0]["id"])["scopes"][0]["variablesReference"], name="n", value="5")
        elif was == 9:
            assert value(c, "n = 9", c.top()[0]["id"], "repl") == "void"
        elif now == 0:
            assert value(c, "{ p := *n; p.* = 1; }", c.top()[0]["id"], "repl") == "void"
        stop = go_on_to_watch(c)
        assert stop["text"] == f"n: {was} → {now}", stop
    c.finish()
    # The last write of a loop's body is shown where it was made; then comes the loop's test.
    c, f = stop_at("loops", "i += 1")
    c.must("setBreakpoints", source={"path": program("loops")}, breakpoints=[])
    c.must("setDataBreakpoints", breakpoints=[{"dataId": c.must("dataBreakpointInfo", name="i", frameId=f)["dataId"]}])
    assert go_on_to_watch(c)["text"] == "i: 0 → 1" and c.top()[0]["line"] == line_of("loops", "i += 1"), c.top()
    c.must("next", threadId=1)
    assert c.event("stopped")["reason"] == "step" and c.top()[0]["line"] == line_of("loops", "while i < n"), c.top()
    c.must("setBreakpoints", source={"path": program("loops")}, breakpoints=[{"line": line_of("loops", "while i < n")}])
    assert go_on_to_watch(c)["text"] == "i: 1 → 2"
    for reason, text in (("breakpoint", "while i < n"), ("step", "i += 1")): # it stops there once
        c.must("next", threadId=1)
        assert c.event("stopped")["reason"] == reason and c.top()[0]["line"] == line_of("loops", text), (reason, c.top())
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


def watched_branches():
    """A write that is the last thing of a branch is shown at what comes next; one that ends the body of a `while` where
    it was made. So it is on the way back."""
    c, f = stop_at("branches", "branches(2)", **({"record": True} if ENGINE == "vm" else {}))
    told = c.must("dataBreakpointInfo", name="told", frameId=f)["dataId"]
    c.must("setDataBreakpoints", breakpoints=[{"dataId": told}])
    c.must("setBreakpoints", source={"path": program("branches")}, breakpoints=[{"line": 33}]) # begins where `return;` does
    places = [(6, 5), (11, 5), (15, 1), (19, 5), (23, 23), (23, 23), (26, 9), (26, 9), (29, 5), (35, 5)]
    ways = [("continue", n) for n in range(1, 11)] + [("reverseContinue", n) for n in range(9, 0, -1) if ENGINE == "vm"]
    for how, number in ways:
        c.must(how, threadId=1)
        stop, top = c.event("stopped"), c.top()[0]
        assert stop["text"] == f"told: {number - 1} → {number}", (how, number, stop)
        assert (top["line"], top["column"]) == places[number - 1], (how, number, top)
    c.must("setDataBreakpoints", breakpoints=[])
    assert go_on(c)["reason"] == "breakpoint" and c.top()[0]["line"] == 33, c.top()
    exits(c)
    if ENGINE != "vm":
        return
    # Of a place that a step or a breakpoint has come to, what was written right before it is behind.
    c, f = stop_at("branches", "if n == {", record=True)
    c.must("setDataBreakpoints", breakpoints=[{"dataId": told}])
    for text, line in (("told: 1 → 2", 11), ("told: 0 → 1", 6)):
        c.must("reverseContinue", threadId=1)
        assert c.event("stopped")["text"] == text and c.top()[0]["line"] == line, (text, c.top())
    c.finish()


def watched_ends():
    """A write before what is done where a block is left, one that ends a handler, and one in a statement that branches
    or checks are shown at what comes next; where a check of the statement fails, before that. So it is on the way back."""
    c, f = stop_at("ends", "ends(*at, 2)", **({"record": True} if ENGINE == "vm" else {}))
    ids = [c.must("dataBreakpointInfo", name=name, frameId=f)["dataId"] for name in ("told", "told_twice")]
    c.must("setDataBreakpoints", breakpoints=[{"dataId": data} for data in ids])
    c.must("setBreakpoints", source={"path": program("ends")}, breakpoints=[])
    stops = [("0 → 3", 19, 5), ("3 → 5", 19, 36), ("5 → 6 (and told_twice)", 21, 5), ("6 → 8", 23, 9), ("8 → 9", 24, 36), ("9 → 10", 24, 36),
             ("10 → 20", 26, 5), ("20 → 4", 19, 5), ("4 → 5", 19, 36), ("5 → 6", 21, 5), ("6 → 7", 24, 36), ("7 → 8", 24, 36),
             ("8 → 18", 12, 9), ("18 → 1", 13, 9), ("1 → 6", 39, 5), ("6 → 2", 34, 13)]
    for how, expected in [("continue", s) for s in stops] + [("reverseContinue", s) for s in stops[-2::-1] if ENGINE == "vm"]:
        c.must(how, threadId=1)
        stop, top = c.event("stopped"), c.top()[0]
        assert (stop["text"].removeprefix("told: "), top["line"], top["column"]) == expected, (how, expected, stop, top)
        assert top["name"] != "leaves" or c.locals(top["id"])["n"]["value"] == "5", c.locals(top["id"]) # the frame is still there
    if ENGINE != "vm":
        assert go_on(c)["text"] == "index 3 out of range for length 2"
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
    c, f = stop_at("carried", "spot.y += by") # a local that is smaller than a register
    c.must("setDataBreakpoints", breakpoints=[{"dataId": c.must("dataBreakpointInfo", name="far", frameId=f)["dataId"]}])
    assert go_on(c)["text"] == "far: false → true"
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
    # What a statement writes by several instructions is told once, when it is over. What a function of C has written
    # for the program is told where that goes on.
    for wish in ("on", "off"):
        os.environ["SX_HARDWARE_WATCHES"] = wish
        c, f = stop_at("shared", 'name = "end"', **({"record": True} if ENGINE == "vm" else {}))
        for name, told, text in (("name", 'name: "start" → "end"', 'name = "end"'), ("maybe", 'maybe: null → "two"', 'maybe = "two"'),
                                 ("whole.first", "whole.first: 1 → 9", "whole = other")):
            stops = [] if name == "name" else [line_of("shared", text)]
            c.must("setBreakpoints", source={"path": program("shared")}, breakpoints=[{"line": line} for line in stops])
            if stops:
                go_on(c)
            data = c.must("dataBreakpointInfo", name=name, frameId=c.top()[0]["id"])["dataId"]
            c.must("setDataBreakpoints", breakpoints=[{"dataId": data}])
            stop, top = go_on(c), c.top()[0]
            assert (stop["text"], top["name"], top["line"]) == (told, "main", line_of("shared", text) + 1), (stop, top)
            if name == "maybe" and ENGINE == "vm": # the same on the way back
                c.must("next", threadId=1)
                c.event("stopped")
                c.must("reverseContinue", threadId=1)
                assert c.event("stopped")["text"] == told and c.top()[0]["line"] == top["line"], c.top()
            c.must("setDataBreakpoints", breakpoints=[])
        c.finish()
        if ENGINE == "vm":
            break
    del os.environ["SX_HARDWARE_WATCHES"]
    c = begin("calls", lines[2:])
    c.event("stopped")
    data = c.must("dataBreakpointInfo", name="n", frameId=c.top()[0]["id"])["dataId"]
    while c.top()[0]["line"] != lines[2]:
        go_on(c)
    answer = c.must("setDataBreakpoints", breakpoints=[{"dataId": data}])["breakpoints"][0]
    assert (answer["verified"], answer["message"]) == (False, "the call that had `n` has ended"), answer
    c.finish()


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
        for four in (places[1:], places[:4]): # those that are not wanted any more go first
            answers = c.must("setDataBreakpoints", breakpoints=[{"dataId": p} for p in four])["breakpoints"]
            assert all(a["verified"] for a in answers), answers
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


def next_stop(c):
    """The next stop; None where the program has ended."""
    while True:
        for i, e in enumerate(c.events):
            if e["event"] in ("stopped", "exited"):
                c.events.pop(i)
                return e["body"] if e["event"] == "stopped" else None
        c.next()


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
    # When the function has returned whose names it has, it fails, unless it can do without them.
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "two.sx")
        with open(path, "w", encoding="utf-8") as f:
            f.write("g := 1;\nfirst :: (n: i64) {\n    g += n;\n}\nsecond :: (n: i64) {\n    g += n;\n}\n"
                    "main :: () -> i32 {\n    first(2);\n    second(2);\n    return g.(i32) - 5;\n}\n")
        for condition, stops, told in (("n == 2", ["1 → 3", "3 → 5"], "`n == 2` failed: it names variables of `first`, which is not running"),
                                       ("g == 5", ["3 → 5"], "")):
            c = Client(SX)
            c.start(path, [3], engine=ENGINE)
            c.event("stopped")
            assert watch(c.must("dataBreakpointInfo", name="g", frameId=c.top()[0]["id"])["dataId"], condition=condition)["verified"]
            for change in stops:
                assert go_on(c)["text"] == "g: " + change, (condition, change)
            assert told in c.output_text("console") and ("failed" in c.output_text("console")) == bool(told), c.output_text("console")
            exits(c)


CASES = [watching, watched_branches, watched_ends, watched_parts, watched_places_with_breakpoints, watched_while_running,
         watched_before_main, watched_again, watched_in_threads, watch_conditions]
CASES += [] if ENGINE == "vm" else [watched_by_either]
run_cases(CASES, sys.argv[4:])
