// The order of work of one analysis.
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

/// Loads the entry file and everything it imports, checks, and fills the module. False: errors were reported. Fails,
/// with nothing reported, when the entry file cannot be read.
Result<bool> analyze(Sema&, const std::string& entryPath);

} // namespace sx::sema
