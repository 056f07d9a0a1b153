// Writes to constants where checks are on. The optimiser would drop them, since they mean nothing; but they are to be
// reported, by the fault that they end in. So it sees a variable that others may change, which becomes a constant again
// after it.
#pragma once

#include "llvm/IR/Module.h"

namespace sx::codegen {

/// Hides from the optimiser that these globals are constant. Once for a module.
void keepWrites(llvm::Module&, llvm::ArrayRef<llvm::GlobalVariable*>);

/// Makes them constants. After optimisation.
void restoreConstants(llvm::Module&);

} // namespace sx::codegen
