// What the last records of machine code say of the values of variables.
//
// The printer of debug information takes some of them for more than they say: it makes the first value of a parameter
// the one at the beginning of the function, and writes the zero that memory is filled with as the number zero.
#pragma once

#include "llvm/Pass.h"

namespace sx::codegen {

/// After the pass that follows variables through registers. The code stays as it is.
llvm::Pass* createKnownValues();

} // namespace sx::codegen
