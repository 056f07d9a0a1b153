// Matching written parameter types against argument types (generics.md 1.2).
#pragma once

#include "lower/body/Body.h"
#include "sema/TypeResolver.h"

namespace sx::lower {

/// Matches a written parameter type against a type (generics.md 1.2). `bindings` lists the names that may be
/// bound (type None: not yet) and takes new `$` names; a later match changes a binding by float promotion only.
/// True if the pattern matched (one that mentions no generic name: always).
bool inferFromType(Body&, const ast::Expr* pattern, TypeId actual, Bindings&, const TypeContext&);

} // namespace sx::lower
