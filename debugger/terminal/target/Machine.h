// The machine's own view as rows: code, registers, memory.
#pragma once

#include "debugger/terminal/target/Values.h"

namespace sx::terminal {

struct CodeRow {
    std::string address; ///< `0x…`
    std::string instruction, symbol;
    SourceFile file;
    int64_t line = 0; ///< 0: the instruction belongs to the line of the one before
};

/// Instructions around an address: `first` is how many after it (negative:
/// before) the first one is.
Result<std::vector<CodeRow>> codeAround(Debuggee&, const std::string& address, int64_t first, int64_t count);
std::string lineOf(const CodeRow&);

/// Registers of the frame that is looked at.
std::vector<ValueRow> registersOf(Debuggee&);

struct MemoryRow {
    uint64_t address = 0;
    std::vector<uint8_t> bytes; ///< at most 16
    bool isReadable = true;
};

/// An address as typed, `0x…`, or the place of an expression.
Result<std::string> addressIn(Debuggee&, const std::string& text);
/// Memory from an address plus `offset` bytes on, 16 bytes a row. What cannot
/// be read ends it with a row that says so.
Result<std::vector<MemoryRow>> memoryAt(Debuggee&, const std::string& address, int64_t offset, int64_t count);
std::string lineOf(const MemoryRow&);
/// Eight bytes of it, the first or the last, in 47 columns; "" where there are none.
std::string halfOf(const MemoryRow&, bool last);

} // namespace sx::terminal
