// Lambdas: a function of their own, and the value that stands for it (language 4.10, 4.11).
//
// The body is lowered where the lambda stands, before the code of its creation is emitted: only then is it known
// what it captures. Conversions of functions to closures: FunctionValues.cpp.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Lowers a lambda to a function of its own. `target`: a closure or function type, or an optional of one; a result of
/// None in it gives the parameter types only, and the result is inferred. Yields a closure, or a function pointer if
/// the target is a function type.
Value lowerLambda(Body&, const ast::FunctionDecl&, TypeId target, Span at);

} // namespace sx::lower
