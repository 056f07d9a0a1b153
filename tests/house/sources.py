"""Which files of the project are C and C++, and their texts without comments and literals."""

import os
import re
import subprocess

ENDINGS = (".c", ".h", ".cpp", ".hpp", ".inc", ".def")


def sources(root, endings=ENDINGS):
    """Paths below `root`, which is a checkout or an unpacked archive, in alphabetical order."""
    try:
        listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
    except (OSError, subprocess.CalledProcessError):
        listed = [os.path.relpath(os.path.join(folder, name), root)
                  for folder, _, names in os.walk(root) if "/build/" not in folder + "/" for name in names]
    return sorted(p for p in set(listed) if p.endswith(endings) and os.path.exists(os.path.join(root, p)))


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as f:
        return f.read()


LITERALS = re.compile(
    r'//[^\n]*|/\*.*?\*/'                          # comments
    r'|R"([^()\\ ]{0,16})\(.*?\)\1"'               # raw strings
    r'|"(?:\\.|[^"\\\n])*"'                        # strings
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'"        # characters, but not the separator in 1'000
    r'|^[ \t]*#(?:\\\n|[^\n])*',                   # directives with their continuation lines
    re.DOTALL | re.MULTILINE)


def blanked(text):
    """The text with comments, literals and directives replaced by blanks; every line stays where it was."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    return LITERALS.sub(blank, text)
