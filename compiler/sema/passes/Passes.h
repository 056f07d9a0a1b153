// The passes that look at the whole program, in the order of their work. Each reports into the diagnostics.
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

/// Signatures and shared names, reached or not (modules-and-comptime 12.1).
void checkDeclarations(Sema&);
/// Which values are there (errors.md 8.2), and the rules for cleanups (9.1), in the top-level functions of the entry
/// file.
void checkErrorFlow(Sema&);
/// Reserved names in all bodies, unknown types in those of the entry file.
void checkNames(Sema&);
/// The same for statements that compile-time code has inserted into a body of `file`.
void checkInsertedNames(Sema&, SourceFile& file, llvm::ArrayRef<ast::Stmt*>);
/// Rejects the tags of match arms that no error of the program can have. The error sets are solved.
void checkMatchedTags(Sema&);
/// Warns of imports that nothing in their file needs.
void warnOfUnusedImports(Sema&);

} // namespace sx::sema
