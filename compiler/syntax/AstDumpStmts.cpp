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
    const auto leaf = [&](StringRef kind, const std::string& details = {}) { line({}, kind, details, s->span); };
    const auto with = [&](StringRef kind, const std::string& details, auto children) {
        leaf(kind, details);
        const Indented indented(*this);
        children();
    };
    switch (s->kind) {
    case StmtKind::Expr: {
        const auto* node = llvm::cast<ExprStmt>(s);
        return with("ExprStmt", node->semicolon ? ";" : "value", [&] { expr(node->expr); });
    }
    case StmtKind::Var: {
        const auto* node = llvm::cast<VarStmt>(s);
        return with("Var", name(node->name), [&] { optional(node->type, "type"), optional(node->init, "init"); });
    }
    case StmtKind::LocalDecl: return with("LocalDecl", {}, [&] { decl(llvm::cast<LocalDecl>(s)->decl); });
    case StmtKind::Destructure: {
        const auto* node = llvm::cast<Destructure>(s);
        return with("Destructure", names(node->names), [&] { expr(node->init); });
    }
    case StmtKind::Assign: {
        const auto* node = llvm::cast<Assign>(s);
        return with("Assign", node->compound ? std::string(spelling(node->op)) + "=" : "=",
                    [&] { expr(node->target), expr(node->value); });
    }
    case StmtKind::MultiAssign:
        return with("MultiAssign", {}, [&] {
            for (const Expr* target : llvm::cast<MultiAssign>(s)->targets) expr(target, "target");
            for (const Expr* value : llvm::cast<MultiAssign>(s)->values) expr(value, "value");
        });
    case StmtKind::Return: return with("Return", {}, [&] { returnElems(llvm::cast<ReturnStmt>(s)->elems); });
    case StmtKind::Raise: return with("Raise", {}, [&] { expr(llvm::cast<RaiseStmt>(s)->value); });
    case StmtKind::Defer: return with("Defer", {}, [&] { expr(llvm::cast<DeferStmt>(s)->body); });
    case StmtKind::OnFail: {
        const auto* node = llvm::cast<OnFailStmt>(s);
        return with("OnFail", node->binding ? name(node->binding) : "", [&] { expr(node->body); });
    }
    case StmtKind::Break: return leaf("Break");
    case StmtKind::Continue: return leaf("Continue");
    case StmtKind::Insert: return with("Insert", {}, [&] { expr(llvm::cast<InsertStmt>(s)->value); });
    case StmtKind::ErrorDirective: return leaf("Error", quoted(llvm::cast<ErrorStmt>(s)->message));
    case StmtKind::Import: return leaf("Import", quoted(llvm::cast<ImportStmt>(s)->path));
    }
}

} // namespace sx
