// Assignments and destructuring (language 3.7, 5.1-5.3).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

void lowerDestructure(Body&, const ast::Destructure&);
void lowerAssign(Body&, const ast::Assign&);
void lowerMultiAssign(Body&, const ast::MultiAssign&);
void lowerCompound(Body&, const ast::Assign&);
void assignValue(Body&, const Value& place, const ast::Expr* target, const ast::Expr* value);
/// The target `_`.
bool isDiscard(const Body&, const ast::Expr*);
TypeId fixedPlaceType(Body&, const ast::Expr*);
TypeId probePlace(Body&, const ast::Expr*, Span statement);

} // namespace sx::lower
