// The text form of a tree: one line a node, children indented below it.
//
//   label: Kind details <line:col-line:col>
//
// The end is exclusive. Defined in AstDumpDecls.cpp, AstDumpExprs.cpp and AstDumpStmts.cpp.
#pragma once

#include "syntax/Parser.h"

#include <initializer_list>
#include <string>

namespace sx {

class AstDumper {
public:
    AstDumper(const SourceManager& sources, const NameTable& names, llvm::raw_ostream& out)
        : sources_(sources), names_(names), out_(out) {}

    void file(const ast::File&);
    void decl(const ast::Decl*, llvm::StringRef label = {});
    void stmt(const ast::Stmt*);
    void expr(const ast::Expr*, llvm::StringRef label = {});

    // ---- for the functions that write one kind of node
    /// Children of a node are written while one of these lives.
    class Indented {
    public:
        explicit Indented(AstDumper& dumper) : dumper_(dumper) { dumper_.depth_ += 1; }
        ~Indented() { dumper_.depth_ -= 1; }

    private:
        AstDumper& dumper_;
    };

    void line(llvm::StringRef label, llvm::StringRef kind, const std::string& details, Span span);
    std::string name(const ast::Ident&) const;
    std::string quoted(llvm::StringRef) const;
    std::string names(llvm::ArrayRef<ast::Ident>) const;
    /// " a b" of those flags that hold.
    static std::string flags(std::initializer_list<std::pair<bool, const char*>>);
    void leaf(const ast::Expr*, llvm::StringRef label, llvm::StringRef kind, const std::string& details = {});
    void with(const ast::Expr*, llvm::StringRef label, llvm::StringRef kind, const ast::Expr* child,
              const std::string& details = {});
    void typeElems(llvm::ArrayRef<ast::TypeElem>);
    void returnElems(llvm::ArrayRef<ast::ReturnElem>);
    void stmts(llvm::ArrayRef<ast::Stmt*>);
    void optional(const ast::Expr*, llvm::StringRef label);

private:
    void items(llvm::ArrayRef<ast::Decl*>, llvm::StringRef label);
    void function(const ast::FunctionDecl*, llvm::StringRef label);
    void param(const ast::Param&);
    void structDecl(const ast::StructDecl*, llvm::StringRef label);
    void typeParams(llvm::ArrayRef<ast::TypeParamDecl>);
    void member(const ast::MemberDecl&);
    void enumDecl(const ast::EnumDecl*, llvm::StringRef label);
    void unionDecl(const ast::UnionDecl*, llvm::StringRef label);
    void protocolDecl(const ast::ProtocolDecl*, llvm::StringRef label);
    void implDecl(const ast::ImplDecl*, llvm::StringRef label);
    void inlineIfDecl(const ast::InlineIfDecl*, llvm::StringRef label);
    void importC(const ast::ImportCDecl*, llvm::StringRef label);
    void runtimeClass(const ast::RuntimeClassDecl*, llvm::StringRef label);

    void call(const ast::Call*, llvm::StringRef label);
    void structLit(const ast::StructLit*, llvm::StringRef label);
    void slice(const ast::SliceExpr*, llvm::StringRef label);
    void ifExpr(const ast::If*, llvm::StringRef label);
    void matchExpr(const ast::Match*, llvm::StringRef label);
    void forExpr(const ast::For*, llvm::StringRef label);
    void compareChain(const ast::CompareChain*, llvm::StringRef label);

    const SourceManager& sources_;
    const NameTable& names_;
    llvm::raw_ostream& out_;
    unsigned depth_ = 0;
};

} // namespace sx
