// The JSON form of a symbol file.
#pragma once

#include "symbols/SymbolFile.h"

#include <string_view>

namespace sx::symbols {

/// One row of each list a line.
std::string toJson(const SymbolFile&);

/// Reads a file, whatever it is. Fails with the first thing that is wrong: no JSON, another version, a field that is
/// missing, of another type or out of its range, rows that are not in order of address.
Result<SymbolFile> readJson(std::string_view text);

} // namespace sx::symbols
