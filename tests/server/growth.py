#!/usr/bin/env python3
"""What the server needs: the time from a keystroke in a long file to its diagnostics, and memory after many edits, which may not grow.

usage: growth.py SX [EDITS]

Of EDITS random edits (2,000; the numbers in docs/lsp.md are of 10,000) memory is looked at after 400 and at the end: at most 1.3 times that and
16 MiB. The time is compared with that of `sx check --all` of the same text, since it is that of a check: at most twice that and 0.1 s here.
"""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

from lsp import Client

SX, EDITS = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2000
URI = "file:///tmp/growth.sx"
PIECES = ["x", " ", ";", "{", "}", "\n", "(", "try ", "raise error.Bad;", "y := 1;", "\"", "é", "f(", ".", "//", "main"]


def text(functions):
    """Ten lines for each function."""
    one = ("E{0} :: error {{ Bad{0} }}\nfun{0} :: (a: i64, b: i64) -> (i64, !) {{\n    if a < b {{ raise error.Bad{0}; }}\n    n := 0;\n    for 0..a (k) {{\n"
           "        n += k * {0};\n    }}\n    m := n + b;\n    m\n}}\n")
    return "#import \"modules/std.sx\";\n" + "".join(one.format(i) for i in range(functions)) + "main :: () { }\n"


def resident(pid):
    """Bytes of a process and of all that it has started."""
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout.split()
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as f:
            own = int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return 0
    return own + sum(resident(c) for c in children)


def change(client, version, start, end, new):
    at = [{"line": line, "character": character} for line, character in (start, end)]
    client.notify("textDocument/didChange", {"textDocument": {"uri": URI, "version": version},
                                             "contentChanges": [{"range": {"start": at[0], "end": at[1]}, "text": new}]})


def keystrokes():
    """Seconds from a keystroke in 10,000 lines to the answer, and of a check by itself."""
    long = text(1000)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "long.sx")
        with open(path, "w", encoding="utf-8") as f:
            f.write(long)
        alone = []
        for _ in range(5):
            begin = time.time()
            subprocess.run([SX, "check", "--all", path], check=True, capture_output=True)
            alone.append(time.time() - begin)
    client = Client(SX, capabilities={"textDocument": {"diagnostic": {}}})
    client.open(URI, long)
    taken = []
    for i in range(12):
        change(client, i + 2, (5004, 8), (5004, 8), "1") # a digit in a name of a local
        begin = time.time()
        client.request("textDocument/diagnostic", {"textDocument": {"uri": URI}})
        taken.append(time.time() - begin)
    client.process.kill()
    return statistics.median(taken), statistics.median(alone)


def edits():
    """Resident bytes after 400 edits and after all."""
    random.seed(7)
    client = Client(SX, capabilities={"textDocument": {"diagnostic": {}}})
    client.open(URI, text(30))
    sizes = {}
    for i in range(EDITS):
        line, begin = random.randrange(290), random.randrange(12)
        change(client, i + 2, (line, begin), (line, begin + random.randrange(3)), random.choice(PIECES))
        if i % 100 == 99: # the text becomes nonsense: now and then it is whole again
            client.notify("textDocument/didChange", {"textDocument": {"uri": URI, "version": i + 2}, "contentChanges": [{"text": text(30)}]})
        if i % 20 == 0 or i in (399, EDITS - 1):
            client.request("textDocument/diagnostic", {"textDocument": {"uri": URI}})
            client.request("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": line, "character": begin}})
        if i in (399, EDITS - 1):
            sizes[i] = resident(client.process.pid)
    client.process.kill()
    return sizes[399], sizes[EDITS - 1]


pressed, alone = keystrokes()
early, late = edits()
print(f"10,000 lines: {pressed * 1000:.0f} ms after a keystroke, `sx check --all` {alone * 1000:.0f} ms; "
      f"{early / 2**20:.1f} MiB after 400 edits, {late / 2**20:.1f} MiB after {EDITS}")
sys.exit(pressed > 2 * alone + 0.1 or late > 1.3 * early + 16 * 2**20)
