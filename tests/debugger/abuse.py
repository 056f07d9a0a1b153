#!/usr/bin/env python3
"""Sessions that no client should hold. After each the adapter has ended in order, and nothing that it started is left.

usage: abuse.py SX FOLDER-OF-PROGRAMS [native]
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

from dap import TIMEOUT, Client, Closed, descendants, gone, session_process

SX, PROGRAMS = sys.argv[1], sys.argv[2]
ENGINE = sys.argv[3] if len(sys.argv) > 3 else "vm"

COMMANDS = ["initialize", "launch", "attach", "configurationDone", "restart", "terminate", "cancel", "sxStdin",
            "setBreakpoints", "setFunctionBreakpoints", "setInstructionBreakpoints", "setExceptionBreakpoints",
            "dataBreakpointInfo", "setDataBreakpoints", "breakpointLocations", "continue", "next", "stepIn", "stepOut",
            "stepBack", "reverseContinue", "stepInTargets", "pause", "gotoTargets", "goto", "restartFrame", "threads",
            "stackTrace", "scopes", "variables", "setVariable", "setExpression", "evaluate", "completions",
            "exceptionInfo", "sxErrorTrace", "readMemory", "writeMemory", "disassemble", "source", "loadedSources",
            "modules"]
ARGUMENTS = ["program", "args", "cwd", "env", "engine", "stopOnEntry", "optLevel", "stdio", "text", "eof", "source",
             "breakpoints", "lines", "filters", "filterOptions", "name", "variablesReference", "frameId", "line",
             "endLine", "threadId", "targetId", "granularity", "startFrame", "levels", "start", "count", "filter",
             "format", "value", "expression", "context", "column", "memoryReference", "offset", "data",
             "instructionCount", "instructionOffset", "sourceReference", "requestId", "terminateDebuggee", "restart",
             "linesStartAt1", "columnsStartAt1", "pathFormat", "startModule", "moduleCount"]
WRONG = [None, True, -1, 1.5, 1e300, 2**63, "", "x", "\ud83d", [], [None], [[]], [{}], {}, {"path": 3}]

# Arguments that the protocol gives a type and the adapter makes nothing of.
UNREAD = [("cancel", {"requestId": 1}, "requestId"), ("cancel", {"progressId": "x"}, "progressId"),
          ("setBreakpoints", {"source": {"path": "x.sx"}, "lines": [1]}, "lines"),
          ("setBreakpoints", {"source": {"path": "x.sx"}, "sourceModified": True}, "sourceModified"),
          ("setExceptionBreakpoints", {"filters": [], "exceptionOptions": [{}]}, "exceptionOptions"),
          ("gotoTargets", {"source": {"path": "x.sx"}, "line": 1, "column": 1}, "column"),
          ("dataBreakpointInfo", {"name": "x", "bytes": 8}, "bytes"),
          ("dataBreakpointInfo", {"name": "x", "asAddress": True}, "asAddress"),
          ("dataBreakpointInfo", {"name": "x", "mode": "x"}, "mode"),
          ("disconnect", {"suspendDebuggee": True}, "suspendDebuggee")]


def program(name):
    return os.path.join(PROGRAMS, name + ".sx")


def launch(client, name, stops=(), **more):
    client.start(program(name), stops, engine=ENGINE, **more)


def alive(client):
    """It still answers: an unknown command gets its refusal."""
    assert not client.ask("areYouThere")["success"]


def before_initialize():
    c = Client(SX)
    for command in COMMANDS[1:]:
        reply = c.ask(command)
        assert command == "cancel" or not reply["success"], reply
    return c


def twice():
    c = Client(SX)
    for command in COMMANDS:
        c.ask(command)
        c.ask(command)
    return c


def wrong_types():
    """Every argument of every request with values of other types, before a launch and while stopped."""
    c = Client(SX)
    c.must("initialize", adapterID="sx")
    for stopped in (False, True):
        if stopped:
            c.must("launch", program=program("steps"), engine=ENGINE, stopOnEntry=True)
            c.ask("configurationDone")
            c.event("stopped")
        for command in COMMANDS:
            if stopped and command in ("continue", "next", "stepIn", "stepOut", "restart", "terminate", "launch",
                                       "configurationDone", "pause", "goto", "restartFrame", "stepBack"):
                continue
            if command in ("launch", "attach") and not stopped:
                for wrong in WRONG:
                    assert not c.ask(command, program=wrong)["success"]
                continue
            for wrong in WRONG:
                c.send(command, {a: wrong for a in ARGUMENTS})
            c.response(c.send(command, dict.fromkeys(ARGUMENTS, [])))
        for command, arguments, name in UNREAD:
            for wrong in ({}, [{}], 1.5, "x" if not isinstance(arguments[name], str) else 3):
                if isinstance(wrong, type(arguments[name])):
                    continue
                reply = c.ask(command, **{**arguments, name: wrong})
                assert not reply["success"], (command, name, wrong, reply)
    alive(c)
    return c


def no_requests():
    """Messages that are no requests, and bodies that are no messages."""
    c = Client(SX)
    for body in (b"", b"{", b"[]", b"3", b"nul", b"\xff\xfe", b"{}", b'{"seq":1}', b'{"type":"event","event":"x"}',
                 b'{"seq":"x","type":"request","command":"threads"}', b'{"seq":1,"type":"request","command":7}',
                 b'{"seq":1,"type":"request","command":"threads","arguments":[]}', b"[" * 100000, b'{"a":' * 50000):
        c.body(body)
    alive(c)
    for value in (b"[" * 5000 + b"]" * 5000, b'{"a":' * 5000 + b"1" + b"}" * 5000):
        c.body(b'{"seq":77,"type":"request","command":"thr\\"eads","arguments":%s,"x":[1,"]"]}' % value)
        reply = c.response(77)
        assert reply["command"] == 'thr"eads' and "nested too deeply" in reply["message"], reply
    return c


def cut_in_half():
    c = Client(SX)
    c.must("initialize", adapterID="sx")
    body = b'{"seq":9,"type":"request","command":"threads"}'
    c.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body[:20]))
    return c


def bad_framing():
    """Each ends the adapter with status 2."""
    for data in (b"Content-Length: x\r\n\r\n", b"Content-Length: -5\r\n\r\n", b"Content-Length: 99999999999\r\n\r\n",
                 b"Hello: there\r\n\r\n", b"GET / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", b"x" * 5000,
                 b"Content-Length: 99999999999999999999999\r\n\r\n"):
        c = Client(SX)
        try:
            c.raw(data)
            c.input.close()
        except BrokenPipeError:
            pass
        assert c.process.wait(TIMEOUT) == 2, (data[:40], c.process.returncode)


def lengths_off_by_one():
    body = b'{"seq":1,"type":"request","command":"threads"}'
    for off in (-1, 1):
        c = Client(SX)
        try:
            c.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body) + off, body) * 3)
        except BrokenPipeError:
            pass
        assert c.close() in (0, 2)


def many_requests():
    c = Client(SX)
    launch(c, "steps", [8])
    c.event("stopped")
    numbers = [c.send(COMMANDS[28 + i % 9], {"threadId": 1, "frameId": 1, "variablesReference": 1, "expression": "1"})
               for i in range(10000)]
    seen = set()
    while len(seen) < len(numbers):
        m = c.next()
        if m["type"] == "response":
            assert m["request_seq"] not in seen
            seen.add(m["request_seq"])
    return c


def cancel_everything():
    c = Client(SX)
    launch(c, "steps", [8])
    c.event("stopped")
    for i in range(200):
        n = c.send("variables", {"variablesReference": i})
        c.send("cancel", {"requestId": n})
        c.send("cancel", {"requestId": n + 1000})
        c.send("cancel", {"progressId": "x"})
    alive(c)
    return c


def stale_ids():
    c = Client(SX)
    launch(c, "steps", [8])
    c.event("stopped")
    frame = c.top()[0]["id"]
    scope = c.must("scopes", frameId=frame)["scopes"][0]["variablesReference"]
    c.must("next", threadId=1)
    c.event("stopped")
    for command, arguments in (("scopes", {"frameId": frame}), ("variables", {"variablesReference": scope}),
                               ("evaluate", {"expression": "1", "frameId": frame}), ("next", {"threadId": 77}),
                               ("stackTrace", {"threadId": 0}), ("setVariable", {"variablesReference": scope, "name": "i",
                                                                                 "value": "1"})):
        reply = c.ask(command, **arguments)
        assert not reply["success"] and reply["message"], reply
    return c


def disconnect_in_every_state():
    c = Client(SX)
    assert c.finish() == 0
    for state in ("initialized", "loaded", "running", "stopped", "ended"):
        c = Client(SX)
        c.must("initialize", adapterID="sx")
        if state != "initialized":
            c.must("launch", program=program("endless" if state == "running" else "steps"), engine=ENGINE,
                   stopOnEntry=state == "stopped")
        if state in ("running", "stopped", "ended"):
            c.must("configurationDone")
        if state == "stopped":
            c.event("stopped")
        if state == "ended":
            c.event("terminated")
        check_end(c, state)


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
            return f.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def killed_from_outside():
    """While it runs, and while it stands still: then what goes on is answered at once."""
    for stops in (False, True):
        c = Client(SX)
        launch(c, "endless", stopOnEntry=stops)
        pid = c.event("process")["systemProcessId"]
        if stops:
            c.event("stopped")
        os.kill(pid, signal.SIGKILL)
        while is_alive(pid): # the system takes a moment; what is to go on within it lldb waits for
            time.sleep(0.01)
        begun = time.time()
        if stops:
            c.ask("continue", threadId=1)
        assert time.time() - begun < 4.5, time.time() - begun
        assert c.event("exited")["exitCode"] == 128 + signal.SIGKILL
        c.event("terminated")
        check_end(c, "killed_from_outside")


def ended_before_it_begins():
    c = Client(SX)
    c.must("initialize", adapterID="sx")
    assert not c.ask("terminate")["success"]
    c.must("launch", program=program("steps"), engine=ENGINE)
    assert c.must("threads")["threads"] == []
    assert "has not begun" in c.ask("stackTrace", threadId=1)["message"]
    begun = time.time()
    c.must("terminate")
    c.must("configurationDone")
    assert time.time() - begun < 4.5, time.time() - begun
    assert c.event("exited")["exitCode"] == 128 + signal.SIGKILL
    c.event("terminated")
    assert c.ask("terminate")["message"] == "the program has ended"
    assert not any(e["event"] == "process" for e in c.events), c.events
    return c


WAITS = """#import "modules/std.sx";
sleep :: (n: u32) -> u32 extern;
access :: (path: *u8, mode: i32) -> i32 extern;
creat :: (path: *u8, mode: u32) -> i32 extern;
wait :: () -> i64 {{
    if access("{0}".ptr, 0) == 0 {{ sleep(600); }}
    creat("{0}".ptr, 0o600);
    1
}}
K :: #run wait();
main :: () {{ print("{{}}\\n", K); }}
"""


def ends_a_start():
    """Code that runs while compiling waits in C, where nobody can stop it: what needs no program is answered, and the
    client ends the start, or the session. `first`: the compilation that waits is the session's, not the build's."""
    with tempfile.TemporaryDirectory() as folder:
        source, mark = os.path.join(folder, "waits.sx"), os.path.join(folder, "mark")
        with open(source, "w", encoding="utf-8") as f:
            f.write(WAITS.format(mark))

        def starting(first=True, **more):
            if first:
                open(mark, "w", encoding="utf-8").close()
            elif os.path.exists(mark):
                os.remove(mark)
            c = Client(SX)
            c.must("initialize", adapterID="sx")
            number = c.send("launch", {"program": source, "engine": ENGINE, **more})
            while not os.path.exists(mark):
                time.sleep(0.02)
            time.sleep(0.5)
            return c, number

        c, number = starting()
        lines = c.send("setBreakpoints", {"source": {"path": source}, "breakpoints": [{"line": 1}]})
        assert c.must("threads")["threads"] == []
        assert c.ask("continue", threadId=1)["message"] == "the program is being started"
        again = c.send("restart", {})
        ended = c.send("cancel", {"requestId": number})
        assert c.response(number)["message"] == "cancelled"
        assert c.response(lines)["body"]["breakpoints"][0]["message"] == "pending"
        assert "nothing to restart" in c.response(again)["message"]
        assert c.response(ended)["success"]
        c.must("launch", program=program("steps"), engine=ENGINE, stopOnEntry=True) # the other thread still waits
        c.must("configurationDone")
        c.event("stopped")
        assert c.top()[0]["name"] == "main"
        check_end(c, "cancelled")
        for first, more in ([(True, {})] + ([(False, {}), (False, {"inMemory": True})] if ENGINE == "native" else [])):
            for command in ("terminate", "disconnect", ""):
                c, number = starting(first, **more)
                below, begun = descendants(c.process.pid), time.time()
                if command:
                    c.send("setBreakpoints", {"source": {"path": source}, "breakpoints": []})
                    ended = c.send(command)
                    assert c.response(number)["message"] == "cancelled"
                    assert c.response(ended)["success"], command
                assert c.close() == 0
                assert time.time() - begun < 20, (command, first, more, time.time() - begun)
                assert gone(below), (command, first, more)


def restarts_what_does_not_compile_in_time():
    """A restart that is cancelled while it compiles leaves the program as it is."""
    with tempfile.TemporaryDirectory() as folder:
        source, mark = os.path.join(folder, "waits.sx"), os.path.join(folder, "mark")
        with open(source, "w", encoding="utf-8") as f:
            f.write('#import "modules/std.sx";\nmain :: () {\n    print("hello\\n");\n}\n')
        c = Client(SX)
        c.start(source, [3], engine=ENGINE)
        c.event("stopped")
        with open(source, "w", encoding="utf-8") as f:
            f.write(WAITS.format(mark))
        open(mark, "w", encoding="utf-8").close()
        number = c.send("restart", {})
        time.sleep(0.5)
        assert c.must("threads")["threads"]
        c.must("cancel", requestId=number)
        assert c.top()[0]["line"] == 3
        c.must("continue", threadId=1)
        assert c.event("exited")["exitCode"] == 0
        return c


def client_does_not_answer():
    """What it is asked: meanwhile it is answered, and may end the session. What it starts too late ends."""
    c = Client(SX)
    c.answer = lambda request: None
    c.must("initialize", adapterID="sx", supportsRunInTerminalRequest=True)

    def asked():
        number = c.send("launch", {"program": program("steps"), "engine": ENGINE, "console": "integratedTerminal"})
        while (request := c.next())["type"] != "request":
            pass
        return number, request

    number, request = asked()
    c.must("cancel", requestId=number)
    late = subprocess.run(request["arguments"]["args"], stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT,
                          cwd=request["arguments"]["cwd"], check=False)
    assert late.returncode == 1 and b"two" not in late.stdout, late
    number, request = asked()
    time.sleep(0.3)
    begun = time.time()
    c.must("threads")
    ended = c.send("disconnect")
    assert c.response(number)["message"] == "cancelled" and c.response(ended)["success"]
    assert c.close() == 0 and time.time() - begun < 20, time.time() - begun


def client_reads_late():
    reader = subprocess.Popen([SX, "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    body = b'{"seq":1,"type":"request","command":"%s"}'
    for command in [b"nothing" * 20] * 2000 + [b"disconnect"]:
        reader.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body % command), body % command))
    reader.stdin.close()
    time.sleep(2)
    assert reader.stdout.read().count(b'"type":"response"') == 2001 and reader.wait(TIMEOUT) == 0


def detaches_all_of_it():
    """What the program has started lives on with it, also what has left it."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "leaves.sx")
        with open(source, "w", encoding="utf-8") as f:
            f.write(LEAVES)
        for _ in range(3): # a daemon may begin in the same tick of the clock as its program
            c = Client(SX)
            c.start(source, engine=ENGINE)
            while "away" not in c.output_text("stdout"):
                c.next()
            pids = [c.event("process")["systemProcessId"], int(c.output_text("stdout").split()[0])]
            c.must("disconnect", terminateDebuggee=False)
            assert c.close() == 0
            time.sleep(0.2)
            left = [pid for pid in pids if not gone([pid], 0)]
            for pid in left:
                os.kill(pid, signal.SIGKILL)
            assert left == pids, (left, pids)


def detaches_before_it_begins():
    """A program that has not begun when it is let go of runs to its end, also one that was to stop at its entry."""
    with tempfile.TemporaryDirectory() as folder:
        source, mark = os.path.join(folder, "marks.sx"), os.path.join(folder, "mark")
        with open(source, "w", encoding="utf-8") as f:
            f.write('creat :: (path: *u8, mode: u32) -> i32 extern;\n'
                    'main :: () {\n    creat("%s".ptr, 0o600);\n}\n' % mark)
        for begins in (False, True):
            c = Client(SX)
            c.must("initialize", adapterID="sx")
            c.must("launch", program=source, engine=ENGINE, stopOnEntry=True)
            c.must("setBreakpoints", source={"path": source}, breakpoints=[{"line": 3}])
            below = descendants(c.process.pid)
            if begins:
                c.send("configurationDone")
            c.must("disconnect", terminateDebuggee=False)
            assert c.close() == 0
            assert gone(below), begins
            os.remove(mark)


LEAVES = """#import "modules/std.sx";
fork :: () -> i32 extern;
setsid :: () -> i32 extern;
getpid :: () -> i32 extern;
sleep :: (n: u32) -> u32 extern;
exit :: (n: i32) extern "_exit";
main :: () {
    if fork() == 0 {
        setsid();
        if fork() == 0 {
            print("{} away\\n", getpid());
            sleep(60);
        }
        exit(0);
    }
    sleep(60);
}
"""


def stopped_from_outside():
    """A stop signal is passed over: the program answers, and ends."""
    c = Client(SX)
    launch(c, "endless")
    while "ready" not in c.output_text("stdout"):
        c.next()
    pid = c.event("process")["systemProcessId"]
    os.kill(pid, signal.SIGSTOP)
    c.must("threads")
    c.must("pause", threadId=1)
    c.event("stopped")
    os.kill(pid, signal.SIGSTOP)
    assert c.must("stackTrace", threadId=1)["stackFrames"]
    os.kill(pid, signal.SIGSTOP)
    return c


def exits_in_a_step():
    c = Client(SX)
    launch(c, "exits", [6])
    c.event("stopped")
    c.must("next", threadId=1)
    assert c.event("exited")["exitCode"] == 7
    return c


def forks():
    """A copy of its process that the program makes runs as if there were no debugger."""
    with open(program("forks"), encoding="utf-8") as f:
        source = f.read().splitlines()
    for args, at, stops in (([], [], []), (["panics"], [], []), ([], ["if n %", "child {}"], [("breakpoint", "continue")]),
                            ([], ["fork()", "if n %"], [("breakpoint", "next"), ("step", "continue"), ("breakpoint", "continue")]),
                            ([], ["fork()"], [("breakpoint", "stepIn"), ("step", "continue")])):
        c = Client(SX)
        c.must("initialize")
        c.must("setExceptionBreakpoints", filters=["raise", "panic", "unhandled"])
        c.must("launch", program=program("forks"), engine=ENGINE, args=args)
        lines = [n for n, line in enumerate(source, 1) if any(text in line for text in at)]
        c.must("setBreakpoints", source={"path": program("forks")}, breakpoints=[{"line": n} for n in lines])
        c.must("configurationDone")
        for reason, goes_on in stops:
            assert c.event("stopped")["reason"] == reason, (at, reason)
            c.must(goes_on, threadId=1)
        assert c.event("exited")["exitCode"] == 0
        told = c.output_text("stdout")
        assert told == ("0 6 3\n" if args else "child 5\n3 0 3\n"), (args, at, told)
        check_end(c, "forks")


def writes_a_lot():
    c = Client(SX)
    launch(c, "writes")
    total = 0
    while True:
        m = c.next()
        if m["type"] == "event" and m["event"] == "output":
            total += len(m["body"]["output"])
            c.events.clear()
        if m["type"] == "event" and m["event"] == "exited":
            break
    assert total == 64 << 20, total
    return c


def invalid_text():
    c = Client(SX)
    launch(c, "bytes")
    c.event("exited")
    assert c.output_text("stdout") == "a\\xff\\xfeé\\xc3\n", c.output_text("stdout")
    return c


def closes_its_output():
    c = Client(SX)
    launch(c, "closes")
    assert c.event("exited")["exitCode"] == 0
    return c


def ignores_sigterm():
    c = Client(SX)
    launch(c, "stubborn")
    while "ready" not in c.output_text("stdout"):
        c.next()
    c.must("terminate")
    alive(c)
    time.sleep(0.2)
    c.must("terminate")
    assert c.event("exited")["exitCode"] == 128 + signal.SIGKILL
    return c


def client_vanishes():
    c = Client(SX)
    launch(c, "endless")
    below = descendants(c.process.pid)
    assert below
    c.process.kill()
    assert gone(below), below
    c = Client(SX)
    launch(c, "endless")
    below = descendants(c.process.pid)
    c.input.close()
    c.process.wait(TIMEOUT)
    assert gone(below), below


def crashes():
    """What brings the adapter's own process down is told, and all that is open is answered: in any state of a session."""
    def crash(c, number=signal.SIGSEGV):
        os.kill(session_process(c.process.pid), number)

    c = Client(SX)
    crash(c) # before it has begun
    c.must("initialize", adapterID="sx")
    crash(c, signal.SIGFPE) # half of a request has come
    body = b'{"seq":900,"type":"request","command":"threads"}'
    c.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body[:20]))
    time.sleep(0.2)
    crash(c, signal.SIGBUS)
    assert "the debugger itself has crashed (SIGFPE)" in c.event("output")["output"]
    assert "the debugger itself has crashed (SIGBUS)" in c.event("output")["output"]
    c.raw(body[20:])
    assert c.response(900)["success"]
    c.must("launch", program=program("endless"), engine=ENGINE) # a program can be debugged all the same
    c.must("configurationDone")
    c.event("process")
    crash(c, signal.SIGILL)
    assert c.event("exited")["exitCode"] == 128 + signal.SIGKILL
    c.event("terminated")
    check_end(c, "crashes")

    c = Client(SX)
    launch(c, "endless", stopOnEntry=True)
    c.event("stopped")
    below = descendants(c.process.pid)
    frame = c.must("stackTrace", threadId=1)["stackFrames"][0]["id"]
    open_ones = [c.send("evaluate", {"expression": "{ n := 0; while true { n += 1; } n }", "frameId": frame, "context": "repl"}),
                 c.send("threads", {})]
    time.sleep(0.2)
    crash(c, signal.SIGABRT)
    for one in open_ones:
        answer = c.response(one)
        assert not answer["success"], answer
        assert answer["message"] == "the debugger itself has crashed at the request `evaluate` (SIGABRT): this session of the program is over", answer
    c.event("terminated")
    assert c.ask("continue", threadId=1)["message"] == "the program has ended"
    return c


def over_tcp():
    said = subprocess.run([SX, "dap", "--log", "/no/such/folder/x"], capture_output=True, text=True, timeout=TIMEOUT)
    assert said.returncode == 1 and "cannot write `/no/such/folder/x`" in said.stderr, said
    server = subprocess.Popen([SX, "dap", "--listen", "0"], stdout=subprocess.PIPE, text=True)
    line = server.stdout.readline()
    assert line.startswith("listening on 127.0.0.1:"), line
    port = int(line.rpartition(":")[2])
    sessions = [Client(SX, socket=socket.create_connection(("127.0.0.1", port))) for _ in range(3)]
    for s in sessions:
        launch(s, "endless")
    below = descendants(server.pid)
    web = socket.create_connection(("127.0.0.1", port))
    web.sendall(b"POST /x HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}")
    web.settimeout(TIMEOUT)
    assert web.recv(1000) == b""
    sessions[0].socket.shutdown(socket.SHUT_RDWR)
    alive(sessions[1])
    server.kill()
    server.wait(TIMEOUT)
    assert gone(below), below
    refused = subprocess.run([SX, "dap", "--listen", "0.0.0.0:0"], capture_output=True, text=True, timeout=TIMEOUT)
    assert refused.returncode == 1 and "--allow-remote" in refused.stderr, refused


def page(port, query, origin="http://localhost:8080"):
    """A web page that connects. Its socket, and the head of the answer."""
    s = socket.create_connection(("127.0.0.1", port))
    s.settimeout(TIMEOUT)
    s.sendall((f"GET /{query} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
               f"Origin: {origin}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").encode())
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += s.recv(1)
    return s, head.decode()


def page_frame(payload, opcode=1, last=True):
    mask, size = b"\1\2\3\4", len(payload)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return bytes([(0x80 if last else 0) | opcode]) + length + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload))


def over_websocket():
    assert subprocess.run([SX, "dap", "--websocket"], capture_output=True, timeout=TIMEOUT).returncode == 2
    server = subprocess.Popen([SX, "dap", "--listen", "0", "--websocket"], stdout=subprocess.PIPE, text=True)
    port = int(server.stdout.readline().rpartition(":")[2])
    word, token = server.stdout.readline().split()
    assert word == "token" and len(token) == 32, (word, token)
    for query, origin, status in (("", "http://localhost", "403"), ("?token=" + "0" * 32, "http://localhost", "403"),
                                  ("?token=" + token, "http://localhost.example.org", "403"),
                                  ("?token=" + token, "null", "403")):
        assert page(port, query, origin)[1].startswith("HTTP/1.1 " + status), (query, origin)
    for framed in (False, True):
        s, head = page(port, "?x=1&token=" + token)
        assert head.startswith("HTTP/1.1 101") and "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in head, head
        body = b'{"seq":1,"type":"request","command":"initialize","arguments":{}}'
        message = b"Content-Length: %d\r\n\r\n%s" % (len(body), body) if framed else body
        s.sendall(page_frame(message[:20], last=False) + page_frame(b"?", opcode=9) + page_frame(message[20:], opcode=0))
        stream = s.makefile("rb")

        def receive():
            opcode, size = stream.read(1)[0] & 15, stream.read(1)[0]
            wide = {126: 2, 127: 8}.get(size, 0)
            return opcode, stream.read(int.from_bytes(stream.read(wide), "big") if wide else size)

        assert receive() == (10, b"?")
        opcode, payload = receive()
        assert opcode == 1 and payload.startswith(b"Content-Length" if framed else b"{")
        assert b'"initialized"' in receive()[1]
        s.sendall(page_frame(message.replace(b"initialize", b"disconnect")))
        assert b'"success":true' in receive()[1]
        assert receive()[0] == 8 and stream.read() == b""
    for wrong in (b"\x81\x05hello", page_frame(b"{}", opcode=5), page_frame(b"", opcode=11), page_frame(b"{}", opcode=0),
                  page_frame(b"", opcode=9, last=False), page_frame(b"{", last=False) + page_frame(b"}")):
        s, _ = page(port, "?token=" + token)
        s.sendall(wrong) # the first is not masked
        assert s.makefile("rb").read() == b"\x88\x02\x03\xea", wrong
    plain = Client(SX, socket=socket.create_connection(("127.0.0.1", port)))
    launch(plain, "endless")
    below = descendants(server.pid)
    server.kill()
    server.wait(TIMEOUT)
    assert gone(below), below


def check_end(client, name):
    below = descendants(client.process.pid)
    try:
        client.send("disconnect")
    except BrokenPipeError:
        raise AssertionError(f"{name}: the adapter is gone: {client.errors}") from None
    status = client.close()
    assert status == 0, (name, status, client.errors)
    assert gone(below), (name, below)


def main():
    for case in (before_initialize, twice, wrong_types, no_requests, cut_in_half, bad_framing, lengths_off_by_one,
                 many_requests, cancel_everything, stale_ids, disconnect_in_every_state, killed_from_outside,
                 crashes, ended_before_it_begins, ends_a_start, restarts_what_does_not_compile_in_time, client_does_not_answer,
                 client_reads_late, detaches_all_of_it, detaches_before_it_begins, stopped_from_outside, exits_in_a_step,
                 forks, writes_a_lot, invalid_text, closes_its_output, ignores_sigterm, client_vanishes, over_tcp,
                 over_websocket):
        begun = time.time()
        client = case()
        if client:
            check_end(client, case.__name__)
        print(f"{case.__name__}: {time.time() - begun:.2f} s", flush=True)


main()
