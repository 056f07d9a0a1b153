#!/usr/bin/env python3
"""`sx debug` on a terminal: what tmux sees while keys are pressed, the size changes, and things are killed.

usage: screen.py SX FOLDER-OF-PROGRAMS ENGINE [--show]

`--show` prints the captures, to be looked at.
"""

import contextlib
import itertools
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unicodedata

SX, PROGRAMS, ENGINE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
SHOW = "--show" in sys.argv
TIMEOUT = 60  # seconds until something counts as missing; the machine may be shared
SERVERS = (f"sx-debug-{os.getpid()}-{n}" for n in itertools.count())  # one a window: a server that ends is in the way of the next


def tmux(server, *arguments):
    return subprocess.run(["tmux", "-L", server, "-f", "/dev/null", *arguments], capture_output=True, text=True,
                          timeout=TIMEOUT, check=True).stdout


BEFORE = r"^(\$ )?before$"  # what is typed before the shell is ready stands in front of its prompt


class Window:
    """A shell in a terminal of a size, and a debugger that it has started."""

    def __init__(self, columns, rows, folder, program, environment="", before=""):
        self.server = next(SERVERS)
        tmux(self.server, "new-session", "-d", "-x", str(columns), "-y", str(rows), "-s", "w", "-c", folder,
             "env", "PS1=$ ", "LC_ALL=C.UTF-8", "sh")
        self.type("echo before; stty -g > settings; " + before)
        self.wait("before\n")
        self.type(f"{environment} '{SX}' debug --engine {ENGINE} {program}; echo status $?")
        self.wait("F5 run")

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if value:
            print(self.text())
        tmux(self.server, "kill-server")

    def type(self, text):
        tmux(self.server, "send-keys", "-t", "w", "-l", text)
        tmux(self.server, "send-keys", "-t", "w", "Enter")

    def keys(self, *keys):
        tmux(self.server, "send-keys", "-t", "w", *keys)

    def bytes(self, text):
        tmux(self.server, "send-keys", "-t", "w", "-H", *(f"{b:02x}" for b in text.encode()))

    def size(self, columns, rows):
        tmux(self.server, "resize-window", "-t", "w", "-x", str(columns), "-y", str(rows))

    def text(self, *options):
        return tmux(self.server, "capture-pane", "-p", "-t", "w", *options)

    def wait(self, *wanted, gone=()):
        """Waits until all of these regular expressions are on the screen, and none of those."""
        end = time.time() + TIMEOUT
        while True:
            text = self.text()
            missing = [w for w in wanted if not re.search(w, text, re.MULTILINE)] + [g for g in gone if re.search(g, text)]
            if not missing:
                break
            assert time.time() < end, f"waited for {missing}"
            time.sleep(0.05)
        if SHOW:
            print(text)
        return text

    def left(self, status):
        """The debugger has given the terminal back, as it was."""
        self.wait(rf"^status {status}$", BEFORE, gone=("F5 run",))
        self.type("stty -g | cmp - settings && echo same settings")
        self.wait("^same settings$")

    def below(self, name):
        """Ids of processes of a name below the shell."""
        root = int(tmux(self.server, "display-message", "-p", "-t", "w", "#{pane_pid}"))
        found, all_ = [], {}
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/stat") as f:
                    head, _, rest = f.read().rpartition(")")
                    all_[int(pid)] = (int(rest.split()[1]), head.partition("(")[2])
            except OSError:
                pass
        for pid, (_, its) in all_.items():
            at = pid
            while at in all_ and at != root:
                at = all_[at][0]
            if at == root and its == name:
                found.append(pid)
        return sorted(found)


def column_width(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def walk():
    """Breakpoints, steps, the tree, views, sizes."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.path.join(PROGRAMS, "calls.sx"), folder)
        with Window(80, 24, folder, "calls.sx") as w:
            w.wait("Source calls.sx", "Stack", "Variables", "Output", r"F11 into", r"\(sx\)")
            w.type("b main")
            w.wait("breakpoint 1  main at calls.sx:28:5")
            w.keys("F5")
            w.wait("●  28▶ ", "▶ main  calls.sx:28", "stopped: ", "▾ Parameters and locals")
            w.keys("F10")
            w.wait("   29▶ ", "c = {total: 1}")
            w.keys("F11")
            w.wait("    8▶ ", "▶ Counter.add  calls.sx:8", "  main  calls.sx:29")
            w.keys("S-F11")
            w.wait("▶ main  calls.sx:")
            w.type("n")
            w.wait("   31▶ ", r"ints = \[3, 9, 2\]")
            w.keys("Enter")
            w.wait("   32▶ ", r"floats = ")
            w.keys("BTab", "BTab", "Down", "Down", "Enter")
            w.wait("▾ ints", r"\[1\] = 9")
            w.keys("Escape", "F4")
            w.wait("Registers", r"(rax|r0) +\S+")
            w.keys("F2")
            w.wait("Disassembly", "▶ 0x")
            w.keys("F3", "F3")
            w.wait("Breakpoints", "● 1  main at calls.sx:28:5")
            w.type("x c")
            w.wait("Memory c", "05 00 00 00")
            w.keys("F2", "F3", "F4")
            w.size(200, 60)
            text = w.wait("Source calls.sx", r"   32▶ .*│", "▾ ints", "F4 views|q quit")
            assert len(text.rstrip("\n").split("\n")) == 60, "the foot is in the last row"
            w.size(30, 8)
            w.wait("too small")
            w.size(80, 24)
            w.wait("▾ ints", "   32▶ ")
            w.keys("Tab")
            w.keys("Up", "F9")
            w.wait("●  31 ")
            w.keys("F9")
            w.wait("   31 ", gone=("●  31",))
            w.keys("n")
            w.wait("   33▶ ")
            w.keys("Escape")
            w.type("p c.tot\tx")
            w.wait("c.totalx")
            w.keys("Up", "BSpace", "Enter")
            w.wait("^5$")
            w.type("display t + i")
            w.wait("t \\+ i = ")
            w.type("c")
            w.wait("exited 0", "2|big")
            w.keys("F5")
            w.wait("●  28▶ ")
            w.type("q")
            w.left(0)


def colours_and_mouse():
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.path.join(PROGRAMS, "calls.sx"), folder)
        with Window(80, 24, folder, "calls.sx", "NO_COLOR=1 TERM=screen") as w:
            w.bytes("\033[M" + chr(32) + chr(32 + 2) + chr(32 + 10))  # the margin of line 8
            w.wait("^●   8 ")
            assert not re.search(r"\033\[(3|4|9)[0-7]", w.text("-e")), "colours"
            w.keys("C-d")
            w.left(0)
        with Window(80, 24, folder, "calls.sx") as w:
            assert re.search(r"\033\[[0-9;]*3[0-7]", w.text("-e")), "no colours"
            w.keys("C-d")
            w.left(0)


def poor_terminal():
    """One that cannot go to a place of its screen is refused, as one that is not known."""
    _, terminal = pty.openpty()
    for kind in ("dumb", "no-such-kind"):
        p = subprocess.run([SX, "debug", os.path.join(PROGRAMS, "calls.sx")], stdin=terminal, stdout=terminal, stderr=subprocess.PIPE,
                           text=True, env=dict(os.environ, TERM=kind), timeout=TIMEOUT)
        assert p.returncode == 2 and f"nothing can be drawn on a terminal of the kind `{kind}`" in p.stderr, p


WIDE = """// 漢字 and é, a tab:\tend 🙂
#import "modules/std.sx";
main :: () {
    text := "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字";
    print("{}\\n", text);
    print("\x1b[2J\x1b[31m\x07bell\\r\\n");
    for 0..3000 (i) { print("line {}\\n", i); }
    while true { }
}
"""


def output():
    """Wide characters, what a program does to a terminal, one that does not end."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "wide.sx"), "w", encoding="utf-8") as f:
            f.write(WIDE)
        with Window(80, 24, folder, "wide.sx") as w:
            w.type("b 6")
            w.keys("F5")
            text = w.wait("    6▶ |●   6▶ ", "text = ")
            for line in text.split("\n")[2:14]:
                assert column_width(line.partition("│")[0]) == 48, line
            w.keys("Tab")
            assert "漢字\";" not in w.text(), "the end of line 4"
            w.keys(*["Right"] * 20)
            w.wait(r"^    4  .*字漢字\"; *│")
            w.keys(*["Left"] * 20)
            w.wait(r"^    4      text := \"漢")
            w.keys("Escape")
            w.type("b 7")
            w.type("c")
            w.wait(r"^\^\[\[2J\^\[\[31m\^Gbell", "●   7▶ ")
            w.type("c")
            w.wait("line 2999", " running")
            w.keys("C-c")
            w.wait("stopped: pause")
            w.type("q")
            w.left(0)


def edited():
    """A program that is changed, broken and mended is run as it is now, and shown so."""
    with tempfile.TemporaryDirectory() as folder:
        def write(*lines):
            with open(os.path.join(folder, "edited.sx"), "w", encoding="utf-8") as f:
                f.write("\n".join(('#import "modules/std.sx";', "main :: () {", *lines, "}\n")))

        write("    x := ;")
        with Window(80, 24, folder, "edited.sx") as w:
            for n, mended in enumerate((('    print("one\\n");',), ('    x := "two";', '    print("{}\\n", x);')), 1):
                w.type("run")
                w.wait("does not compile: ")
                write(*mended)
                w.type("run")
                w.wait("exited 0", "3 .*" + re.escape(mended[0]))
                w.type("b main")
                w.type("run")
                w.wait("main at edited.sx:3:5", "3▶ ")
                write("    y := 1;", "    z := ;")
                w.type(f"d {n}")
            w.type("q")
            w.left(0)


def killed():
    """Who is killed: the adapter, the process that draws, the one that guards it. The terminal is as it was."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.path.join(PROGRAMS, "calls.sx"), folder)
        for victim, number, shown in (("sx-dap", signal.SIGKILL, None), (-1, signal.SIGKILL, 137), (-1, signal.SIGSEGV, 139),
                                      (-1, signal.SIGTERM, 143), (0, signal.SIGTERM, 143)):
            with Window(80, 24, folder, "calls.sx") as w:
                w.type("b main")
                w.keys("F5")
                w.wait("●  28▶ ")
                all_ = w.below("sx-debug")
                if victim == "sx-dap":
                    for pid in w.below("sx-dap"):
                        with contextlib.suppress(ProcessLookupError): # gone with one before it
                            os.kill(pid, number)
                    w.wait("the debug adapter has ended")
                    w.type("n")
                    w.wait("`q` leaves")
                    w.type("q")
                    shown = 0
                else:
                    os.kill(all_[victim], number)
                w.left(shown)
        with Window(80, 24, folder, "calls.sx") as w:
            w.keys("C-z")
            w.wait(BEFORE, "Stopped", gone=("F5 run",))
            w.type("fg")
            w.wait("F5 run")
            w.keys("C-d")
            w.wait(BEFORE, gone=("F5 run",))
            w.type("stty -g | cmp - settings && echo same settings")
            w.wait("^same settings$")


def no_terminal():
    done = subprocess.run([SX, "debug", os.path.join(PROGRAMS, "calls.sx")], capture_output=True, text=True, timeout=TIMEOUT,
                          stdin=subprocess.DEVNULL)
    assert done.returncode == 2 and "--batch" in done.stderr and done.stdout == "", done


if not shutil.which("tmux"):
    print("tmux is missing")
    sys.exit(77)
TESTS = {"walk": walk, "output": output} if ENGINE == "native" else {
    "walk": walk, "output": output, "colours_and_mouse": colours_and_mouse, "edited": edited, "killed": killed, "no_terminal": no_terminal,
    "poor_terminal": poor_terminal}
chosen = [a for a in sys.argv[4:] if not a.startswith("--")] or list(TESTS)
for name in chosen:
    TESTS[name]()
    print("ok", name, flush=True)
