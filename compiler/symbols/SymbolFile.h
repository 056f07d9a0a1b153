// What a symbol file says of a program: its names, its instructions, and where in the source they come from.
// docs/symbol_format.md has the forms in which it is written.
#pragma once

#include "source/Result.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sx::symbols {

constexpr int64_t Version = 1;

/// Addresses are those of the linker, or offsets in an image of bytecode. A file is empty, and a line or a column 0,
/// where it is not known.
struct FunctionSymbol {
    std::string name;
    uint64_t address = 0, size = 0;
    std::string file;
    uint32_t line = 0;
};

struct VariableSymbol {
    std::string name;
    uint64_t address = 0, size = 0;
    std::string type, scope;
};

/// A place in code that something jumps to.
struct Label {
    uint64_t address = 0;
    std::string name;
};

struct InstructionRow {
    uint64_t pc = 0;
    std::optional<uint64_t> word; ///< of bytecode: the first word
    std::string bytes;            ///< in hexadecimal digits; of bytecode only where there is more than one word
    std::string mnemonic, operands;
    std::string file;
    uint32_t line = 0;
};

/// The source position of the code from `pc` on.
struct LineRow {
    uint64_t pc = 0;
    std::string file;
    uint32_t line = 0, column = 0; ///< 1-based, the column in bytes
};

struct Region {
    std::string name;
    uint64_t start = 0, end = 0;   ///< the first address after it
    std::string type, permissions; ///< `text`, `data`, …; `r-x`
};

struct SymbolFile {
    std::string path; ///< of the program
    uint32_t crc = 0; ///< of its code
    std::vector<FunctionSymbol> functions;
    std::vector<VariableSymbol> variables;
    std::vector<Label> labels;
    std::vector<InstructionRow> instructions;
    std::vector<LineRow> lines; ///< their `pc` rise
    std::vector<Region> regions;
};

/// Names the places that a function jumps to: `f.1`, `f.2`, … in order of address.
void addLabels(SymbolFile&, const std::string& function, const std::set<uint64_t>& addresses);

/// Puts everything in order of address. Of line rows with one address the last stays, as debuggers read line tables.
void sortByAddress(SymbolFile&);

/// The function that an address lies in, or null. The functions are in order.
const FunctionSymbol* functionAt(const SymbolFile&, uint64_t address);
/// The line row that an address belongs to, or null. The rows are in order.
const LineRow* lineAt(const SymbolFile&, uint64_t address);
/// The same, if it is one of the function's own: the row before a function without lines is another's.
const LineRow* lineIn(const SymbolFile&, const FunctionSymbol&, uint64_t address);

} // namespace sx::symbols
