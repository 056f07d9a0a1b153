#!/usr/bin/env python3
"""Programs that the front end does not know, under the native engine: what debug information says, and formatters.

usage: foreign.py SX FOLDER-OF-PROGRAMS
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

from dap import Client, run_cases

SX, PROGRAMS = sys.argv[1:3]
FOREIGN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "foreign")
FOLDER = tempfile.mkdtemp()


def build(name, *options, into=FOLDER):
    """An executable of a program in C or C++, as its compiler makes it."""
    source = os.path.join(into, name)
    if not os.path.exists(source):
        shutil.copy(os.path.join(FOREIGN, name), source)
    out = os.path.join(into, name + "".join(options) + ".out")
    compiler = "g++" if name.endswith(".cpp") else "gcc"
    subprocess.run([compiler, "-g", *(options or ["-O0"]), "-o", out, source], check=True)
    return source, out


def line_of(source, text):
    with open(source, encoding="utf-8") as f:
        return next(i for i, line in enumerate(f, 1) if text in line)


def begin(source, program, stops=(), *options, **launch):
    """A session whose breakpoints are at the lines with these texts."""
    c = Client(SX, *options)
    c.must("initialize")
    c.must("launch", program=program, engine="native", **launch)
    lines = [{"line": line_of(source, s)} if isinstance(s, str) else s for s in stops]
    c.answers = c.must("setBreakpoints", source={"path": source}, breakpoints=lines)["breakpoints"]
    c.must("configurationDone")
    return c


def go_on(c, how="continue"):
    c.must(how, threadId=1)
    return c.event("stopped")


def value(c, expression, context="watch"):
    reply = c.ask("evaluate", expression=expression, frameId=c.top()[0]["id"], context=context)
    return reply["body"]["result"] if reply["success"] else "! " + reply["message"]


def children(c, row):
    return {v["name"]: v for v in c.must("variables", variablesReference=row["variablesReference"])["variables"]}


def names(c):
    return [f["name"] for f in c.top()]


def looking():
    source, program = build("inventory.c")
    c = begin(source, program, ["applied = apply"])
    assert c.answers[0]["verified"] and c.answers[0]["line"] == line_of(source, "applied = apply"), c.answers
    notes = [e["body"]["output"] for e in c.events if e["event"] == "output" and e["body"]["category"] == "console"]
    assert len([n for n in notes if "debug information alone" in n]) == 1, notes
    stop = c.event("stopped")
    assert stop["reason"] == "breakpoint" and stop["hitBreakpointIds"] == [c.answers[0]["id"]], stop
    frame = c.top()[0]
    assert frame["name"] == "main" and frame["source"]["path"] == source and "presentationHint" not in frame, frame
    assert frame["column"] == 5, frame
    rows = c.locals(frame["id"])
    shown = {name: row["value"] for name, row in rows.items()}
    for name, wanted in {"argc": "1", "text": '"hello"', "bytes": "[1, 2, 255]", "grid": "[[…], […]]", "yes": "true", "ratio": "0.25",
                         "big": "-9223372036854775808", "f": "add", "argument": "2"}.items():
        assert shown[name] == wanted, (name, shown[name], wanted)
    assert "applied" not in shown and "sum" not in shown, shown # they come later
    assert shown["nut"].startswith('{name: "nut", count: 7, price: 0.5, color: GREEN, next: null, low: 5, high: 17, '), shown["nut"]
    for name, wanted in {"nut": "part", "grid": "int [2][3]", "argv": "char **", "f": "operation", "text": "char [8]"}.items():
        assert rows[name]["type"] == wanted, (name, rows[name]["type"])
    bolt = children(c, rows["bolt"])
    assert bolt["whole"]["value"] == "1" and bolt["high"]["value"] == "2" and bolt["color"]["value"] == "BLUE", bolt
    assert bolt["next"]["evaluateName"] == "bolt.next"
    assert children(c, bolt["next"])["bytes"]["value"] == '"DCBA"'
    assert rows["grid"]["indexedVariables"] == 2
    scopes = {s["name"]: s for s in c.must("scopes", frameId=frame["id"])["scopes"]}
    globals_ = children(c, scopes["Globals"])
    assert globals_["total"]["value"] == "40" and globals_["limits"]["value"] == "[10, 20, 30]", globals_
    assert "rip" in children(c, scopes["Registers"])
    c.finish()


def expressions():
    source, program = build("inventory.c")
    c = begin(source, program, ["applied = apply"])
    c.event("stopped")
    expected = {
        "grid[1][2]": "6", "bolt.next.count + 1": "8", "bolt.next.name": '"nut"', "nut.price * 2": "1", "nut.color == GREEN": "true",
        "GREEN": "GREEN", "bolt.next.*.whole": "1094861636", "limits[2] / 7": "4", "-limits[0]": "-10", "total > 39 and yes": "true",
        "1 < argument <= 2": "true", "bytes[2] << 4": "4080", "(argc + 2) % 2": "1", "big < 0": "true", "ratio > 0.2": "true", "nut.next == null": "true",
        "!yes": "false", "bolt.next == *nut": "true", "text": '"hello"', "text[1]": "101 'e'", "7 / 2": "3", "7.0 / 2": "3.5", "nut.low": "5",
    }
    for expression, wanted in expected.items():
        got = value(c, expression)
        assert got == wanted, (expression, got, wanted)
    for wrong, message in {"nowhere": "`nowhere`", "grid[2]": "out of range", "nut.zzz": "no member `zzz`", "argc +": "", "argc / 0": "division by zero",
                           "nut + 1": "no number", "nut.next.count": "null pointer", "add(1, 2)": "paths", "text.*": "no pointer", "yes + 1": "truth"}.items():
        got = value(c, wrong)
        assert got.startswith("! ") and message in got, (wrong, got)
    # changing
    frame = c.top()[0]["id"]
    scope = c.must("scopes", frameId=frame)["scopes"][0]["variablesReference"]
    assert c.must("setVariable", variablesReference=scope, name="argument", value="limits[1] + 5")["value"] == "25"
    assert c.must("setExpression", expression="nut.price", value="2", frameId=frame)["value"] == "2"
    assert value(c, "nut.color = BLUE", "repl") == "BLUE" and value(c, "bytes[0] = 9", "repl") == "9"
    assert value(c, "nut.high = 9", "repl") == "9" and value(c, "nut.low") == "5", value(c, "nut")
    assert c.must("setExpression", expression="nut.low", value="argument - 18", frameId=frame)["value"] == "7"
    assert value(c, "nut.high") == "9" and "3 bits" in value(c, "nut.low = 8", "repl"), value(c, "nut")
    for name, wrong in {"argument": "5000000000", "yes": "1", "ratio": "yes", "nut": "3"}.items():
        assert not c.ask("setVariable", variablesReference=scope, name=name, value=wrong)["success"], name
    assert value(c, "argument") == "25" and value(c, "bytes") == "[9, 2, 255]"
    targets = c.must("completions", text="bolt.ne", column=8, frameId=frame)["targets"]
    assert [t["label"] for t in targets] == ["next"], targets
    assert {"total", "text"} <= {t["label"] for t in c.must("completions", text="t", column=2, frameId=frame)["targets"]}
    # watching
    info = c.must("dataBreakpointInfo", name="total", frameId=frame)
    assert c.must("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])["breakpoints"][0]["verified"]
    stop = go_on(c)
    assert stop["reason"] == "data breakpoint" and "total: 40 → 50" in stop["text"], stop
    c.finish()


def stepping():
    source, program = build("inventory.c")
    line = lambda: c.top()[0]["line"]
    c = begin(source, program, ["qsort(unsorted"], stopOnEntry=True)
    assert c.event("stopped")["reason"] == "entry" and line() == line_of(source, "struct part nut")
    go_on(c)
    go_on(c, "next")
    assert line() == line_of(source, "applied = apply")
    go_on(c, "stepIn")
    assert names(c) == ["apply", "main"] and line() == line_of(source, "calls++"), names(c)
    assert value(c, "calls") == "0"
    go_on(c, "next")
    go_on(c, "stepIn") # through a pointer
    assert names(c) == ["add", "apply", "main"] and line() == line_of(source, "sum = a + b"), names(c)
    go_on(c, "stepOut")
    assert names(c)[0] == "apply"
    returned = next(iter(c.locals(c.top()[0]["id"]).values()))
    assert (returned["name"], returned["value"]) == ("return", "3"), returned
    go_on(c, "stepOut")
    go_on(c, "next")
    assert line() == line_of(source, "sum = sum_of")
    go_on(c, "stepIn")
    seen = []
    for _ in range(9):
        seen.append(line() - line_of(source, "static int sum_of"))
        go_on(c, "next")
    assert seen == [1, 2, 3, 4, 2, 3, 4, 2, 6], seen
    assert names(c)[0] == "sum_of"
    go_on(c, "next")
    assert names(c)[0] == "main", names(c)
    c.must("setBreakpoints", source={"path": source}, breakpoints=[{"line": line_of(source, "total += sum;") + 3}])
    go_on(c)
    shown = c.locals(c.top()[0]["id"])
    assert shown["sum"]["value"] == "1000" and any(n.startswith("sum (line ") and v["value"] == "10" for n, v in shown.items()), shown
    c.must("setBreakpoints", source={"path": source}, breakpoints=[])
    c.must("continue", threadId=1)
    assert c.event("exited")["exitCode"] == 3
    assert "1050 3 6 hello" in c.output_text("stdout")
    c.finish()


def lengths():
    """The frame says how many elements a variable-length array has."""
    source, program = build("inventory.c")
    c = begin(source, program, ["return row[0]"])
    c.event("stopped")
    rows = c.locals(c.top()[0]["id"])
    assert [(rows[n]["type"], rows[n]["value"]) for n in ("row", "table")] == [("int [3]", "[4, 4, 9]"), ("int [2][2]", "[[…], […]]")], rows
    for expression, wanted in {"row[2] + n": "10", "table[1][1]": "4"}.items():
        assert value(c, expression) == wanted, (expression, value(c, expression))
    assert "out of range" in value(c, "row[3]"), value(c, "row[3]")
    c.finish()


def breakpoints():
    source, program = build("inventory.c")
    head, body = line_of(source, "for (const"), line_of(source, "sum += amount")
    c = begin(source, program, [{"line": head}, {"line": body, "condition": "amount > 5"}, {"line": body, "column": 1, "logMessage": "amount {amount}"},
                                {"line": 1}, {"line": body, "column": 2, "condition": "nobody == 1"}])
    assert [b["verified"] for b in c.answers] == [True, True, True, False, False], c.answers
    assert "nobody" in c.answers[4]["message"] and c.answers[3]["message"] == "no code at this line", c.answers
    assert [b["verified"] for b in c.must("setFunctionBreakpoints", breakpoints=[{"name": "compare"}, {"name": "none"}])["breakpoints"]] == [True, False]
    assert c.event("stopped")["reason"] == "function breakpoint"
    assert names(c)[0] == "compare" and names(c)[-1] == "main", names(c)
    assert c.top()[1]["presentationHint"] == "subtle" # of the C library
    c.must("setFunctionBreakpoints", breakpoints=[])
    go_on(c)
    assert c.top()[0]["line"] == head
    go_on(c)
    assert c.top()[0]["line"] == body and value(c, "amount") == "7"
    assert "amount 3" in c.output_text("console"), c.output_text("console")
    locations = c.must("breakpointLocations", source={"path": source}, line=head, endLine=body)["breakpoints"]
    assert [l["line"] for l in locations] == [head, head + 1, body], locations
    answer = c.must("setExceptionBreakpoints", filters=["raise", "panic"])["breakpoints"]
    assert not answer[0]["verified"] and answer[1]["verified"], answer
    c.finish()
    c = begin(source, program, args=["crash"])
    stop = c.event("stopped")
    assert stop["reason"] == "exception" and stop["description"] == "SIGSEGV", stop
    assert c.top()[0]["line"] == line_of(source, "volatile")
    c.finish()


def optimised():
    """Inlined calls have frames of their own; what is not there says so."""
    source, program = build("inlined.c", "-O2")
    c = begin(source, program, ["sum += values[i]"], args=["a", "b", "c"])
    assert c.answers[0]["verified"], c.answers
    c.event("stopped")
    assert names(c) == ["sum_of", "main"], names(c)
    assert [f["line"] for f in c.top()] == [line_of(source, "sum += values[i]"), line_of(source, "= sum_of")], c.top()
    for frame in c.top():
        for row in c.locals(frame["id"]).values():
            assert row["value"], row
    c.must("setBreakpoints", source={"path": source}, breakpoints=[])
    go_on(c, "stepOut")
    assert names(c) == ["main"], names(c)
    # One stop a call, before a line of it has run: also where all of it is one line, with a loop.
    assert c.must("setFunctionBreakpoints", breakpoints=[{"name": "total_of"}])["breakpoints"][0]["verified"]
    go_on(c)
    assert names(c) == ["total_of", "main"] and c.locals(c.top()[0]["id"])["n"]["value"] == "4", c.top()
    # The compiler has folded this one into another.
    assert c.must("setFunctionBreakpoints", breakpoints=[{"name": "again_of"}])["breakpoints"][0]["verified"]
    go_on(c)
    assert names(c) == ["again_of", "main"] and c.top()[0]["line"] == line_of(source, "again_of"), c.top()
    c.must("continue", threadId=1)
    assert c.event("exited")["exitCode"] == 20
    c.finish()


def without_sources():
    """The source has changed, or is not here; there is no debug information at all."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = build("inventory.c", into=folder)
        line = line_of(source, "applied = apply")
        with open(source, "w", encoding="utf-8") as f:
            f.write("short\n")
        os.utime(source, (time.time() + 100, time.time() + 100))
        for problem in ("has changed since", "is not here"):
            c = begin(source, program, [{"line": line}])
            assert problem in c.output_text("console"), c.output_text("console")
            assert c.answers[0]["verified"] and c.answers[0]["line"] == line, c.answers
            c.event("stopped")
            frame = c.top()[0]
            assert frame["line"] == line and "sourceReference" not in frame["source"], frame
            assert value(c, "bolt.next.count + 1") == "8"
            assert not c.ask("source", source={"path": source}, sourceReference=0)["success"]
            c.finish()
            if os.path.exists(source):
                os.remove(source)
        subprocess.run(["strip", program], check=True)
        c = begin(source, program, [{"line": line}])
        assert not c.answers[0]["verified"] and "no debug information" in c.output_text("console"), c.answers
        assert c.event("exited")["exitCode"] == 3
        c.finish()
        c = begin(source, program, [], stopOnEntry=True)
        stop = c.event("stopped")
        assert stop["reason"] == "entry" and "`main`" in stop["text"], stop
        c.must("continue", threadId=1)
        c.event("exited")
        c.finish()
        # A program of sx
        source, program = os.path.join(folder, "own.sx"), os.path.join(folder, "own")
        shutil.copy(os.path.join(PROGRAMS, "steps.sx"), source)
        subprocess.run([SX, "build", "-O0", "-g", source, "-o", program], check=True, capture_output=True)
        with open(source, "a", encoding="utf-8") as f:
            f.write("// changed\n")
        c = begin(source, program, [{"line": 8}])
        assert "own.sx` has changed" in c.output_text("console"), c.output_text("console")
        c.event("stopped")
        assert c.top()[0]["line"] == 8 and value(c, "total + n") == "3", c.top()
        caller = c.top()[1]["id"]
        types = c.locals(caller)["names"]["type"], c.must("evaluate", expression="*p", frameId=caller)["type"]
        assert types == ("[3]string", "*Point"), types
        go_on(c, "next")
        assert {f["name"] for f in c.top()} >= {"main"}
        c.finish()


def inlined():
    """Where the optimizer has made several pieces of code of a line, a breakpoint stops in each of them."""
    source, program = os.path.join(FOLDER, "digits.sx"), os.path.join(FOLDER, "digits")
    text = ("digit :: (c: u8) -> (i64, !) {\n    if c > 57 {\n        raise error.Bad;\n    }\n    c.(i64)\n}\n"
            "parse :: (s: string) -> (i64, !) {\n    n := 0;\n    for s (c) {\n        n += try digit(c);\n    }\n    n\n}\n"
            "main :: () -> i32 {\n    c := parse(\"1x\") or 5;\n    d := parse(\"z\") or 6;\n    return (c + d).(i32) - 11;\n}\n")
    with open(source, "w", encoding="utf-8") as f:
        f.write(text)
    for options, stops in ((["-g"], [2, 2, 3, 2, 3]), (["-O0"], [2, 2, 3, 2, 3])):
        subprocess.run([SX, "build", *options, source, "-o", program], check=True, capture_output=True)
        with open(source, "a", encoding="utf-8") as f:
            f.write("// changed\n")
        c = begin(source, program, [{"line": 2}, {"line": 3}])
        for line in stops:
            c.event("stopped")
            assert c.top()[0]["line"] == line, (options, stops, c.top())
            c.must("continue", threadId=1)
        assert c.event("exited")["exitCode"] == 0
        c.finish()


def symbol_files():
    """A stripped program with its symbol file beside it; that of another program is refused."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "own.sx"), os.path.join(folder, "own")
        with open(source, "w", encoding="utf-8") as f:
            f.write("counter := 5;\nplace : *i64 = null;\nrow : [3]i16 = .[1, 2, 3];\nword := \"abc\";\n"
                    "add :: (a: i64, b: i64) -> i64 {\n    s := a + b;\n    return s;\n}\n"
                    "main :: () -> i32 {\n    place = *counter;\n    counter = add(counter, 3 + row[0].(i64) - word.len);\n    return counter.(i32);\n}\n")
        subprocess.run([SX, "build", "-O0", "-g", source, "-o", program], check=True, capture_output=True)
        subprocess.run([SX, "sym", program, "-o", program + ".sym"], check=True)
        subprocess.run(["strip", program], check=True)
        c = begin(source, program, [{"line": 6}])
        assert "own.sym" in c.output_text("console"), c.output_text("console")
        assert c.answers[0]["verified"] and c.answers[0]["line"] == 6, c.answers
        c.event("stopped")
        assert [(f["name"], f["line"]) for f in c.top()] == [("add", 6), ("main", 11)], c.top()
        assert [f["symbol"] for f in c.must("stack.info")["frames"]][:2] == ["add", "main"], c.must("stack.info")
        assert value(c, "counter + 1") == "6"
        scopes = {s["name"]: s for s in c.must("scopes", frameId=c.top()[0]["id"])["scopes"]}
        found = children(c, scopes["Globals"])
        assert found["counter"]["value"] == "5" and found["row"]["value"] == "[1, 2, 3]", found
        assert {n: found[n]["type"] for n in ("place", "row", "word")} == {"place": "*i64", "row": "[3]i16", "word": "string"}, found
        assert value(c, "place.* + row[1]") == "7" and value(c, "word.len") == "3", found
        listed = {s["name"]: s for s in c.must("symbols.list", type="all")["symbols"]}
        assert listed["add"]["line"] == 5 and listed["counter"]["type"] == "variable", listed
        row = c.must("disasm.read", count=1, mode="around_pc")["instructions"][0]
        assert row["symbol"] == "add" and row["file"] == source and row["line"] in (5, 6), row
        go_on(c, "stepOut")
        assert c.top()[0]["name"] == "main"
        c.must("continue", threadId=1)
        assert c.event("exited")["exitCode"] == 6
        c.finish()
        with open(program + ".sym", encoding="utf-8") as f:
            known = json.load(f)
        crc, known["crc"] = known["crc"], known["crc"] ^ 1
        for text, words in ((json.dumps(known), [str(crc), str(crc ^ 1)]), ("{", ["own.sym"])):
            with open(program + ".sym", "w", encoding="utf-8") as f:
                f.write(text)
            c = Client(SX)
            c.must("initialize")
            answer = c.ask("launch", program=program, engine="native")
            assert not answer["success"] and all(w in answer["message"] for w in words), answer
            c.finish()


def formatted():
    source, program = build("shapes.cpp")
    c = begin(source, program, ["// all is set"])
    c.event("stopped")
    rows = c.locals(c.top()[0]["id"])
    hint = lambda row: row.get("presentationHint", {})
    error = {"kind": "virtual", "attributes": ["failedEvaluation"]}
    for name, wanted in {"broken": "ERR (sentinel)", "error16": "ERR (sentinel)", "error32": "ERR (sentinel)", "error64": "ERR (sentinel)",
                         "beyond": "200 (OVERFLOW)", "below": "-129 (OVERFLOW)", "error8": "ERR (sentinel)"}.items():
        assert rows[name]["value"] == wanted and hint(rows[name]) == error, (name, rows[name])
    for name, wanted in {"fine": "-127", "number32": "2147483647", "number64": "5"}.items():
        assert rows[name]["value"] == wanted and hint(rows[name]) == {"kind": "data"}, (name, rows[name])
    assert rows["plain"]["value"] == "-128" and hint(rows["plain"]) == {}, rows["plain"]
    # headers of objects
    held = children(c, rows["held"])
    assert held["value"]["value"] == "22" and held["value"]["evaluateName"] == "held.ptr.value", held
    assert value(c, held["value"]["evaluateName"]) == "22"
    header = {n: r["value"] for n, r in children(c, held["[header]"]).items()}
    assert header == {"mark_bit": "Unmarked", "pinned_bit": "Pinned", "forwarded_bit": "Forwarded", "is_nursery": "OldGen", "size_class": "2",
                      "type_id": "0x1"}, header
    young = children(c, rows["young"]) # it lies in the nursery
    header = {n: r["value"] for n, r in children(c, young["[header]"]).items()}
    assert header == {"mark_bit": "Marked", "pinned_bit": "Movable", "forwarded_bit": "Active", "is_nursery": "Nursery", "size_class": "5",
                      "type_id": "0xbeef"}, header
    assert "[header]" not in children(c, rows["old"])
    assert rows["none"]["value"] == "null" and "[header]" not in children(c, rows["none"])
    # pointers with bounds
    assert rows["inside"]["value"].startswith("0x") and rows["inside"]["value"].endswith(" → 2"), rows["inside"]
    assert rows["over"]["value"] == "<out of bounds: offset +14>", rows["over"]
    assert rows["after"]["value"] == "<out of bounds: offset +20>" and rows["before"]["value"] == "<out of bounds: offset -4>"
    for name in ("exited", "future"):
        assert rows[name]["value"] == "<dangling: scope exited>" and "readOnly" in hint(rows[name])["attributes"], rows[name]
    assert rows["nothing"]["value"] == "null"
    raw = children(c, children(c, rows["after"])["[raw]"])
    assert raw["size"]["value"] == "16" and list(raw) == ["ptr", "base", "size", "scope_id"], raw
    # results
    assert rows["ok"]["value"] == "Ok(42)" and list(children(c, rows["ok"])) == ["val", "err", "[raw]"]
    assert rows["bad"]["value"] == "Error(7)" and hint(rows["bad"]) == error and list(children(c, rows["bad"])) == ["err", "val", "[raw]"]
    assert rows["whole"]["value"] == "Ok({value: 1, next: null})", rows["whole"]
    assert rows["warm"]["value"] == "{degrees: 21}"
    regions = c.must("sxMemoryMap", filter="gc_nursery")["regions"]
    assert [(r["type"], r["size"]) for r in regions] == [("gc_nursery", 256)], regions
    c.finish()


def own_formatters():
    """A language brings its own; a file that is none is refused at the start."""
    source, program = build("shapes.cpp")
    file = os.path.join(FOLDER, "own.json")
    with open(file, "w", encoding="utf-8") as f:
        json.dump({"formatters": [{"kind": "sentinel", "type": r"^odd_tbb(\d+)$"}],
                   "header": [{"name": "colour", "bit": 0, "bits": 4, "hex": True}], "scopes": {}}, f)
    c = begin(source, program, ["// all is set"], "--formatters", file)
    c.event("stopped")
    rows = c.locals(c.top()[0]["id"])
    assert rows["plain"]["value"] == "ERR (sentinel)" and rows["broken"]["value"] == "ERR (sentinel)", rows["plain"]
    assert rows["exited"]["value"].endswith(" → 2")
    header = {n: r["value"] for n, r in children(c, children(c, rows["held"])["[header]"]).items()}
    assert header == {"colour": "0x6"}, header
    c.finish()
    for text, message in {"[": "own.json", "{\"formatters\": [{\"kind\": \"odd\"}]}": "`odd`", "{\"formatters\": 3}": "list",
                          "{\"formatters\": [{\"kind\": \"result\", \"type\": \"(\"}]}": "pattern", "{\"version\": 2}": "version"}.items():
        with open(file, "w", encoding="utf-8") as f:
            f.write(text)
        done = subprocess.run([SX, "dap", "--formatters", file], input=b"", capture_output=True, timeout=60)
        assert done.returncode == 2 and message in done.stderr.decode(), (text, done)
    done = subprocess.run([SX, "dap", "--formatters", "/none"], input=b"", capture_output=True, timeout=60)
    assert done.returncode == 2 and "/none" in done.stderr.decode(), done


def values(c):
    return {name: row["value"] for name, row in c.locals(c.top()[0]["id"]).items()}


def made_in_memory():
    """Code that a program makes and announces has lines, variables and breakpoints for as long as it is there."""
    made, code = build("made.c", "-O0", "-nostdlib", "-static", "-Wl,-e,twice", "-Wl,-Ttext=0x40000000")
    _, maker = build("maker.c")
    c = begin(made, maker, ["doubled = "], args=[code])
    assert not c.answers[0]["verified"], c.answers
    for turn in (1, 2):
        stop = c.event("stopped")
        assert stop["reason"] == "breakpoint" and [f["name"] for f in c.top()[:2]] == ["twice", "main"], (stop, c.top())
        assert go_on(c, "next")["reason"] == "step" and values(c) == {"n": str(turn), "doubled": str(2 * turn)}, values(c)
        c.must("continue", threadId=1)
    assert c.event("exited")["exitCode"] == 0
    assert c.output_text("stdout") == "6\n", c.output_text("stdout")
    c.finish()
    # A compiler that runs what it compiles does so, from its start and also when it has run for a while.
    source = os.path.join(PROGRAMS, "endless.sx")
    c = begin(source, SX, ["both.second"], args=["run", "-g", source])
    assert c.event("stopped")["reason"] == "breakpoint" and values(c) == {"n": "1"}, values(c)
    c.finish()
    with subprocess.Popen([SX, "run", "-g", source], stdout=subprocess.PIPE) as running:
        assert running.stdout.readline() == b"ready\n"
        c = Client(SX)
        c.must("initialize")
        c.must("attach", pid=running.pid)
        place = c.must("setBreakpoints", source={"path": source}, breakpoints=[{"line": line_of(source, "both.second")}])
        assert place["breakpoints"][0]["verified"], place
        c.must("configurationDone")
        assert c.event("stopped")["reason"] == "breakpoint" and [f["name"] for f in c.top()[:1]] == ["main"], c.top()
        assert go_on(c, "next")["reason"] == "step" and list(values(c)) == ["n"], values(c)
        c.finish()
        running.kill()


run_cases((looking, expressions, stepping, lengths, breakpoints, optimised, without_sources, inlined, symbol_files, made_in_memory, formatted, own_formatters), sys.argv[3:])
shutil.rmtree(FOLDER)
