// Libraries that read debug information trust it. What is damaged may make them crash.
#pragma once

#include "llvm/ADT/STLExtras.h"

namespace sx {

/// Runs `read`. False: it has crashed. Then nothing of what it has made may be used or destroyed: it leaks.
bool survives(llvm::function_ref<void()> read);

} // namespace sx
