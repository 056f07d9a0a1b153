// Blocks, `if`, `push`, jumps (language 4.7, 4.9, 5.5-5.10).
#pragma once

#include "lower/body/Body.h"
#include "lower/values/Join.h"

namespace sx::lower {

Value lowerIf(Body&, const ast::If&, TypeId target, ValueId dest, bool valueNeeded);
void lowerPush(Body&, const ast::Push&);
void lowerBreak(Body&, Span);
void lowerContinue(Body&, Span);
Value lowerBranchBody(Body&, const ast::Expr*, TypeId target, ValueId dest, bool valueNeeded);
Value lowerIfBinding(Body&, const ast::If&, TypeId target, ValueId dest, bool valueNeeded);
void bindPayload(Body&, const ast::Ident&, const Value& payload, LocalKind);
Value loadForJoin(Body&, const Value&);
/// Adds a branch or an arm to the join. False: it gets to its end without the value that is needed; the caller says so.
bool addBranch(Body&, Join&, Value, Span at, bool valueNeeded);
Value lowerStmtsValue(Body&, llvm::ArrayRef<ast::Stmt*>, TypeId target, ValueId dest, bool valueNeeded,
                      bool keepSemicolonValue);

} // namespace sx::lower
