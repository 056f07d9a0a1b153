#!/usr/bin/env python3
"""The programs of the tests are laid out by `sx fmt`, but those that `unformatted.txt` names: their expectations are positions in the file, or
texts that end in white space. A file that does not parse has no layout.

usage: sx_corpus.py SX ROOT [--update]     --update writes the list anew: look at what is added before you keep it
"""

import os
import subprocess
import sys

sx, root = sys.argv[1:3]
listed = os.path.join(root, "tests", "house", "unformatted.txt")
asked = subprocess.run([sx, "fmt", "--check", "tests"], cwd=root, capture_output=True, text=True, timeout=120)
found = sorted(asked.stdout.split("\n")[:-1])
if asked.returncode not in (0, 1) or any(not name.endswith(".sx") for name in found):
    sys.exit(asked.stdout + asked.stderr)
if "--update" in sys.argv:
    with open(listed, "w", encoding="utf-8") as f:
        f.write("".join(name + "\n" for name in found))
with open(listed, encoding="utf-8") as f:
    allowed = set(f.read().split())
sloppy, neat = [n for n in found if n not in allowed], sorted(allowed - set(found))
for name in sloppy:
    print(f"{name}: not as `sx fmt` lays it out; run it, or if positions are expected there, add the name to tests/house/unformatted.txt")
for name in neat:
    print(f"{name}: is laid out now: remove it from tests/house/unformatted.txt")
sys.exit(1 if sloppy or neat else 0)
