#!/usr/bin/env python3
"""Mutated sessions: each request gets one response, the adapter ends in order, and nothing that it started is left.

usage: fuzz.py SX FOLDER-OF-PROGRAMS ENGINE SEED SESSIONS|SECONDSs
"""

import os
import queue
import random
import sys
import time

from dap import TIMEOUT, Client, Closed, descendants, gone

SX, PROGRAMS, ENGINE, SEED, MUCH = sys.argv[1:6]

TEXTS = ["", "x", "i", "total + n", "xs[", "((((((", "1 / 0", "p.x = 3", "\"", "é\u0000", "error.Bad", "while true {}",
         "names[1]", "f(f(f))", "%s%n", "0x10", "-1", "{", "}{", "null", "sum(3)", "type_of(p)", "#run 3", "return 1"]
NUMBERS = [0, 1, 2, 3, 5, 7, 8, -1, 10, 100, 2**31 - 1, 2**31, 2**53, -(2**63), 1.5]


def session(rng):
    """Requests of a session that makes sense."""
    name = rng.choice(["steps", "errors", "calls", "values", "panics"])
    path = os.path.join(PROGRAMS, name + ".sx")
    lines = [{"line": rng.randrange(1, 40), **rng.choice([{}, {"condition": rng.choice(TEXTS)},
                                                         {"logMessage": "a {" + rng.choice(TEXTS) + "}"},
                                                         {"hitCondition": "> 2"}])} for _ in range(3)]
    yield "initialize", {"adapterID": "sx"}
    yield "setExceptionBreakpoints", {"filters": ["raise", "propagate", "absorb", "unhandled", "panic"]}
    yield "launch", {"program": path, "engine": ENGINE, "stopOnEntry": rng.random() < 0.5}
    yield "setBreakpoints", {"source": {"path": path}, "breakpoints": lines}
    yield "setFunctionBreakpoints", {"breakpoints": [{"name": rng.choice(["main", "sum", "largest", "digit", "x"])}]}
    yield "configurationDone", {}
    for _ in range(rng.randrange(5, 30)):
        frame, reference = rng.randrange(0, 40), rng.randrange(0, 60)
        yield rng.choice([
            ("next", {"threadId": 1}), ("stepIn", {"threadId": 1}), ("stepOut", {"threadId": 1}),
            ("continue", {"threadId": 1}), ("pause", {"threadId": 1}), ("threads", {}),
            ("stackTrace", {"threadId": 1, "levels": rng.choice([0, 1, 20])}), ("scopes", {"frameId": frame}),
            ("variables", {"variablesReference": reference, "count": rng.choice([0, 5])}),
            ("evaluate", {"expression": rng.choice(TEXTS), "frameId": frame, "context": rng.choice(["repl", "watch"])}),
            ("setVariable", {"variablesReference": reference, "name": rng.choice(TEXTS), "value": rng.choice(TEXTS)}),
            ("setExpression", {"expression": rng.choice(TEXTS), "value": rng.choice(TEXTS), "frameId": frame}),
            ("exceptionInfo", {"threadId": 1}), ("sxErrorTrace", {"threadId": 1}),
            ("completions", {"text": rng.choice(TEXTS), "column": rng.choice(NUMBERS[:6]), "frameId": frame}),
            ("readMemory", {"memoryReference": rng.choice(["0x10", "0x400000", "x"]), "count": 64}),
            ("disassemble", {"memoryReference": "0x400000", "instructionCount": 5, "instructionOffset": -2}),
            ("restart", {}), ("terminate", {}), ("stepInTargets", {"frameId": frame}),
            ("gotoTargets", {"source": {"path": path}, "line": rng.randrange(1, 40)}),
            ("goto", {"threadId": 1, "targetId": reference}), ("restartFrame", {"frameId": frame}),
            ("dataBreakpointInfo", {"name": rng.choice(TEXTS), "frameId": frame}),
            ("setDataBreakpoints", {"breakpoints": [{"dataId": rng.choice(["", "slot 1 0 0 1 x", "memory 16 8 1 x"])}]}),
            ("setInstructionBreakpoints", {"breakpoints": [{"instructionReference": "0x400000"}]}),
            ("loadedSources", {}), ("modules", {}), ("cancel", {"requestId": rng.randrange(1, 40)}),
        ])


def mutate(rng, value):
    """Another value in place of one somewhere inside."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(list(value))
        if rng.random() < 0.2:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: mutate(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.8:
        i = rng.randrange(len(value))
        return value[:i] + [mutate(rng, value[i])] * rng.randrange(3) + value[i + 1:]
    return rng.choice([None, True, [], {}, rng.choice(TEXTS), rng.choice(NUMBERS)])


def run(seed):
    rng = random.Random(seed)
    requests = list(session(rng))
    for _ in range(rng.randrange(8)):
        i = rng.randrange(1, len(requests))
        kind = rng.random()
        if kind < 0.5:
            command, arguments = requests[i]
            requests[i] = (command, mutate(rng, arguments))
        elif kind < 0.7:
            requests.insert(i, rng.choice(requests))
        elif kind < 0.85:
            del requests[i]
        else:
            j = rng.randrange(1, len(requests))
            requests[i], requests[j] = requests[j], requests[i]
    c = Client(SX)
    waiting = set()
    answered = set()

    def hear(timeout):
        try:
            m = c.next(timeout)
        except queue.Empty:
            return False
        if m["type"] == "response":
            assert m["request_seq"] in waiting, (seed, "two answers, or one to nothing", m)
            waiting.discard(m["request_seq"])
            answered.add(m["request_seq"])
        return True

    for command, arguments in requests:
        waiting.add(c.send(command, arguments))
        if rng.random() < 0.7:
            end = time.time() + TIMEOUT
            while waiting:
                assert hear(TIMEOUT) and time.time() < end, (seed, "no answer", command, arguments)
            while hear(0.005):
                pass
    waiting.add(c.send("disconnect", {"terminateDebuggee": True}))
    below = descendants(c.process.pid)
    while waiting:
        assert hear(TIMEOUT), (seed, "no answer", waiting)
    status = c.close()
    assert status == 0, (seed, status, c.errors)
    assert gone(below), (seed, "left running", below)


def main():
    begun = time.time()
    seed, count = int(SEED), 0
    while (time.time() - begun < float(MUCH[:-1])) if MUCH.endswith("s") else count < int(MUCH):
        try:
            run(seed + count)
        except (AssertionError, Closed, BrokenPipeError) as e:
            print(f"seed {seed + count}: {type(e).__name__}: {e}")
            sys.exit(1)
        count += 1
    print(f"{count} sessions from seed {seed}, {time.time() - begun:.1f} s")


main()
