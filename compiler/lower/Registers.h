// The registers of x86-64 by name.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace sx::lower {

/// Whether assembly may pin an operand to a register of this name, or say that it changes it.
bool isRegister(llvm::StringRef name);

} // namespace sx::lower
