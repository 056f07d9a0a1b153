#!/usr/bin/env python3
"""How a session begins, and what its requests answer, the same with every engine.

usage: features.py SX FOLDER-OF-PROGRAMS ENGINE [CASE…]
"""

import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

from dap import Client, descendants, gone, run_cases, session_process
from sessions import SX, ENGINE, program, line_of, stop_at, value, go_on, exits


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
        # Of several folders that lead to the same one the longest name counts.
        outer = {os.path.join(folder, str(n)): new for n in range(8)}
        c.must("launch", program=built, engine=ENGINE, sourceMap={**outer, old: new, folder: new, old[:-1]: "/part"})
        answer = c.must("setBreakpoints", source={"path": os.path.join(new, "steps.sx")}, breakpoints=[{"line": 8}])["breakpoints"]
        assert answer[0]["verified"] and answer[0]["source"]["path"] == os.path.join(new, "steps.sx"), answer
        c.must("configurationDone")
        c.event("stopped")
        for frame, line in zip(c.top(), (8, line_of("steps", "sum(3)"))):
            assert frame["source"]["path"] == os.path.join(new, "steps.sx") and frame["line"] == line, frame
        frame = c.top()[0]
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
    c = Client(SX)
    c.must("initialize", supportsProgressReporting=True)
    c.must("launch", program=program("endless"), engine=ENGINE, stopOnEntry=True)
    c.must("configurationDone")
    c.event("stopped")
    evaluation = c.send("evaluate", {"expression": "(() -> i64 { k := 0; while true { k += 1; } k })()", "frameId": c.top()[0]["id"]})
    c.send("cancel", {"progressId": c.event("progressStart")["progressId"]})
    assert c.response(evaluation)["message"] == "cancelled"
    c.event("progressEnd")
    c.finish()


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
    assert c.must("readMemory", memoryReference="0x10", count="0x8")["unreadableBytes"] == 8
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
    c.start(program("endless"), engine=ENGINE, console="integratedTerminal")
    assert c.terminal.stdout.readline() == "ready\n"
    c.terminal.send_signal(signal.SIGQUIT)
    assert c.event("stopped")["description"] == "SIGQUIT"
    c.must("continue", threadId=1)
    assert c.event("exited")["exitCode"] == 128 + signal.SIGQUIT
    c.finish()
    c.terminal.wait(60)
    for lives_on in (False, True): # a program that handles what is typed, also when the adapter has let go of it
        c = Client(SX)
        c.start(program("handled"), [line_of("handled", "// stands")], engine=ENGINE, console="integratedTerminal")
        c.event("stopped")
        c.must("disconnect", terminateDebuggee=False) if lives_on else c.must("continue", threadId=1)
        while c.terminal.poll() is None:
            c.terminal.send_signal(signal.SIGINT)
            time.sleep(0.02)
        said = c.terminal.stdout.read().split()
        assert said[:2] == ["0", "3"] and int(said[2]) >= 3, said
        if not lives_on:
            assert c.event("exited")["exitCode"] == 0
            c.finish()
    for number in (signal.SIGKILL, signal.SIGSEGV): # of the first nothing tells but the system
        c = Client(SX)
        c.start(program("endless"), engine=ENGINE, console="integratedTerminal")
        assert c.terminal.stdout.readline() == "ready\n"
        process = c.event("process")["systemProcessId"]
        assert process > 1 and (process == c.terminal.pid) == (ENGINE == "vm"), process
        os.kill(process, number)
        if number != signal.SIGKILL:
            assert c.event("stopped")["description"] == "SIGSEGV"
            c.must("continue", threadId=1)
        assert c.event("exited")["exitCode"] == 128 + number
        c.finish()
        c.terminal.wait(60)
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
        for number in (signal.SIGTERM, signal.SIGKILL): # so it is by an adapter that is ended, with no breakpoint left
            c = Client(SX)
            c.must("initialize")
            c.must("attach", pid=running.pid)
            c.must("setBreakpoints", source={"path": program("endless")}, breakpoints=[{"line": line_of("endless", "turns += 1")}])
            c.must("configurationDone")
            assert c.event("stopped")["reason"] == "breakpoint"
            below = descendants(c.process.pid)
            c.process.send_signal(number)
            assert gone(below), below
            time.sleep(0.1)
            assert running.poll() is None, running.returncode
        c = Client(SX) # nor by a crash
        c.must("initialize")
        c.must("attach", pid=running.pid)
        c.must("setBreakpoints", source={"path": program("endless")}, breakpoints=[{"line": line_of("endless", "turns += 1")}])
        c.must("configurationDone")
        c.event("stopped")
        os.kill(session_process(c.process.pid), signal.SIGSEGV)
        c.event("terminated")
        time.sleep(0.1)
        assert running.poll() is None, running.returncode
        c.must("attach", pid=running.pid) # again, on the way to the end
        c.finish()
        assert running.poll() is None, running.returncode
        running.kill()
        running.wait()

        c = Client(SX)
        c.must("initialize")
        for wrong, message in (({}, "needs `pid`"), ({"pid": 999999999}, "there is no process"), ({"pid": os.getpid()}, "has started"),
                               ({"pid": session_process(c.process.pid)}, "is this debugger"),
                               ({"pid": max(map(int, os.listdir("/proc/self/task")))}, "is a thread of process"),
                               ({"core": "/none", "program": "/none"}, "there is no core file `/none`"),
                               ({"pid": 0}, "the number of a process"), ({"pid": -1}, "the number of a process")):
            reply = c.ask("attach", **wrong)
            assert not reply["success"] and message in reply["message"], (wrong, reply)
        reply = c.ask("launch", program="")
        assert not reply["success"] and reply["message"] == "`program` has to be the name of a file: it is empty", reply
        c.finish()

        # One that is damaged is refused: with symbols beyond the end of the file, and of the size 0.
        with open(os.path.join(folder, "endless"), "rb") as f:
            good = f.read()
        sections, = struct.unpack_from("<Q", good, 40)
        symbols = next(at for at in range(sections, len(good), 64) if struct.unpack_from("<I", good, at + 4)[0] == 2)
        for at, wrong in ((symbols + 32, 1 << 60), (symbols + 56, 0), (40, len(good))):
            with open(os.path.join(folder, "damaged"), "wb") as f:
                f.write(good[:at] + struct.pack("<Q", wrong) + good[at + 8:])
            os.chmod(os.path.join(folder, "damaged"), 0o755)
            c = Client(SX)
            c.must("initialize")
            reply = c.ask("launch", program=os.path.join(folder, "damaged"), engine=ENGINE)
            assert not reply["success"] and "crashed" not in reply["message"], reply
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
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "errors.sx")
        with open(program("errors"), encoding="utf-8") as f, open(path, "w", encoding="utf-8") as to:
            to.write(f.read() + 'unused :: #import "modules/std/atomic.sx";\n') # the compiler warns of it
        in_memory_of(path)


def in_memory_of(path):
    c = Client(SX)
    c.must("initialize")
    line = line_of("errors", "raise error.BadDigit")
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
    assert c.output_text("stderr") == "", c.output_text("stderr")
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
        c = Client(SX) # a step does not go into it
        c.start(stops=[6], engine=ENGINE, **launch)
        c.event("stopped")
        c.must("stepIn", threadId=1)
        assert c.event("stopped")["reason"] == "step" and [f["line"] for f in c.top()] == [7], c.top()
        exits(c)
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
                    'test_a :: () {\n    n := 4;\n    print("{}\\n", n);\n}\nfailing :: () -> ! {\n    raise error.Bad;\n}\n'
                    'test_b :: () -> ! {\n    n := 4;\n    return failing();\n}\n')
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
        frames = c.top()
        assert [f["name"] for f in frames][::2] == ["test_b", "failing"], frames # the second one is of the trace
        assert frames[0]["line"] == 14 and list(c.locals(frames[0]["id"])) == ["n"], frames
        assert c.must("exceptionInfo", threadId=1)["exceptionId"] == "error.Bad"
        exits(c, 1)
        c = Client(SX)
        c.must("initialize")
        assert not c.ask("launch", program=path, engine=ENGINE, test="test_c")["success"]
        c.finish()


CASES = [told_changes, in_c_code, libraries_of_c, loaded_by_program, library_sources, one_test, small_answers, memory, many_variables,
         moved_sources, in_a_terminal]
CASES += [progress, connecting] if ENGINE == "vm" else [executables, in_memory]
run_cases(CASES, sys.argv[4:])
