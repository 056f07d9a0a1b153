// Slices of arrays that end with the call: a slice literal keeps its elements in the frame (types.md 10.1), and so does
// a local array. Where such a slice leaves, what it views is gone.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// The literal or name of the array of this call that a value of `type`, made by `e`, is a view of. Null: there is
/// none.
const ast::Expr* frameArrayOf(Body&, const ast::Expr* e, TypeId type, bool arraysCount = true);
/// Warns if a value that leaves the call is a view of one of its arrays. `how` it leaves, for the message.
void warnOfLeavingArray(Body&, const ast::Expr* value, TypeId type, std::string_view how);
/// The same for the value of a `return`, or of a trailing expression.
void warnOfReturned(Body&, const ast::Expr*);
/// Remembers which array a new variable views.
void noteInitializer(Body&, const ast::VarStmt&);
/// Warns if a value that is stored in a place outlives the array that it views, else remembers which one it is.
void noteStored(Body&, const Value& place, const ast::Expr* target, const ast::Expr* value);

} // namespace sx::lower
