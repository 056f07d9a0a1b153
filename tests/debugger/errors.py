#!/usr/bin/env python3
"""Stops at errors, panics and faults, and the traces that they have, the same with every engine.

usage: errors.py SX FOLDER-OF-PROGRAMS ENGINE [CASE…]
"""

import os
import sys

from dap import Client, run_cases
from sessions import SX, ENGINE, program, line_of, begin, stop_at, value, exits


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


def assigned():
    """The console assigns error variables: the program's, and its own."""
    c, f = stop_at("carried", "print(\"{}\\n\", moved")
    for text, shown in [("e = error.High", "void"), ("e", "error.High"), ("mine := e", "error.High"), ("mine = error.Low", "void"),
                        ("mine", "error.Low"), ("{ limited(-1) catch (x) { e = x; 0 }; 4 }", "4"), ("e", "error.Low")]:
        assert value(c, text, f, "repl") == shown, (text, value(c, text, f, "repl"))
    assert c.locals(f)["e"]["value"] == "error.Low"
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


def cleaned_up():
    """A step from where a handler takes an error leaves that line. What leaves `main` after its cleanups is shown where it left."""
    c = Client(SX)
    c.must("initialize", adapterID="sx")
    c.must("launch", program=program("cleaned"), engine=ENGINE)
    c.must("setExceptionBreakpoints", filters=["absorb", "unhandled"])
    c.must("configurationDone")
    for how, line in (("next", "taken"), ("continue", "try refuse"), ("continue", "try refuse")):
        stop = c.event("stopped")
        assert c.top()[0]["line"] == line_of("cleaned", line), (stop, c.top())
        c.must(how, threadId=1)
    assert c.event("exited")["exitCode"] == 1
    c.finish()


def null_pointer():
    """A panic is shown where the program shows it: at the `.` that follows the pointer."""
    for args, name, text, column in ((["null"], "read", "n.next.value", 26), (["null", "first"], "main", "node.next.* =", 55)):
        c = begin("faults", args=args)
        assert c.event("stopped")["text"] == "null pointer"
        frame = c.top()[0]
        line = line_of("faults", text)
        assert (frame["name"], frame["line"], frame["column"]) == (name, line, column), frame
        c.must("continue", threadId=1)
        c.event("exited")
        assert c.output_text("stderr") == f"panic: null pointer at faults.sx:{line}:{column}\n", c.output_text("stderr")
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
    if ENGINE == "vm": # a client without pages asks for all of the stack
        all = c.must("stackTrace", threadId=1)
        assert all["totalFrames"] > 10 ** 6 and len(all["stackFrames"]) == 20001, all["totalFrames"]
        assert all["stackFrames"][-1]["name"] == f"… {all['totalFrames'] - 20000} more frames", all["stackFrames"][-1]
    assert (top["name"], top["line"], top["column"]) == (caller["name"], caller["line"], caller["column"]), (top, caller)
    # Calls of the console have room left.
    assert [value(c, line, top["id"], "repl") for line in ('print("said\\n")', 'print("{}\\n", 1.5)')] == ["void"] * 2
    exits(c, 134)
    assert c.output_text("stdout") == "before\nsaid\n1.500000\n", c.output_text("stdout")
    c = begin("mixed", args=["x"])
    stop = c.event("stopped")
    assert (stop["description"], c.top(levels=1)[0]["name"]) == ("panic: stack overflow", "endless"), (stop, c.top(levels=1))
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
    c.must("setExceptionBreakpoints", filters=[], filterOptions=[
        {"filterId": "raise", "condition": "Empty"}, {"filterId": "raise", "condition": "c == 'x'"}])
    c.must("configurationDone")
    c.event("stopped")
    assert value(c, "c", c.top()[0]["id"]) == "120"
    # Each of several has its condition.
    c.must("setExceptionBreakpoints", filters=[], filterOptions=[
        {"filterId": "absorb", "condition": "Empty"}, {"filterId": "absorb", "condition": "b == 99"}])
    c.must("continue", threadId=1)
    assert c.event("stopped")["text"] == "error.Empty is taken"
    # A name that is nowhere in the program, or in the library alone, is refused; one that means nothing where an error is
    # raised does not stop.
    answer = c.must("setExceptionBreakpoints", filters=[], filterOptions=[
        {"filterId": "raise", "condition": f"{name} == 1"} for name in ("zork", "count", "opened")] + [
            {"filterId": "raise", "condition": text} for text in (",,", "Empty,")])["breakpoints"]
    assert [b["verified"] for b in answer] == [False, False, True, False, False], answer
    assert "zork" in answer[0]["message"] and "count" in answer[1]["message"], answer
    assert answer[3]["message"] == "an error or error set is missing in `,,`", answer
    exits(c)
    assert c.output_text("console").count("means nothing in") == 1, c.output_text("console")


def raised_again():
    """An error that is there already stops at its `raise`, also where nothing but the error leaves the function: steps
    from there end in the caller."""
    c = Client(SX)
    c.must("initialize")
    c.must("launch", program=program("again"), engine=ENGINE)
    c.must("setExceptionBreakpoints", filters=["raise", "propagate"])
    c.must("configurationDone")
    again = []
    while (stop := c.event("stopped"))["text"] != "error.Low is passed on":
        frame = c.top()[0]
        if frame["name"] != "low":
            again.append((stop["text"].split()[0], frame["name"], frame["line"]))
        step = {"plain": "stepOut", "handled": "stepIn", "given": "next"}.get(frame["name"])
        if step:
            c.must(step, threadId=1)
            assert c.event("stopped")["reason"] == "step" and c.top()[0]["name"] == "main", (step, c.top())
            assert c.locals(c.top()[0]["id"])["return"]["value"] == again[-1][0], step
        c.must("continue", threadId=1)
    with open(program("again"), encoding="utf-8") as f:
        lines = [i for i, line in enumerate(f, 1) if "// again" in line]
    names = ["plain", "tested", "handled", "given", "cleaned", "with_value", "tested"]
    assert again == [("error.High" if n in ("plain", "given") else "error.Low", n, line)
                     for n, line in zip(names, lines + lines[1:2])], again
    exits(c, 1)


def without_traces():
    """Code that keeps no traces knows of no error on its way; of one that leaves `main` it does."""
    for in_memory in (False, True):
        c = Client(SX)
        c.must("initialize")
        c.must("launch", program=program("faults"), engine=ENGINE, optLevel=2, inMemory=in_memory)
        c.must("configurationDone")
        stop = c.event("stopped")
        answer = c.must("setExceptionBreakpoints", filters=["raise", "propagate", "absorb", "unhandled"])["breakpoints"]
        assert [b["verified"] for b in answer] == [False, False, False, True], answer
        assert answer[0]["message"] == "the program was built without traces", answer
        assert c.must("exceptionInfo", threadId=stop["threadId"])["exceptionId"] == "error.Bad", stop
        assert "error.Bad" in stop["text"], stop
        exits(c, 1)
    # Where the optimizer makes one of what passes an error on and what reports it, it is passed on first.
    c = Client(SX)
    c.must("initialize")
    c.must("launch", program=program("faults"), engine=ENGINE, optLevel=2, releaseTraces=True)
    c.must("setExceptionBreakpoints", filters=["propagate", "unhandled"])
    c.must("configurationDone")
    for text in ("error.Bad is passed on", "unhandled error reached main: error.Bad"):
        stop = c.event("stopped")
        assert stop["text"] == text, stop
        c.must("continue", threadId=1)
    assert c.event("exited")["exitCode"] == 1
    c.finish()


def raising():
    """Each `raise` stops, also where cleanups run on the way out, before breakpoints in these and behind one of its own."""
    c = Client(SX)
    c.must("initialize")
    c.must("launch", program=program("cleanups"), engine=ENGINE)
    c.must("setExceptionBreakpoints", filters=["raise", "propagate", "unhandled"])
    left = line_of("cleanups", "left")
    c.must("setBreakpoints", source={"path": program("cleanups")}, breakpoints=[{"line": 9, "column": 17}, {"line": left}])
    c.must("configurationDone")
    for text, function, line in (("error.Low is raised", "kept", 8), ("error.Low is raised", "closed", 15), (None, "kept", 9),
                                 ("error.High is raised", "kept", 9), (None, "kept", 9), ("error.High is raised", "kept", 9),
                                 ("error.High is passed on", "main", line_of("cleanups", "try kept(2)")), (None, "main", left)):
        assert c.event("stopped").get("text") == text, text
        frame = c.top()[0]
        assert (frame["name"], frame["line"]) == (function, line), frame
        c.must("continue", threadId=1)
    assert c.event("stopped")["text"] == "unhandled error reached main: error.High"
    frame = c.top()[0] # both `try` run the same cleanups
    assert frame["line"] == line_of("cleanups", "try kept(2)") and list(c.locals(frame["id"])) == ["first"], frame
    c.must("continue", threadId=1)
    assert c.event("exited")["exitCode"] == 1
    c.finish()


def absorbing():
    """The variable of a handler is not there yet where its error is absorbed. An empty handler is where it begins."""
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
    c = Client(SX)
    c.must("initialize", adapterID="sx")
    c.must("launch", program=program("again"), engine=ENGINE)
    c.must("setExceptionBreakpoints", filters=["absorb"])
    c.must("configurationDone")
    c.event("stopped")
    assert (c.top()[0]["line"], c.top()[0]["column"]) == (line_of("again", "plain(-1) catch { }"), 21), c.top()[0]
    c.finish()
    # Also after several attempts; and each is told once, though the handler begins with a choice among several ways.
    c = Client(SX)
    c.must("initialize", adapterID="sx")
    c.must("launch", program=program("taken"), engine=ENGINE)
    c.must("setExceptionBreakpoints", filters=["raise", "absorb"])
    c.must("configurationDone")
    raised = ("raise error.Bad", ["n"])
    for text, names in (raised, raised, ("first := ", ["n"]), raised, raised, ("second := ", ["n", "first"]), raised, ("if two ==", ["n"]),
                        ("raise error.Late", ["n", "round"]), ("rounds(1)", [])):
        c.event("stopped")
        top = c.top()[0]
        assert (top["line"], list(c.locals(top["id"]))) == (line_of("taken", text), names), (top, c.locals(top["id"]))
        c.must("continue", threadId=1)
    assert c.event("exited")["exitCode"] == 0
    c.finish()


CASES = [carried_traces, assigned, handlers_trace, left_main, null_pointer, panic, faults, error_filters, raising, raised_again, absorbing]
CASES += [cleaned_up] if ENGINE == "vm" else [without_traces]
run_cases(CASES, sys.argv[4:])
