// Work that several threads share.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>

namespace sx {

/// Calls `work(i)` for each i below `count`, each once, in as many threads as there are processors for this process;
/// comes back when all are done. Where the system gives no thread the others do its share.
void sideBySide(size_t count, llvm::function_ref<void(size_t)> work);

} // namespace sx
