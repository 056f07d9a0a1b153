"""lldb for sx programs: readable values, and the command `sx trace`.

    command script import editors/lldb/sx.py

in ~/.lldbinit loads it for good. See docs/debugging.md.
"""
import os
import struct
import sys

import lldb

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "debug"))
import sx_trace
import sx_values

KINDS = {lldb.eTypeClassStruct: "struct", lldb.eTypeClassUnion: "union", lldb.eTypeClassEnumeration: "enum",
         lldb.eTypeClassPointer: "pointer", lldb.eTypeClassArray: "array"}


class Unreadable(Exception):
    pass


class TypeShape:
    """The part of sx_values' questions that a type alone answers."""

    def __init__(self, type_):
        self.type = type_
        self.base = self.type.GetCanonicalType()

    @property
    def type_name(self):
        return (self.type.GetName() or "").removeprefix("const ")

    @property
    def kind(self):
        return KINDS.get(self.base.GetTypeClass(), "")

    @property
    def field_names(self):
        return [self.base.GetFieldAtIndex(i).GetName() or "" for i in range(self.base.GetNumberOfFields())]

    def field(self, index):
        return TypeShape(self.base.GetFieldAtIndex(index).GetType())

    def enumerators(self):
        return [(member.GetValueAsUnsigned(), member.GetName()) for member in self.base.GetEnumMembers()]

    @property
    def size(self):
        return self.base.GetByteSize()

    @property
    def element_name(self):
        return self.type.GetArrayElementType().GetName() or ""

    @property
    def count(self):
        return self.size // max(self.type.GetArrayElementType().GetByteSize(), 1)

    @property
    def element_size(self):
        return self.base.GetPointeeType().GetByteSize()


class Value(TypeShape):
    """What sx_values asks of a value."""

    def __init__(self, value):
        super().__init__(value.GetType())
        self.value = value.GetNonSyntheticValue()

    def fields(self):
        return [(name, self.field(i)) for i, name in enumerate(self.field_names)]

    def field(self, index):
        return Value(self.value.GetChildAtIndex(index))

    def number(self):
        error = lldb.SBError()
        number = self.value.GetValueAsUnsigned(error, 0)
        if error.Fail():
            raise Unreadable(error.GetCString() or "no value")
        return number & ((1 << 8 * self.size) - 1)

    def element(self, index):
        if self.kind == "array":  # the debugger's own child has lost the name of its type
            type_ = self.type.GetArrayElementType()
            return Value(self.value.CreateChildAtOffset("[%d]" % index, index * type_.GetByteSize(), type_))
        pointee = self.base.GetPointeeType()
        at = (self.number() + index * self.element_size) & sx_trace.MASK
        return Value(self.value.CreateValueFromAddress("[%d]" % index, at, pointee_as_written(self.type, pointee)))

    @property
    def address(self):
        return self.value.GetLoadAddress()

    def behind(self):
        return Value(self.value.Cast(self.type.GetTypedefedType()))

    def plain(self):
        return self.value.GetValue() or self.value.GetSummary() or "<no value>"

    def memory(self, address, size):
        return read_memory(self.value.GetProcess(), address, size)

    def typed(self, address, name):
        found = named_type(self.value.GetTarget(), name)
        return Value(self.value.CreateValueFromAddress(name, address, found)) if found else None

    def symbol(self, address):
        target = self.value.GetTarget()
        symbol = target.ResolveLoadAddress(address).GetSymbol()
        if not symbol.IsValid() or symbol.GetStartAddress().GetLoadAddress(target) != address:
            return None
        return symbol.GetMangledName() or symbol.GetName()

    def function(self, address):
        return self.value.GetTarget().ResolveLoadAddress(address).GetFunction().GetName()


def pointee_as_written(pointer, canonical):
    """The pointee under its own name: the canonical type is without typedefs, all the way down."""
    written = pointer.GetPointeeType()
    return written if written.IsValid() else canonical


def named_type(target, name):
    if name.startswith(("*", "[*]")):
        pointee = named_type(target, name[1:] if name[0] == "*" else name[3:])
        return pointee.GetPointerType() if pointee else None
    found = [t for t in target.FindTypes(name) if t.GetByteSize() > 0]
    # A number's base type has the name as well, and in lldb the looks of C.
    return next((t for t in found if t.IsTypedefType()), found[0] if found else None)


PAGE = 4096  # bytes: what a core file has or lacks as a whole


def read_memory(process, address, size):
    error = lldb.SBError()
    content = process.ReadMemory(address, size, error) if 0 <= address < 1 << 64 else None
    if error.Fail() or content is None or len(content) != size:
        raise Unreadable("no memory at 0x%x" % address)
    return content


# ---- formatters

def is_ours(type_, _internal):
    return sx_values.form(TypeShape(type_)) is not None


def summary(value, _internal):
    shown = sx_values.show(Value(value))
    return shown.text if shown else value.GetValue()  # a pointer to such a value


class Children:
    def __init__(self, value, _internal):
        self.value = value
        self.shown = None

    def update(self):
        self.shown = sx_values.show(Value(self.value))
        return False

    def num_children(self):
        return self.shown.count if self.shown and self.shown.has_children else 0

    def has_children(self):
        return self.num_children() > 0

    def get_child_index(self, name):
        if name.startswith("[") and name.endswith("]") and name[1:-1].isdigit():
            return int(name[1:-1])
        return next((i for i in range(min(self.num_children(), 100)) if self.shown.child(i)[0] == name), -1)

    def get_child_at_index(self, index):
        if not 0 <= index < self.num_children():
            return None
        name, child = self.shown.child(index)
        return child.value if child.value.GetName() == name else child.value.Clone(name)


# ---- sx trace

class Process:
    """The selected thread, for sx_trace."""

    def __init__(self, context):
        self.process = context.GetProcess()
        self.target = context.GetTarget()
        self.thread = context.GetThread()

    def symbol(self, name):
        for found in self.target.FindSymbols(name):
            address = found.GetSymbol().GetStartAddress().GetLoadAddress(self.target)
            if address != lldb.LLDB_INVALID_ADDRESS:
                return address
        return None

    def memory(self, address, size):
        """A core file that the kernel wrote lacks pages that can be read in the executable: each is looked for by itself."""
        try:
            return read_memory(self.process, address, size)
        except Unreadable:
            content = b""
            while len(content) < size:
                content += self.part_of_page(address + len(content), size - len(content))
            return content

    def part_of_page(self, address, size):
        size = min(size, PAGE - address % PAGE)
        try:
            return read_memory(self.process, address, size)
        except Unreadable:
            error = lldb.SBError()
            content = self.target.ReadMemory(self.target.ResolveLoadAddress(address), size, error)
            if error.Fail() or content is None or len(content) != size:
                raise
            return content

    def thread_pointer(self):
        register = self.thread.GetFrameAtIndex(0).FindRegister("fs_base")
        return register.GetValueAsUnsigned() if register.IsValid() and register.GetValue() is not None else None


class TraceCommand:
    """`sx trace`: prints the error return trace that is in flight in the selected thread."""

    def __init__(self, _debugger, _internal):
        pass

    def __call__(self, _debugger, _arguments, context, result):
        if not context.GetThread().IsValid():
            result.SetError("sx trace: there is no process")
            return
        try:
            result.AppendMessage(sx_trace.trace(Process(context)))
        except (sx_trace.Problem, Unreadable, struct.error) as problem:
            result.SetError("sx trace: %s" % problem)

    def get_short_help(self):
        return "Print the error return trace that is in flight in the selected thread."

    def get_long_help(self):
        return self.get_short_help() + " The process may be running under lldb, or be a core file."


def __lldb_init_module(debugger, _internal):
    category = debugger.CreateCategory("sx")
    ours = lldb.SBTypeNameSpecifier("sx.is_ours", lldb.eFormatterMatchCallback)
    category.AddTypeSummary(ours, lldb.SBTypeSummary.CreateWithFunctionName("sx.summary", lldb.eTypeOptionHideValue))
    category.AddTypeSynthetic(ours, lldb.SBTypeSynthetic.CreateWithClassName("sx.Children", lldb.eTypeOptionSkipPointers))
    category.SetEnabled(True)
    debugger.HandleCommand("command container add sx -h 'Commands for sx programs.' -o")
    debugger.HandleCommand("command script add -o -c sx.TraceCommand sx trace")
