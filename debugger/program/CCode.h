// The C code of a program that is interpreted (docs/c-interface.md).
#pragma once

#include "ir/ForeignCode.h"
#include "sema/Sema.h"

namespace sx::debugger {

/// Compiles the C sources of a checked program with the system's C compiler and loads them into this process. Null
/// where it has none. Fails with what the compiler says.
Result<std::unique_ptr<ir::ForeignCode>> loadCCode(const sema::Sema&);

} // namespace sx::debugger
