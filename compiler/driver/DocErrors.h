// The errors of functions with a bare `!`, for documents: found by checking the module.
#pragma once

#include "doc/Module.h"

namespace sx::driver {

/// Fills in the errors of entries whose sets the compiler infers. The module in `file` is checked for it, if it has
/// such entries; of one that does not compile they stay empty.
void inferErrors(doc::Module&, const std::string& file);

} // namespace sx::driver
