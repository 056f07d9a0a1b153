// Types that code builds while compiling (generics.md 10).
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

/// Binds `X` for each `declare("X")` that stands in the code, so that what it builds may mention `*X`. The scope to
/// read the code in: `scope` itself if there is none; else a new one, of which all counts.
Scope* announceTypes(Sema&, const ast::Expr* code, Scope* scope, uint32_t& limit, SourceFile*);
/// Whether it is `declare(…)`, also through a namespace: a type that has no parts before others have run.
bool declaresType(const Sema&, const ast::Expr*);
/// Without parts.
TypeId newBuiltType(Sema&, std::string name);
/// The program may build types.
bool loadsMeta(const Sema&);

} // namespace sx::sema
