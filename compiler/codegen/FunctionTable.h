// The table of a program's functions: their addresses, names and places, in the section `sx_functions`
// (runtime/program/functions.h). Only reports of faults read it.
//
// What a function is called is noted when it is emitted and becomes a record after optimisation: so nothing keeps
// functions that are inlined everywhere, and the code is the same as without the table. LLVM writes the addresses and
// sizes, as its `pcsections` metadata asks for.
#pragma once

#include "source/Source.h"

#include "llvm/IR/Module.h"

namespace sx::codegen {

/// Notes how reports show a function.
void describeFunction(llvm::Function&, llvm::StringRef name, llvm::StringRef path, Location declaredAt);

/// Drops these notes, for code that is to be read.
void forgetFunctions(llvm::Module&);

/// Asks for a record for each described function that is left. Call last.
void addFunctionTable(llvm::Module&);

} // namespace sx::codegen
