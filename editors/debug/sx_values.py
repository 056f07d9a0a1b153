"""How values of sx look in a debugger: one text for gdb and lldb.

compiler/codegen/DebugTypes.h says what each type is in DWARF. A debugger's own script hands in its values through a
small class (`Value` in editors/gdb/sx.py and editors/lldb/sx.py):

    type_name          as the program writes it: a typedef's own name
    kind               of what is behind typedefs: "struct", "union", "enum", "pointer", "array", or "" for the rest
    field_names        of a struct or union; "" where a member has no name
    fields()           pairs of name and value
    field(index)       value
    enumerators()      pairs of number and name
    number()           of an enum, an integer or a pointer; unsigned
    element(index)     of an array, or of what a pointer points at
    element_size       of what a pointer points at, in bytes
    element_name       the type's name of what an array holds
    count              how many an array holds
    size, address
    plain()            as the debugger itself shows it
    memory(address, size)    bytes; an exception where some cannot be read
    behind()           of a typedef: the same as what it stands for
    typed(address, name)     a value of a named type, or None
    symbol(address)    the symbol that begins there, or None
    function(address)  the name of the function that begins there, as a trace has it, or None without debug information

Memory may hold anything: every length is limited before it is used, and what makes no sense is shown in < >.
"""
import codecs
import re

TEXT_LIMIT = 200          # bytes of a text that are shown
CHILDREN_LIMIT = 1000     # elements that a debugger is offered
LENGTH_LIMIT = 1 << 47    # no program has more elements, or bytes
NESTING_LIMIT = 8         # values inside of values that are shown as one text
PAGE = 4096

NUMBER_OF_BYTE = re.compile(r"[iu][1-8]$")
ARRAY = re.compile(r"\[(\d{1,9})\](.+)$")
# compiler/ir/TypeDescriptor.h: a name's address, then its length. The second is null where it would be the first.
DESCRIPTOR_NAME, DESCRIPTOR_WRITTEN_NAME = 24, 96


class Shown:
    """What stands for a value: a text, and children or None. A sequence's children are elements."""

    def __init__(self, text, count=None, child=None, is_sequence=False):
        self.text = text
        self.count = count
        self.child = child  # index -> pair of name and value
        self.is_sequence = is_sequence

    @property
    def has_children(self):
        return self.count is not None


def form(value):
    """Which of the presenters below takes a value: told by its type alone. None: the debugger's own way is right."""
    name, kind = value.type_name, value.kind
    if kind == "":
        return byte if NUMBER_OF_BYTE.match(name) else None
    if kind == "array":
        return array if NUMBER_OF_BYTE.match(value.element_name) else None
    if kind == "enum":
        return errors if any(n == "no error" for _, n in value.enumerators()) else variants
    if kind == "pointer":
        if name in ("cstring", "Type"):
            return c_text if name == "cstring" else type_handle
        return optional_pointer if name.startswith("?") else None
    if kind != "struct":
        return None
    names = value.field_names
    if names[:2] == ["ptr", "len"]:
        return string if name == "string" else slice_ if name.startswith("[]") else None
    if names[:1] == ["value"] and name.startswith("?"):
        return optional
    if names == ["code", "env"] and name.startswith("Closure("):
        return closure
    if names == ["data", "type"] and name == "any" or names[:2] == ["ctx", "type"] and len(names) > 2:
        return erased
    if names == ["items", "cap"] and name.startswith("List("):
        return list_
    if names[:1] == ["tag"] and names[1:] in ([], [""], ["payload"]) and value.field(0).type_name.endswith(".tag"):
        return tagged
    if names[-1:] == ["error"] and name.startswith("(") and "error:" not in name:
        return failable
    return None


def show(value):
    """A Shown, or None where the debugger's own way is right."""
    presenter = form(value)
    if presenter is None:
        return None
    try:
        return presenter(value)
    except Exception as problem:  # whatever a debugger throws for memory that it cannot read
        return Shown("<cannot be read: %s>" % str(problem).rstrip("."))


nesting = 0


def show_inside(value):
    """The same for a value inside of another: never None."""
    global nesting
    if nesting == NESTING_LIMIT:
        return Shown("…")
    nesting += 1
    try:
        shown = show(value)
    finally:
        nesting -= 1
    if shown is not None:
        return shown
    if value.kind in ("struct", "union"):
        return structure(value, "")
    if value.kind == "array":
        return array(value)
    return Shown(value.plain())


def wrapped(text, inside):
    """`.circle(3)`; with children: `.box` and the payload's own."""
    if not inside.has_children:
        return Shown("%s(%s)" % (text, inside.text))
    inside.text = (text + " " + inside.text).rstrip()
    return inside


def structure(value, text):
    return Shown(text, len(value.field_names), lambda i: value.fields()[i])


# ---- numbers and names

def byte(value):
    number = value.number() & 0xFF
    return Shown(str(number - 256 if value.type_name[0] == "i" and number > 127 else number))


def name_of(value):
    number = value.number()
    mask = (1 << 8 * value.size) - 1
    return number, next((name for known, name in value.enumerators() if known & mask == number), None)


def errors(value):
    number, name = name_of(value)
    if name is None:
        return Shown("<bad error %d>" % number)
    return Shown(name if number == 0 else "error." + name)


def variants(value):
    number, name = name_of(value)
    if name is not None:
        return Shown("." + name)
    flags = [(known, name) for known, name in value.enumerators()]
    together = 0
    for known, _ in flags:
        if known <= 0 or together & known:
            return Shown("<bad value %d>" % number)
        together |= known
    if not flags or number & ~together:
        return Shown("<bad value %d>" % number)
    return Shown(" | ".join("." + name for known, name in flags if known & number) or "0")


def array(value):
    """As debuggers show it; but they take one of small numbers for a text."""
    return Shown("", min(value.count, CHILDREN_LIMIT), lambda i: ("[%d]" % i, value.element(i)), is_sequence=True)


# ---- texts

ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0", '"': '\\"', "\\": "\\\\"}


def quoted(text, is_cut=False):
    out = ""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    for c in decoder.decode(text, final=not is_cut):  # a character that is cut in two is left out
        code = ord(c)
        if c in ESCAPES:
            out += ESCAPES[c]
        elif 0xDC80 <= code <= 0xDCFF:
            out += "\\x%02x" % (code - 0xDC00)
        else:
            out += "\\x%02x" % code if code < 0x20 or 0x7F <= code <= 0x9F else c
    return '"%s"' % out


def signed(number):
    return number - (1 << 64) if number >> 63 else number


def span_problem(value, pointer, length, item_size, what):
    """Says what is wrong with a pointer and a length, or nothing. Reads two bytes at most."""
    if length < 0 or length * max(item_size, 1) > LENGTH_LIMIT:
        return "<bad length %d>" % length
    if length == 0 or item_size == 0:
        return ""
    try:
        value.memory(pointer, 1)
        value.memory(pointer + length * item_size - 1, 1)
    except Exception:
        return "<%s of length %d at 0x%x cannot be read>" % (what, length, pointer)
    return ""


def text_at(value, pointer, length):
    problem = span_problem(value, pointer, length, 1, "text")
    if problem:
        return problem
    if length == 0:
        return '""'
    shown = value.memory(pointer, min(length, TEXT_LIMIT))
    if length <= TEXT_LIMIT:
        return quoted(shown)
    return "%s… (%d bytes)" % (quoted(shown, is_cut=True), length)


def string(value):
    return Shown(text_at(value, value.field(0).number(), signed(value.field(1).number())))


def c_text(value):
    pointer = value.number()
    if pointer == 0:
        return Shown("null")
    text = b""
    while len(text) <= TEXT_LIMIT:  # by pages: the next one need not be there
        at = pointer + len(text)
        try:
            text += value.memory(at, min(PAGE - at % PAGE, TEXT_LIMIT + 1 - len(text)))
        except Exception:
            return Shown("<text at 0x%x cannot be read>" % pointer)
        if b"\0" in text:
            return Shown(quoted(text[:text.index(b"\0")]))
    return Shown(quoted(text[:TEXT_LIMIT], is_cut=True) + "…")


# ---- sequences

def sequence(value, note=""):
    pointer, length = value.field(0), signed(value.field(1).number())
    problem = span_problem(value, pointer.number(), length, pointer.element_size, "sequence")
    if problem:
        return Shown(problem)
    count = min(length, CHILDREN_LIMIT)
    return Shown("len %d%s" % (length, note), count, lambda i: ("[%d]" % i, pointer.element(i)), is_sequence=True)


def slice_(value):
    return sequence(value)


def list_(value):
    capacity = signed(value.field(1).number())
    items = value.field(0)
    length = signed(items.field(1).number())
    if capacity < 0 or capacity > LENGTH_LIMIT or (0 < capacity < length):
        return Shown("<bad capacity %d of length %d>" % (capacity, length))
    return sequence(items, ", cap %d" % capacity)


# ---- optionals, results, tagged enums

def optional(value):
    if len(value.field_names) == 1:  # absent when its first word is zero
        return Shown("null") if not any(value.memory(value.address, 8)) else show_inside(value.field(0))
    flag = value.field(1).number()
    if flag > 1:
        return Shown("<bad optional: neither absent nor present, but %d>" % flag)
    return show_inside(value.field(0)) if flag else Shown("null")


def optional_pointer(value):
    if value.number() == 0:
        return Shown("null")
    return show(value.behind()) or Shown("0x%x" % value.number())


def failable(value):
    fields = value.fields()
    error = fields[-1][1]
    if error.number() != 0:
        return show_inside(error)
    if len(fields) == 1:
        return Shown("ok")
    if len(fields) == 2:
        return wrapped("ok", show_inside(fields[0][1]))
    return Shown("ok", len(fields) - 1, lambda i: fields[i])


def tagged(value):
    number, name = name_of(value.field(0))
    if name is None:
        return Shown("<bad tag %d>" % number)
    if len(value.field_names) == 2:
        payloads = value.field(1)
        if name in payloads.field_names:
            return wrapped("." + name, show_inside(payloads.field(payloads.field_names.index(name))))
    return Shown("." + name)


# ---- what stands for something else

def closure(value):
    code, environment = value.field(0).number(), value.field(1).number()
    if code == 0:
        return Shown("null")
    name = value.symbol(code)
    if name is None:
        return Shown("<no code at 0x%x>" % code)
    captures = value.typed(environment, name + ".captures") if environment else None
    name = code_name(name, value.function(code))
    if captures is None:
        return Shown(name)
    try:
        value.memory(environment, captures.size)
    except Exception:
        return Shown("%s <captures at 0x%x cannot be read>" % (name, environment))
    return structure(captures, name)


def code_name(symbol, function):
    """The function's name, and the number that tells symbols of one name apart: `main.lambda.1`."""
    symbol = symbol.removeprefix("sx.")  # what the compiler puts before the names of its symbols
    if function is None:
        return symbol
    number = re.search(r"\.\d+$", symbol)
    return function + (number.group() if number else "")


def type_name_at(value, handle):
    """The name of a run-time type as its program writes it, or None where there is no descriptor."""
    try:
        pointer, length = descriptor_text(value, handle + DESCRIPTOR_WRITTEN_NAME)
        if pointer == 0:
            pointer, length = descriptor_text(value, handle + DESCRIPTOR_NAME)
        if not 0 < length <= 10 * TEXT_LIMIT:
            return None
        name = value.memory(pointer, length).decode("utf-8")
        return name if name.isprintable() else None
    except Exception:
        return None


def descriptor_text(value, at):
    words = value.memory(at, 16)
    return int.from_bytes(words[:8], "little"), int.from_bytes(words[8:], "little")


def type_handle(value):
    return Shown(type_name_at(value, value.number()) or "<no type at 0x%x>" % value.number())


def erased(value):
    data, handle = value.field(0).number(), value.field(1).number()
    name = type_name_at(value, handle)
    if name is None:
        return Shown("<no value: no type at 0x%x>" % handle)
    array_of = ARRAY.match(name)
    if array_of:
        return erased_array(value, data, name, int(array_of.group(1)), array_of.group(2))
    inside = value.typed(data, name)
    if inside is None:
        return Shown("(%s) at 0x%x" % (name, data))
    try:
        value.memory(data, max(inside.size, 1))
    except Exception:
        return Shown("(%s) <at 0x%x, cannot be read>" % (name, data))
    shown = show_inside(inside)
    shown.text = ("(%s) %s" % (name, shown.text)).rstrip()
    return shown


def erased_array(value, data, name, count, element_name):
    """Arrays have no names in DWARF; what they hold has."""
    element = value.typed(data, element_name)
    if element is None:
        return Shown("(%s) at 0x%x" % (name, data))
    problem = span_problem(value, data, count, element.size, "sequence")
    if problem:
        return Shown("(%s) %s" % (name, problem))
    return Shown("(%s)" % name, min(count, CHILDREN_LIMIT),
                 lambda i: ("[%d]" % i, value.typed(data + i * element.size, element_name)), is_sequence=True)
