// `a or b or c`: the fallback operator (errors.md 7). Operands are tried left to right; the first success wins.
//
// Frames (traces.md 3): every failing operand adds a hop and, from the second on, an attempt link; a success
// after failures drops the attempts as one group; a plain last operand drops them before it is evaluated.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// An `or` of failables, parentheses looked through.
bool isFallbackOr(Body&, const ast::Expr*);
/// An `or` of something that was rejected: it may have been meant to be one.
bool hasUnknownOperand(Body&, const ast::Expr*);
/// What is left of an `or` chain whose operands have all failed.
struct ChainError {
    ValueId tag; ///< of the last operand
    TypeId set{};
    ErrorNode* errors = nullptr;
    TypeId success{}; ///< what the chain yields otherwise; Void: nothing
};

/// An `or` chain. `onError` runs when every operand has failed (frames are pushed).
Value lowerChain(Body&, const ast::Binary&, TypeId target, ValueId dest,
                 llvm::function_ref<Value(const ChainError&)> onError);
/// The type an expression would have, found by lowering it into a block that is thrown away; reports nothing
/// new (an error comes again, once, when the expression is lowered for good). None if it has none.
TypeId probeType(Body&, const ast::Expr*);

} // namespace sx::lower
