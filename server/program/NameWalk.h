// The walk over a file that finds its declarations and what its names stand for.
#pragma once

#include "server/program/Names.h"

#include <set>
#include <unordered_map>

namespace sx::server {

class NameWalk {
public:
    NameWalk(sema::Sema& sema, sema::SourceFile& file, FileNames& out) : sema_(sema), file_(file), out_(out) {}

    void run();

private:
    using Scope = std::unordered_map<Name, int>;

    // ---- declarations (NameWalkDecls.cpp)
    void items(llvm::ArrayRef<ast::Decl*>);
    void item(const ast::Decl*, bool isLocal);
    void declareOnly(const ast::Decl*);
    int declare(Declaration);
    void structure(const ast::StructDecl&);
    void enumeration(const ast::EnumDecl&);
    void protocol(const ast::ProtocolDecl&);
    void implementation(const ast::ImplDecl&);
    void function(const ast::FunctionDecl&, int self);
    void parameters(const ast::FunctionDecl&);
    void typeParameters(llvm::ArrayRef<ast::TypeParamDecl>);
    void introduced(const ast::Expr* type);
    void importPath(const ast::ImportDecl&);

    // ---- bodies (NameWalk.cpp)
    void expr(const ast::Expr*);
    void leaf(const ast::Expr*);
    void branch(const ast::Expr*);
    void typeForm(const ast::Expr*);
    void literal(const ast::StructLit&, const ast::Decl* type);
    void expected(const ast::Expr* type, const ast::Expr* value);
    void results(llvm::ArrayRef<ast::ReturnElem>);
    void stmt(const ast::Stmt*);
    void block(llvm::ArrayRef<ast::Stmt*>);
    void bind(const ast::Ident&, const ast::Expr* type, const ast::Expr* value, Span whole);
    void elements(llvm::ArrayRef<ast::TypeElem>);
    void written(const ast::Expr* target, bool alsoReads);

    // ---- names (NameWalkUses.cpp)
    void name(const ast::Ident&);
    void member(const ast::Member&);
    void use(Span at, SourcePos target) { out_.uses.push_back({at, target}); }
    int findLocal(Name) const;
    sema::Symbol* symbolOf(const ast::Expr*);
    bool isCaught(const ast::Expr* subject) const;
    const ast::Decl* declOf(const ast::Expr* type);
    const ast::Decl* typeOfValue(const ast::Expr*);
    void memberOf(const ast::Decl&, const ast::Ident&);

    void push(Span span) {
        scopes_.emplace_back();
        spans_.push_back(span);
    }
    void pop() {
        scopes_.pop_back();
        spans_.pop_back();
    }

    sema::Sema& sema_;
    sema::SourceFile& file_;
    FileNames& out_;
    std::vector<Scope> scopes_;
    std::vector<Span> spans_; ///< of the scopes
    std::vector<int> parents_;
    std::set<SourcePos> caught_; ///< variables that a `catch` or `on_fail` binds
    const ast::FunctionDecl* function_ = nullptr;
    const ast::Decl* self_ = nullptr; ///< the type that `Self` is
    unsigned depth_ = 0;
};

/// The declaration of a member of a type; an empty one where it has none of this name.
ast::Ident memberNamed(const ast::Decl&, Name);

} // namespace sx::server
