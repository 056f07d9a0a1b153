// Slices of arrays that end with the call: a slice literal keeps its elements in the frame (types.md 10.1), and so does
// a local array. Where such a slice leaves, what it views is gone.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// FrameArrays.cpp. An array of this call that a value of `type` made by `e` is a view of: its literal or name.
/// Null: none.
const ast::Expr* frameArrayOf(Body&, const ast::Expr* e, TypeId type, bool arraysCount = true);
void warnOfLeavingArray(Body&, const ast::Expr* value, TypeId type, std::string_view how);
/// A `return e` or trailing expression.
void warnOfReturned(Body&, const ast::Expr*);
void noteInitializer(Body&, const ast::VarStmt&);
void noteStored(Body&, const Value& place, const ast::Expr* target, const ast::Expr* value);

} // namespace sx::lower
