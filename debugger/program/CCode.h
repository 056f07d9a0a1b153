// The C code of a program that is interpreted (docs/c-interface.md).
#pragma once

#include "ir/ForeignCode.h"
#include "sema/Sema.h"

namespace sx::debugger {

/// Loads the libraries of a checked program into this process, from `libraryPaths` (absolute) before the system's
/// folders, and its C sources, compiled with the system's C compiler. Null where it has no sources. Fails with what the
/// compiler says.
Result<std::unique_ptr<ir::ForeignCode>> loadCCode(const sema::Sema&, const std::vector<std::string>& libraryPaths);

} // namespace sx::debugger
