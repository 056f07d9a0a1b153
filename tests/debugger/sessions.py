"""What sessions with the programs of this folder begin with, for scripts called as `SCRIPT SX FOLDER-OF-PROGRAMS ENGINE`."""

import os
import sys

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
    stop = c.event("stopped")
    frames = c.top()
    assert frames, stop
    return c, frames[0]["id"]


def value(c, expression, frame, context="watch"):
    reply = c.ask("evaluate", expression=expression, frameId=frame, context=context)
    return reply["body"]["result"] if reply["success"] else "! " + reply["message"]


def go_on(c):
    c.must("continue", threadId=1)
    return c.event("stopped")


def exits(c, code=0):
    c.must("continue", threadId=1)
    assert (got := c.event("exited")["exitCode"]) == code, (got, code)
    c.event("terminated")
    c.finish()
