#!/usr/bin/env python3
"""Usage: prelude.py ROOT

The namespaces of the prelude (library/modules/std.sx) are read only when a program mentions them. Fails on one that acts
without being named: through a `ufcs` function, a field of the context, an impl for a type of a module that is always
read, statements, assembly or exports, in itself or in what it imports. Such a module is imported flat by the prelude as
well, and then always read. Fails as well where what is always read mentions such a namespace, be it as the name of a
parameter: then every program reads that, too.
"""

import os
import re
import sys

from sources import read

IMPORT = re.compile(r'^\s*(?:private\s+)?(?:(\w+)\s*::\s*)?#import\s+"([^"]+)"', re.MULTILINE)
ACTS = re.compile(r"^\s*(?:\w+\s*::\s*ufcs\b|#context_extend\b|#run\b|asm\s*\{|.*\bexport\b\s*[\"{;])", re.MULTILINE)
IMPL = re.compile(r"^\s*impl\s+[\w.]+(?:\([^)]*\))?\s+for\s+(\w+)", re.MULTILINE)
ALIAS = re.compile(r"^(\w+)\s*::\s*(\w+)\.", re.MULTILINE)
COMMENT_OR_TEXT = re.compile(r'//.*|"(?:\\.|[^"\\\n])*"')
DECLARED = re.compile(r"^(?:private )?(\w+)\s*::", re.MULTILINE)


def imports(root, path):
    """(name or "", file) of each import, relative to `root`."""
    text = read(root, path)
    return [(name, os.path.normpath(os.path.join(os.path.dirname(path), to))) for name, to in IMPORT.findall(text)]


def reached(root, start):
    """The files that `start` brings into a program."""
    seen, pending = set(), list(start)
    while pending:
        path = pending.pop()
        if path not in seen:
            seen.add(path)
            pending += [file for _, file in imports(root, path)]
    return seen


def main():
    root = sys.argv[1]
    prelude = "library/modules/std.sx"
    always = reached(root, [file for name, file in imports(root, prelude) if not name])
    named = reached(root, [file for name, file in imports(root, prelude) if name])
    found = 0
    deferred = sorted(named - always)
    declared = {name for path in deferred for name in DECLARED.findall(read(root, path))}
    for path in deferred:
        text = read(root, path)
        foreign = [match for match in IMPL.finditer(text) if match[1] not in declared]
        for match in [*ACTS.finditer(text), *foreign]:
            print(f"{path}: `{match.group().strip()}` acts without being named: let the prelude import the module flat, too")
            found += 1
    spaces = {name for name, file in imports(root, prelude) if name and file in deferred}
    spaces |= {alias for alias, space in ALIAS.findall(read(root, prelude)) if space in spaces}
    for path in sorted(always - {prelude}):
        words = set(re.findall(r"\w+", COMMENT_OR_TEXT.sub("", read(root, path))))
        for name in sorted(words & spaces):
            print(f"{path}: `{name}` names a namespace of the prelude, or a member of one, which every program reads now")
            found += 1
    if len(deferred) < 10:
        print("the prelude has no namespaces that are read on demand: does this script still understand it?")
        found += 1
    return min(found, 1)


sys.exit(main())
