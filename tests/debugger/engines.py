#!/usr/bin/env python3
"""Random programs in both engines side by side: after each command both are at the same place and show the same.

usage: engines.py SX FUZZ_MACHINES [SEED COUNT]
"""

import random
import re
import sys
import tempfile

import dap
import generated

SX, GENERATOR = sys.argv[1:3]
MOST_STOPS = 60
UNUSED = "c1_gone"  # machine code may have lost it: what is made of it is not used
FILTERS = ("raise", "propagate", "absorb", "unhandled", "panic")


def parts(c, row, depth):
    """A row of variables with those below it."""
    seen = (row["name"], re.sub(r"0x[0-9a-f]{5,}", "0x…", row["value"]), row.get("type"))
    if depth == 0 or not row["variablesReference"]:
        return seen
    below = c.must("variables", variablesReference=row["variablesReference"], start=0, count=20)["variables"]
    return seen + ([parts(c, r, depth - 1) for r in below if r["name"] != "[raw]"],)


def state(c, thread):
    """The stack, and what the scopes of its two innermost frames show."""
    frames = c.must("stackTrace", threadId=thread)["stackFrames"]
    seen = [[(f["name"], f["line"], f["column"], f.get("presentationHint")) for f in frames]]
    for frame in frames[:2]:
        for scope in c.must("scopes", frameId=frame["id"])["scopes"]:
            if scope["name"] in ("Parameters and locals", "Captures", "Globals", "Error trace"):
                rows = c.must("variables", variablesReference=scope["variablesReference"])["variables"]
                seen.append((scope["name"], [parts(c, r, 2) for r in rows if r["name"] != UNUSED]))
    return seen


class Side:
    """A program that has stopped at the beginning of its case, in one of the engines."""

    def __init__(self, program, engine, line):
        self.watched = {} # data breakpoints, and their ids
        self.client = dap.Client(SX)
        self.client.start(program, [line], engine=engine)
        self.wait()
        self.client.must("setBreakpoints", source={"path": program}, breakpoints=[])

    def wait(self):
        """What happens next, and what is to be seen then."""
        while True:
            for i, e in enumerate(self.client.events):
                if e["event"] in ("stopped", "exited"):
                    del self.client.events[i]
                    return self.seen(e)
            self.client.next()

    def seen(self, event):
        body = event["body"]
        self.isOver = event["event"] == "exited"
        if self.isOver:
            return [("exited", body["exitCode"])]
        self.thread = body["threadId"]
        told = [(body["reason"], body.get("description"), body.get("text"))]
        if body["reason"] == "exception":
            about = self.client.must("exceptionInfo", threadId=self.thread)
            told.append((about["exceptionId"], about["breakMode"], about.get("description"), about["details"].get("sxTrace")))
        return told + state(self.client, self.thread)

    def go(self, command):
        self.client.must(command, threadId=self.thread)
        return self.wait()


    def names(self):
        """Of what the innermost function has, and of the program's variables."""
        scopes = self.client.must("scopes", frameId=self.client.top(self.thread)[0]["id"])["scopes"]
        lists = [self.client.must("variables", variablesReference=s["variablesReference"])["variables"] for s in scopes[:2]]
        return [row["name"] for rows in lists for row in rows]

    def watch(self, name):
        """Stops after writes of a variable, besides those that are watched."""
        ended = {e["body"]["breakpoint"]["id"] for e in self.client.events if e["event"] == "breakpoint" and e["body"]["reason"] == "removed"}
        self.watched = {data: number for data, number in self.watched.items() if number not in ended}
        data = self.client.must("dataBreakpointInfo", name=name, frameId=self.client.top(self.thread)[0]["id"])["dataId"]
        if data is None or data in self.watched:
            return False
        wanted = [*self.watched, data]
        answers = self.client.must("setDataBreakpoints", breakpoints=[{"dataId": d} for d in wanted])["breakpoints"]
        self.watched = {d: a["id"] for d, a in zip(wanted, answers) if a["verified"]}
        return answers[-1]["verified"]


def difference(a, b):
    """The first part in which two states differ."""
    for one, other in zip(a, b):
        if one != other:
            if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
                return difference(one, other) or (one, other)
            return one, other
    return None if len(a) == len(b) else (a, b)


def compare(program, text, r):
    lines = text.split("\n")
    first = next(i for i, l in enumerate(lines, 1) if l.startswith("c0_case ::")) + 1
    sides = [Side(program, engine, first) for engine in ("native", "vm")]
    done = []
    likes = r.choice((("stepIn",), ("next", "stepIn"), ("next", "stepIn", "stepIn", "stepOut"),
                      ("next", "stepIn", "stepOut", "continue", "break"), ("continue", "break"), ("continue", "continue", "stepIn", "watch"),
                      ("continue", "watch")))
    if r.random() < 0.5:
        filters = r.sample(FILTERS, r.randint(0, 5))
        done.append(filters)
        for s in sides:
            s.client.must("setExceptionBreakpoints", filters=filters)
    for _ in range(MOST_STOPS):
        command = r.choice(likes)
        if command == "break":
            wanted = [{"line": r.randint(first, len(lines))} for _ in range(r.randint(0, 4))]
            done.append(wanted)
            told = [[(b["verified"], b.get("line"), b.get("column"), b.get("message")) for b in s.client.must(
                "setBreakpoints", source={"path": program}, breakpoints=wanted)["breakpoints"]] for s in sides]
        elif command == "watch":
            name = r.choice(sides[0].names() or [""])
            done.append(f"watch {name}")
            told = [sides[0].watch(name)]
            told.append(sides[1].watch(name) if told[0] else told[0]) # the hardware has room for few
        else:
            done.append(command)
            told = [s.go(command) for s in sides]
        if told[0] != told[1]:
            raise AssertionError(f"after {done}:\n{difference(*told)}\nnative: {told[0]}\nvm:     {told[1]}")
        if sides[0].isOver:
            break
    output = [s.client.output_text("stdout") for s in sides] if sides[0].isOver else ["", ""]
    if output[0] != output[1]:
        raise AssertionError(f"after {done}: output {output}")
    for s in sides:
        s.client.must("disconnect")
        s.client.close()


def main():
    seed, count = (int(a) for a in sys.argv[3:5]) if len(sys.argv) > 4 else (1, 3)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(seed, seed + count):
            program, text = generated.program(GENERATOR, number, folder)
            try:
                compare(program, text, random.Random(number))
            except AssertionError as problem:
                print(f"program {number}, {problem}"[:4000])
                failed += 1
    print(f"{count} random programs, {failed} of them differ")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
