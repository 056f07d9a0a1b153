// What it takes to make C code part of a program: a compiler, and a way back into the program.
#pragma once

#include "source/Result.h"

#include <string>
#include <vector>

namespace sx {

/// The path of the C compiler: that of the variable CC, else the first one there is. `file` is for the message.
Result<std::string> findCCompiler(const std::string& file);

/// The symbol of a table through which loaded code calls functions that are placed later: the address of each, by its
/// number. It is zero until somebody fills it.
constexpr const char* ExportTable = "sx_c_exports";
/// Assembly that defines a symbol for each export, which goes on by the table, and the table. All registers stay as
/// they are.
std::string exportAssembly(const std::vector<std::string>& exports);

} // namespace sx
