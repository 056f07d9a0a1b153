"""Runs in gdb: single-steps a program from `main` to its end and writes every stop to the file SX_STOPS.

A line is one stop: the line number, the function, the text of the line; deeper calls are indented. Stops in other files
of the program name the file instead. Functions of the library are stepped over, as a user's `skip` does. SX_STEP is the
command (`step` or `next`). Has to be told before the program is read that .sx files are no assembler
(`-iex "set extension-language .sx c"`).
"""
import os
import gdb

MOST_STOPS = 400


def depth(frame):
    count = 0
    while frame.older() is not None and frame.name() != "main":
        frame = frame.older()
        count += 1
    return count


def describe(frame, main_file):
    """None: not in the program any more."""
    where = frame.find_sal()
    if where.symtab is None or not where.symtab.filename.endswith(".sx"):
        return None
    if where.symtab.fullname() != main_file:
        return "      %s%s | %s:%d" % ("  " * depth(frame), frame.name(), os.path.basename(where.symtab.filename), where.line)
    with open(main_file, encoding="utf-8", errors="replace") as source:
        text = source.read().split("\n")[where.line - 1].strip() if where.line > 0 else "?"
    return "%4d  %s%s | %s" % (where.line, "  " * depth(frame), frame.name(), text)


def run(out):
    for setting in ("pagination off", "confirm off", "debuginfod enabled off", "print inferior-events off"):
        gdb.execute("set " + setting, to_string=True)
    for others in ("modules/*.sx", "modules/*/*.sx", "modules/*/*/*.sx", "*.c", "*.h", "*.S"):
        gdb.execute("skip -gfile " + others, to_string=True)
    gdb.execute("break main", to_string=True)
    gdb.execute("run >/dev/null 2>&1 </dev/null", to_string=True)
    main_file = gdb.selected_frame().find_sal().symtab.fullname()
    for _ in range(MOST_STOPS):
        try:
            frame = gdb.selected_frame()
        except gdb.error:  # it has exited
            break
        stop = describe(frame, main_file)
        if stop is None:
            break
        out.write(stop + "\n")
        gdb.execute(os.environ["SX_STEP"], to_string=True)
    else:
        out.write("...\n")


with open(os.environ["SX_STOPS"], "w", encoding="utf-8") as stops:
    run(stops)
