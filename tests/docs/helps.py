#!/usr/bin/env python3
"""docs/helps.md has the help of every message that the compiler's sources give one. Usage: helps.py ROOT [--update]

--update writes the page. It is read from the code: from `….error(span, "…").help("…")` and what is written like it. What only a run
knows, a name say, is `…` on the page. Alternatives of a `? :` are separate lines.
"""

import os
import re
import sys

PAGE = "docs/helps.md"
AREAS = [  # the heading of a part, and the folders or files that it is about
    ("Text that does not parse", "compiler/syntax/"),
    ("C headers", "compiler/cimport/"),
    ("Names, declarations and types", "compiler/sema/"),
    ("Calls", "compiler/lower/calls/"),
    ("Statements, matches, loops and errors", "compiler/lower/flow/"),
    ("Values and operators", "compiler/lower/values/"),
    ("Functions and what they return", "compiler/lower/"),
]
UNKNOWN = "…"
MESSAGE_AT = {"error": 1, "warning": 1, "failAt": 1, "fail": 0, "failExpected": 0}  # which argument is the message
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'|//[^\n]*|[A-Za-z_]\w*|::|->|==|!=|<=|>=|&&|\|\||[^\sA-Za-z_"]|\d+')
CLOSING = {"(": ")", "[": "]", "{": "}"}
ESCAPES = {"n": " ", "t": " ", '"': '"', "\\": "\\", "'": "'", "?": "?"}


class Source:
    """The tokens of a file, and which bracket belongs to which."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        found = [m for m in TOKEN.finditer(text) if not m.group(0).startswith("//")]
        self.tokens = [m.group(0) for m in found]
        self.starts = [m.start() for m in found]
        self.match, stack = {}, []
        for i, t in enumerate(self.tokens):
            if t in CLOSING:
                stack.append(i)
            elif t in CLOSING.values() and stack:
                opened = stack.pop()
                self.match[i], self.match[opened] = opened, i

    def arguments(self, opened):
        """Ranges of the arguments of the call whose `(` is at `opened`."""
        return self.split(opened + 1, self.match.get(opened, opened + 1), ",")

    def split(self, first, last, separator):
        parts, begin, i = [], first, first
        while i < last:
            if self.tokens[i] in CLOSING:
                i = self.match.get(i, i)
            elif self.tokens[i] == separator:
                parts.append((begin, i))
                begin = i + 1
            i += 1
        return parts + [(begin, last)] if first < last else []

    def function_start(self, i):
        """The token where the function around token `i` begins: after the last `}` in the first column."""
        at = self.text.rfind("\n}", 0, self.starts[i])
        while i > 0 and self.starts[i - 1] > at:
            i -= 1
        return i


def unescaped(literal):
    return re.sub(r"\\(x[0-9A-Fa-f]{2}|.)", lambda m: ESCAPES.get(m.group(1), UNKNOWN), literal[1:-1])


def quoted(code):
    return "`` " + code + " ``" if "`" in code else "`" + code + "`"


class Texts:
    """What an expression may be as a text: a list of alternatives."""

    def __init__(self, source):
        self.s = source

    def of(self, first, last, depth=0):
        t = self.s.tokens
        if first >= last or depth > 6:
            return [UNKNOWN]
        question = self.s.split(first, last, "?")
        if len(question) == 2:
            arms = self.s.split(question[1][0], last, ":")
            if len(arms) == 2:
                return self.of(*arms[0], depth + 1) + self.of(*arms[1], depth + 1)
        parts = self.s.split(first, last, "+")
        if len(parts) > 1:
            whole = [""]
            for part in parts:
                whole = [a + b for a in whole for b in self.of(*part, depth + 1)][:8]
            return whole
        if all(x.startswith('"') for x in t[first:last]):
            return ["".join(unescaped(x) for x in t[first:last])]
        if t[first] == "(" and self.s.match.get(first) == last - 1:
            return self.of(first + 1, last - 1, depth + 1)
        if t[last - 1] == ")" and last - 1 in self.s.match:
            return self.call(first, self.s.match[last - 1], depth)
        if last - first == 1 and re.match(r"[A-Za-z_]", t[first]):
            return self.local(first, depth)
        return [UNKNOWN]

    def call(self, first, opened, depth):
        name, arguments = self.s.tokens[opened - 1], self.s.arguments(opened)
        if name == "code" and arguments:
            return ["`" + x + "`" for x in self.of(*arguments[-1], depth + 1)]
        if name in ("string", "string_view", "move") and arguments:
            return self.of(*arguments[0], depth + 1)
        if name == "countOf" and len(arguments) == 2:
            return [UNKNOWN + " " + x + "s" for x in self.of(*arguments[1], depth + 1)]
        return [UNKNOWN]

    def local(self, at, depth):
        """A local variable that was given a text before."""
        t = self.s.tokens
        for i in range(at - 1, self.s.function_start(at), -1):
            if t[i] == t[at] and t[i + 1] == "=" and t[i - 1] in ("string", ",", "string_view", "char", "*", ";", "auto"):
                end = i + 2
                while t[end] not in (";", ","):
                    end = self.s.match.get(end, end) + 1
                return self.of(i + 2, end, depth + 1)
        return [UNKNOWN]


class Helps:
    """The pairs of message and help in a source."""

    def __init__(self, source):
        self.s, self.texts = source, Texts(source)

    def all(self):
        t = self.s.tokens
        for i in range(1, len(t) - 1):
            if t[i] != "help" or t[i + 1] != "(":
                continue
            if t[i - 1] == ".":
                yield from self.at(i)
            elif t[i - 1] in ("return", "&&", "else", ";", "{", "}", ")"):  # of the source itself: the text is the last argument
                for text in self.texts.of(*self.s.arguments(i + 1)[-1]):
                    if text.replace("`", "").strip(UNKNOWN + " "):
                        yield [""], text

    def at(self, i):
        arguments = self.s.arguments(i + 1)
        if not arguments:
            return
        said = self.texts.of(*arguments[0 if len(arguments) == 1 else 1])
        if len(arguments) == 3:  # the corrected code follows the text
            shown = self.texts.of(*arguments[2])[0]
            said = [x + ": " + (shown if "`" in shown and shown.count("`") % 2 == 0 else quoted(shown)) for x in said]
        messages = self.message(i - 2) or [""]
        for text in said:
            if text.replace("`", "").strip(UNKNOWN + " "):
                yield messages, text

    def message(self, i):
        """Of the chain of calls, or the variable, that ends at token `i`."""
        t = self.s.tokens
        while t[i] == ")" and i in self.s.match:
            opened = self.s.match[i]
            if t[opened - 1] in MESSAGE_AT:
                return self.said(opened)
            if t[opened - 1] not in ("note", "help") or t[opened - 2] != ".":
                return None
            i = opened - 3
        if re.match(r"[a-z]\w*$", t[i]):
            for k in range(i - 1, self.s.function_start(i), -1):
                if t[k] == t[i] and t[k + 1] == "=" and t[k - 1] == "&":
                    return self.first_message(k + 2)
        return None

    def first_message(self, i):
        t = self.s.tokens
        while t[i] != ";":
            if t[i] in MESSAGE_AT and t[i + 1] == "(":
                return self.said(i + 1)
            i += 1
        return None

    def said(self, opened):
        name, arguments = self.s.tokens[opened - 1], self.s.arguments(opened)
        if len(arguments) <= MESSAGE_AT[name]:
            return None
        texts = self.texts.of(*arguments[MESSAGE_AT[name]])
        return ["expected " + x + ", found …" for x in texts] if name == "failExpected" else texts


def sources(root):
    for folder, folders, names in os.walk(os.path.join(root, "compiler")):
        folders.sort()
        for name in sorted(names):
            if name.endswith((".cpp", ".h")):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as f:
                    yield Source(os.path.relpath(path, root), f.read())


def cell(text):
    text = re.sub(UNKNOWN + r"(\s*" + UNKNOWN + ")+", UNKNOWN, text)
    return text.replace("|", "\\|").replace("<", "&lt;") if "`" not in text else text.replace("|", "\\|")


def page(root):
    parts = {title: [] for title, _ in AREAS}
    for source in sources(root):
        title = next((t for t, prefix in AREAS if source.path.startswith(prefix)), None)
        for messages, text in Helps(source).all() if title else ():
            for message in messages:
                row = (cell(message if message.strip(UNKNOWN + " `") else ""), cell(text))
                if row not in parts[title]:
                    parts[title].append(row)
    lines = ["# Helps", "",
             "What the compiler says in a `help:` line, below which message. `…` stands for what it takes from the program. Those of",
             "warnings are in [warnings](warnings.md); editors offer many of them as a correction ([the language server](lsp.md)).", "",
             "Made by `tests/docs/helps.py . --update` from the compiler's sources."]
    for title, rows in parts.items():
        if rows:
            rows.sort(key=lambda row: (row[0] == "", row[0].strip("`…").lower(), row[1]))
            lines += ["", "## " + title, "", "| message | help |", "|---|---|"]
            lines += ["| " + message + " | " + text + " |" for message, text in rows if message]
            several = ["* " + text for message, text in rows if not message]
            lines += ["", "Below several messages:", ""] * bool(several) + several
    return "\n".join(lines) + "\n"


def main():
    root = sys.argv[1]
    path, made = os.path.join(root, PAGE), page(root)
    if "--update" in sys.argv:
        with open(path, "w", encoding="utf-8") as f:
            f.write(made)
        return 0
    with open(path, encoding="utf-8") as f:
        kept = f.read()
    if made.count("\n| ") < 150:
        print("hardly any help is found in the sources")
        return 1
    if made != kept:
        print(PAGE + " is not what the sources say: run tests/docs/helps.py . --update")
        for line in sorted(set(made.splitlines()) ^ set(kept.splitlines())):
            print(("+ " if line in made else "- ") + line)
        return 1
    return 0


sys.exit(main())
