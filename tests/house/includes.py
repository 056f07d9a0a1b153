#!/usr/bin/env python3
"""Usage: includes.py ROOT

Reads every `#include "…"` under compiler/, debugger/ and server/ and fails on an arrow between folders that is not in the block ```includes of
docs/architecture.md, on a row there that nothing needs, on a circle of rows, on a header of LLVM outside of its support
library where it is not allowed, and on a folder with more than 60 files or more than 30 % of the lines.

A row is `folder: folders that it may include`; a file belongs to the row with the longest name that its path begins with.
Rows of compiler/ leave that out, as its includes do.
"""

import collections
import os
import re
import sys

from sources import read, sources
from measures import allowed, not_needed

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
FOLDERS = ("compiler/", "debugger/", "server/")
MAY_INCLUDE_LLVM = ("codegen", "codegen/passes", "debugger/native/image")  # the latter reads DWARF
FILES = 60
SHARE = 30


def rows(root):
    block = re.search(r"^```includes\n(.*?)^```", read(root, "docs/architecture.md"), re.DOTALL | re.MULTILINE)
    table = {}
    for line in block.group(1).split("\n"):
        if line.strip():
            folder, _, targets = line.partition(":")
            table[folder.strip()] = targets.split()
    return table


def row_of(path, table):
    """The row that `path`, as an include has it, belongs to; None if there is none."""
    fitting = [row for row in table if path.startswith(row + "/")]
    return max(fitting, key=len, default=None)


def circle(table):
    """A row from which one comes back to itself by the arrows, or None."""
    def reaches(start, row, seen):
        for target in table.get(row, []):
            if target == start or target not in seen and reaches(start, target, seen | {target}):
                return True
        return False
    return next((row for row in table if reaches(row, row, {row})), None)


def check_includes(root, files, table):
    complaints, used = [], set()
    for path in files:
        inside = path.removeprefix("compiler/")
        row = row_of(inside, table)
        if row is None:
            complaints.append(f"{path}: its folder has no row in docs/architecture.md")
            continue
        for target in INCLUDE.findall(read(root, path)):
            if re.match(r"lld/|llvm/(?!ADT/|Support/)", target) and row not in MAY_INCLUDE_LLVM:
                complaints.append(f"{path}: includes {target}, which only {' and '.join(MAY_INCLUDE_LLVM)} may")
            exists = any(os.path.exists(os.path.join(root, folder, target)) for folder in ("compiler", ""))
            to = row_of(target, table) if exists else row
            if to != row and to not in table[row]:
                complaints.append(f"{path}: includes {target}, but {row} may not include {to}")
            used.add((row, to))
    complaints += [f"docs/architecture.md: {row} does not include {to}"
                   for row, targets in table.items() for to in targets if (row, to) not in used]
    if circle(table):
        complaints.append(f"docs/architecture.md: the arrows lead from {circle(table)} back to it")
    return complaints


def check_sizes(root, files, permitted):
    count, lines = collections.Counter(), collections.Counter()
    for path in files:
        folder = os.path.dirname(path)
        count[folder] += 1
        lines[folder] += read(root, path).count("\n")
    total, complaints, used = sum(lines.values()), [], set()
    for folder in count:
        share = 100 * lines[folder] / total
        if count[folder] <= FILES and share <= SHARE:
            continue
        used.add(folder)
        if folder not in permitted:
            complaints.append(f"{folder}: {count[folder]} files, {share:.0f} % of the lines; "
                              f"{FILES} files and {SHARE} % are allowed")
    return complaints + not_needed(permitted, used)


def main():
    root = sys.argv[1]
    files = [path for path in sources(root) if path.startswith(FOLDERS)]
    complaints = check_includes(root, files, rows(root))
    complaints += check_sizes(root, files, allowed(root, folders=True))
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
