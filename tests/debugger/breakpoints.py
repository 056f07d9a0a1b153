#!/usr/bin/env python3
"""Where a person lets a program stop: conditions, counts, messages, functions, generic instances, the same with every engine.

usage: breakpoints.py SX FOLDER-OF-PROGRAMS ENGINE [CASE…]
"""

import os
import signal
import sys
import tempfile
import time

from dap import Client, run_cases
from sessions import SX, ENGINE, program, line_of, begin, stop_at, value, go_on, exits


def conditions():
    body = line_of("hot", "sum += i")
    begun = time.time()
    many = 999999 if ENGINE == "vm" else 20000 # the native engine asks the adapter each time
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


def passed():
    """Places that are passed hundreds of times: true conditions are found, and nothing else of the program changes."""
    lines = [line_of("passed", text) for text in ("total += 1", "if n == 0", "sum.* += i", "rings += 1", "sum += k")]
    never = [{"line": line, "condition": text} for line, text in
             zip(lines, ("total == 400 and sum > 0", "n == 3", "i == 499 and sum.* < 0", "signal != 10", "to == 1"))]
    c = begin("passed", never)
    c.event("stopped")
    frame = c.top()[0]["id"]
    assert [value(c, text, frame) for text in ("k", "total", "rings")] == ["400", "400", "8"]
    # Others are set meanwhile, and a step goes over what is passed.
    c.must("setBreakpoints", source={"path": program("passed")}, breakpoints=never[1:] + [{"line": line_of("passed", "second := deep")}])
    assert go_on(c)["reason"] == "breakpoint"
    c.must("setBreakpoints", source={"path": program("passed")}, breakpoints=never[2:] + [{"line": lines[1], "condition": "n == -3"}])
    c.must("next", threadId=1)
    assert c.event("stopped")["reason"] == "step"
    assert value(c, "second", c.top()[0]["id"]) == "500"
    exits(c)
    assert c.output_text("stdout") == "124750 500 [124750, 124750, 124750] 500 10\n", c.output_text("stdout")

    c = begin("passed", never[1:])
    c.event("stopped")
    assert value(c, "n", c.top()[0]["id"]) == "3" and c.top()[1]["name"] == "deep"
    c.must("setBreakpoints", source={"path": program("passed")}, breakpoints=[
        {"line": lines[2], "condition": "i == 499 and sum.* > 0"}])
    threads = set()
    for _ in range(3):
        c.must("continue", threadId=1)
        stop = c.event("stopped")
        threads.add(stop["threadId"])
        assert c.must("evaluate", expression="i", frameId=c.must("stackTrace", threadId=stop["threadId"])["stackFrames"][0]["id"])["result"] == "499"
    assert len(threads) == 3, threads
    exits(c)

    # Nor is a hit lost, or told twice, where a signal comes that the program handles.
    c = begin("passed", [{"line": lines[0], "condition": "k > 10"}])
    process, seen = c.event("process")["systemProcessId"], []
    for _ in range(20):
        c.event("stopped")
        seen.append(int(value(c, "k", c.top()[0]["id"])))
        if len(seen) in (2, 3, 8, 13):
            os.kill(process, signal.SIGUSR1)
        c.must("continue", threadId=1)
    assert seen == list(range(11, 31)), seen
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
    # So it is with conditions of filters and of watches.
    answer = c.must("setExceptionBreakpoints", filters=[], filterOptions=[{"filterId": "raise", "condition": "count() == 1"}])
    watched = c.must("dataBreakpointInfo", name="sum", frameId=c.top()[0]["id"])["dataId"]
    answer["breakpoints"] += c.must("setDataBreakpoints", breakpoints=[
        {"dataId": watched, "condition": "count() == 1"}])["breakpoints"]
    assert [b.get("message") for b in answer["breakpoints"]] == ["has side effects: it writes to the program's memory"] * 2, answer
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


def changed_while_running():
    """A breakpoint that gets another condition is there all the time: no hit is passed by."""
    at = {"line": line_of("endless", "turns += 1"), "logMessage": "{turns}"}
    c = begin("endless", [{**at, "condition": "n == 0"}])
    for k in range(30):
        c.must("setBreakpoints", source={"path": program("endless")}, breakpoints=[{**at, "condition": "n == 0" if k % 2 else "0 == n"}])
    c.must("pause", threadId=1)
    c.event("stopped")
    turns = [int(n) for n in c.output_text("console").split()]
    assert turns and turns == list(range(1023, turns[-1] + 1, 1024)), turns
    c.finish()


def log_messages():
    body = line_of("hot", "sum += i")
    c = begin("hot", [{"line": body, "logMessage": "i={i} {item} {{x}} {\"}\"}", "condition": "i < 3"},
                      {"line": body, "condition": "i == 5"}])
    c.event("stopped")
    text = c.output_text("console")
    assert text == "".join(f'i={i} {{name: "nut", count: 2}} {{x}} "}}"\n' for i in range(3)), text
    c.finish()


def log_order():
    """Log messages stand between the output before them and after them."""
    c = begin("asserts", [{"line": line_of("asserts", "sum += i"), "logMessage": "log {i}"}, {"line": line_of("asserts", "sum = 0")}])
    c.event("stopped")
    told = "".join(e["body"]["output"] for e in c.events if e["event"] == "output" and e["body"]["category"] in ("stdout", "console"))
    told = told[told.index("out 0"):]
    assert told == "".join(f"out {i}\nlog {i}\n" for i in range(20)), told
    c.finish()


def function_breakpoints():
    c = Client(SX)
    c.must("initialize")
    c.must("launch", program=program("calls"), engine=ENGINE)
    # Where a line has one at the same place, the function's is told.
    c.must("setBreakpoints", source={"path": program("calls")}, breakpoints=[{"line": line_of("calls", "self.total += n")}])
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
                    '    s := "é"; n := util.twice(2); k := util.thrice(n);\n    print("{} {}\\n", s, k);\n'
                    '    push .{ allocator = context.allocator } {\n        k += 1;\n        k += 2;\n    }\n    k = 0;\n'
                    '    for 0..2 (i) {\n        k += i;\n        k += 1;\n    }\n    f := (z: i64) -> i64 {\n'
                    '        n + z\n    };\n    k = f(1);\n}\n')
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
        # What the lambda does not use it does not have.
        answer = c.must("setBreakpoints", source={"path": path}, breakpoints=[
            {"line": 16, "condition": "z + k > 1"}, {"line": 16, "logMessage": "{k}"}, {"line": 16, "condition": "n + z > 99"}])
        told = [b.get("message", "").partition(" (")[0] for b in answer["breakpoints"]]
        assert told == ["`k` is not captured by this function"] * 2 + [""], answer

        # Into the body of a `push`, or one that is given variables, only from within it.
        def offered():
            return [n for n in range(5, 14) if c.must("gotoTargets", source={"path": path}, line=n)["targets"]]
        c.must("setFunctionBreakpoints", breakpoints=[])
        for at, wanted in ((5, [5, 6, 10, 11]), (6, [5, 6, 10, 11]), (7, [5, 6, 7, 8, 10, 11]), (8, [5, 6, 7, 8, 10, 11]),
                           (10, [5, 6, 10, 11]), (12, [5, 6, 10, 11, 12, 13])):
            c.must("setBreakpoints", source={"path": path}, breakpoints=[{"line": at}])
            c.must("continue", threadId=1)
            c.event("stopped")
            assert offered() == wanted, (at, offered())
        c.must("setBreakpoints", source={"path": path}, breakpoints=[{"line": 16}])
        go_on(c)
        frame = c.top()[0]["id"]
        assert value(c, "k", frame) == "! `k` is not captured by this function (column 1)", value(c, "k", frame)
        for text, names in (("k", []), ("n", ["n"])):
            found = c.must("completions", frameId=frame, text=text, column=2)["targets"]
            assert [t["label"] for t in found if len(t["label"]) == 1] == names, found
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
    """They count in the instances in which they compile; a log message says why it does not."""
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
        c.must("setBreakpoints", source={"path": path}, breakpoints=[{"line": 3, "logMessage": "{x.len}"}])
        exits(c)
        told = c.output_text("console").splitlines()
        assert told == ["<`i64` has no field `len`>", "1", "<`f64` has no field `len`>"], told


def rounds():
    """Each round of an `inline for` has names and types of its own, and what is compiled several times stops each time."""
    round = line_of("rounds", "// in a round")
    c = begin("rounds", [round, {"line": round, "logMessage": "{i} {a} {b}"}])
    for i, shown, type, other in ((0, "1", "u8", "9"), (1, '"x"', "string", '"y"'), (2, "2.5", "f64", "1.5")):
        c.event("stopped")
        f = c.top()[0]["id"]
        assert [value(c, e, f) for e in ("i", "a", "b", "type_of(c[1])")] == [str(i), shown, shown, type]
        names = c.locals(f)
        assert [names[n]["value"] for n in ("a", "i", "b")] == [shown, str(i), shown], names
        scope = c.must("scopes", frameId=f)["scopes"][0]["variablesReference"]
        set = [c.ask("setVariable", variablesReference=scope, name=n, value="1") for n in ("a", "i")]
        assert [s["message"] for s in set] == ["the pack element `a` cannot be assigned",
                                              "this is a constant, which cannot be changed"], set
        assert value(c, f"b = {other}", f, "repl") == "void"
        c.must("setVariable", variablesReference=scope, name="c", value=".[b, b]")
        assert value(c, "c", f) == f"[{other}, {other}]"
        assert "b" in [t["label"] for t in c.must("completions", frameId=f, text="b", column=2)["targets"]]
        c.must("continue", threadId=1)
    c.event("exited")
    assert c.output_text("console") == '0 1 1\n1 "x" "x"\n2 2.5 2.5\n', c.output_text("console")
    c.finish()

    one, test, by_round = (line_of("rounds", text) for text in ("// one line", "// a test", "// by the round"))
    c = begin("rounds", [one, test, {"line": by_round, "condition": "q != 5 and w == q * 2"}])
    for function, line in (("main", by_round + 1), ("main", by_round + 3), ("choose(i64)", one), ("choose(i64)", test + 1),
                           ("choose(string)", one), ("choose(string)", test + 3)):
        c.event("stopped")
        frame = c.top()[0]
        assert (frame["name"], frame["line"]) == (function, line), frame
        c.must("continue", threadId=1)
    c.event("exited")
    c.finish()

    c = begin("rounds", [line_of("rounds", "// from a round")])
    for r in (1, 2):
        c.event("stopped")
        caller = c.top()[1]["id"]
        assert [value(c, e, caller) for e in ("r", "x")] == [str(r), str(r * 10)], r
        assert c.locals(caller)["x"]["value"] == str(r * 10)
        c.must("stepOut", threadId=1)
        c.event("stopped")
        assert [value(c, e, c.top()[0]["id"]) for e in ("r", "x")] == [str(r), str(r * 10)], r
        c.must("continue", threadId=1)
    c.event("exited")
    c.finish()


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
        assert not c.ask("restart", arguments={"program": path + ".gone", "engine": ENGINE})["success"]
        c.event("exited")
        c.event("terminated")
        c.must("restart") # what was there before is what begins again
        c.event("stopped")
        os.remove(path)
        assert not c.ask("restart", arguments={"program": path, "engine": ENGINE})["success"]
        c.event("exited")
        c.event("terminated")
        c.finish()


CASES = [conditions, passed, refused_conditions, kept_hits, counted_in_threads, log_messages, log_order,
         function_breakpoints, small_requests, columns, restart, generic_conditions, rounds, broken_restart]
CASES += [changed_while_running] if ENGINE == "vm" else []
run_cases(CASES, sys.argv[4:])
