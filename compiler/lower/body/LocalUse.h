// Locals whose value is never read: error variables, and the private copies that a lambda assigns.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Counts every local that code names as read, because the code is not lowered here.
void noteMentioned(Body&, const ast::Expr*);
void noteMentioned(Body&, llvm::ArrayRef<ast::Stmt*>);
/// The address of the storage that a part belongs to. A pointer on the way leads to other storage: then it is that.
ValueId storageOf(const Body&, ValueId part);
void noteWrite(Body&, const Value& place, Span statement);
void warnOfUnreadErrors(Body&);
void warnOfLostWrites(Body&, const ast::Expr* body);

} // namespace sx::lower
