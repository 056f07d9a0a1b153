#!/usr/bin/env python3
"""Usage: format.py ROOT

Fails with the names of the C and C++ files that clang-format would change. Exits with 77 where the version that the project
uses is not installed: versions differ in what they do.
"""

import os
import shutil
import subprocess
import sys

from sources import sources

VERSION = "14"


def clang_format():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        if shutil.which(name):
            text = subprocess.run([name, "--version"], capture_output=True, text=True, check=True).stdout
            if f"version {VERSION}." in text:
                return name
    return None


def main():
    root, tool = sys.argv[1], clang_format()
    if not tool:
        print(f"clang-format {VERSION} is not installed")
        return 77
    files = sources(root, (".c", ".h", ".cpp", ".hpp"))
    done = subprocess.run([tool, "--dry-run", "-Werror", *files], cwd=root, capture_output=True, text=True)
    names = sorted({line.split(":")[0] for line in done.stderr.split("\n") if "clang-format-violations" in line})
    print("\n".join(f"{name}: clang-format -i changes it" for name in names) if names else done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
