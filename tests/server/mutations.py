#!/usr/bin/env python3
"""Usage: mutations.py SX FOLDER SEED COUNT

Texts that an editor may hold on the way: prefixes and mutations of the programs in FOLDER. Every request is answered, and
no process that answers ends unexpectedly.
"""

import os
import random
import sys

from lsp import Client

PIECES = ["{", "}", "(", ")", ";", ".", "try ", "::", ":=", "error.", "if ", "\"", "$T", "#import \"", "x", "\n", "é",
          "struct {", "case ", "=>", "[", "]", "!", "?", "catch (e) ", "`", "\t", "for ", "match", "#run ", "---"]
AT_POSITION = ["hover", "definition", "typeDefinition", "implementation", "documentHighlight", "prepareRename",
               "completion", "signatureHelp", "prepareCallHierarchy", "references", "prepareTypeHierarchy", "onTypeFormatting",
               "selectionRange"]
OF_TEXT = ["documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "documentLink", "diagnostic",
           "formatting", "rangeFormatting", "inlayHint", "codeAction"]


def mutate(text, rng):
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:at]
        elif kind == 1:
            text = text[:at] + rng.choice(PIECES) + text[at:]
        elif kind == 2:
            text = text[:at] + text[at + rng.randint(1, 30):]
        else:
            other = rng.randrange(len(text) + 1)
            text = text[:at] + text[other:other + rng.randint(1, 60)] + text[at:]
    return text


def main():
    sx, folder, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    rng = random.Random(seed)
    files = sorted(f for f in os.listdir(folder) if f.endswith(".sx"))
    texts = [open(os.path.join(folder, f), encoding="utf-8").read() for f in files]
    uri = "file:///nowhere/mutation.sx"
    c = Client(sx, capabilities={"textDocument": {"diagnostic": {}}})
    c.open(uri, "")
    for version in range(2, count + 2):
        text = mutate(rng.choice(texts), rng)
        c.change(uri, version, text)
        lines = text.split("\n")
        started = []
        where = {"textDocument": {"uri": uri}}
        for method in OF_TEXT:
            started.append(c.start("textDocument/" + method, {**where, "context": {"diagnostics": []}, "options": {}, "range": {
                "start": {"line": 0, "character": 0}, "end": {"line": len(lines), "character": 0}}}))
        for method in AT_POSITION:
            line = rng.randrange(len(lines))
            position = {"line": line, "character": rng.randrange(len(lines[line]) + 1)}
            started.append(c.start("textDocument/" + method, {**where, "position": position, "positions": [position],
                                                                 "ch": rng.choice([";", "}", "\n"]), "options": {}}))
        for number in started:
            answer = c.finish(number)
            code = answer.get("error", {}).get("code")
            if code not in (None, -32803):
                print(f"seed {seed}, version {version}: {answer['error']}\n{text}")
                return 1
    assert c.leave() == 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
