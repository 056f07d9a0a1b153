"""Runs in gdb (see values.sh): compares what editors/debug/sx_values.py shows of the variables in `main` with what
debugger/inspect shows of the same bytes. Writes the file `answer`."""
import os
import re
import subprocess
import sys

import gdb

ROOT = os.environ["SX_VALUES_ROOT"]
LEAST = 25  # variables that a program has


def symbols(program):
    """What nm says, as lines `SYMBOL ADDRESS NAME`, with the addresses of the running program."""
    listed = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    table = {name: int(address, 16) for address, _, name in
             (line.split(maxsplit=2) for line in listed.split("\n") if re.match(r"[0-9a-f]+ ", line))}
    moved = int(gdb.newest_frame().function().value().address) - table["sx.stop"]
    return ["SYMBOL %x %s" % (address + moved, name) for name, address in table.items()]


def mappings():
    """Pairs of begin and end of what is mapped."""
    said = gdb.execute("info proc mappings", to_string=True)
    return [(int(begin, 16), int(end, 16)) for begin, end in re.findall(r"^\s*0x([0-9a-f]+)\s+0x([0-9a-f]+)\s", said, re.MULTILINE)]


def image():
    """The program's memory in hexadecimal, as lines `MEMORY ADDRESS BYTES`."""
    lines, process = [], gdb.selected_inferior()
    for begin, end in mappings():
        if end - begin > 1 << 24:
            continue
        try:
            lines.append("MEMORY %x %s" % (begin, process.read_memory(begin, end - begin).tobytes().hex()))
        except gdb.error:
            pass
    return lines


def variables(frame):
    """(name, line, value), innermost first, each name once."""
    block, seen = frame.block(), set()
    while True:
        for symbol in block:
            if symbol.name not in seen:
                yield symbol.name, symbol.line, symbol.value(frame)
            seen.add(symbol.name)
        if block.function is not None:
            return
        block = block.superblock


def theirs(value):
    """What the scripts show, and whether what is inside belongs to the text in the library."""
    shown = sx_values.show(Value(value))
    if shown is not None:
        return shown.text, shown.has_children and shown.text[-1:] in ("", ")")
    if value.type.strip_typedefs().code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION, gdb.TYPE_CODE_ARRAY):
        return "", True
    return value.format_string(), False


def agree(script, has_parts, library):
    if script == library:
        return True
    if re.fullmatch(r"-?[0-9.]+(e[-+]?[0-9]+)?", script) and re.fullmatch(r"-?[0-9.]+(e[-+]?[0-9]+)?", library):
        return abs(float(script) - float(library)) <= 1e-6 * abs(float(script))
    if re.fullmatch(r"0x[0-9a-f]+ <.+>", script):  # a function: gdb shows its address as well
        return script.endswith("<%s>" % re.sub(r"\.\d+$", "", library))
    parts = library.removeprefix(script).lstrip()
    return library.startswith(script) and has_parts and re.fullmatch(r"\{.*\}|\[.*\]", parts) is not None


def compare():
    frame = gdb.selected_frame()
    asked = [(name, line, value) for name, line, value in variables(frame) if value.address is not None]
    lines = symbols(gdb.current_progspace().filename) + image()
    lines += ["LOCAL %x %d %s" % (int(value.address), line, name) for name, line, value in asked]
    said = subprocess.run([os.environ["SX_VALUES_SHOW"], os.environ["SX_VALUES_PROGRAM"]], input="\n".join(lines) + "\n",
                          capture_output=True, text=True, check=True).stdout.split("\n")
    failures = 0
    for (name, _, value), library in zip(asked, said):
        script, has_parts = theirs(value)
        if not agree(script, has_parts, library):
            failures += 1
            yield "FAIL: %s: the scripts show `%s`, the library `%s`" % (name, script, library)
    if len(asked) < LEAST or len(said) < len(asked):
        yield "FAIL: %d variables, %d answers" % (len(asked), len(said))
    if failures == 0:
        yield "ok: %d variables" % len(asked)


sys.path.insert(0, ROOT + "/editors/debug")
gdb.execute("source %s/editors/gdb/sx.py" % ROOT)
import sx_values  # noqa: E402  the script has put its folder on the path
gdb.execute("set confirm off")
gdb.execute("break stop")
gdb.execute("run")
gdb.execute("up")
with open("answer", "w", encoding="utf-8") as out:
    out.write("\n".join(compare()) + "\n")
gdb.execute("kill")
