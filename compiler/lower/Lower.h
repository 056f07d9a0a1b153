// Checks function bodies and emits their IR: the later half of semantic analysis.
#pragma once

#include "sema/Sema.h"

#include <memory>

namespace sx::lower {

/// The bodies of a program, for `bodies`.
std::unique_ptr<sema::Bodies> makeBodies(sema::Sema&);

} // namespace sx::lower
