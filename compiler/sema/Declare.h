// Declarations: symbols of names, and what they stand for.
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

/// Declares the names of a file. Reports duplicates and reserved names.
void declareFile(Sema&, SourceFile&);
/// Creates the symbol of a declaration, at module scope (scope null) or locally.
Symbol* symbolFor(Sema&, const ast::Decl&, SourceFile&, Scope*, std::string qualifierPrefix = {}, bool nested = false);
/// Resolves a symbol and follows aliases, so that the result is never one. SymbolKind::Error if it was rejected.
Symbol* resolve(Sema&, Symbol*);
/// Reports, once, that a chain of declarations or expressions is longer than the stack allows.
void reportTooDeep(Sema&, Span at);
/// Rejects a declaration that takes the name of a builtin type.
void checkReservedName(Sema&, const ast::Ident&, std::string_view what);
bool isReservedTypeName(const Sema&, Name);

} // namespace sx::sema
