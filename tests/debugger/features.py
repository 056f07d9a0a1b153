#!/usr/bin/env python3
"""What a session shows and changes, and how it begins, the same with every engine.

usage: features.py SX FOLDER-OF-PROGRAMS ENGINE [CASE…]
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from dap import Client, run_cases
from sessions import SX, ENGINE, program, line_of, begin, stop_at, value, go_on, exits


def expressions():
    c, f = stop_at("values", "print(")
    expected = {
        "small + 1": "201", "half * 2.0": "1", "yes and c == .green": "true", "text.len": "16", "array[1] + part[0]": "40",
        "array[1..]": "len 2", "list.items[1]": "5", "list.len": "2", "outer.next.value": "2", "some! + 1": "8", "none == null": "true",
        "limited(3)": "ok(3)", "limited(-1)": "error.Low", "c == .green": "true", "add(1)": "6", "dog.age * 2": "18",
        "pair.1": '"two"', "m": ".read | .run", "error.High == e": "true", "error.High": "error.High", "(error.High)": "error.High", "error.High.(u32) > 0": "true", "Color.blue": ".blue", "if yes then 1 else 2": "1",
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
    c, f = stop_at("prompt", "print(\"{} {}")
    for expression, wanted in (("sum = 5", "void"), ("sum", "5"), ("sum += 2", "void"), ("sum", "7"),
                               ("shout(sum) + 1", "8"), ("count()", "1"), ("sum += count() - 2", "void"), ("sum", "7"),
                               ("list = more(list)", "void"), ("xs := more(list)", "len 4, cap 4"),
                               ("xs.append(1)", "void"), ("xs.append(1)", "void"), ("xs.len", "6"),
                               ("list.append(1)", "void"), ("list.len", "4"), ("item.name = \"bolt\"", "void"),
                               ("item.name", '"bolt"')):
        got = value(c, expression, f, "repl")
        assert got == wanted, (expression, got, wanted)
    assert value(c, "sum = ", f, "repl").startswith("! "), value(c, "sum = ", f, "repl")
    for nothing in ("sum = ---", "{ sum = (---); }", "sum = 8; item = ---;"):
        assert value(c, nothing, f, "repl").startswith("! ") and value(c, "sum", f) == "7", value(c, nothing, f, "repl")
    assert "no function" in value(c, "return 3", f, "repl"), value(c, "return 3", f, "repl")
    assert value(c, "if sum == 7 { sum = 8; }", f, "repl") == "void" and value(c, "sum", f) == "8"
    for statement in ("if sum == 8 { shout(sum); }", "if sum == 9 { shout(1); } else { shout(2); }", "defer shout(3)"):
        assert value(c, statement, f, "repl") == "void", value(c, statement, f, "repl")
    assert value(c, "{ sum = 1; list.items[sum + 99] }", f, "repl").startswith("! ") and value(c, "sum", f) == "8"
    assert "has side effects" in value(c, "{ sum = 5; }", f)
    c.must("continue", threadId=1)
    c.event("exited")
    assert c.output_text("stdout") == "called\ncounted\ncounted\n" + 3 * "called\n" + "2 4\n", c.output_text("stdout")
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
    # Types that the program does not have, where what uses them runs in the program.
    for expression, wanted in (("counts : HashMap(string, u16) = .{}", "len 0"), ('counts.put("a", 1)', "void"), ("counts.len + shout(1)", "2"),
                               ('t := .{1, "a", n.(u16)}', '{0: 1, 1: "a", 2: 26595}'), ("shout(t.0) + t.1.len", "2"), ("few := .[t, t]", "[{…}, {…}]"),
                               ("shout(few[1].0) + few.len", "3"), ("t", '{0: 1, 1: "a", 2: 26595}')):
        got = value(c, expression, f, "repl")
        assert got == wanted, (expression, got, wanted)
    assert "there is no result `$99`" in value(c, "$99", f)
    assert "has side effects" in value(c, "n = 1", f, "hover") or value(c, "n = 1", f, "hover").startswith("! ")
    assert "declare another name" in value(c, "sum := 1", f, "repl"), value(c, "sum := 1", f, "repl")
    assert value(c, "ended := 3;", f, "repl") == "3" and value(c, "ended", f) == "3"
    assert "(column 9)" in value(c, '"é𝄞" + nothing', f), value(c, '"é𝄞" + nothing', f)
    assert "`$1`" in value(c, "$1.none", f) or "none" in value(c, "$1.none", f)
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
    for wrong in ('"x"', "1.5", "c", "null", "return", "{ return; }"):
        assert not c.ask("setExpression", expression="c.total", value=wrong, frameId=f)["success"], wrong
    for context in ("watch", "repl"):
        assert "no function here that could return" in value(c, "return", f, context), context
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


def many_variables():
    """A page of them is what it is in the whole list, and neither takes long."""
    count = 1500
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "many.sx")
        with open(path, "w", encoding="utf-8") as f:
            f.write('f :: (n: i64) -> i64 {\n    t := n;\n    unset: i64 = ---;\n    late: i64 = ---;\n')
            for i in range(count):
                f.write(f"    v{i} := t + {i}; if t > {i} {{ t -= 1; }} else {{ t += 2; }}\n")
            f.write("    late = 1;\n    return t;\n}\nmain :: () { if f(3) > 0 { unset: i64 = 1; } }\n")
        c = Client(SX)
        c.start(path, [count + 6], engine=ENGINE)
        c.event("stopped")
        reference = c.must("scopes", frameId=c.top()[0]["id"])["scopes"][0]["variablesReference"]
        began = time.monotonic()
        every = [(v["name"], v["value"]) for v in c.must("variables", variablesReference=reference)["variables"]]
        assert time.monotonic() - began < 2, time.monotonic() - began
        assert len(every) == count + 4 and every[2:4] == [("unset", "<not set>"), ("late", "1")], every[:5]
        part = c.must("variables", variablesReference=reference, start=count, count=20)["variables"]
        assert [(v["name"], v["value"]) for v in part] == every[count:], part
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
    assert put("none", "---").startswith("! "), put("none", "---")
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


def bindings():
    """What the language does not assign is not set either."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bindings.sx")
        with open(path, "w", encoding="utf-8") as f:
            f.write("main :: () {\n    xs: [2]i64 = .[4, 5];\n    for xs, 0.. (x, i) {\n        y := x + i;\n        y += 1;\n    }\n}\n")
        c = Client(SX)
        c.start(path, [5], engine=ENGINE)
        c.event("stopped")
        f = c.top()[0]["id"]
        scope = c.must("scopes", frameId=f)["scopes"][0]["variablesReference"]
        for name, what in (("x", "the loop element"), ("i", "the loop index")):
            why = f"{what} `{name}` cannot be assigned"
            assert c.ask("setVariable", variablesReference=scope, name=name, value="7")["message"] == why
            assert c.ask("setExpression", expression=name, value="7", frameId=f)["message"] == why
            assert value(c, f"{name} = 7", f, "repl").startswith("! " + why), value(c, f"{name} = 7", f, "repl")
        assert c.must("setVariable", variablesReference=scope, name="y", value="7")["value"] == "7"
        c.finish()
        c = Client(SX)
        c.must("initialize")
        reply = c.ask("launch", program=path, engine=ENGINE, cwd=os.path.join(folder, "none"))
        assert not reply["success"] and reply["message"] == f"there is no folder `{folder}/none`", reply
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
    # What the frame has is known to values of children, too.
    assert c.must("setVariable", variablesReference=table, name='["one"]', value="many.len.(i64) + 1")["value"] == "3001"
    c.finish()


def told_changes():
    """Who asked for it is told that variables and memory have changed, and of each thread both ends."""
    c = Client(SX)
    c.must("initialize", adapterID="sx", supportsInvalidatedEvent=True, supportsMemoryEvent=True)
    c.must("launch", program=program("faults"), engine=ENGINE)
    c.must("setBreakpoints", source={"path": program("faults")}, breakpoints=[{"line": line_of("faults", "x := handled")}])
    c.must("configurationDone")
    c.event("stopped")
    f = c.top()[0]["id"]
    reference = c.must("evaluate", expression="c.total", frameId=f, context="watch")["memoryReference"]
    assert value(c, "c.total", f, "repl") == "2"
    c.must("threads") # events follow the answer
    assert not [e for e in c.events if e["event"] in ("invalidated", "memory")], c.events
    c.must("setExpression", expression="c.total", value="5", frameId=f)
    told = c.event("memory")
    assert (told["memoryReference"], told["offset"], told["count"]) == (reference, 0, 8), (told, reference)
    assert c.event("invalidated")["areas"] == ["variables"]
    assert value(c, "c.total = 6", f, "repl") == "void"
    assert c.event("memory")["memoryReference"] == reference
    assert c.event("invalidated")["areas"] == ["variables"]
    c.must("terminate")
    assert [c.event("thread")["reason"] for _ in range(2)] == ["started", "exited"]
    c.event("exited")
    assert not [e for e in c.events if e["event"] == "thread"], c.events
    c.finish()


def failed_results():
    """The values of a call that has failed are not set."""
    c, f = stop_at("tables", "// all is there")
    rows = {n: v["value"] for n, v in c.locals(f).items()}
    assert [rows[n] for n in ("n", "a", "text", "b", "fine")] == ["<not set>"] * 3 + ["2", '"fine"'], rows
    assert [rows[n] for n in ("low", "bad", "good")] == ["error.Low", "error.Low", "no error"], rows
    assert value(c, "n", f) == "<not set>"
    for context in ("watch", "repl"):
        assert value(c, "n + 1", f, context) == "! `n` has no value here: <not set>", value(c, "n + 1", f, context)
    assert not c.ask("setExpression", expression="b", value="n + 1", frameId=f)["success"]
    assert value(c, "a = 6", f, "repl") == "void" and value(c, "a", f) == "6"
    scope = c.must("scopes", frameId=f)["scopes"][0]["variablesReference"]
    assert c.must("setVariable", variablesReference=scope, name="n", value="4")["value"] == "4"
    assert value(c, "n", f) == "4"
    exits(c)
    # So it is where the error is taken.
    c = Client(SX)
    c.must("initialize", adapterID="sx")
    c.must("launch", program=program("carried"), engine=ENGINE)
    c.must("setExceptionBreakpoints", filters=["absorb"])
    c.must("configurationDone")
    assert c.event("stopped")["reason"] == "exception"
    rows = c.locals(c.top()[0]["id"])
    assert rows["v"]["value"] == "<not set>", rows
    c.finish()


def unused_globals():
    """What nothing in the program uses has the value that the source says."""
    c, f = stop_at("tables", "// all is there")
    scope = next(s for s in c.must("scopes", frameId=f)["scopes"] if s["name"] == "Globals")["variablesReference"]
    rows = {v["name"]: v["value"] for v in c.must("variables", variablesReference=scope)["variables"]}
    for name, wanted in (("counts", "[5, 6, 7]"), ("names", '["ann", "bob"]'), ("LIMITS", "[1, 2]")):
        assert rows[name] == wanted and value(c, name, f) == wanted, (rows, value(c, name, f))
    assert value(c, "counts[1] + LIMITS[1]", f) == "8"
    constant = c.ask("setVariable", variablesReference=scope, name="LIMITS", value=".[3, 4]")
    assert constant["message"] == "this is a constant, which cannot be changed", constant
    changed = c.ask("setVariable", variablesReference=scope, name="counts", value=".[1, 1, 1]")
    if ENGINE == "vm": # which has them all
        assert changed["body"]["value"] == "[1, 1, 1]", changed
        assert c.must("symbols.list", type="variable", filter="counts")["total"] == 1
    else:
        assert "nothing in it uses it" in changed["message"], changed
        assert "nothing in it uses it" in value(c, "counts[1] = 3", f, "repl"), value(c, "counts[1] = 3", f, "repl")
        assert value(c, "counts", f) == "[5, 6, 7]"
    c.finish()


def setting_types():
    """Of an `any`, to a value of a type that the program never put into one; and of a `Type`."""
    c, f = stop_at("tables", "// all is there")
    scope = c.must("scopes", frameId=f)["scopes"][0]["variablesReference"]
    for name, text, wanted in (("anything", "2.5", "(f64) 2.5"), ("anything", "Spot.{ x = 1, y = 2 }", "(Spot) {x: 1, y: 2}"),
                               ("anything", '"x"', '(string) "x"'), ("t", "i64", "i64"), ("t", "List(u8)", "List(u8)")):
        got = c.must("setVariable", variablesReference=scope, name=name, value=text)["value"]
        assert got == wanted and value(c, name, f) == wanted, (name, text, got)
    # A pointer that may be null takes what a pointer takes.
    for text in ("0x7f10", "null", "0x10 #3"):
        got = c.must("setVariable", variablesReference=scope, name="spot", value=text)["value"]
        assert got.startswith(text.split()[0]) and value(c, "spot == null", f) == str(text == "null").lower(), (text, got)
    assert not c.ask("setVariable", variablesReference=scope, name="spot", value="7")["success"]
    c.must("setVariable", variablesReference=scope, name="spot", value="null")
    c.must("continue", threadId=1)
    c.event("exited")
    assert c.output_text("stdout") == "x List__u8\n", c.output_text("stdout")
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


def lldb_commands():
    """Those that let the program go on are told as such; those that fail are answered so."""
    c, f = stop_at("steps", "a := sum")
    assert value(c, "`expr 1 + 1", f, "repl").endswith("= 2\n")
    assert value(c, "`nonsense", f, "repl").startswith("! error: "), value(c, "`nonsense", f, "repl")
    for command in ("thread step-inst", "thread step-over"):
        assert not value(c, "`" + command, f, "repl").startswith("! "), command
        c.event("continued")
        assert c.event("stopped")["reason"] == "step"
        f = c.top()[0]["id"]
    c.must("setBreakpoints", source={"path": program("steps")}, breakpoints=[])
    c.must("evaluate", expression="`continue", frameId=f, context="repl")
    c.event("continued")
    assert c.event("exited")["exitCode"] == 0
    c.finish()
    c, f = stop_at("steps", "a := sum")
    c.must("evaluate", expression="`target delete", frameId=f, context="repl")
    c.event("terminated")
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
        for wrong, message in (({}, "needs `pid`"), ({"pid": 999999999}, "there is no process"), ({"pid": os.getpid()}, "has started"),
                               ({"core": "/none", "program": "/none"}, "there is no core file `/none`"),
                               ({"pid": 0}, "the number of a process"), ({"pid": -1}, "the number of a process")):
            reply = c.ask("attach", **wrong)
            assert not reply["success"] and message in reply["message"], (wrong, reply)
        reply = c.ask("launch", program="")
        assert not reply["success"] and reply["message"] == "`program` has to be the name of a file: it is empty", reply
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


def c_sources():
    """A program with sources of C, which call it back, and with inline functions of a header."""
    c, f = stop_at("mixed", "print(")
    assert value(c, "n", f) == "43", value(c, "n", f)
    assert value(c, "c.through", f) == "through", value(c, "c.through", f)
    # Bit fields are parts like others.
    assert value(c, "r", f) == "{s: 3, u: 17, v: -2, b: false}", value(c, "r", f)
    row = c.locals(f)["r"]
    for name, text, wanted in (("u", "31", "31"), ("u", "32", "!the number does not fit 5 bits"), ("v", "-4", "-4"), ("b", "u > 3", "!")):
        reply = c.ask("setVariable", variablesReference=row["variablesReference"], name=name, value=text)
        got = reply["body"]["value"] if reply["success"] else "!" + reply["message"]
        assert got.startswith(wanted), (name, text, reply)
    c.must("setExpression", frameId=f, expression="(*r).b", value="true")
    assert value(c, "r.v = 1", f, "repl") == "void" and value(c, "r", f) == "{s: 3, u: 31, v: 1, b: true}", value(c, "r", f)
    found = c.must("completions", frameId=f, text="r.", column=3)["targets"]
    assert sorted(t["label"] for t in found) == ["b", "s", "u", "v"], found
    exits(c)
    assert c.output_text("stdout") == "43 1\n", c.output_text("stdout")


def line_in_c(path, text):
    with open(path, encoding="utf-8") as f:
        return next(i for i, line in enumerate(f, 1) if text in line)


def with_stops_in_c(path, text, functions, launch):
    """A session that has been asked to stop in C code, and the answers."""
    c = Client(SX)
    c.must("initialize")
    c.must("launch", engine=ENGINE, **launch)
    answers = c.must("setBreakpoints", source={"path": path}, breakpoints=[{"line": line_in_c(path, text)}])["breakpoints"]
    answers += c.must("setFunctionBreakpoints", breakpoints=[{"name": f} for f in functions])["breakpoints"]
    c.must("configurationDone")
    return c, answers


def in_c_code():
    """Breakpoints, steps, variables and expressions in C code that has debug information; the interpreter says who has it."""
    path = os.path.join(os.path.dirname(program("mixed")), "mixed.c")
    for launch in ({}, {"inMemory": True}) if ENGINE == "native" else ({},):
        c, answers = with_stops_in_c(path, "int doubled", ["c.through", "inner", "getpid"], launch | {"program": program("mixed")})
        if ENGINE == "vm":
            assert [a["verified"] for a in answers] == [False] * 4, answers
            for a in answers[:3]: # also what is known to C alone
                assert "C code, which the engine `native` debugs" in a["message"], a
            assert c.event("exited")["exitCode"] == 0
            c.finish()
            continue
        assert [a["verified"] for a in answers] == [True, True, True, False], answers
        assert c.event("stopped")["reason"] == "function breakpoint"
        assert [f["name"] for f in c.top()] == ["through", "main"] and c.top()[0]["presentationHint"] == "subtle", c.top()
        assert go_on(c)["reason"] == "breakpoint"
        f = c.top()[0]["id"]
        rows = c.locals(f)
        assert [(n, r["type"], r["value"]) for n, r in rows.items()] == [("n", "int", "20"), ("p", "pair", "{first: 20, second: 1.5}")], rows
        for text, wanted in {"p.second * 2": "3", "n == 20 and calls == 0": "true", "through(1)": "!"}.items():
            assert value(c, text, f).startswith(wanted), (text, value(c, text, f))
        assert value(c, "p.first = 30", f, "repl") == "30"
        assert value(c, "c.shorter(1) + 1", c.top()[1]["id"]).startswith("!") and value(c, "1 + 1", c.top()[1]["id"]) == "2"
        c.must("setFunctionBreakpoints", breakpoints=[])
        seen = []
        for how in ("stepIn", "next", "stepOut", "next", "stepOut", "next"):
            c.must(how, threadId=1)
            assert c.event("stopped")["reason"] == "step"
            top = c.top()[0]
            seen.append((top["name"], c.locals(top["id"]).get("return", {}).get("value")))
        assert seen == [("inner", None), ("inner", None), ("through", "60"), ("through", None), ("main", "61"), ("main", None)], seen
        exits(c)


def libraries_of_c():
    """A library is found in the folders that `libraryPaths` names, by both engines, and its code can be stopped at."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "foreign", "own.c")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cc", "-g", "-shared", "-fPIC", source, "-o", os.path.join(folder, "libsxown.so")], check=True)
        path = os.path.join(folder, "owner.sx")
        with open(path, "w", encoding="utf-8") as f:
            f.write('#import "modules/std.sx";\nown :: #library "sxown";\nown_sum :: (a: i32, b: i32) -> i32 extern own;\n'
                    'EARLY :: #run own_sum(1, 2);\nmain :: () {\n    print("{} {}\\n", own_sum(2, 3), EARLY);\n}\n')
        launch = {"program": path, "cwd": folder, "libraryPaths": ["."], "output": "owner"}
        c, answers = with_stops_in_c(source, "return sum", ["own_sum"], launch)
        assert [a["verified"] for a in answers] == [ENGINE == "native"] * 2, answers
        if ENGINE == "native":
            assert c.event("stopped")["reason"] == "function breakpoint"
            assert go_on(c)["reason"] == "breakpoint" and c.locals(c.top()[0]["id"])["sum"]["value"] == "5"
            of_thread = [value(c, text, c.top()[0]["id"], "repl") for text in ("calls", "calls = 7", "calls + 1")]
            assert of_thread == ["0", "7", "8"], of_thread
            c.must("continue", threadId=1)
        assert c.event("exited")["exitCode"] == 0 and c.output_text("stdout") == "5 3\n", c.events
        c.finish()
        if ENGINE == "native": # what the dynamic linker refuses has ended
            c = Client(SX)
            c.start(os.path.join(folder, "owner"), engine=ENGINE)
            assert c.event("exited")["exitCode"] == 127 and c.event("terminated") is not None
            assert c.output_text("stderr").endswith("No such file or directory\n"), c.events
            c.finish()


def loaded_by_program():
    """Code that the program loads itself has places for breakpoints from then on."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "foreign", "own.c")
    with tempfile.TemporaryDirectory() as folder:
        own = shutil.copy(source, folder)
        other = os.path.join(folder, "other.sx")
        with open(other, "w", encoding="utf-8") as f:
            f.write("main :: () {}\nother_sum :: (a: i32) -> i32 export {\n    twice := a * 2;\n    twice + 1\n}\n")
        subprocess.run(["cc", "-g", "-shared", "-fPIC", own, "-o", os.path.join(folder, "own.so")], check=True)
        subprocess.run([SX, "build", "-O0", "-g", other, "-o", os.path.join(folder, "other.so"), "--lflags", "-shared"],
                       stderr=subprocess.DEVNULL, check=True)
        path = os.path.join(folder, "loads.sx")
        with open(path, "w", encoding="utf-8") as f:
            f.write('#import "modules/std.sx";\nc :: #import c {\n    #include "dlfcn.h";\n};\nmain :: () {\n'
                    '    handle := c.dlopen("./own.so".ptr, 2);\n'
                    '    sum : (a: i32, b: i32) -> i32 abi(.c) = xx c.dlsym(handle, "own_sum".ptr);\n'
                    '    print("{}\\n", sum(2, 3));\n    c.dlclose(handle);\n'
                    '    handle = c.dlopen("./own.so".ptr, 2);\n    sum = xx c.dlsym(handle, "own_sum".ptr);\n'
                    '    print("{}\\n", sum(3, 4));\n    c.dlclose(handle);\n'
                    '    handle = c.dlopen("./other.so".ptr, 2);\n'
                    '    other : (a: i32) -> i32 abi(.c) = xx c.dlsym(handle, "other_sum".ptr);\n'
                    '    print("{}\\n", other(4));\n}\n')
        launch = {"program": path, "cwd": folder, "output": "loads"}
        c, answers = with_stops_in_c(own, "return sum", ["own_sum"], launch)
        assert [a["verified"] for a in answers] == [False] * 2, answers
        if ENGINE == "vm":
            assert "this is C code, which the engine `native` debugs" in answers[0]["message"], answers
        else:
            assert [a["reason"] for a in answers] == ["pending"] * 2, answers
            assert answers[0]["message"] == "no code of this file is loaded yet", answers
            c.must("setBreakpoints", source={"path": path}, breakpoints=[{"line": 6}])
            assert c.event("stopped")["reason"] == "breakpoint"
            c.must("next", threadId=1) # the step goes on
            assert c.event("stopped")["reason"] == "step" and c.top()[0]["line"] == 7, c.top()
            told = [c.event("breakpoint") for _ in answers]
            assert [(t["reason"], t["breakpoint"]["verified"]) for t in told] == [("changed", True)] * 2, told
            assert go_on(c)["reason"] == "function breakpoint"
            assert go_on(c)["reason"] == "breakpoint" and c.locals(c.top()[0]["id"])["sum"]["value"] == "5"
            assert [f["name"] for f in c.top()] == ["own_sum", "main"], c.top()
            # When it is unloaded and loaded again, too.
            assert go_on(c)["reason"] == "function breakpoint"
            told = [c.event("breakpoint") for _ in range(2 * len(answers))]
            assert [t["breakpoint"].get("reason") for t in told] == ["pending"] * 2 + [None] * 2, told
            assert go_on(c)["reason"] == "breakpoint" and c.locals(c.top()[0]["id"])["sum"]["value"] == "7"
            # So does code of a library that sx has made.
            answer = c.must("setBreakpoints", source={"path": other}, breakpoints=[{"line": 4}])["breakpoints"][0]
            assert answer["reason"] == "pending", answer
            assert go_on(c)["reason"] == "breakpoint" and [f["name"] for f in c.top()] == ["other_sum", "main"], c.top()
            assert c.locals(c.top()[0]["id"])["twice"]["value"] == "8"
            c.must("continue", threadId=1)
        assert c.event("exited")["exitCode"] == 0 and c.output_text("stdout") == "5\n7\n9\n", c.events
        c.finish()


def waiting_test(path):
    """A test that waits for a debugger."""
    if ENGINE != "vm":
        return
    waiting = subprocess.Popen([SX, "run", "--vm", "--debug-listen", "0", "--test", "test_a", path], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    c = Client(SX)
    c.must("initialize")
    c.must("attach", connect=waiting.stderr.readline().split()[-1])
    c.must("setBreakpoints", source={"path": path}, breakpoints=[{"line": 7}])
    c.must("configurationDone")
    c.event("stopped")
    frames = c.top()
    assert frames[0]["name"] == "test_a" and value(c, "n", frames[0]["id"]) == "4", frames
    c.finish()
    assert waiting.communicate(timeout=60)[0] == "4\n" and waiting.returncode == 0


def one_test():
    """A test of a file instead of its `main`."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a_test.sx")
        with open(path, "w", encoding="utf-8") as f:
            f.write('#import "modules/std.sx";\nmain :: () {\n    print("main\\n");\n}\n'
                    'test_a :: () {\n    n := 4;\n    print("{}\\n", n);\n}\ntest_b :: () -> ! {\n    raise error.Bad;\n}\n')
        c = Client(SX)
        c.start(path, [7], engine=ENGINE, test="test_a")
        assert c.event("stopped")["reason"] == "breakpoint"
        frames = c.top()
        assert frames[0]["name"] == "test_a" and value(c, "n", frames[0]["id"]) == "4", frames
        exits(c)
        assert c.output_text("stdout") == "4\n", c.output_text("stdout")
        c = Client(SX)
        c.start(path, engine=ENGINE, test="test_a", stopOnEntry=True)
        assert c.event("stopped")["reason"] == "entry" and c.top()[0]["line"] == 6, c.top()
        c.finish()
        c = Client(SX)
        c.start(path, [7], engine=ENGINE, test="test_a", console="integratedTerminal")
        assert c.event("stopped")["reason"] == "breakpoint" and c.top()[0]["name"] == "test_a", c.top()
        c.finish()
        waiting_test(path)
        c = Client(SX)
        c.start(path, engine=ENGINE, test="test_b")
        assert c.event("stopped")["text"] == "unhandled error reached main: error.Bad"
        assert [f["name"] for f in c.top()][::2] == ["test_b", "test_b"], c.top() # the second one is of the trace
        assert c.must("exceptionInfo", threadId=1)["exceptionId"] == "error.Bad"
        exits(c, 1)
        c = Client(SX)
        c.must("initialize")
        assert not c.ask("launch", program=path, engine=ENGINE, test="test_c")["success"]
        c.finish()


CASES = [expressions, side_effects, at_the_prompt, keeping_results, completing, setting, bindings, maps, told_changes, failed_results, unused_globals, setting_types, c_sources, in_c_code,
         libraries_of_c, loaded_by_program,
         library_sources, one_test, not_ended, small_answers, memory, wrong_types, not_set, many_variables, moved_sources,
         in_a_terminal]
CASES += [progress, connecting] if ENGINE == "vm" else [executables, in_memory, lldb_commands]
run_cases(CASES, sys.argv[4:])
