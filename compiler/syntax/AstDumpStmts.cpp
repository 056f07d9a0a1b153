#include "syntax/AstDumper.h"

namespace sx {

using namespace ast;
using llvm::ArrayRef;
using llvm::StringRef;

void AstDumper::stmts(ArrayRef<Stmt*> list) {
    for (const Stmt* s : list) stmt(s);
}

void AstDumper::returnElems(ArrayRef<ReturnElem> elems) {
    for (const ReturnElem& elem : elems) expr(elem.value, elem.name ? name(elem.name) + " =" : std::string());
}

void AstDumper::stmt(const Stmt* s) {
    const auto head = [&](StringRef kind, const std::string& details = {}) { line({}, kind, details, s->span); };
    switch (s->kind) {
    case StmtKind::Expr: {
        const auto* node = llvm::cast<ExprStmt>(s);
        head("ExprStmt", node->semicolon ? ";" : "value");
        const Indented indented(*this);
        return expr(node->expr);
    }
    case StmtKind::Var: {
        const auto* node = llvm::cast<VarStmt>(s);
        head("Var", name(node->name));
        const Indented indented(*this);
        optional(node->type, "type");
        return optional(node->init, "init");
    }
    case StmtKind::LocalDecl: {
        head("LocalDecl");
        const Indented indented(*this);
        return decl(llvm::cast<LocalDecl>(s)->decl);
    }
    case StmtKind::Destructure: {
        const auto* node = llvm::cast<Destructure>(s);
        head("Destructure", names(node->names));
        const Indented indented(*this);
        return expr(node->init);
    }
    case StmtKind::Assign: {
        const auto* node = llvm::cast<Assign>(s);
        head("Assign", node->compound ? std::string(spelling(node->op)) + "=" : "=");
        const Indented indented(*this);
        expr(node->target);
        return expr(node->value);
    }
    case StmtKind::MultiAssign: {
        const auto* node = llvm::cast<MultiAssign>(s);
        head("MultiAssign");
        const Indented indented(*this);
        for (const Expr* target : node->targets) expr(target, "target");
        for (const Expr* value : node->values) expr(value, "value");
        return;
    }
    case StmtKind::Return: {
        head("Return");
        const Indented indented(*this);
        return returnElems(llvm::cast<ReturnStmt>(s)->elems);
    }
    case StmtKind::Raise: {
        head("Raise");
        const Indented indented(*this);
        return expr(llvm::cast<RaiseStmt>(s)->value);
    }
    case StmtKind::Defer: {
        head("Defer");
        const Indented indented(*this);
        return expr(llvm::cast<DeferStmt>(s)->body);
    }
    case StmtKind::OnFail: {
        const auto* node = llvm::cast<OnFailStmt>(s);
        head("OnFail", node->binding ? name(node->binding) : "");
        const Indented indented(*this);
        return expr(node->body);
    }
    case StmtKind::Break: return head("Break");
    case StmtKind::Continue: return head("Continue");
    case StmtKind::Insert: {
        head("Insert");
        const Indented indented(*this);
        return expr(llvm::cast<InsertStmt>(s)->value);
    }
    case StmtKind::ErrorDirective: return head("Error", quoted(llvm::cast<ErrorStmt>(s)->message));
    case StmtKind::Import: return head("Import", quoted(llvm::cast<ImportStmt>(s)->path));
    }
}

} // namespace sx
