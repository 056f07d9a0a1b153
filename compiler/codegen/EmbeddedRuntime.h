// The static libraries of the runtime, which the compiler carries inside itself so that it can link programs
// wherever it is installed.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace sx::codegen {

llvm::StringRef traceLibrary();   ///< libsxtrace.a
llvm::StringRef programLibrary(); ///< libsxprogram.a

} // namespace sx::codegen
