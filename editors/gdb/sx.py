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

# gdb takes .sx for assembly, in whose functions it looks for no prologue.
gdb.execute("set extension-language .sx c", to_string=True)

KINDS = {gdb.TYPE_CODE_STRUCT: "struct", gdb.TYPE_CODE_UNION: "union", gdb.TYPE_CODE_ENUM: "enum", gdb.TYPE_CODE_PTR: "pointer"}


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
        return Value((self.value + index).dereference())

    @property
    def element_size(self):
        return self.base.target().sizeof

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


def named_type(name):
    if name.startswith(("*", "[*]")):
        target = named_type(name[1:] if name[0] == "*" else name[3:])
        return target.pointer() if target else None
    try:
        return gdb.lookup_type(name)
    except gdb.error:
        pass
    try:
        return gdb.lookup_type("struct " + name)
    except gdb.error:
        return None


def symbol_at(address):
    """gdb has no names of symbols without types for scripts; but it can say one."""
    found = re.match(r"(.+) in section .*$", gdb.execute("with print demangle off -- info symbol 0x%x" % address, to_string=True))
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


gdb.printing.register_pretty_printer(None, Printers("sx"), replace=True)
SxCommand()
TraceCommand()
