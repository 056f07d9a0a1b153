// What of the runtime the compiler itself contains.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace sx::codegen {

/// The runtime's function of this name, which the compiler itself contains; null if there is none.
void* runtimeSymbol(llvm::StringRef name);

} // namespace sx::codegen
