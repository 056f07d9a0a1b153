#!/usr/bin/env python3
"""Random programs under the interpreter, run for a while, then backwards, then on again: all that there is to see is the same
whenever the program comes by the same place.

usage: retrace.py SX FUZZ_MACHINES [SEED COUNT]
"""

import random
import sys
import tempfile

import dap
import generated

SX, GENERATOR = sys.argv[1:3]


def parts(c, reference):
    """Rows of variables with those below them."""
    rows = c.must("variables", variablesReference=reference)["variables"]
    return [(r["name"], r["value"], [(p["name"], p["value"]) for p in
                                     c.must("variables", variablesReference=r["variablesReference"], start=0, count=20)["variables"]]
             if r["variablesReference"] else []) for r in rows if r["name"] != "return"]


def state(c):
    """The stack, and what the scopes of the innermost frame show."""
    reply = c.must("stackTrace", threadId=1, levels=40)["stackFrames"]
    seen = [(f["name"], f["line"], f["column"], f.get("instructionPointerReference")) for f in reply]
    for scope in c.must("scopes", frameId=reply[0]["id"])["scopes"]:
        if scope["name"] in ("Parameters and locals", "Captures", "Globals", "Error trace"):
            seen.append((scope["name"], parts(c, scope["variablesReference"])))
    return repr(seen)


class Walk:
    """A program that has stopped at the beginning of its case."""

    def __init__(self, program, r):
        self.random = r
        self.client = dap.Client(SX)
        lines = open(program, encoding="utf-8").read().split("\n")
        first = next(i for i, l in enumerate(lines, 1) if l.startswith("c0_case ::"))
        self.goesIntoAll = r.random() < 0.5  # an instruction backwards is one in any code
        self.client.start(program, [first + 1], engine="vm", record=True, stepIntoLibrary=self.goesIntoAll)

    def go(self, command, **arguments):
        """False: the program has ended."""
        self.client.must(command, threadId=1, **arguments)
        while True:
            for i, e in enumerate(self.client.events):
                if e["event"] in ("stopped", "terminated"):
                    self.last = self.client.events.pop(i)
                    return self.last["event"] == "stopped"
            self.client.next()

    def state(self):
        return state(self.client)

    def instructions(self, n):
        """So many forward, and back, and forward again: the same states in the other order."""
        seen = [self.state()]
        while len(seen) <= n and self.go("stepIn", granularity="instruction"):
            seen.append(self.state())
        if len(seen) <= n:
            return False
        for command, states in (("stepBack", seen[-2::-1]), ("stepIn", seen[1:])):
            for number, wanted in enumerate(states):
                self.go(command, granularity="instruction")
                same(self.state(), wanted, f"instruction {number} of {n}, {command}")
        return True

    def statements(self, n):
        """Into all that is called; back, where calls are passed over; and forward from there as before."""
        seen = [self.state()]
        while len(seen) <= n and self.go("stepIn"):
            seen.append(self.state())
        if len(seen) <= n:
            return False
        at = {len(seen) - 1}
        for _ in range(self.random.randint(1, n)):
            self.go("stepBack")
            if self.last["body"].get("text", "").startswith("history begins"):
                return False
            now = self.state()
            at = {i for i in range(max(at)) if seen[i] == now}
            if not at:
                return True  # it is before what was seen
        # Of several places that look the same, it is one.
        for number in range(len(seen) - 1 - max(at)):
            self.go("stepIn")
            now = self.state()
            at = {i + 1 for i in at if i + 1 < len(seen) and seen[i + 1] == now}
            if not at:
                raise AssertionError(f"statement {number}, forward again: {now}")
        return True


def same(found, wanted, where):
    if found != wanted:
        raise AssertionError(f"{where}:\n{found}\ninstead of\n{wanted}")


def retrace(program, r):
    walk = Walk(program, r)
    c = walk.client
    c.event("stopped")
    c.must("setBreakpoints", source={"path": program}, breakpoints=[])
    for _ in range(r.randint(0, 4)):
        if not walk.go(r.choice(("next", "stepIn", "stepIn"))):
            break
    else:
        for _ in range(6):
            walks = (walk.instructions, walk.statements) if walk.goesIntoAll else (walk.statements,)
            if not r.choice(walks)(r.randint(3, 25)):
                break
            if not walk.go("next"):
                break
    c.must("disconnect")
    c.close()


def main():
    seed, count = (int(a) for a in sys.argv[3:5]) if len(sys.argv) > 4 else (1, 2)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(seed, seed + count):
            program, text = generated.program(GENERATOR, number, folder)
            try:
                retrace(program, random.Random(number))
            except BaseException:
                print(f"program {number}:\n{text}")
                raise
    print(f"{count} random programs")


main()
