// Pre-order traversal of expressions and statements, for passes that only look.
#pragma once

#include "syntax/Ast.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace sx::ast {

/// Visits a tree in source order. A callback that returns false keeps the walk out of the node's children.
/// Lambdas and nested declarations are visited as nodes; their bodies are entered only if `intoFunctions`.
struct Walker {
    llvm::function_ref<bool(const Expr*)> onExpr;
    llvm::function_ref<bool(const Stmt*)> onStmt;
    bool intoFunctions = false;

    void walk(const Expr*);
    void walk(const Stmt*);
};

/// The expressions that a statement consists of, in the order of their evaluation; some may be null. Not types, and
/// nothing of a declaration.
void forEachPart(const Stmt*, llvm::function_ref<void(const Expr*)> visit);

/// The expression that a block ends in, through nested blocks; null if it is not a block with a value.
const Expr* blockEnd(const Expr*);

/// The expressions that can be the value of `e`: `e` itself, or the ends of its branches, arms and block. Of an
/// `#insert` at an end, whose text is not known yet, its operand is visited.
void forEachResult(const Expr* e, llvm::function_ref<void(const Expr*)> visit);
/// The same of statements. In a match arm a trailing `;` does not discard the value.
void forEachResult(ArrayRef<Stmt*>, bool semicolonDiscards, llvm::function_ref<void(const Expr*)> visit);

/// The `if`s and matches whose value is that of `e`, from the outside in: `e` itself, or what its blocks, branches and
/// arms end in, with or without a `;`.
void forEachBranching(const Expr* e, llvm::function_ref<void(const Expr*)> visit);

} // namespace sx::ast
