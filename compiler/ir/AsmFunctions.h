// The assembly of a module as functions of their own, for who interprets the rest.
#pragma once

#include "ir/Ir.h"

namespace sx::ir {

/// Moves all assembly of the module into one of its own, which is returned; null if there is none. In its place the
/// module has calls of extern functions: one for each block of assembly, and those that were nothing but assembly. What
/// the module declares as extern and the assembly defines is visible outside of the new one.
std::unique_ptr<Module> takeAssembly(Module&);

/// The text that has a label of this name; null if none has.
const AsmText* assemblyWith(llvm::ArrayRef<AsmText>, llvm::StringRef symbol);

} // namespace sx::ir
