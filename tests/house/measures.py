#!/usr/bin/env python3
"""Usage: measures.py ROOT

Measures the code of the project: no line of C or C++ has more than 120 columns (a table of rows, *.def: 140), no function
more than 60 lines, from the first line of its head to its closing brace, and no class more than 40 member functions, with its
constructors, its destructor and its templates. What is measured and allowed to be larger is named in `allowed.txt` beside this
script, with the reason; an entry there that is not needed any more fails, too.
"""

import os
import re
import sys

from sources import blanked, read, sources

COLUMNS = 120
TABLE_COLUMNS = 140
LINES = 60
MEMBERS = 40

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


CLASS = re.compile(r"(?<!enum )\b(?:class|struct|union)\s+(?:(?:\[\[.*?\]\]|alignas\s*\([^()]*\))\s*)?([A-Za-z_][\w:]*)\s*"
                   r"(?:<[^;{}]*>\s*)?(?:final\s*)?(?::[^;{()]*)?\{")  # `<…>`: of a specialisation
NO_MEMBER = re.compile(r"\s*(friend|using|typedef|static_assert|enum|class|struct|union)\b")


def after_brace(code, at):
    """The position after the brace that closes the one at `at`."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(code, at):
        depth += 1 if match.group() == "{" else -1
        if depth == 0:
            return match.end()
    return len(code)


def declares_function(text):
    """Whether this declaration in a class, up to its body or semicolon, is that of a member function."""
    text = re.sub(r"\b(public|protected|private)\s*:", " ", text)
    text = re.sub(r"\[\[.*?\]\]|\b(alignas|explicit|decltype|noexcept)\s*\([^()]*\)", " ", text)
    if not re.search(r"\boperator\b", text):
        while "<" in text and (shorter := re.sub(r"<[^<>]*>", " ", text)) != text:
            text = shorter
    call = NAME.search(re.sub(r"\btemplate\b", " ", text))
    return bool(call and not NO_MEMBER.match(text) and "=" not in text[:call.start()] and
                not re.match(r"\s*\*", text[call.end():]))


def member_functions(body):
    """How many functions the body of a class declares; those of classes within it are their own."""
    count, start, at, parens = 0, 0, 0, 0
    while at < len(body):
        c = body[at]
        parens += (c == "(") - (c == ")")
        if parens == 0 and c == ";":
            count += declares_function(body[start:at])
            start = at + 1
        elif c == "{":
            at = after_brace(body, at)
            is_function = parens == 0 and declares_function(body[start:at].split("{")[0])
            if is_function and not re.match(r"\s*[,{]", body[at:]):  # else: an initializer before the body
                count += 1
                start = at
            continue
        at += 1
    return count


def classes(text):
    """(name, first line, number of member functions) of every class, struct and union with a name."""
    code = blanked(text)
    return [(match.group(1), code.count("\n", 0, match.start()) + 1,
             member_functions(code[match.end():after_brace(code, match.end() - 1) - 1])) for match in CLASS.finditer(code)]


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
        for name, line, count in classes(text):
            if count > MEMBERS:
                complain(f"{path}:{name}", f"{path}:{line}: `{name}` has {count} member functions, {MEMBERS} are allowed")
    complaints += not_needed(permitted, used)
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
