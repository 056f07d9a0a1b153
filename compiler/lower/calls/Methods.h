// Dot-calls: which function `receiver.name(…)` means (language 3.14, generics.md 1.3, 4.5).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// `a.f(…)`: field, method, protocol method, ufcs, in this order; reports when there is none.
Value bindMethod(Body&, const Value& receiver, const ast::Member&, bool& found);
Value bindMethodFor(Body&, const Value& receiver, const ast::Member&, const ast::Call*, bool& found);
/// Whether a value could be the first argument of a function, as the receiver of a dot-call is.
bool takesReceiver(Body&, const Value& receiver, FunctionTemplate&);
/// What a bound method's call yields.
Value callBound(Body&, const BoundMethod&, const ast::Call&, TypeId target, ValueId dest);

} // namespace sx::lower
