#!/usr/bin/env python3
"""Walks through programs and compares what is seen with what is expected, which is the same for every engine.

usage: walks.py SX ENGINE [--update]
"""

import difflib
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
WALKS = [("errors", "next"), ("errors", "stepIn"), ("calls", "next"), ("calls", "stepIn"), ("values", "next"), ("flows", "stepIn"), ("handlers", "next"),
         ("returns", "stepIn"), ("returns", "next"), ("unset", "next"), ("copies", "stepIn"), ("results", "stepIn")]


def main():
    sx, engine = sys.argv[1:3]
    failed = 0
    for program, how in WALKS:
        expected = os.path.join(HERE, "expected", f"{program}.{how}.txt")
        run = subprocess.run([sys.executable, os.path.join(HERE, "walk.py"), sx, engine,
                              os.path.join(HERE, "programs", program + ".sx"), how], capture_output=True, text=True,
                             timeout=300)
        if run.stderr:
            print(run.stderr)
            failed += 1
        if "--update" in sys.argv:
            with open(expected, "w", encoding="utf-8") as f:
                f.write(run.stdout)
            continue
        with open(expected, encoding="utf-8") as f:
            wanted = f.read()
        if run.stdout != wanted:
            failed += 1
            print("".join(difflib.unified_diff(wanted.splitlines(True), run.stdout.splitlines(True), expected,
                                               f"{program} with the engine {engine}")))
    print(f"{len(WALKS)} walks, {failed} of them differ")
    sys.exit(1 if failed else 0)


main()
