#!/usr/bin/env python3
"""The programs of the tests are laid out by `sx fmt`, but those that `unformatted.txt` names: their expectations are positions in the file, or
texts that end in white space. A file that does not parse has no layout. All programs of the tests and the library, laid out once, are left
as they are by a second time, and none is refused because its tokens would change.

usage: sx_corpus.py SX ROOT [--update]     --update writes the list anew: look at what is added before you keep it
"""

import os
import shutil
import subprocess
import sys
import tempfile


def stable():
    """Formats copies of all programs twice; what is wrong, as lines."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("tests", "library"):
            shutil.copytree(os.path.join(root, name), os.path.join(folder, name), ignore=lambda at, names:
                            [n for n in names if not n.endswith(".sx") and not os.path.isdir(os.path.join(at, n))])
        first = subprocess.run([sx, "fmt", "tests", "library"], cwd=folder, capture_output=True, text=True, timeout=120)
        again = subprocess.run([sx, "fmt", "--check", "tests", "library"], cwd=folder, capture_output=True, text=True, timeout=120)
    heads = [line for line in first.stderr.split("\n") if "internal error" in line]
    return heads + [name + ": formatting a second time changes it" for name in again.stdout.split("\n")[:-1]]


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
problems = stable()
print("\n".join(problems))
sys.exit(1 if sloppy or neat or problems else 0)
