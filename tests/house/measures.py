#!/usr/bin/env python3
"""Usage: measures.py ROOT

Measures the code of the project: no line of C or C++ has more than 120 columns (a table of rows, *.def: 140), and no function
more than 60 lines, from the first line of its head to its closing brace. What is measured and allowed to be longer
is named in `allowed.txt` beside this script, with the reason; an entry there that is not needed any more fails, too.
"""

import os
import re
import sys

from sources import blanked, read, sources

COLUMNS = 120
TABLE_COLUMNS = 140
LINES = 60

# What opens a scope in which functions are looked for.
SCOPE = re.compile(r"\bnamespace(\s+[\w:]+)?\s*$|\b(struct|class|union|enum)\b|\bextern\s*$")
NAME = re.compile(r"(~?[A-Za-z_]\w*|operator\s*(?:[^\s\w(]+|\(\)|[\w:]+))\s*\(")


def function_name(head):
    """The name of the function whose head this is, or None where the brace after it opens something else."""
    head = re.sub(r"\[\[.*?\]\]|__attribute__\s*\(\(.*?\)\)|template\s*<[^{;]*?>\s*(?=[A-Za-z_\[:])", " ", head)
    call = NAME.search(head)
    if not call or re.search(r"\bnamespace(\s+[\w:]+)?\s*$", head):
        return None
    before = head[:call.start()]
    if "=" in before or SCOPE.search(before) and not re.search(r"\w\s+[*&]?$", before):
        return None
    return call.group(1)


def functions(text):
    """(name, first line, last line) of every function with a body, members included, lambdas not."""
    code = blanked(text)
    stack, start, found = [], 0, []
    for match in re.finditer(r"[{};]", code):
        at, head = match.start(), code[start:match.start()]
        if match.group() == "{":
            inside = any(kind != "scope" for kind, _, _ in stack)
            name = None if inside else function_name(head)
            if not inside and head and not head[-1].isspace():  # `: member{value}` before the body
                stack.append(("initializer", "", 0))
                continue
            if name:
                first = code.count("\n", 0, start + len(head) - len(head.lstrip())) + 1
                stack.append(("function", name, first))
            else:
                stack.append(("scope" if not inside and SCOPE.search(head) else "block", "", 0))
        elif match.group() == "}" and stack:
            kind, name, first = stack.pop()
            if kind == "function":
                found.append((name, first, code.count("\n", 0, at) + 1))
            if kind == "initializer":
                continue
        elif any(kind == "initializer" for kind, _, _ in stack):
            continue
        start = at + 1
    return found


def allowed(root, folders):
    """The rows of allowed.txt that name folders, or the others."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "allowed.txt"), encoding="utf-8") as f:
        rows = [line.split()[0] for line in f if line.strip() and not line.startswith("#")]
    return {row for row in rows if os.path.isdir(os.path.join(root, row)) == folders}


def not_needed(permitted, used):
    return [f"allowed.txt: `{key}` is within the limits and need not stand there" for key in sorted(permitted - used)]


def main():
    root = sys.argv[1]
    permitted, used, complaints = allowed(root, folders=False), set(), []

    def complain(key, text):
        if key in permitted:
            used.add(key)
        else:
            complaints.append(text)

    for path in sources(root):
        text = read(root, path)
        limit = TABLE_COLUMNS if path.endswith((".def", ".inc")) else COLUMNS
        for number, line in enumerate(text.split("\n"), 1):
            if len(line) > limit:
                complain(path, f"{path}:{number}: {len(line)} columns, {limit} are allowed")
        for name, first, last in functions(text):
            if last - first + 1 > LINES:
                complain(f"{path}:{name}", f"{path}:{first}: `{name}` has {last - first + 1} lines, {LINES} are allowed")
    complaints += not_needed(permitted, used)
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
