// What an executable tells of itself, by its symbol table and debug information.
#pragma once

#include "symbols/SymbolFile.h"

namespace sx::codegen {

/// Names, globals, lines, and the instructions of functions that have lines. An executable without debug information
/// gives what its symbol table has. `known`: names and lines are taken from it instead, as for an executable that was
/// stripped; may be null. Fails where the file is none for this machine.
Result<symbols::SymbolFile> executableSymbols(const std::string& path, const symbols::SymbolFile* known = nullptr);

} // namespace sx::codegen
