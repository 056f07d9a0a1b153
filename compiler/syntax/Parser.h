// Entry points of the syntax stage.
#pragma once

#include "source/Diagnostics.h"
#include "syntax/Ast.h"
#include "syntax/KnownNames.h"

#include "llvm/Support/Allocator.h"
#include "llvm/Support/raw_ostream.h"

namespace sx {

/// Owns the nodes of all files of a compilation.
struct AstContext {
    llvm::BumpPtrAllocator arena;
    NameTable names{knownNames()};
    std::unique_ptr<ast::BodyReader> bodies; ///< of functions in files that were parsed as outlines
    Diagnostics lateErrors;                  ///< what is wrong in those bodies, as far as they were read
};

/// Parses a whole file. Reports syntax errors to `diags` and recovers at statement and declaration level:
/// one mistake gives one message. The tree is complete in shape (no null where the grammar demands a node)
/// only if no error was reported. Never recurses deeper than a fixed limit: deeper nesting is a diagnostic.
ast::File parseFile(const SourceManager&, FileId, AstContext&, Diagnostics&);

/// The same, but bodies of declared functions are parsed when they are first asked for, by one thread at a time; what
/// is wrong in them is reported then, and kept in the context. All calls for a context are given the same sources and
/// diagnostics, which live as long as the tree is used.
ast::File parseOutline(const SourceManager&, FileId, AstContext&, Diagnostics&);

/// Parses `text` of a file that holds statements only (`#insert`). Stops at the first error without a
/// report: the statements before it are returned.
llvm::ArrayRef<ast::Stmt*> parseStatements(const SourceManager&, FileId, AstContext&);

/// Parses a file that holds one expression. Null after a report: it holds something else.
const ast::Expr* parseExpression(const SourceManager&, FileId, AstContext&, Diagnostics&);

/// `--dump=tokens` and `--dump=ast`: a stable, readable text form.
void dumpTokens(const SourceManager&, FileId, llvm::raw_ostream&);
void dumpAst(const SourceManager&, const AstContext&, const ast::File&, llvm::raw_ostream&);

} // namespace sx
