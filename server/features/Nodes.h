// All parts of a tree, by their spans.
#pragma once

#include "syntax/Ast.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace sx::server {

/// Visits the span of every declaration, member, parameter, statement and expression, outer ones first; not those of
/// what types are made of. Of a text that does not parse there may be less.
void forEachNode(const ast::File&, llvm::function_ref<void(Span)> visit);

/// The value in a statement, a declaration or a `return` that has exactly the span `whole`, or the expression that has
/// it. Not valid: there is none, or more than one value.
Span valueAt(const ast::File&, Span whole);

} // namespace sx::server
