#!/usr/bin/env python3
"""The six streams of a program, with every engine.

usage: streams.py SX FOLDER-OF-PROGRAMS ENGINE
"""

import os
import sys
import tempfile
import time

from dap import Client, run_cases

SX, PROGRAMS, ENGINE = sys.argv[1:4]
PROGRAM = os.path.abspath(os.path.join(PROGRAMS, "streams.sx"))


def outputs(c, category):
    return [e["body"]["output"] for e in c.events if e["event"] == "output" and e["body"]["category"] == category]


def run(how, stdio, **more):
    """A session until the end of the program."""
    c = Client(SX)
    c.start(PROGRAM, engine=ENGINE, args=[how], stdio=stdio, **more)
    assert c.event("exited")["exitCode"] == 0
    c.event("terminated")
    return c


def all_six():
    with tempfile.TemporaryDirectory() as folder:
        given = os.path.join(folder, "in")
        with open(given, "wb") as f:
            f.write(bytes(range(20)))
        c = run("all", [None, None, None, None, given, None])
        # What stands among lines of output begins a line, also where one is not ended.
        told = "".join(outputs(c, "stdout")).splitlines()
        assert [l for l in told if "[dato]" in l] == ["[dato] 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f",
                                                      "[dato] 10 11 12 13"], told
        lines = "".join(outputs(c, "console")).splitlines()
        assert [l for l in lines if l.startswith("[dbg]")] == ["[dbg] first", "[dbg] second\\xff", "[dbg] no end"], lines
        assert "out\n" in "".join(outputs(c, "stdout")) and "".join(outputs(c, "stderr")) == "err\n"
        c.finish()


def files():
    """Each stream in a file of its own; a path is one of `cwd`."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "in"), "wb") as f:
            f.write(b"\x00\xff\n")
        c = run("all", ["in", "1", "2", "3", "in", "5"], cwd=folder)
        read = lambda name: open(os.path.join(folder, name), "rb").read()
        assert read("1") == b"out\nline: 3 0\n" and read("2") == b"err\n", (read("1"), read("2"))
        assert read("3") == b"first\nsecond\xff\nno end" and read("5") == b"\x00\xff\n", (read("3"), read("5"))
        assert not outputs(c, "stdout") and not outputs(c, "stderr")
        c.finish()


def closed():
    """Those that nobody has asked for are not there, and nothing of ours either; a pipe in is at its end."""
    for stdio in (None, [], [None, None, None]):
        c = run("closed", stdio, **({"record": True} if ENGINE == "vm" and stdio is None else {}))
        assert "".join(outputs(c, "stdout")) == "-1 -1 -1 3\n", outputs(c, "stdout")
        c.finish()
    c = run("closed", [None, None, None, None, None, None])
    assert "1 0 1 6\n" in "".join(outputs(c, "stdout")), outputs(c, "stdout")
    assert "[dato] 78\n" in outputs(c, "stdout") and "[dbg] x\n" in outputs(c, "console")
    c.finish()
    c = Client(SX)
    c.must("initialize")
    for wrong in ([1], [None] * 7, {"a": 1}, [None, None, None, None, "/none/in"]):
        assert not c.ask("launch", program=PROGRAM, engine=ENGINE, stdio=wrong)["success"], wrong
    c.finish()


def fed():
    """Input from the debug console, until it ends; without a pipe there is none to feed."""
    c = Client(SX)
    c.start(PROGRAM, engine=ENGINE, args=["echo"], stdio=[None])
    for text in ("one\n", "zwölf\n"):
        c.must("sxStdin", text=text)
        while text not in "".join(outputs(c, "stdout")):
            c.next()
    c.must("sxStdin", text="end", eof=True)
    assert c.event("exited")["exitCode"] == 0
    assert "".join(outputs(c, "stdout")) == "one\nzwölf\nend", outputs(c, "stdout")
    assert not c.ask("sxStdin", text="more")["success"]
    c.finish()
    for stdio, why in (({}, "launch it with"), ({"stdio": [None]}, "has been closed by `eof`")):
        c = Client(SX)
        c.start(PROGRAM, engine=ENGINE, args=["echo"], stopOnEntry=True, **stdio)
        if stdio:
            c.must("sxStdin", text="end", eof=True)
        reply = c.ask("sxStdin", text="more")
        assert not reply["success"] and why in reply["message"], reply
        c.event("stopped")
        c.finish()


def flood():
    """Four megabytes: a part is shown, the rest counted, and the program does not wait."""
    c = run("flood", [None, None, None, None, None, None])
    out = outputs(c, "stdout")
    shown = sum((len(line) - 6) // 3 for text in out for line in text.splitlines() if line.startswith("[dato] 0"))
    counted = sum(int(text.split()[2]) for text in out if text.startswith("[dato] …"))
    assert shown % 4096 == 0 and shown + counted == 64 * 65536, (shown, counted)
    assert "flooded\n" in "".join(out)
    c.finish()
    c = run("debug", [None, None, None, None])
    assert len([l for l in "".join(outputs(c, "console")).splitlines() if l.startswith("[dbg] a line")]) == 2000
    c.finish()


def stopped():
    """Output of all streams is there when the program stops, and after a restart they are open again."""
    with open(PROGRAM, encoding="utf-8") as f:
        line = next(i for i, text in enumerate(f, 1) if "// the middle" in text)
    c = Client(SX)
    c.start(PROGRAM, [line], engine=ENGINE, stdio=[None, None, None, None, "/dev/null", None])
    for _ in range(2):
        c.event("stopped")
        end = time.time() + 30
        while "[dbg] second\\xff\n" not in "".join(outputs(c, "console")) and time.time() < end:
            c.must("threads")
        assert "[dbg] second\\xff\n" in "".join(outputs(c, "console")), outputs(c, "console")
        c.events.clear()
        c.must("restart")
    c.finish()


run_cases((all_six, files, closed, fed, flood, stopped), sys.argv[4:])
