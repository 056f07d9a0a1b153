// Declarations: symbols of names, and what they stand for.
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

/// Fills names, reports duplicates and reserved names.
void declareFile(Sema&, SourceFile&);
/// Creates the symbol of a declaration, at module scope (scope null) or locally.
Symbol* symbolFor(Sema&, const ast::Decl&, SourceFile&, Scope*, std::string qualifierPrefix = {}, bool nested = false);
/// Resolves a symbol (follows aliases: the result is never an alias). SymbolKind::Error if rejected.
/// The chain of declarations or expressions is longer than the stack allows: said once.
void reportTooDeep(Sema&, Span at);
Symbol* resolve(Sema&, Symbol*);
void checkReservedName(Sema&, const ast::Ident&, std::string_view what);
bool isReservedTypeName(const Sema&, Name);
/// Reserved names in all bodies, unknown types in those of the entry file.
void checkNames(Sema&);
void checkInsertedNames(Sema&, SourceFile&, llvm::ArrayRef<ast::Stmt*>);
/// The passes of modules-and-comptime 12.1 that look at unreachable code.
void checkDeclarations(Sema&);

} // namespace sx::sema
