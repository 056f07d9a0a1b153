// The lengths of arrays that are known only while they are there, as variable-length arrays of C.
#pragma once

#include "debugger/native/image/ProgramImage.h"

#include "llvm/DebugInfo/DWARF/DWARFDie.h"

namespace sx::debugger::native {

/// The bytes of an attribute that is an expression; nothing where it is none, or a list.
std::optional<llvm::ArrayRef<uint8_t>> expressionBytes(const llvm::DWARFDie&, llvm::dwarf::Attribute);
/// The dimensions of a variable, the outermost first; empty where it is no array, its type says all of them, or they
/// are not in the frame.
std::vector<ArrayLength> dimensionsOf(const llvm::DWARFDie& variable);

} // namespace sx::debugger::native
