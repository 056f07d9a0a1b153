"""gdb for sx programs: readable values, and the command `sx trace`.

Programs with debug information carry this script, and gdb loads it with them where `auto-load safe-path` lets it. By
hand: `source editors/gdb/sx.py`. See docs/debugging.md.
"""
import os
import re
import struct
import sys

import gdb
import gdb.printing

if "sx_values" not in sys.modules:  # a program brings them along
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "debug"))
import sx_trace
import sx_values

KINDS = {gdb.TYPE_CODE_STRUCT: "struct", gdb.TYPE_CODE_UNION: "union", gdb.TYPE_CODE_ENUM: "enum", gdb.TYPE_CODE_PTR: "pointer",
         gdb.TYPE_CODE_ARRAY: "array"}


class Value:
    """What sx_values asks of a value."""

    def __init__(self, value):
        self.value = value
        self.type = value.type.unqualified()
        self.base = self.type.strip_typedefs()

    @property
    def type_name(self):
        return self.type.name or ""

    @property
    def kind(self):
        return KINDS.get(self.base.code, "")

    @property
    def field_names(self):
        return [f.name or "" for f in self.base.fields()]

    def fields(self):
        return [(f.name or "", Value(self.value[f])) for f in self.base.fields()]

    def field(self, index):
        return Value(self.value[self.base.fields()[index]])

    def enumerators(self):
        return [(f.enumval, f.name) for f in self.base.fields()]

    def number(self):
        return int(self.value.cast(gdb.lookup_type("unsigned long" if self.base.code == gdb.TYPE_CODE_PTR else "long"))
                   if self.base.code != gdb.TYPE_CODE_INT else self.value) & ((1 << 8 * self.base.sizeof) - 1)

    def element(self, index):
        return Value(self.value[index])

    @property
    def element_size(self):
        return self.base.target().sizeof

    @property
    def element_name(self):
        return self.base.target().name or ""

    @property
    def count(self):
        return self.base.range()[1] + 1

    @property
    def size(self):
        return self.base.sizeof

    @property
    def address(self):
        return int(self.value.address)

    def behind(self):
        return Value(self.value.cast(self.type.target()))

    def plain(self):
        return self.value.format_string()

    def memory(self, address, size):
        return gdb.selected_inferior().read_memory(address, size).tobytes()

    def typed(self, address, name):
        found = named_type(name)
        return Value(gdb.Value(address).cast(found.pointer()).dereference()) if found else None

    def symbol(self, address):
        return symbol_at(address)

    def function(self, address):
        block = gdb.block_for_pc(address)
        while block is not None and block.function is None:
            block = block.superblock
        return block.function.name if block is not None else None


def named_type(name):
    if name.startswith(("*", "[*]")):
        target = named_type(name[1:] if name[0] == "*" else name[3:])
        return target.pointer() if target else None
    for keyword in ("", "struct ", "enum ", "union "):
        try:
            return gdb.lookup_type(keyword + name)
        except gdb.error:
            pass
    return None


def symbol_at(address):
    """gdb has no names of the linker's symbols for scripts; but it can say one."""
    said = gdb.execute("with print demangle off -- info symbol 0x%x" % address, to_string=True)
    found = re.search(r"^(.+) in section ", said, re.MULTILINE)
    return found.group(1) if found and " + " not in found.group(1) else None


# ---- printers

class Printer:
    def __init__(self, value):
        self.shown = sx_values.show(Value(value))
        if self.shown.is_sequence:
            self.display_hint = lambda: "array"

    def to_string(self):
        return self.shown.text or None


class PrinterWithChildren(Printer):
    def children(self):
        for i in range(self.shown.count):
            name, value = self.shown.child(i)
            yield name or "[%d]" % i, value.value


class Printers(gdb.printing.PrettyPrinter):
    def __call__(self, value):
        try:
            value_of = Value(value)
            if value.is_optimized_out or sx_values.form(value_of) is None:
                return None
            printer = Printer(value)
        except gdb.error:
            return None
        return PrinterWithChildren(value) if printer.shown.has_children else printer


# ---- sx trace

class Process:
    """The selected thread, for sx_trace."""

    def symbol(self, name):
        try:
            return int(gdb.parse_and_eval("(unsigned long)&" + name))
        except gdb.error:
            return None

    def memory(self, address, size):
        return gdb.selected_inferior().read_memory(address, size).tobytes()

    def thread_pointer(self):
        try:
            return int(gdb.newest_frame().read_register("fs_base")) & sx_trace.MASK
        except (gdb.error, ValueError):
            return None


class SxCommand(gdb.Command):
    """Commands for sx programs."""

    def __init__(self):
        super().__init__("sx", gdb.COMMAND_USER, prefix=True)


class TraceCommand(gdb.Command):
    """Print the error return trace that is in flight in the selected thread.
The process may be running under gdb, or be a core file."""

    def __init__(self):
        super().__init__("sx trace", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if gdb.selected_thread() is None:
            raise gdb.GdbError("sx trace: there is no process")
        try:
            gdb.write(sx_trace.trace(Process()) + "\n")
        except (sx_trace.Problem, gdb.error, struct.error) as problem:
            raise gdb.GdbError("sx trace: %s" % problem)


# ---- what gdb thinks of .sx

class Reread:
    """gdb takes .sx for assembly, in whose functions it looks for no prologue. When it was started with a program it has
    read that before it loads this script. So the program is read once more: where a prompt or a command comes first,
    for while a script is loaded this is not safe."""

    COMMANDS = ("break", "tbreak", "start")

    def __init__(self):
        if ".sx\t- asm" not in gdb.execute("info extensions", to_string=True):
            return
        gdb.execute("set extension-language .sx c")
        objfile = gdb.current_objfile()
        if objfile is None or "{ symtab " not in gdb.execute("maint info symtabs [.]sx$", to_string=True):
            return
        self.file = objfile.filename
        gdb.events.before_prompt.connect(self.now)
        for command in self.COMMANDS:
            gdb.execute("define hook-%s\npython import sx_gdb; sx_gdb.reread.now()\nend" % command)

    def now(self):
        gdb.events.before_prompt.disconnect(self.now)
        for command in self.COMMANDS:
            gdb.execute("define hook-%s\nend" % command)
        if self.file == gdb.current_progspace().filename:
            gdb.execute('symbol-file "%s"' % self.file, to_string=True)


reread = Reread()
gdb.printing.register_pretty_printer(None, Printers("sx"), replace=True)
SxCommand()
TraceCommand()
