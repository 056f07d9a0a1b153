#!/usr/bin/env python3
"""Proves: a compile of more than two seconds shows a line on a terminal, which is erased before anything else is printed;
a short one shows none, and so does a dumb terminal or a pipe. Usage: progress.py SX"""
import os
import pty
import subprocess
import sys
import tempfile

SLOW = """#import "modules/std.sx";
usleep :: (microseconds: u32) -> i32 extern libc;
wait :: () -> i64 { usleep(MICROSECONDS); 7 }
SEVEN :: #run wait();
main :: () { print("{}\\n", SEVEN); }
"""
problems = []


def on_terminal(command, folder, term):
    """What a command prints where stdout and stderr are a terminal."""
    pid, end = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.environ["TERM"] = term
        os.execv(command[0], command)
    text = b""
    while True:
        try:
            part = os.read(end, 4096)
        except OSError: # the terminal is gone
            break
        if not part:
            break
        text += part
    status = os.waitpid(pid, 0)[1]
    os.close(end)
    return os.waitstatus_to_exitcode(status), text.decode()


def expect(what, condition, found):
    if not condition:
        problems.append(f"{what}: {found!r}")


def main():
    sx = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for name, microseconds in ("slow", 2_600_000), ("quick", 1):
            with open(os.path.join(folder, name + ".sx"), "w") as out:
                out.write(SLOW.replace("MICROSECONDS", str(microseconds)))
        status, text = on_terminal([sx, "run", "slow.sx"], folder, "xterm")
        line, erased, rest = text.rpartition("\r\x1b[K")
        expect("the line", "\r\x1b[Ksx: check, 2 s" in line, text)
        expect("what follows", (status, rest) == (0, "7\r\n"), (status, text))
        expect("a quick one", on_terminal([sx, "run", "quick.sx"], folder, "xterm") == (0, "7\r\n"), "")
        found = on_terminal([sx, "run", "slow.sx"], folder, "dumb")
        expect("a dumb terminal", found == (0, "7\r\n"), found)
        done = subprocess.run([sx, "run", "slow.sx"], cwd=folder, capture_output=True, env={**os.environ, "TERM": "xterm"})
        expect("a pipe", (done.stdout, done.stderr) == (b"7\n", b""), done)
    print("\n".join(problems) or "as expected")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
