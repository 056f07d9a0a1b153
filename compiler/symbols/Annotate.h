// Code as text, with the names and lines of a symbol file.
#pragma once

#include "symbols/SymbolFile.h"

#include <functional>
#include <string_view>

namespace sx::symbols {

/// Each instruction a line, below its function, its label and the source line that it comes from. `lineText` gives the
/// text of a line of a file, or "" where it is not there.
std::string annotated(const SymbolFile&, const std::function<std::string(const std::string& file, uint32_t)>& lineText);

} // namespace sx::symbols
