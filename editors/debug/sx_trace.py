"""The error return trace of a thread, read from its memory.

What stands where is told by two symbols of the runtime (runtime/src/debugger.h), what it means by
runtime/src/buffer.h, and how it is shown by runtime/src/text.c. The text is the same, byte for byte, but that
invalid UTF-8 is shown as U+FFFD.

`process` below has
    symbol(name)           address of a symbol, or None
    memory(address, size)  bytes, or an exception
    thread_pointer()       fs_base of the thread, or None
"""
import struct
import unicodedata

VERSION = 1
HEADER = "error return trace (most recent call last):"
CAUSE = "while handling the error above, another error was raised:"
NOTHING = "no error return trace is in flight in this thread"
VACANT, UNLINKED, CAUSE_LINK = 0, 1, 2
MASK = (1 << 64) - 1
TEXT_LIMIT = 4096  # bytes of a name or a line: the compiler writes less
COLUMNS_BEFORE = 100
ELLIPSIS = "\u2026".encode()


class Problem(Exception):
    """Why there is no trace to show, for the user."""


def trace(process):
    """The text, without a newline at its end."""
    state = read_state(process)
    if not state.chains():
        return NOTHING
    lines = [HEADER]
    for chain in state.chains():
        lines += chain_lines(process, state, chain)
    return "\n".join(lines)


# ---- the state of a thread

def read_state(process):
    layout_at = process.symbol("sx_trace_layout")
    offset_at = process.symbol("sx_trace_state_offset")
    if layout_at is None or offset_at is None:
        raise Problem("cannot find the trace of this program: it is stripped, or it records none")
    pointer = process.thread_pointer()
    if pointer is None:
        raise Problem("cannot read the thread's fs_base")
    layout = struct.unpack("<14I", process.memory(layout_at, 56))
    if layout[0] != VERSION:
        raise Problem("the program's runtime keeps traces in another form (%d) than this script knows (%d)"
                      % (layout[0], VERSION))
    state = State(layout, process, (pointer + state_offset(process, offset_at)) & MASK)
    if state.has_resolver:
        raise Problem("the thread runs interpreted code: only sx itself can read its trace")
    return state


def state_offset(process, instruction_at):
    code = process.memory(instruction_at, 7)
    operand, = struct.unpack("<i", code[3:])
    if code[:3] == b"\x48\xc7\xc0":
        return operand
    if code[:3] == b"\x48\x8b\x05":
        return struct.unpack("<q", process.memory(instruction_at + 7 + operand, 8))[0]
    raise Problem("cannot find the trace of this program: its runtime is of an unknown kind")


class State:
    """The numbers of runtime/src/buffer.h, and its arithmetic."""

    def __init__(self, layout, process, at):
        (_, self.frame_slots, self.chain_slots, frames, origins, starts, links, first_origin, merged,
         lost, end, bottom, top, resolver) = layout

        def words(offset, count=1):
            return struct.unpack("<%dQ" % count, process.memory(at + offset, 8 * count))

        self.frames = words(frames, self.frame_slots)
        self.origins = words(origins, self.chain_slots)
        self.starts = words(starts, self.chain_slots)
        self.links = process.memory(at + links, self.chain_slots)
        self.first_origin, = words(first_origin)
        self.merged = process.memory(at + merged, 1) != b"\0"
        (self.lost,), (self.end,), (self.bottom,), (self.top,) = words(lost), words(end), words(bottom), words(top)
        self.has_resolver = words(resolver)[0] != 0

    def chains(self):
        count = self.top - self.bottom
        return range(self.bottom, self.top) if 0 <= count <= self.chain_slots else range(0)

    def link(self, chain):
        return self.links[chain % self.chain_slots]

    def origin(self, chain):
        if chain == self.bottom and self.merged:
            return self.first_origin
        return self.origins[chain % self.chain_slots]

    def start(self, chain):
        if chain == self.bottom:
            return 0
        if self.link(chain) == VACANT:
            return self.end
        return min(self.starts[chain % self.chain_slots], self.end)

    def frame(self, position):
        for chain in reversed(self.chains()):
            if self.start(chain) == position:
                return self.origin(chain)
        return self.frames[position % self.frame_slots]


def chain_lines(process, state, chain):
    start = state.start(chain)
    end = max(start, state.end if chain + 1 == state.top else state.start(chain + 1))
    if end == start:
        return []  # it is just coming or going
    alive = min(max(start, min(state.lost, state.end)), end)
    alive = max(alive, end - state.frame_slots)  # no more are shown than there can be, whatever memory holds
    lines = []
    if chain != state.bottom and state.link(chain) == CAUSE_LINK:
        lines += ["", CAUSE]
    if alive > start:
        lines += frame_lines(process, state.origin(chain))
    if alive > start + 1:
        lines.append("  ... %d frames omitted" % (alive - start - 1))
    for position in range(alive, end):
        lines += frame_lines(process, state.frame(position))
    return lines


# ---- a frame

def frame_lines(process, address):
    try:
        if address < 4096 or address % 8 != 0:
            raise ValueError
        file, file_len, line, col, func, func_len, text, text_len = struct.unpack("<qqiiqqqq", process.memory(address, 56))
        file, func, text = string(process, file, file_len), string(process, func, func_len), string(process, text, text_len)
    except Exception:  # whatever a debugger throws for memory that it cannot read
        return ["  (unknown frame 0x%x)" % address]
    place = escaped(file) or "(unknown file)"
    if line > 0:
        place += ":%d" % line
        if col > 0:
            place += ":%d" % col
    lines = ["  %s at %s" % (escaped(func) or "(unknown function)", place)]
    if text.startswith(b"\n"):  # an excerpt of the line, from the position on
        if len(text) > 1:
            lines += ["    " + ELLIPSIS.decode() + escaped(text[1:]), "     ^"]
    elif text:
        lines.append("    " + escaped(text))
        position = position_in_text(text, col)
        if position is not None and position <= len(text):
            lines.append("    " + indent(text, position) + "^")
    return lines


def string(process, pointer, size):
    if pointer == 0 or size <= 0:
        return b""
    return process.memory(pointer & MASK, min(size, TEXT_LIMIT))


def position_in_text(text, col):
    """The caret's offset. A line that was cut shows it by an ellipsis; then the position is at a fixed column."""
    if col < 1:
        return None
    if not (text.startswith(ELLIPSIS) and col > COLUMNS_BEFORE + 1):
        return col - 1
    at = columns = 0
    for part, code in characters(text):
        if columns >= COLUMNS_BEFORE:
            break
        columns += width(code)
        at += len(part)
    return at


def indent(text, position):
    out = ""
    at = 0
    for part, code in characters(text):
        at += len(part)
        if at > position:
            break
        if code == 9:
            out += "\t"
        else:
            out += " " * (4 if is_control(code) else width(code))
    return out


# ---- characters, as runtime/src/utf8.c and runtime/tools/generate_width_table.py have them

def characters(text):
    """Pairs of bytes and a code; None for a byte that is no part of a character."""
    at = 0
    while at < len(text):
        lead = text[at]
        size = 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        part = text[at:at + size]
        try:
            yield part, ord(part.decode("utf-8"))
        except (UnicodeDecodeError, TypeError):
            part = part[:1]
            yield part, None
        at += len(part)


def escaped(text):
    return "".join("\ufffd" if code is None else "\\x%02x" % code if is_control(code) and code != 9 else chr(code)
                   for _, code in characters(text))


def is_control(code):
    return code is not None and (code < 0x20 or 0x7F <= code <= 0x9F)


def width(code):
    if code is None or code < 0x300:
        return 1
    if 0x1160 <= code <= 0x11FF or unicodedata.category(chr(code)) in ("Mn", "Me", "Cf"):
        return 0
    wide = 0x20000 <= code <= 0x2FFFD or 0x30000 <= code <= 0x3FFFD or unicodedata.east_asian_width(chr(code)) in "WF"
    return 2 if wide else 1
