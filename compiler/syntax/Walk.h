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

} // namespace sx::ast
