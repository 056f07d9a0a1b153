#!/usr/bin/env python3
"""Steps through a program and prints what a person sees at each stop. The text is the same with both engines.

usage: walk.py SX ENGINE PROGRAM next|stepIn
"""

import os
import re
import sys

from dap import Client

MOST_STEPS = 400


def place(frame):
    if frame.get("presentationHint") == "label":
        return frame["name"]
    return f"{frame['name']} at {frame['source']['name']}:{frame['line']}:{frame['column']}"


def walk(client, how):
    for _ in range(MOST_STEPS):
        while not any(e["event"] in ("stopped", "exited") for e in client.events):
            client.next()
        if any(e["event"] == "exited" for e in client.events):
            print("exited", client.event("exited")["exitCode"])
            return
        stop = client.event("stopped")
        print(stop["reason"] + (": " + stop["text"] if "text" in stop else ""))
        frames = client.top()
        for i, f in enumerate(frames):
            print("    " * (i > 0) + "  " + place(f))
        for v in client.locals(frames[0]["id"]).values():
            value = re.sub(r"0x[0-9a-f]{5,}", "0x…", v["value"])
            print(f"      {v['name']}: {v['type']} = {value}")
        client.must(how, threadId=1)
    print("it does not end")


def main():
    sx, engine, program, how = sys.argv[1:]
    client = Client(sx)
    client.start(os.path.abspath(program), engine=engine, stopOnEntry=True)
    walk(client, how)
    for category in ("stdout", "stderr"):
        text = client.output_text(category)
        if text:
            print(f"--- {category}\n{text}", end="")
    client.finish()


main()
