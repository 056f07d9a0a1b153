#!/usr/bin/env python3
"""The machine's own view of a program: code, symbols, raw frames, watches, what has run; with every engine.

usage: machine.py SX FOLDER-OF-PROGRAMS ENGINE
"""

import base64
import os
import struct
import sys
import time

from dap import Client, run_cases

SX, PROGRAMS, ENGINE = sys.argv[1:4]
PROGRAM = os.path.join(PROGRAMS, "calls.sx")


def line_of(text):
    with open(PROGRAM, encoding="utf-8") as f:
        return next(i for i, line in enumerate(f, 1) if text in line)


def stop_at(*texts):
    c = Client(SX)
    c.start(PROGRAM, [line_of(t) for t in texts], engine=ENGINE)
    c.event("stopped")
    return c


def refused(c, command, message, **arguments):
    reply = c.ask(command, **arguments)
    assert not reply["success"] and message in reply["message"], (command, arguments, reply)


def negotiation():
    c = Client(SX)
    refused(c, "session.open", "initialize")
    c.must("initialize")
    c.must("launch", program=PROGRAM, engine=ENGINE)
    asked = ["watch", "trace", "trace", "colours", "stack", "trace_step"]
    for mode, size, wanted in (("minimal", 7, 1), ("development", 7, 100), ("full", 7, 100), ("full", 700, 700),
                               ("full", 10**9, 10000)):
        body = c.must("session.open", capabilities={"features": asked, "trace_buffer_size": size, "trace_mode": mode})
        got = body["capabilities"]
        assert body["status"] == "ok" and got["trace_mode"] == mode and got["trace_buffer_size"] == wanted, body
        assert got["trace_variant"] == ENGINE, body
        assert got["features"] == ["watch", "trace", "stack"] + (["trace_step"] if ENGINE == "vm" else []), body
        assert ("slide" in body) == (ENGINE == "native"), body
    refused(c, "session.open", "trace_mode", capabilities={"trace_mode": "huge"})
    refused(c, "session.open", "features", capabilities={"features": 7})
    refused(c, "session.open", "version", version=2)
    refused(c, "watch.list", "session", session=body["session"] + 1)
    refused(c, "watch.list", "pid", pid=1)
    c.must("watch.list", session=body["session"], version=1)
    c.finish()


def code():
    c = stop_at("best := xs[0]")
    pc = c.must("stack.info", max_frames=1)["frames"][0]["pc"]
    for count in (1, 2, 10, 11):
        body = c.must("disasm.read", count=count, mode="around_pc")
        rows = body["instructions"]
        assert body["has_symbols"] and len(rows) == count and pc in [r["pc"] for r in rows], (count, rows)
        assert [r["pc"] for r in rows] == sorted(r["pc"] for r in rows)
        assert isinstance(rows[0]["word"], int if ENGINE == "vm" else str), rows[0]
    assert c.must("disasm.read", count=0, mode="around_pc") == {"instructions": [], "has_symbols": True, "status": "ok"}
    here = next(r for r in rows if r["pc"] == pc)
    assert here["symbol"].startswith("largest(") and here["file"] == PROGRAM and here["line"] == line_of("best := xs[0]"), here
    again = c.must("disasm.read", addr=hex(pc), count=3, mode="from_addr")["instructions"]
    assert again[0] == here and len(again) == 3, (again, here)
    refused(c, "disasm.read", "addr", count=3, mode="from_addr")
    refused(c, "disasm.read", "no code", count=3, mode="from_addr", addr=16)
    refused(c, "disasm.read", "no code", count=3, mode="from_addr", addr=c.must("stack.info")["frames"][0]["sp"])
    refused(c, "disasm.read", "mode", count=3, mode="sideways")
    refused(c, "disasm.read", "count", mode="around_pc")
    c.finish()


def symbols():
    c = stop_at("c.add(4)")
    body = c.must("symbols.list", type="function", filter="fact")
    assert body["total"] == 1 and body["symbols"][0]["name"] == "fact", body
    fact = body["symbols"][0]
    assert fact["line"] == line_of("fact ::") and fact["file"] == PROGRAM and fact["size"] > 0 and fact["type"] == "function", fact
    assert c.must("disasm.read", addr=fact["address"], count=1, mode="from_addr")["instructions"][0]["symbol"] == "fact"
    every = c.must("symbols.list", type="all")
    assert every["total"] == len(every["symbols"]) > 5
    page = c.must("symbols.list", type="all", start=2, count=3)
    assert page["symbols"] == every["symbols"][2:5] and page["total"] == every["total"], page
    assert c.must("symbols.list", type="variable", filter="no such name")["symbols"] == []
    refused(c, "symbols.list", "type", type="label")
    refused(c, "symbols.list", "type")
    c.must("setBreakpoints", source={"path": PROGRAM}, breakpoints=[{"line": line_of("return 1")}])
    c.must("continue", threadId=1)
    c.event("stopped")
    pc = c.must("stack.info")["frames"][0]["pc"]
    assert fact["address"] <= pc < fact["address"] + fact["size"], (fact, pc)
    c.finish()


def stacks():
    c = stop_at("return 1")
    for _ in range(2):  # the line is that of the condition, too
        c.must("continue", threadId=1)
        c.event("stopped")
    body = c.must("stack.info")
    frames = body["frames"]
    assert [f["depth"] for f in frames] == list(range(len(frames))) and "stopped_at" not in body, body
    assert [f["symbol"] for f in frames] == ["fact"] * 3 + ["main"], frames
    assert frames[0]["line"] == line_of("return 1") and frames[1]["line"] == line_of("n * fact(") and frames[0]["file"] == PROGRAM, frames
    assert len({f["fp"] for f in frames}) == 4 and all(f["pc"] and f["sp"] for f in frames), frames
    assert c.must("stack.info", max_frames=2)["frames"] == frames[:2]
    assert c.must("stack.info", max_frames=0)["frames"] == []
    # A frame that the program has written over: its header, its return address.
    at = frames[1]["fp"] + (8 if ENGINE == "native" else -16)
    kept = c.must("readMemory", memoryReference=hex(at), count=8)["data"]
    c.must("writeMemory", memoryReference=hex(at), data="EREREREREQA=")
    body = c.must("stack.info")
    assert body["stopped_at"] == len(body["frames"]) == 2 and "damaged" in body["reason"], body
    assert body["frames"] == frames[:2], body
    assert len(c.must("stackTrace", threadId=1, levels=20)["stackFrames"]) == 2
    c.top()
    if ENGINE == "vm":  # nothing runs over it, until it is right again
        for command in ("next", "continue", "stepOut"):
            refused(c, command, "cannot go on: a frame was written over", threadId=1)
        c.must("writeMemory", memoryReference=hex(at), data=kept)
        assert c.must("stack.info")["frames"] == frames
        c.must("next", threadId=1)
        c.event("stopped")
    if ENGINE == "native":  # the return address is right again, and the frame pointer is not
        whole = struct.pack("<Q", frames[2]["pc"])
        c.must("writeMemory", memoryReference=hex(at), data=base64.b64encode(whole).decode())
        assert c.must("stack.info")["frames"] == frames
        c.must("writeMemory", memoryReference=hex(frames[1]["fp"]), data="EREREREREQA=")
        body = c.must("stack.info")
        assert body["stopped_at"] == len(body["frames"]) == 2 and "frame pointer" in body["reason"], body
    c.finish()


def watches():
    c = stop_at("c.add(4)")
    watch = c.must("watch.add", expr="c.total")
    assert (watch["expr"], watch["size"], watch["type"], watch["value"], watch["formatted"]) == ("c.total", 8, "i64", 1, "1"), watch
    by_address = c.must("watch.add", expr=hex(watch["addr"]))
    assert (by_address["type"], by_address["size"], by_address["value"]) == ("u64", 8, 1), by_address
    whole = c.must("watch.add", expr="c")
    assert whole["value"] == "0100000000000000" and whole["formatted"] == "{total: 1}", whole
    refused(c, "watch.add", "unknown name", expr="k")  # declared further down
    refused(c, "watch.add", "nothing", expr="nothing")
    refused(c, "watch.add", "cannot be read", expr="0x10")
    refused(c, "watch.add", "expr")
    refused(c, "watch.add", "", expr="1 + 1")
    c.must("next", threadId=1)
    c.event("stopped")
    told = [c.event("watch_update") for _ in range(3)]
    assert [t["watch_id"] for t in told] == [watch["watch_id"], by_address["watch_id"], whole["watch_id"]], told
    assert (told[0]["expr"], told[0]["old_value"], told[0]["new_value"], told[0]["formatted"]) == ("c.total", 1, 5, "5"), told
    assert told[2]["formatted"] == "{total: 5}" and abs(told[0]["ts"] - time.time()) < 60 and told[0]["pid"] > 0, told
    ids = [w["watch_id"] for w in c.must("watch.list")["watches"]]
    assert ids == [w["watch_id"] for w in (watch, by_address, whole)], ids
    c.must("watch.remove", watch_id=whole["watch_id"])
    refused(c, "watch.remove", "there is no watch", watch_id=whole["watch_id"])
    assert len(c.must("watch.list")["watches"]) == len(ids) - 1
    c.must("next", threadId=1)
    c.event("stopped")
    c.must("threads")
    assert not [e for e in c.events if e["event"] == "watch_update"], c.events
    c.finish()
    # Parts end with their frame, too.
    c = stop_at("best := xs[0]")
    for expression in ("xs", "xs.len"):
        c.must("watch.add", expr=expression)
    c.must("stepOut", threadId=1)
    c.event("stopped")
    assert [(w["value"], w["formatted"]) for w in c.must("watch.list")["watches"]] == [(None, "<ended>")] * 2
    assert not [e for e in c.events if e["event"] == "watch_update"], c.events
    c.finish()
    # With traced instructions each change is told where it is made, and once.
    c = stop_at("c.add(4)")
    c.must("session.open", capabilities={"features": ["watch", "trace_step"]})
    c.must("watch.add", expr="c.total")
    c.must("next", threadId=1)
    c.event("stopped")
    c.must("threads")
    names = [e["event"] for e in c.events if e["event"] in ("trace_step", "watch_update", "stopped")]
    updates = [(e["body"]["old_value"], e["body"]["new_value"]) for e in c.events if e["event"] == "watch_update"]
    assert updates == [(1, 5)], updates
    if ENGINE == "vm":
        assert names[names.index("watch_update") - 1:].count("trace_step") > 1 and names[-1] != "watch_update", names
    c.finish()


def instruction_breakpoints():
    """They are where an instruction begins, with conditions that mean something there; each is answered by itself."""
    c = stop_at("best := xs[0]")
    frame = c.top()[0]
    rows = c.must("disassemble", memoryReference=frame["instructionPointerReference"], instructionCount=12)["instructions"]
    later = next(r for r in rows[1:] if r.get("line", 0) > frame["line"])["address"]
    data = c.must("evaluate", expression="xs[0]", frameId=frame["id"])["memoryReference"]
    wanted = [({"instructionReference": later, "condition": "xs.len > 0"}, ""), ({"instructionReference": "0x1"}, "no instruction is at 0x1"),
              ({"instructionReference": "0xffffffffffffffff"}, "no instruction"), ({"instructionReference": data}, "no instruction"),
              ({"instructionReference": rows[0]["address"], "offset": 1}, "in the middle of"), ({"instructionReference": "later"}, "no address"),
              ({"instructionReference": later, "condition": "nosuch == 1"}, "nosuch"), ({"instructionReference": later, "condition": "xs.len >"}, "expected")]
    if ENGINE == "native" and len(rows[0]["instructionBytes"].split()) == 1:
        wanted.pop(4)
    answers = c.must("setInstructionBreakpoints", breakpoints=[b for b, _ in wanted])["breakpoints"]
    for (asked, message), answer in zip(wanted, answers, strict=True):
        assert answer["verified"] == (not message) and message in answer.get("message", ""), (asked, answer)
    c.must("continue", threadId=1)
    assert c.event("stopped")["hitBreakpointIds"] == [answers[0]["id"]]
    assert c.top()[0]["instructionPointerReference"] == later, c.top()[0]
    c.finish()
    # So it is while the program runs, which goes on.
    c = Client(SX)
    path = os.path.join(PROGRAMS, "endless.sx")
    with open(path, encoding="utf-8") as f:
        line = next(i for i, text in enumerate(f, 1) if "turns += 1" in text)
    c.start(path, [line], engine=ENGINE)
    c.event("stopped")
    at = c.top()[0]["instructionPointerReference"]
    c.must("setBreakpoints", source={"path": path}, breakpoints=[])
    c.must("continue", threadId=1)
    wanted = [({"instructionReference": at, "offset": 1}, "in the middle of"), ({"instructionReference": at, "condition": "nosuch == 1"}, "nosuch"),
              ({"instructionReference": "0x1"}, "no instruction is at 0x1"), ({"instructionReference": at, "condition": "n == 7"}, "")]
    answers = c.must("setInstructionBreakpoints", breakpoints=[b for b, _ in wanted])["breakpoints"]
    for (asked, message), answer in zip(wanted, answers, strict=True):
        assert answer["verified"] == (not message) and message in answer.get("message", ""), (asked, answer)
    assert c.event("stopped")["hitBreakpointIds"] == [answers[3]["id"]] and c.locals(c.top()[0]["id"])["n"]["value"] == "7"
    c.finish()


def traces():
    c = stop_at("c.add(4)")
    if ENGINE == "vm":
        refused(c, "trace.read", "session.open")
    features = ["trace", "trace_step"]
    c.must("session.open", capabilities={"features": features, "trace_mode": "development"})
    for _ in range(3 if ENGINE == "native" else 12):
        c.must("stepIn", threadId=1, granularity="instruction")
        c.event("stopped")
    body = c.must("trace.read")
    if ENGINE == "native":
        assert body["total"] == len(body["instructions"]) == 4, body  # the places of the stops
        assert body["instructions"][-1]["pc"] == c.must("stack.info")["frames"][0]["pc"], body
        c.finish()
        return
    steps = [e["body"] for e in c.events if e["event"] == "trace_step"]
    rows = body["instructions"]
    assert [s["pc"] for s in steps] == [r["pc"] for r in rows] and len(rows) >= 3, (steps, rows)
    assert all(s["opcode"] == r["opcode"] and s["line"] == r["line"] for s, r in zip(steps, rows)), (steps, rows)
    assert any(s["changed_regs"] for s in steps) and rows[0]["symbol"] == "main" and rows[0]["file"] == PROGRAM, (steps, rows)
    assert c.must("trace.read", start=1, count=1)["instructions"] == rows[1:2]
    c.must("setBreakpoints", source={"path": PROGRAM}, breakpoints=[{"line": line_of("return 1")}])
    c.must("continue", threadId=1)
    c.event("stopped")
    c.must("continue", threadId=1)
    c.event("stopped")
    body = c.must("trace.read")
    assert body["total"] == 100 and "fact" in [r["symbol"] for r in body["instructions"]], body["total"]
    c.must("session.open", capabilities={"features": []})
    c.must("setBreakpoints", source={"path": PROGRAM}, breakpoints=[])
    c.must("continue", threadId=1)
    assert c.event("exited")["exitCode"] == 0
    c.finish()


run_cases((negotiation, code, symbols, stacks, watches, instruction_breakpoints, traces), sys.argv[4:])
