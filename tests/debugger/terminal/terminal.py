#!/usr/bin/env python3
"""`sx debug --batch`: scripts of commands and what is printed, the same with both engines.

usage: terminal.py SX FOLDER-OF-PROGRAMS ENGINE [--write]

A script NAME.commands is carried out on the program that the table names; NAME.txt has what is printed, to standard
output and standard error in their order, and the exit status. `--write` writes these files.
"""

import os
import re
import socket
import subprocess
import sys
import tempfile
import threading

SX, PROGRAMS, ENGINE = sys.argv[1:4]
SX = os.path.abspath(SX)
SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scripts")
WRITE = "--write" in sys.argv
TIMEOUT = 60  # seconds

SCRIPT_OF = {"errors": "errors", "values": "hot", "steps": "calls", "ends": "panics", "loops": "loops"}


def debug(*arguments, text=None, cwd=PROGRAMS):
    return subprocess.run([SX, "debug", *arguments], cwd=cwd, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=TIMEOUT)


def batch(program, text, *arguments):
    """What a script given as standard input prints, and the exit status."""
    done = debug("--batch", "--engine", ENGINE, "-x", "-", program, *arguments, text=text)
    return done.stdout, done.returncode


def transcripts():
    wrong = []
    for name, program in SCRIPT_OF.items():
        done = debug("--batch", "--engine", ENGINE, "-x", os.path.join(SCRIPTS, name + ".commands"), program + ".sx")
        text = done.stdout.replace(SCRIPTS + "/", "").replace("watching by single steps\n", "") + f"status {done.returncode}\n"
        path = os.path.join(SCRIPTS, name + ".txt")
        if WRITE:
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            continue
        with open(path, encoding="utf-8") as f:
            wanted = f.read()
        if text != wanted:
            wrong.append(f"{name}: wanted\n{wanted}\ngot\n{text}")
    assert not wrong, "\n".join(wrong)


def machine():
    """What differs between engines is looked at by its form."""
    text, status = batch("hot.sx", "b main\nrun\nn\ndisas\ndisas 3\nregs\nx item 32\nx 0x0 16\ninfo threads\ninfo fibers\n")
    assert status == 0, text
    assert len(re.findall(r"^=> 0x[0-9a-f]+  \S+.*; line \d+$", text, re.MULTILINE)) == 2, text
    assert re.search(r"^(rip|r0) = ", text, re.MULTILINE), text
    assert "not known" not in text, text
    assert re.search(r"^0x[0-9a-f]{12}  ([0-9a-f]{2}  ?){16} .{16}$", text, re.MULTILINE), text
    assert re.search(r"^0x0{12,}  not readable$", text, re.MULTILINE), text
    assert re.search(r"^\* 1  main", text, re.MULTILINE) and text.endswith("no fibers\n"), text
    bad = ("disas 0", "disas x", "x", "x 1 + 1", "info", "info nothing", "thread 7", "thread x", "graph", "graph sum", "watch",
           "b", "break", "p", "set", "input a", "pause", "d", "n 0", "c abc", "run 5", "regs x", "up 2")
    text, status = batch("hot.sx", "b main\nrun\nn\n" + "\n".join(bad) + "\nbt\n")
    lines = text.split("\n")[3:]
    assert status == 1 and lines[-2] == "#0 main at hot.sx:10:5" and len(lines) == len(bad) + 2, text
    for i, line in enumerate(bad):
        assert lines[i].startswith(f"standard input:{i + 4}: `{line}`: "), (line, text)
    # Objects around one, and the roots, which have no more than a name.
    text, status = batch("objects.sx", "b chain\nrun\nf\nn\ngraph list\n")
    assert status == 0 and re.search(r"^  -> \.next  #\d+ Node ", text, re.MULTILINE) and text.endswith("\n  <- list in main\n"), text
    # As often as is said, or up to a stop for another reason.
    text, status = batch("calls.sx", "b main\nb Counter.add\nrun\nn 9\nf\nn 2\nb 42\nb 44\nc 2\nc 99\n")
    stops = re.findall(r"^\S+ at calls.sx:(\d+)", text, re.MULTILINE)
    assert stops == ["28", "8", "30", "32", "44"] and "exited 0\n" in text and status == 0, text


def output():
    """The program's streams keep their order among the answers; its arguments arrive."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "echo.sx")
        with open(path, "w", encoding="utf-8") as f:
            f.write('#import "modules/std.sx";\nE :: error { Bad }\nmain :: () -> !E {\n    b : [9]string = ---;\n'
                    '    for cli.os_args(b[..])[1..] (a) { print("<{}>\\n", a); }\n    raise error.Bad;\n}\n')
        done = debug("echo.sx", "--batch", "-x", "-", "--engine=" + ENGINE, "a b", "--batch", text="run\nc\n", cwd=folder)
        lines = done.stdout.split("\n")
        assert lines[-6:-1] and "<a b>" in lines and "<--batch>" in lines, done.stdout
        assert lines.index("<--batch>") < lines.index("unhandled error reached main: error.Bad"), done.stdout
        assert lines[-2] == "exited 1", done.stdout
        separate = subprocess.run([SX, "debug", "--batch", "-x", "-", "--engine", ENGINE, path], input="run\np 1 +\nc\n", text=True,
                                  capture_output=True, timeout=TIMEOUT, cwd=folder)
        assert separate.returncode == 1, separate
        assert "`p 1 +`" in separate.stderr and "error return trace" in separate.stderr, separate
        assert "reached main: error.Bad\nmain" in separate.stdout and separate.stdout.endswith("exited 1\n"), separate


def beginnings():
    """What ends a session before it begins, and with which status."""
    with tempfile.TemporaryDirectory() as folder:
        broken = os.path.join(folder, "broken.sx")
        with open(broken, "w", encoding="utf-8") as f:
            f.write("main :: () { x := ; }\n")
        text, status = batch(broken, "run\nbt\n")
        assert status == 1 and "broken.sx:1:" in text and "standard input:2: `bt`" in text, text
        text, status = batch(os.path.join(folder, "none.sx"), "run\n")
        assert status == 1 and "there is no file" in text, text
        text, status = batch(broken, "\n  \n# nothing\nq\n")
        assert status == 0 and text == "", text
    for arguments in (["--batch", "-x", "/none", "hot.sx"], ["--batch", "-x", ".", "hot.sx"], ["--batch"], [], ["--engine", "jit", "hot.sx"],
                      ["--nothing", "hot.sx"], ["--formatters"], ["--formatters", "x", "--connect", "127.0.0.1:1", "hot.sx"], ["--batch=1", "hot.sx"], ["-x"], ["hot.sx", "--engine"]):
        done = debug(*arguments)
        assert done.returncode == 2 and done.stdout.startswith("error: "), (arguments, done)
    done = debug("--batch", "-x", "-", "--connect", "127.0.0.1:1", "hot.sx", text="run\n")
    assert done.returncode == 1 and "cannot connect" in done.stdout, done
    for port in ("99999", "0", "x", ""):
        done = debug("--batch", "-x", "-", "--connect", "127.0.0.1:" + port, "hot.sx", text="run\n")
        assert done.returncode == 1 and "from 1 to 65535" in done.stdout, done
    with socket.create_server(("127.0.0.1", 0)) as server: # it is no adapter
        threading.Thread(target=lambda: server.accept()[0].close(), daemon=True).start()
        done = debug("--batch", "-x", "-", "--connect", str(server.getsockname()[1]), "hot.sx", text="run\nc\n")
        assert done.returncode == 1 and done.stdout.count("\n") == 1 and "no debug adapter answers at" in done.stdout, done
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([SX, "debug", "--batch", "-x", "-", "--engine", ENGINE, os.path.join(PROGRAMS, "hot.sx")], input="b main\n",
                              text=True, stdout=full, stderr=subprocess.PIPE, timeout=TIMEOUT, check=False)
        assert done.returncode == 1 and done.stderr == "error: cannot write to standard output: No space left on device\n", done
    assert debug("--help").stdout.startswith("usage: sx debug"), "help"


def connected():
    """An adapter that runs already."""
    server = subprocess.Popen([SX, "dap", "--listen", "0"], stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().split()[-1]
        done = debug("--batch", "-x", "-", "--engine", ENGINE, "--connect", address, "hot.sx", text="b main\nrun\nbt\n")
        assert done.returncode == 0 and "main at hot.sx:9:5\n#0 main at hot.sx:9:5\n" in done.stdout, done
    finally:
        server.terminate()
        server.wait(TIMEOUT)


def backwards():
    """Over what was called, and into it; the interpreter's."""
    text, status = batch("back.sx", "b 24\nrun\nrn\nn\nrs\nrs\n")
    places = re.findall(r"^(\w+) at back.sx:(\d+):", text, re.MULTILINE)
    wanted = [("main", "24"), ("main", "23"), ("main", "24"), ("square", "9"), ("square", "8")]
    assert status == 0 and places[-5:] == wanted, text


for test in (transcripts, machine, output, beginnings, connected) + ((backwards,) if ENGINE == "vm" else ()):
    test()
    print("ok", test.__name__)
