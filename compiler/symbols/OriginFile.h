// How positions went through the stages of the compiler: `sx build --emit-dbg` (docs/symbol_format.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sx::symbols {

/// One instruction of the machine, and what it was made of.
struct OriginRow {
    std::string function;          ///< that the code lies in
    std::string ir, llvm;          ///< printed instructions; empty: there is none, or it is not known
    uint64_t pc = 0;               ///< of the linker
    std::string bytes;             ///< in hexadecimal digits
    std::string file;              ///< absolute; empty: not known
    uint32_t line = 0, column = 0; ///< 1-based, the column in bytes; 0: not known
};

struct OriginFile {
    std::string source;          ///< the file with `main`
    std::vector<OriginRow> rows; ///< in order of address
};

/// One row a line.
std::string toJson(const OriginFile&);

} // namespace sx::symbols
