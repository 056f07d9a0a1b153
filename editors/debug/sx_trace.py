"""The error return trace of a thread, read from its memory.

What stands where is told by two symbols of the runtime (runtime/src/debugger.h), what it means by
runtime/src/buffer.h, and how it is shown by runtime/src/groups.c and text.c. The text is the same, byte for byte, but that
invalid UTF-8 is shown as U+FFFD.

`process` below has
    symbol(name)           address of a symbol, or None
    memory(address, size)  bytes, or an exception
    thread_pointer()       fs_base of the thread, or None
"""
import struct
import unicodedata

VERSION = 2
HEADER = "error return trace (most recent call last):"
NOTHING = "no error return trace is in flight in this thread"
UNKNOWN_ORIGIN_LINE = "  (came from code that records no trace)"
CAUSE, ATTEMPT = 1, 2
LINK_BITS, APART, UNKNOWN_ORIGIN, NO_ORIGIN = 3, 4, 8, 16
NOTE, VALUES = 1, 2
NOTE_HEADER = 12
IDENTITY = 1 << 63
MASK = (1 << 64) - 1
TEXT_LIMIT = 4096  # bytes of a name or a line: the compiler writes less
NAMES_LIMIT = 1 << 20
COLUMNS_BEFORE = 100
ELLIPSIS = "\u2026".encode()


class Problem(Exception):
    """Why there is no trace to show, for the user."""


def trace(process):
    """The text, without a newline at its end."""
    state = read_state(process)
    if not state.count:
        return NOTHING
    names = Names(process)
    last = state.count - 1
    lines = []
    if state.group_has_frames(last):
        lines = [HEADER] + likeness(state, last) + group_lines(process, state, names, last)
    return "\n".join(lines + others(process, state, names, last)) or NOTHING


# ---- groups, as runtime/src/groups.c shows them

class Names:
    """The names of tags, from the program's read-only data."""

    def __init__(self, process):
        self.process = process
        self.at = process.symbol("sx_trace_error_names")

    def of(self, error, otherwise):
        try:
            if self.at is not None and 0 < error < NAMES_LIMIT:
                count, = struct.unpack("<Q", self.process.memory(self.at, 8))
                if error < count:
                    name = string(self.process, *struct.unpack("<qq", self.process.memory(self.at + 8 + 16 * error, 16)))
                    return "error." + escaped(name) if name else otherwise
        except Exception:  # whatever a debugger throws for memory that it cannot read
            pass
        return otherwise


def likeness(state, chain):
    error = state.error(chain)
    count = sum(state.error(i) == error for i in range(state.count))
    if error < IDENTITY or count < 2:
        return []
    return ["  (one of %d errors of this value in flight)" % count]


def group_lines(process, state, names, last):
    lines = []
    above = None
    for chain in range(state.group(last), last + 1):
        if state.pushed(chain) == 0:
            continue
        if above is not None:
            before = names.of(state.error(above), "the error")
            after = names.of(state.error(chain), "another error")
            if state.link(chain) == ATTEMPT:
                lines += ["", "after %s above, the next attempt failed with %s:" % (before, after)]
            else:
                lines += ["", "while handling %s above, %s was raised:" % (before, after)]
        if state.flags(chain) & UNKNOWN_ORIGIN:
            lines.append(UNKNOWN_ORIGIN_LINE)
        lines += chain_lines(process, state, chain)
        above = chain
    return lines


def others(process, state, names, shown):
    lines = []
    more = sum(state.errors_of(chain) - 1 for chain in range(state.count))
    in_full = 0
    end = state.count
    while end > 0:
        last, end = end - 1, state.group(end - 1)
        if last == shown:
            continue
        if in_full == 2 or not state.group_has_frames(last):
            more += 1
            continue
        in_full += 1
        lines += ["", "also in flight: %s (most recent call last):" % names.of(state.error(last), "another error")]
        lines += group_lines(process, state, names, last)
    if more > 0:
        lines += ["", "also in flight: %d more error%s" % (more, "" if more == 1 else "s")]
    return lines


# ---- the state of a thread

def read_state(process):
    layout_at = process.symbol("sx_trace_layout")
    offset_at = process.symbol("sx_trace_state_offset")
    if layout_at is None or offset_at is None:
        raise Problem("cannot find the trace of this program: it is stripped, or it records none")
    pointer = process.thread_pointer()
    if pointer is None:
        raise Problem("cannot read the thread's fs_base")
    version, = struct.unpack("<I", process.memory(layout_at, 4))
    if version != VERSION:
        raise Problem("the program's runtime keeps traces in another form (%d) than this script knows (%d)"
                      % (version, VERSION))
    layout = struct.unpack("<19I", process.memory(layout_at, 76))
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
        (_, self.frame_slots, self.chain_slots, note_bytes, frames, end, lost, stack, origins, starts, errors, skipped,
         counts, numbers, links, notes_used, notes, _pending, resolver) = layout

        def words(offset, count=1, kind="Q"):
            form = "<%d%s" % (count, kind)
            return struct.unpack(form, process.memory(at + offset, struct.calcsize(form)))

        slots = self.chain_slots
        self.frames = words(frames, self.frame_slots)
        self.stack, = words(stack)
        self.count = min((self.stack >> 24) & 15, slots)
        self.origins, self.starts, self.errors = words(origins, slots), words(starts, slots), words(errors, slots)
        self.skipped, self.counts = words(skipped, slots, "I"), words(counts, slots, "I")
        self.numbers, self.links = words(numbers, slots, "I"), words(links, slots, "B")
        (self.end,), (self.lost,) = words(end), words(lost)
        used, = words(notes_used, 1, "H")
        used = min(used, note_bytes)
        self.notes = list(records(process.memory(at + notes, used))) if used else []
        # A resolver without `resolve` only names errors.
        pointer, = words(resolver)
        self.has_resolver = pointer != 0 and struct.unpack("<Q", process.memory(pointer, 8))[0] != 0

    def slot(self, chain):
        return ((self.stack >> 3 * chain) ^ chain) & 7

    def flags(self, chain):
        return self.links[self.slot(chain)]

    def link(self, chain):
        return self.flags(chain) & LINK_BITS if chain > 0 else 0

    def group(self, chain):
        while self.link(chain) != 0:
            chain -= 1
        return chain

    def error(self, chain):
        return self.errors[self.slot(chain)]

    def errors_of(self, chain):
        return self.counts[self.slot(chain)]

    def start(self, chain):
        return min([self.end] + [self.starts[self.slot(i)] for i in range(chain, self.count)])

    def before(self, chain):
        """Frames that come before the first position, the origin included."""
        return self.skipped[self.slot(chain)] + (self.flags(chain) & (APART | NO_ORIGIN) == APART)

    def pushed(self, chain):
        return self.start(chain + 1) - self.start(chain) + self.before(chain)

    def group_has_frames(self, last):
        return any(self.pushed(chain) for chain in range(self.group(last), last + 1))

    def steps(self, chain):
        """The frames that are shown: pairs of a number in the chain and a frame; (None, count) for omitted ones."""
        slot, start, end = self.slot(chain), self.start(chain), self.start(chain + 1)
        apart = self.flags(chain) & APART
        alive = min(max(start, self.lost), end)
        alive = max(alive, end - self.frame_slots)  # no more are shown than there can be, whatever memory holds
        lost = alive - start
        omitted = self.skipped[slot] + lost - (lost > 0 and not apart)
        position = alive
        if self.flags(chain) & (APART | NO_ORIGIN) == APART or (lost > 0 and not apart):
            yield 0, self.origins[slot]
        elif not apart and position < end:
            yield 0, self.origins[slot]
            position += 1
        if omitted > 0:
            yield None, omitted
        for at in range(position, end):
            yield self.before(chain) + at - start, self.frames[at % self.frame_slots]

    def notes_of(self, chain, number, kind):
        name = self.numbers[self.slot(chain)]
        return [text for of, frame, what, text in self.notes if (of, frame, what) == (name, number, kind)]


def records(memory):
    at = 0
    while at + NOTE_HEADER <= len(memory):
        chain, frame, kind, size, _ = struct.unpack("<IIBBH", memory[at:at + NOTE_HEADER])
        yield chain, frame, kind, memory[at + NOTE_HEADER:at + NOTE_HEADER + size]
        at += (NOTE_HEADER + size + 3) & ~3


def note_lines(state, chain, number):
    values = []
    for record in state.notes_of(chain, number, VALUES):
        while len(record) >= 2:
            name, text = record[2:2 + record[0]], record[2 + record[0]:2 + record[0] + record[1]]
            values.append(escaped(name, False) + (" = " if name else "") + escaped(text, False))
            record = record[2 + record[0] + record[1]:]
    lines = ["      with " + ", ".join(values)] if values else []
    return lines + ["      note: " + escaped(text, False) for text in state.notes_of(chain, number, NOTE)]


def chain_lines(process, state, chain):
    """Equal neighbours are shown once: those without notes, of equal values."""
    lines = []
    shown, times = None, 0

    def flush():
        if shown is not None:
            place, snippet, notes, _ = shown
            lines.extend([place + (" (%d times)" % times if times > 1 else "")] + snippet + notes)

    for number, value in state.steps(chain):
        if number is None:
            flush()
            shown, times = None, 0
            lines.append("  ... %d frame%s omitted" % (value, "" if value == 1 else "s"))
            continue
        frame = frame_lines(process, value)
        folds = not state.notes_of(chain, number, NOTE)
        this = (frame[0], frame[1:], note_lines(state, chain, number), folds)
        if this == shown and folds:
            times += 1
        else:
            flush()
            shown, times = this, 1
    flush()
    return lines


# ---- a frame

def frame_lines(process, address):
    if address < 4096 or address % 8 != 0:
        return ["  (unknown frame 0x%x)" % address]
    try:
        file, file_len, line, col, func, func_len, text, text_len = struct.unpack("<qqiiqqqq", process.memory(address, 56))
        file, func, text = string(process, file, file_len), string(process, func, func_len), string(process, text, text_len)
    except Exception:  # whatever a debugger throws for memory that it cannot read
        return ["  (frame of a library that is gone)"]
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
            out += " " * (4 if is_control(code) else 6 if is_direction(code) else width(code))
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


def escaped(text, tabs=True):
    return "".join(shown(code, tabs) for _, code in characters(text))


def shown(code, tabs):
    if code is None:
        return "\ufffd"
    if is_direction(code):
        return "\\u%04x" % code
    return "\\x%02x" % code if is_control(code) and not (tabs and code == 9) else chr(code)


def is_direction(code):
    return code is not None and (0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069)


def is_control(code):
    return code is not None and (code < 0x20 or 0x7F <= code <= 0x9F)


def width(code):
    if code is None or code < 0x300:
        return 1
    if 0x1160 <= code <= 0x11FF or unicodedata.category(chr(code)) in ("Mn", "Me", "Cf"):
        return 0
    wide = 0x20000 <= code <= 0x2FFFD or 0x30000 <= code <= 0x3FFFD or unicodedata.east_asian_width(chr(code)) in "WF"
    return 2 if wide else 1
