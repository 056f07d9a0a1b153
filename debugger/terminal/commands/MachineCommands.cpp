// The machine's own view: code, registers, memory.
#include "debugger/terminal/commands/Table.h"
#include "debugger/terminal/target/Machine.h"

namespace sx::terminal {

Outcome disassembly(Debuggee& d, Words words) {
    if (std::string why = notStopped(d); !why.empty()) return Outcome::failure(why);
    int64_t count = 12;
    if (!words.empty() && (words.getAsInteger(10, count) || count < 1 || count > 100'000))
        return Outcome::failure(code(words) + " is no number of instructions");
    const StackRow* row = currentRow(d);
    if (!row || row->address.empty()) return Outcome::failure("this frame has no code");
    Result<std::vector<CodeRow>> rows = codeAround(d, row->address, -count / 3, count);
    if (!rows) return Outcome::failure(rows.error());
    std::string text;
    for (const CodeRow& r : *rows)
        text += (text.empty() ? "" : "\n") + std::string(r.address == row->address ? "=> " : "   ") + lineOf(r);
    return Outcome::lines(text);
}

Outcome registers(Debuggee& d, Words) {
    if (std::string why = notStopped(d); !why.empty()) return Outcome::failure(why);
    std::string text;
    for (const ValueRow& row : registersOf(d)) text += (text.empty() ? "" : "\n") + row.name + " = " + row.value;
    return Outcome::lines(text.empty() ? "no registers" : text);
}

Outcome memory(Debuggee& d, Words words) {
    if (words.empty()) return Outcome::failure("it needs an address or an expression");
    if (std::string why = notStopped(d); !why.empty()) return Outcome::failure(why);
    int64_t count = 64;
    auto [where, bytes] = words.rsplit(' ');
    if (int64_t n = 0; !bytes.empty() && !bytes.getAsInteger(10, n) && n > 0 && n <= 65536) {
        count = n;
        words = where.rtrim();
    }
    Result<std::string> address = addressIn(d, words.str());
    if (!address) return Outcome::failure(address.error());
    Result<std::vector<MemoryRow>> rows = memoryAt(d, *address, 0, count);
    if (!rows) return Outcome::failure(rows.error());
    std::string text;
    for (const MemoryRow& r : *rows) text += (text.empty() ? "" : "\n") + lineOf(r);
    return Outcome::lines(text);
}

} // namespace sx::terminal
