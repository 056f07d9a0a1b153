// The types that the protocol gives arguments, also those that nothing here is done with.
#pragma once

#include "debugger/protocol/Arguments.h"

namespace sx::debugger {

/// Rejects what has another type than the protocol says for this command. Whether an argument may be missing is for who
/// uses it.
void checkTypes(llvm::StringRef command, Arguments&);

} // namespace sx::debugger
