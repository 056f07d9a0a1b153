#!/usr/bin/env python3
"""Runs what the documents show. Usage: blocks.py SX PAGE… [--update]

--update writes what the commands print into the pages, for a person to read.

In a page of Markdown these fenced blocks are heeded; a page's blocks share one folder, in order:

  ```sx NAME.sx         a file, which must pass `sx check` (with main or without), and be as `sx fmt` writes it
  ```sx                 declarations, checked with the library imported
  ```sx body            statements, checked inside of a function that may fail
  ```sx rejected        a file that the compiler must reject
  ```text NAME          a file of another kind
  ```console            commands after `$ `, and exactly what they print (stdout and stderr); a line `…` stands for any lines.
                        `echo $?` shows the exit status of the command before
"""
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

FENCE = re.compile(r"^```(\w*) ?(.*)$")
TIMEOUT = 120  # seconds for a command: far above what one takes
PRELUDE = '#import "modules/std.sx";\n'


def blocks(path):
    """(language, info, text, line) of each fenced block; the line is 1-based, of the fence."""
    found, inside = [], None
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        line = line.rstrip("\n")
        fence = FENCE.match(line)
        if inside is None and fence:
            inside = (fence.group(1), fence.group(2), [], number)
        elif inside is not None and line == "```":
            found.append((inside[0], inside[1], "".join(l + "\n" for l in inside[2]), inside[3]))
            inside = None
        elif inside is not None:
            inside[2].append(line)
    return found


class Page:
    def __init__(self, sx, path):
        self.sx, self.path, self.problems, self.count, self.outputs = sx, path, [], 0, {}

    def run(self):
        with tempfile.TemporaryDirectory() as folder:
            bin_folder = os.path.join(folder, ".bin")
            os.mkdir(bin_folder)
            os.symlink(self.sx, os.path.join(bin_folder, "sx"))
            environment = {"PATH": bin_folder + ":" + os.environ["PATH"], "HOME": folder, "TERM": "dumb"}
            self.folder, self.environment = folder, environment
            for language, info, text, line in blocks(self.path):
                if language == "sx":
                    self.source(info, text, line)
                elif language == "text" and info:
                    self.write(info, text)
                elif language == "console":
                    self.console(text, line)
        return self

    def fail(self, line, message):
        self.problems.append(f"{self.path}:{line}: {message}")

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)

    def command(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT)
        status = done.returncode if done.returncode >= 0 else 128 - done.returncode # killed by a signal
        return status, done.stdout.decode("utf-8", "replace")

    def source(self, info, text, line):
        self.count += 1
        name = info if info.endswith(".sx") else "block.sx"
        if not info.endswith(".sx") and "#import" not in text:
            text = PRELUDE + ("block_body :: () -> ! {\n" + text + "}\nmain :: () { block_body() catch { }; }\n"
                              if info == "body" else text)
        self.write(name, text)
        status, output = self.command(f"sx check --all {name}")
        if info == "rejected" and status != 1:
            self.fail(line, "this must be rejected")
        elif info != "rejected" and status != 0:
            self.fail(line, "this is rejected:\n" + output)
        elif name == info and info != "rejected":
            status, output = self.command(f"sx fmt --diff {name}")
            if status != 0:
                self.fail(line, "this is not as `sx fmt` writes it:\n" + output)

    def console(self, text, line):
        steps, last, shown = [], 0, []
        for row in text.splitlines():
            if row.startswith("$ "):
                steps.append((row[2:], []))
            elif steps:
                steps[-1][1].append(row)
            else:
                self.fail(line, "output without a command")
        for command, expected in steps:
            self.count += 1
            if command == "echo $?":
                actual = f"{last}\n"
            else:
                last, actual = self.command(command)
            if actual and not actual.endswith("\n"):
                actual += "\n"
            shown += ["$ " + command, *(expected if "…" in expected else actual.splitlines())]
            pattern = "".join("(?:.*\n)*" if row == "…" else re.escape(row) + "\n" for row in expected)
            if not re.fullmatch(pattern, actual):
                self.fail(line, f"`{command}` prints:\n{actual}")
        self.outputs[line] = shown


    def update(self):
        """Writes what was printed into the page."""
        lines, out, skip = open(self.path, encoding="utf-8").read().splitlines(), [], False
        for number, line in enumerate(lines, 1):
            if skip and line == "```":
                skip = False
            if not skip:
                out.append(line)
            if number in self.outputs:
                out += self.outputs[number]
                skip = True
        with open(self.path, "w", encoding="utf-8") as page:
            page.write("\n".join(out) + "\n")


def main():
    update = "--update" in sys.argv
    if update:
        sys.argv.remove("--update")
    if len(sys.argv) < 3:
        print("usage: blocks.py SX PAGE…", file=sys.stderr)
        return 2
    sx = os.path.abspath(sys.argv[1])
    with ThreadPoolExecutor(2) as pool:
        pages = list(pool.map(lambda path: Page(sx, path).run(), sys.argv[2:]))
    for page in pages:
        if update:
            page.update()
        for problem in page.problems:
            print(problem)
    print(f"{sum(p.count for p in pages)} blocks and commands in {len(pages)} pages")
    return 1 if any(p.problems for p in pages) or not any(p.count for p in pages) else 0


if __name__ == "__main__":
    sys.exit(main())
