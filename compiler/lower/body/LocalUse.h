// Locals whose value nobody looks at: error variables, and the private copies that a lambda assigns.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// The code is not lowered here: what it names may be read.
void noteMentioned(Body&, const ast::Expr*);
void noteMentioned(Body&, llvm::ArrayRef<ast::Stmt*>);
/// The address that a part's is made from; a pointer on the way leads elsewhere.
ValueId storageOf(const Body&, ValueId part);
void noteWrite(Body&, const Value& place, Span statement);
void warnOfUnreadErrors(Body&);
void warnOfLostWrites(Body&, const ast::Expr* body);

} // namespace sx::lower
