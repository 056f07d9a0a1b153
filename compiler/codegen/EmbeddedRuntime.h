// The static libraries of the runtime, and what programs carry for gdb. The compiler has them inside itself so that it
// can link programs wherever it is installed.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace sx::codegen {

llvm::StringRef traceLibrary();   ///< libsxtrace.a
llvm::StringRef programLibrary(); ///< libsxprogram.a
llvm::StringRef gdbScript();      ///< an object with nothing but a section that gdb reads

} // namespace sx::codegen
