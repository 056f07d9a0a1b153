#!/usr/bin/env python3
"""What a session can do, the same with every engine.

usage: features.py SX FOLDER-OF-PROGRAMS ENGINE
"""

import os
import signal
import subprocess
import sys
import tempfile
import time

from dap import Client

SX, PROGRAMS, ENGINE = sys.argv[1:4]


def program(name):
    return os.path.join(PROGRAMS, name + ".sx")


def line_of(name, text):
    with open(program(name), encoding="utf-8") as f:
        return next(i for i, line in enumerate(f, 1) if text in line)


def begin(name, stops=(), **more):
    c = Client(SX)
    c.answers = c.start(program(name), stops, engine=ENGINE, **more)
    return c


def stop_at(name, text, **more):
    """A session that stands at the line with this text. Returns it and the innermost frame."""
    c = begin(name, [line_of(name, text)], **more)
    c.event("stopped")
    return c, c.top()[0]["id"]


def value(c, expression, frame, context="watch"):
    reply = c.ask("evaluate", expression=expression, frameId=frame, context=context)
    return reply["body"]["result"] if reply["success"] else "! " + reply["message"]


def go_on(c):
    c.must("continue", threadId=1)
    return c.event("stopped")


def exits(c, code=0):
    c.must("continue", threadId=1)
    assert c.event("exited")["exitCode"] == code
    c.event("terminated")
    c.finish()


def expressions():
    c, f = stop_at("values", "print(")
    expected = {
        "small + 1": "201", "half * 2.0": "1", "yes and c == .green": "true", "text.len": "16", "array[1] + part[0]": "40",
        "array[1..]": "len 2", "list.items[1]": "5", "list.len": "2", "outer.next.value": "2", "some! + 1": "8", "none == null": "true",
        "limited(3)": "ok(3)", "limited(-1)": "error.Low", "c == .green": "true", "add(1)": "6", "dog.age * 2": "18",
        "pair.1": '"two"', "m": ".read | .run", "error.High == e": "true", "Color.blue": ".blue", "if yes then 1 else 2": "1",
        "Box.{ w = 1, h = 2 }": "{w: 1, h: 2}", "size_of(Box)": "8",
    }
    for expression, wanted in expected.items():
        got = value(c, expression, f)
        assert got == wanted, (expression, got, wanted)
    for wrong, message in {"smal": "smal", "small +": "expected", "small + text": "", "1 / (small - 200)": ""}.items():
        got = value(c, wrong, f)
        assert got.startswith("! ") and message in got, (wrong, got)
    exits(c)


def side_effects():
    c, f = stop_at("hot", "sum := 0")
    assert "has side effects" in value(c, "shout(1)", f)
    assert "has side effects" in value(c, "shout(1)", f, "hover")
    assert value(c, "same(item, item)", f) == "true"
    c.finish()


def at_the_prompt():
    c, f = stop_at("hot", "print(\"{} {}")
    for expression, wanted in (("sum = 5", "void"), ("sum", "5"), ("sum += 2", "void"), ("sum", "7"),
                               ("shout(sum) + 1", "8") if ENGINE == "vm" else ("sum + 1", "8"),
                               ("list.append(1)", "void"), ("list.len", "3"), ("item.name = \"bolt\"", "void"),
                               ("item.name", '"bolt"')):
        got = value(c, expression, f, "repl")
        assert got == wanted, (expression, got, wanted)
    assert value(c, "sum = ", f, "repl").startswith("! "), value(c, "sum = ", f, "repl")
    assert "has side effects" in value(c, "{ sum = 5; }", f)
    c.must("continue", threadId=1)
    c.event("exited")
    wanted = "called\n2 3\n" if ENGINE == "vm" else "2 3\n" # no calls in the program yet
    assert c.output_text("stdout") == wanted, c.output_text("stdout")
    c.finish()


def keeping_results():
    """What the console declares, and `$1`, `$2`, …"""
    c, f = stop_at("hot", "list.append(7)")
    for expression, wanted in (("sum + 1", "3500001"), ("$1 * 2", "7000002"), ("item", '{name: "nut", count: 2}'),
                               ("$3.count", "2"), ("$3.count = 9", "void"), ("$3", '{name: "nut", count: 9}'), ("item.count", "2"),
                               ("n := $1 + 1", "3500002"), ("n += 1", "void"), ("n", "3500003"),
                               ("xs := List(i64).{}", "len 0, cap 0"), ("xs.append(n); xs.append(4)", "void"), ("xs.items[0] + xs.len", "3500005"),
                               ("a, b := .{ 1, \"xy\" }", "void"), ("a + b.len", "3"), ("K :: 7", "7"), ("K + sum * 0", "7")):
        got = value(c, expression, f, "repl")
        assert got == wanted, (expression, got, wanted)
    assert value(c, "n + K", f) == "3500010", value(c, "n + K", f)
    assert "there is no result `$99`" in value(c, "$99", f)
    assert "has side effects" in value(c, "n = 1", f, "hover") or value(c, "n = 1", f, "hover").startswith("! ")
    assert "declare another name" in value(c, "sum := 1", f, "repl"), value(c, "sum := 1", f, "repl")
    assert "(column 9)" in value(c, '"é𝄞" + nothing', f), value(c, '"é𝄞" + nothing', f)
    assert "`$1`" in value(c, "$1.none", f) or "none" in value(c, "$1.none", f)
    if ENGINE == "vm":
        assert value(c, "m := shout(n)", f, "repl") == "3500003", value(c, "m := shout(n)", f, "repl")
    c.must("next", threadId=1)
    c.event("stopped")
    assert value(c, "xs.len + K", c.top()[0]["id"]) == "9"
    c.must("restart")
    c.event("stopped")
    assert value(c, "$1", c.top()[0]["id"]).startswith("! ")
    c.finish()


def completing():
    c, f = stop_at("values", "print(")

    def labels(text):
        targets = c.must("completions", text=text, column=len(text.encode("utf-16-le")) // 2 + 1, frameId=f)["targets"]
        return {t["label"]: t for t in targets}

    for text, wanted, unwanted in (("sm", ["small"], ["half"]), ("1 + outer.", ["value", "next"], ["small"]), ("outer.next.v", ["value"], ["next"]),
                                   ("dog.", ["age", "speak"], ["small"]), ("list.", ["items", "len", "append"], ["w"]),
                                   ("c == .", ["red", "green", "blue"], ["circle"]), ("error.", ["Low", "High"], ["small"]),
                                   ("Color.", ["red"], ["Low"]), ("lim", ["limited"], ["small"]), ("Bo", ["Box"], []), ("tr", ["true", "try"], []),
                                   ("text.", ["len", "ptr"], []), ("list.items[", ["0", "1", "small"], ["2"]), ("list[", ["small"], ["0"]), ("array[", ["2"], ["3"]), ("array[1].", [], ["small"]),
                                   ("some!.", [], []), ("pair.", ["0", "x"], []), ("(small + 1).", [], ["small"]), ("\"sm", [], ["small"]),
                                   ("speaker.", ["speak"], []), ("", ["small", "main", "print", "i64"], [])):
        got = labels(text)
        missing = [w for w in wanted if w not in got]
        if text == "pair.":
            assert len(missing) < 2, (text, list(got))
            continue
        assert not missing, (text, missing, list(got)[:40])
        assert not [w for w in unwanted if w in got], (text, [w for w in unwanted if w in got])
    at = labels("small + ha")["half"]
    assert (at["start"], at["length"]) == (9, 2), at
    c.finish()


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


def moved_sources():
    """Sources that lie elsewhere than they did: the client's paths are those in `sourceMap`."""
    with tempfile.TemporaryDirectory() as folder:
        old, new = os.path.join(folder, "old"), os.path.join(folder, "new")
        os.mkdir(old)
        with open(program("steps"), encoding="utf-8") as f, open(os.path.join(old, "steps.sx"), "w", encoding="utf-8") as to:
            to.write(f.read())
        built = os.path.join(old, "steps.sx")
        if ENGINE == "native":
            built = os.path.join(folder, "steps")
            subprocess.run([SX, "build", "-O0", "-g", os.path.join(old, "steps.sx"), "-o", built], check=True, capture_output=True)
            os.rename(old, new)
        c = Client(SX)
        c.must("initialize")
        assert not c.ask("launch", program=built, engine=ENGINE, sourceMap=[old])["success"]
        assert not c.ask("launch", program=built, engine=ENGINE, sourceMap={old: 1})["success"]
        c.must("launch", program=built, engine=ENGINE, sourceMap={old: new, folder: "/wrong", old[:-1]: "/part"})
        answer = c.must("setBreakpoints", source={"path": os.path.join(new, "steps.sx")}, breakpoints=[{"line": 8}])["breakpoints"]
        assert answer[0]["verified"] and answer[0]["source"]["path"] == os.path.join(new, "steps.sx"), answer
        c.must("configurationDone")
        c.event("stopped")
        frame = c.top()[0]
        assert frame["source"]["path"] == os.path.join(new, "steps.sx") and frame["line"] == 8, frame
        assert value(c, "total + n", frame["id"]) == "3"
        c.finish()


def progress():
    """What takes long is told before the response, where the client wants to know."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "slow.sx")
        with open(source, "w", encoding="utf-8") as f:
            f.write("slow :: (n: i64) -> i64 { m := n; i := 0; while i < 50_000_000 { m += i; i += 1; } m }\n")
            f.write("".join(f"N{i} :: #run slow({i});\n" for i in range(24)))
            f.write("main :: () -> i32 { " + " ".join(f"if N{i} == 0 {{ return 1; }}" for i in range(24)) + " return 0; }\n")
        for wanted in (True, False):
            c = Client(SX)
            c.must("initialize", supportsProgressReporting=wanted)
            c.must("launch", program=source, engine="vm")
            told = [(e["event"], e["body"]["progressId"]) for e in c.events if e["event"].startswith("progress")]
            expected = [("progressStart", "compiling the program"), ("progressEnd", "compiling the program")]
            assert told == (expected if wanted else []), told
            c.finish()


def wrong_types():
    """What is not of the variable's type is refused, with both types, and nothing changes."""
    c, f = stop_at("faults", "x := handled")
    total = c.locals(f)["c"]["variablesReference"]
    for reply in (c.ask("setExpression", expression="c.total", value="true", frameId=f),
                  c.ask("setExpression", expression="c.total", value="c.total == 2", frameId=f),
                  c.ask("setVariable", variablesReference=total, name="total", value="true")):
        assert not reply["success"] and "`bool`" in reply["message"] and "`i64`" in reply["message"], reply
    for wrong in ('"x"', "1.5", "c", "null"):
        assert not c.ask("setExpression", expression="c.total", value=wrong, frameId=f)["success"], wrong
    assert value(c, "c.total", f) == "2"
    assert c.must("setExpression", expression="c.total", value="c.total + 1", frameId=f)["value"] == "3"
    c.finish()


def not_set():
    """A variable without a value says so, until the program or the user gives it one."""
    c = begin("unset", [line_of("unset", text) for text in ('print("start', "b[1] = 3", "p.* = 3", 'print("{}\\n", i)')])

    def stop():
        c.event("stopped")
        frames = c.top()
        return frames[-1]["id"], {n: v["value"] for n, v in c.locals(frames[-1]["id"]).items()}

    f, rows = stop()
    assert rows == dict.fromkeys("abpq", "<not set>"), rows
    assert value(c, "a", f) == "<not set>"
    scope = c.must("scopes", frameId=f)["scopes"][0]["variablesReference"]
    assert c.must("setVariable", variablesReference=scope, name="q", value="8")["value"] == "8"
    c.must("continue", threadId=1)
    _, rows = stop()
    assert (rows["a"], rows["b"], rows["q"]) == ("4", "<not set>", "8"), rows
    c.must("continue", threadId=1)
    _, rows = stop() # in a function that has the address of `q`
    assert rows["q"] == "8" and rows["p"] == "<not set>" and rows["b"].startswith("["), rows
    for _ in range(3): # `t` has no value at the beginning of any round
        c.must("continue", threadId=1)
        _, rows = stop()
        assert rows["t"] == "<not set>" and rows["q"] == "3" and rows["p"] != "<not set>", rows
    exits(c)


def watched_parts():
    """A watch on a part of a local ends with the local's frame."""
    c, f = stop_at("carried", "spot.y += by")
    spot = c.locals(f)["spot"]["variablesReference"]
    part = c.must("dataBreakpointInfo", variablesReference=spot, name="y")
    whole = c.must("dataBreakpointInfo", name="spot", frameId=f)
    c.must("setDataBreakpoints", breakpoints=[{"dataId": part["dataId"]}, {"dataId": whole["dataId"]}])
    c.must("setBreakpoints", source={"path": program("carried")}, breakpoints=[{"line": line_of("carried", "if e {")}])
    stop = go_on(c)
    assert stop["reason"] == "data breakpoint" and "2 → 5" in stop["text"] and len(stop["hitBreakpointIds"]) == 2, stop
    assert go_on(c)["reason"] == "breakpoint"
    assert [c.event("breakpoint")["reason"] for _ in range(2)] == ["removed"] * 2
    c.finish()


def setting():
    c, f = stop_at("values", "print(")
    scope = c.must("scopes", frameId=f)["scopes"][0]["variablesReference"]

    def put(name, text):
        reply = c.ask("setVariable", variablesReference=scope, name=name, value=text)
        return reply["body"]["value"] if reply["success"] else "! " + reply["message"]

    for name, text, wanted in (("small", "small + 5", "205"), ("yes", "false", "false"), ("c", ".blue", ".blue"),
                               ("some", "null", "null"), ("none", "3", "3"), ("text", '"new"', '"new"'),
                               ("s", ".dot", ".dot"), ("dog", "Dog.{ age = 1 }", "{age: 1}"), ("half", "1.5", "1.5"),
                               ("e", "error.Low", "error.Low"), ("wide", "-7", "-7")):
        assert put(name, text) == wanted, (name, text, put(name, text))
    assert put("small", "300").startswith("! "), put("small", "300")
    assert put("small", '"x"').startswith("! ")
    assert value(c, "small", f) == "205"
    body = c.must("setExpression", expression="array[1]", value="99", frameId=f)
    assert body["value"] == "99" and value(c, "array", f) == "[10, 99, 30]"
    assert value(c, "inner.value", f) == "2"
    c.must("setExpression", expression="outer.next.value", value="8", frameId=f)
    assert value(c, "inner.value", f) == "8"
    c.must("continue", threadId=1)
    c.event("exited")
    assert c.output_text("stdout") == "205\n", c.output_text("stdout")
    c.finish()


def maps():
    """A map of the library shows its entries by their keys, and how it is made last."""
    c, f = stop_at("tables", "// all is there")
    rows = c.locals(f)

    def entries(name, **more):
        children = c.must("variables", variablesReference=rows[name]["variablesReference"], **more)["variables"]
        for child in children:
            assert value(c, child["evaluateName"], f) == child["value"] or child["name"] == "[raw]", child
        return [(child["name"], child["value"]) for child in children]

    assert [rows[n]["value"] for n in ("empty", "table", "spots", "ordered", "many", "object")] == \
        ["len 0", "len 1", "len 1", "len 2", "len 3000", "len 1"], rows
    assert [name for name, _ in entries("empty")] == ["[raw]"], entries("empty")
    for name, wanted in (("table", [('["one"]', "1")]), ("spots", [("[{x: 1, y: 2}]", '"here"')]),
                         ("ordered", [("[7]", '"seven"'), ("[-1]", '"minus"')]), ("object", [('["key"]', ".int(3)")])):
        got = entries(name)
        assert got[:-1] == wanted and got[-1][0] == "[raw]" and got[-1][1].startswith("{"), got
    assert rows["many"]["indexedVariables"] == 3000, rows["many"]
    pages = entries("many", filter="indexed", start=0, count=10) + entries("many", filter="indexed", start=2990, count=100)
    assert len(dict(pages)) == 20 and all(int(v) == 2 * int(k[1:-1]) for k, v in pages), pages
    every = c.must("variables", variablesReference=rows["many"]["variablesReference"])["variables"]
    assert len({v["name"] for v in every}) == 3001, len(every)
    table = rows["table"]["variablesReference"]
    assert c.must("setVariable", variablesReference=table, name='["one"]', value="11")["value"] == "11"
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


def log_messages():
    body = line_of("hot", "sum += i")
    c = begin("hot", [{"line": body, "logMessage": "i={i} {item} {{x}", "condition": "i < 3"},
                      {"line": body, "condition": "i == 5"}])
    c.event("stopped")
    text = c.output_text("console")
    assert text == "".join(f'i={i} {{name: "nut", count: 2}} {{x}}\n' for i in range(3)), text
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


def not_ended():
    """What would end the program fails in an expression."""
    c, f = stop_at("asserts", "if flag(yes)")
    for context in ("watch", "hover", "repl"):
        for expression in ("number.(bool)", "flag(number)"):
            got = value(c, expression, f, context)
            assert got.startswith("! ") and "type assertion failed" in got and "expected bool, got i64" in got, (context, expression, got)
        for expression in ("checked(0)", "ended(-1)"):
            assert value(c, expression, f, context).startswith("! "), (context, expression)
        assert value(c, "flag(yes)", f, context) == "true"
    for expression in ("", "  "):
        assert value(c, expression, f) == "! there is no expression", value(c, expression, f)
    assert "(expression)" not in value(c, "number +", f) and "(question)" not in value(c, "number +", f)
    exits(c)


def log_order():
    """Log messages stand between the output before them and after them."""
    c = begin("asserts", [{"line": line_of("asserts", "sum += i"), "logMessage": "log {i}"}, {"line": line_of("asserts", "sum = 0")}])
    c.event("stopped")
    told = "".join(e["body"]["output"] for e in c.events if e["event"] == "output" and e["body"]["category"] in ("stdout", "console"))
    told = told[told.index("out 0"):]
    assert told == "".join(f"out {i}\nlog {i}\n" for i in range(20)), told
    c.finish()


def small_answers():
    c, f = stop_at("calls", "m := n + k")
    assert [t["canRestart"] for t in c.top()] == [ENGINE == "vm"] * len(c.top()), c.top()
    for offset in (0, -3, 4):
        rows = c.must("disassemble", memoryReference="0x10", instructionOffset=offset, instructionCount=7)["instructions"]
        assert len(rows) == 7 and rows[0]["presentationHint"] == "invalid", (offset, rows)
    here = c.top()[0]["instructionPointerReference"]
    rows = c.must("disassemble", memoryReference=here, instructionOffset=-500, instructionCount=510)["instructions"]
    assert len(rows) == 510 and rows[500]["address"] == here, (here, rows[500])
    assert len({r["address"] for r in rows}) == 510
    why = c.ask("stepBack", threadId=1)["message"]
    assert "launch with `record`: true to go back" in why and ("`engine`" in why) == (ENGINE == "native"), why
    line = line_of("calls", "n * fact(n - 1)")
    answer = c.must("setBreakpoints", source={"path": program("calls")}, breakpoints=[{"line": line, "column": 60}, {"line": line + 1}])["breakpoints"]
    assert [b.get("message") for b in answer] == ["no code at this column", "no code at this line"], answer
    answer = c.must("setFunctionBreakpoints", breakpoints=[{"name": ""}])["breakpoints"]
    assert answer[0].get("message") == "there is no name of a function", answer
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


def memory():
    c, f = stop_at("values", "print(")
    scope = c.must("scopes", frameId=f)["scopes"][0]["variablesReference"]
    rows = {v["name"]: v for v in c.must("variables", variablesReference=scope)["variables"]}
    place = rows["array"]["memoryReference"]
    read = c.must("readMemory", memoryReference=place, count=16)
    assert read["data"] == "CgAAAAAAAAAUAAAAAAAAAA==", read
    c.must("writeMemory", memoryReference=place, data="CwAAAAAAAAA=")
    assert value(c, "array", f) == "[11, 20, 30]"
    assert c.must("readMemory", memoryReference="0x10", count=8)["unreadableBytes"] == 8
    assert not c.ask("writeMemory", memoryReference="0x10", data="CwAAAAAAAAA=")["success"]
    c.finish()


def restart():
    c, _ = stop_at("steps", "a := sum")
    c.must("restart")
    c.event("stopped")
    assert c.top()[0]["line"] == line_of("steps", "a := sum")
    exits(c)


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
    # A name that is nowhere in the program is refused; one that means nothing where an error is raised does not stop.
    answer = c.must("setExceptionBreakpoints", filters=[], filterOptions=[
        {"filterId": "raise", "condition": "zork == 2"}, {"filterId": "raise", "condition": "opened == 1"}])["breakpoints"]
    assert [b["verified"] for b in answer] == [False, True] and "zork" in answer[0]["message"], answer
    exits(c)
    assert c.output_text("console").count("means nothing in") == 1, c.output_text("console")


def signals():
    """A signal from outside that would end the program stops it; then it ends by it. `terminate` does not stop."""
    c = begin("endless")
    while "ready" not in c.output_text("stdout"):
        c.next()
    os.kill(c.event("process")["systemProcessId"], signal.SIGTERM)
    stop = c.event("stopped")
    assert stop["reason"] == "exception" and stop["description"] == "SIGTERM", stop
    assert c.must("exceptionInfo", threadId=stop["threadId"])["exceptionId"] == "SIGTERM"
    assert c.top()[-1]["name"] == "main" # it may be in a call that writes
    exits(c, 128 + signal.SIGTERM)
    c = begin("endless")
    while "ready" not in c.output_text("stdout"):
        c.next()
    c.must("terminate")
    assert c.event("exited")["exitCode"] == 128 + signal.SIGTERM
    c.finish()


def connecting():
    """To a program that waits; it is left running, and ends as it would have."""
    waiting = subprocess.Popen([SX, "run", "--vm", "--debug-listen", "0", program("steps")], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    line = waiting.stderr.readline()
    assert line.startswith("waiting for a debugger on 127.0.0.1:"), line
    c = Client(SX)
    c.must("initialize")
    assert not c.ask("attach", connect="127.0.0.1:1")["success"]
    assert not c.ask("attach", connect="example.org:80")["success"]
    c.must("attach", connect=line.split()[-1])
    c.must("setBreakpoints", source={"path": program("steps")}, breakpoints=[{"line": 8}])
    c.must("configurationDone")
    c.event("stopped")
    assert value(c, "total + n", c.top()[0]["id"]) == "3"
    c.finish()
    assert waiting.communicate(timeout=60)[0] == "3 two 3\n"
    assert waiting.returncode == 0


def in_a_terminal():
    """A program in the client's terminal writes there, and ends with the session."""
    c = Client(SX)
    c.start(program("steps"), [8], engine=ENGINE, console="integratedTerminal", stopOnEntry=True)
    assert c.event("stopped")["reason"] == "entry"
    c.must("continue", threadId=1)
    c.event("stopped")
    assert value(c, "total + n", c.top()[0]["id"]) == "3"
    c.must("setBreakpoints", source={"path": program("steps")}, breakpoints=[])
    c.must("continue", threadId=1)
    assert c.event("exited")["exitCode"] == 0
    assert c.terminal.communicate(timeout=60)[0] == "3 two 3\n"
    assert c.output_text("stdout") == ""
    c.finish()
    c = Client(SX)
    c.start(program("endless"), engine=ENGINE, console="externalTerminal")
    assert c.terminal.stdout.readline() == "ready\n"
    c.terminal.send_signal(signal.SIGINT) # somebody types ^C there
    assert c.event("stopped")["reason"] == "pause"
    assert c.top()[-1]["name"] == "main"
    c.process.kill()
    assert c.terminal.wait(60) != 0
    c = Client(SX)
    c.must("initialize")
    assert not c.ask("launch", program=program("steps"), engine=ENGINE, console="integratedTerminal")["success"]
    c.finish()


def executables():
    """A program that was built before, one that runs already, and one that has died."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("steps", "endless"):
            subprocess.run([SX, "build", "-O0", "-g", program(name), "-o", os.path.join(folder, name)],
                           check=True, capture_output=True)
        c = Client(SX)
        c.start(os.path.join(folder, "steps"), engine=ENGINE, stopOnEntry=True)
        c.event("stopped")
        answer = c.must("setBreakpoints", source={"path": program("steps")}, breakpoints=[{"line": 8}])["breakpoints"]
        assert answer[0]["verified"], answer
        go_on(c)
        assert value(c, "total + n", c.top()[0]["id"]) == "3"
        c.finish()

        running = subprocess.Popen([os.path.join(folder, "endless")], stdout=subprocess.PIPE, text=True)
        assert running.stdout.readline() == "ready\n"
        c = Client(SX)
        c.must("initialize")
        time.sleep(0.3)
        c.must("attach", pid=running.pid)
        c.must("configurationDone")
        c.must("pause", threadId=1)
        c.event("stopped")
        assert value(c, "n >= 0", c.top()[0]["id"]) == "true"
        c.finish()
        assert running.poll() is None # it was let go
        running.kill()
        running.wait()

        c = Client(SX)
        c.must("initialize")
        for wrong in ({}, {"pid": 999999999}, {"pid": os.getpid()}, {"core": "/none", "program": "/none"}):
            assert not c.ask("attach", **wrong)["success"], wrong
        c.finish()

        # The options that it was built with are recorded in it, and what its sources were.
        source, built = os.path.join(folder, "own.sx"), os.path.join(folder, "own")
        with open(program("steps"), encoding="utf-8") as f:
            text = f.read()
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
        subprocess.run([SX, "build", "-O2", "-g", "--checks", source, "-o", built], check=True, capture_output=True)
        c = Client(SX)
        c.start(built, engine=ENGINE, stopOnEntry=True)
        assert c.event("stopped")["reason"] == "entry"
        c.finish()


def in_memory():
    """Code that the compiler makes in its own memory, with breakpoints that were set before."""
    c = Client(SX)
    c.must("initialize")
    path, line = program("errors"), line_of("errors", "raise error.BadDigit")
    answer = c.must("setBreakpoints", source={"path": path}, breakpoints=[{"line": line, "condition": "c == 'x'"}])["breakpoints"]
    assert answer[0]["message"] == "pending", answer
    for wrong in ({"engine": "vm"}, {"inMemory": 1}):
        assert not c.ask("launch", **({"program": path, "engine": ENGINE, "inMemory": True} | wrong))["success"], wrong
    c.must("launch", program=path, engine=ENGINE, inMemory=True, stopOnEntry=True, args=["-x", "--"])
    c.must("configurationDone")
    assert c.event("stopped")["reason"] == "entry" and c.top()[-1]["name"] == "main", c.top()
    stop = go_on(c)
    assert stop["reason"] == "breakpoint", stop
    names = [f["name"] for f in c.top()]
    assert names[0] == "digit" and names[-1] == "main", names
    frame = c.top()[0]
    assert frame["line"] == line and value(c, "c", frame["id"]) == "120", frame
    c.must("setExceptionBreakpoints", filters=["propagate"])
    c.must("setBreakpoints", source={"path": path}, breakpoints=[])
    stop = go_on(c)
    assert stop["reason"] == "exception" and "error.BadDigit" in stop["text"], stop
    assert any("error return trace" in f["name"] for f in c.top()), c.top()
    c.must("setExceptionBreakpoints", filters=[])
    c.must("next", threadId=1)
    assert c.event("stopped")["reason"] == "step"
    c.must("restart")
    assert c.event("stopped")["reason"] == "entry"
    c.finish()


def step_in_targets():
    """Each call of the line is a target of its own, and a step with it enters that very call."""
    wanted = {"add(one(), add(": [("one", 14, None), ("one", 25, None), ("add", 21, "4"), ("add", 10, "5"), ("one", 42, None)],
              "r := fn(1)": [("fn(1)", 10, None)]}
    for text, calls in wanted.items():
        for i, (label, column, argument) in enumerate(calls):
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


def library_sources():
    """Files of the library have the paths where they lie, also where the program is elsewhere."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "small.sx")
        with open(path, "w", encoding="utf-8") as f:
            f.write('#import "modules/std.sx";\nmain :: () {\n    print("x\\n");\n}\n')
        c = Client(SX)
        c.start(path, [3], engine=ENGINE, cwd=folder)
        c.event("stopped")
        modules, sources = c.must("modules")["modules"], c.must("loadedSources")["sources"]
        symbols = c.must("symbols.list", type="function")["symbols"]
        paths = [m["path"] for m in modules] + [s["path"] for s in sources] + [s["file"] for s in symbols if s.get("file")]
        assert len(paths) > 10 and any(p.endswith("modules/std.sx") for p in paths), paths
        assert all(os.path.exists(p) for p in paths), [p for p in paths if not os.path.exists(p)]
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


def main():
    only = sys.argv[4:]
    for case in (expressions, side_effects, at_the_prompt, keeping_results, completing, setting, conditions, log_messages, panic, function_breakpoints, watching, maps, step_in_targets, columns, constant_results, threads_of_the_system, library_sources, watch_conditions, not_ended, log_order, small_answers, steps_over_captures,
                 pausing, memory, restart, error_filters, handlers_trace, left_main, null_pointer, wrong_types, not_set, moved_sources, in_a_terminal) + ((progress, carried_traces, watched_parts, signals, connecting) if ENGINE == "vm" else (executables, in_memory)):
        if only and case.__name__ not in only:
            continue
        begun = time.time()
        case()
        print(f"{case.__name__}: {time.time() - begun:.2f} s", flush=True)


main()
