// Statements other than assignments and control flow.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

void lowerStmt(Body&, const ast::Stmt*);
void lowerStmts(Body&, llvm::ArrayRef<ast::Stmt*>);
void lowerVar(Body&, const ast::VarStmt&);
void lowerLocalDecl(Body&, const ast::LocalDecl&);
void lowerInsert(Body&, const ast::InsertStmt&);
Value lowerInsertValue(Body&, const ast::InsertStmt&, TypeId target, ValueId dest, bool valueNeeded);
void lowerErrorDirective(Body&, const ast::ErrorStmt&);
/// The temporary's slot becomes the variable's storage.
bool adoptTemporary(Body&, const Value&, const ast::Ident&);
void declareBroken(Body&, const ast::Ident&);
void declareConstant(Body&, const ast::Decl&, Value, const ast::Expr* value);

} // namespace sx::lower
