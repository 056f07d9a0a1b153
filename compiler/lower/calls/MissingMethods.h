// What is said of a dot-call where there is nothing to call.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Reports that `receiver.name(…)` means nothing. Its help: the same under another name, or a function of a module.
Value noMethod(Body&, const Value& receiver, const ast::Member&);

} // namespace sx::lower
