// Leaving a function without raising: `return` in all its forms, trailing values, forwarding of failables.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// `return e`, a trailing expression, an arrow body.
void returnValue(Body&, const ast::Expr*, Span at);
void returnList(Body&, llvm::ArrayRef<ast::ReturnElem>, Span at);
/// Errors.md 10.2.
void forward(Body&, const Value& failable, const ast::Expr*, Span at);
/// `return error.X`, `return err`; the value slots are stored.
void returnTag(Body&, const Value& error, const ast::Expr*, Span at);
/// Lowers what may be returned. A failable, an error or the full form leaves the function there; else its value
/// comes back.
Value lowerReturned(Body&, const ast::Expr*, TypeId target, ValueId dest, Span at);
/// The end of a branch whose value is needed; failables as for `lowerReturned` if the branch belongs to what is
/// returned.
Value lowerResult(Body&, const ast::Expr*, TypeId target, ValueId dest);
/// In a failable function: passed on whole, not the success value.
bool isForwarded(const Body&, const Value&);
void markReturned(Body&, const ast::Expr*, Span at);
bool isErrorOperand(Body&, const ast::Expr*);
/// `return .{v, error.Tag}`.
bool returnFullForm(Body&, const ast::StructLit&, Span at);
/// Named result slots.
void returnSlots(Body&, Span at);
void lowerReturn(Body&, llvm::ArrayRef<ast::ReturnElem>, Span statement);

} // namespace sx::lower
