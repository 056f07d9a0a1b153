// Accesses through pointers: the check that stops the program where one is null (language 5.11).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Stops the program at `at` if a pointer that is about to be followed is null.
void checkPointer(Body&, ValueId pointer, Span at);
/// Where an expression follows a pointer: the `.` of `p.f` and `p.*`, else the whole.
Span followedAt(const ast::Expr*);
/// What a pointer points at, after the check that it is not null.
Value dereferenceChecked(Body&, const Value& pointer, Span at);

} // namespace sx::lower
