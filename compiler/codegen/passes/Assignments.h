// What debug information says of assignments to variables in memory, while LLVM optimizes.
//
// A record stands where the source assigns, whether the store is there, elsewhere, or gone. LLVM drops records with
// blocks that nothing else is left of: the value of before would go on being shown.
#pragma once

#include "llvm/IR/Function.h"

namespace sx::codegen {

/// Before blocks are merged: what one says that may go is said, as not known, where it leads to.
void keepAssignments(llvm::Function&);
/// In the end: a store whose record is gone is seen for itself, and the variable is in memory from there on.
void dropUnknownAssignments(llvm::Function&);
/// In the end, too: what is written again soon, the code generator may not store at all before. The value is the one
/// that was to be stored, then, not what is in memory.
void distrustOverwritten(llvm::Function&);

} // namespace sx::codegen
