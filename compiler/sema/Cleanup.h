// The rules for cleanup bodies that other parts ask about.
#pragma once

#include "sema/Lowering.h"

namespace sx::sema {

/// Code of a cleanup in which a failable call must be absorbed on the spot, a pure one whose error is bound or tested
/// included (errors.md 9.1): in the top-level functions of the entry file and their lambdas.
bool mustAbsorb(const FunctionLowering&);

} // namespace sx::sema
