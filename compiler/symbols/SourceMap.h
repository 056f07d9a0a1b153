// The binary form of a source map of bytecode, NGSM: docs/symbol_format.md.
#pragma once

#include "symbols/SymbolFile.h"

#include <string_view>

namespace sx::symbols {

constexpr std::string_view NgsmMagic = "NGSM";

/// Fails where a number or a name is too large for the form. The rows are in order of address.
Result<std::string> toNgsm(const std::vector<LineRow>&);

/// Reads any bytes. Fails with the first thing that is wrong: another magic, a count or a length beyond the end,
/// addresses that do not rise, line 0, a name that is no UTF-8, bytes after the last entry.
Result<std::vector<LineRow>> readNgsm(std::string_view bytes);

} // namespace sx::symbols
