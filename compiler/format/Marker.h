// The walk behind `markTokens`: every declaration, statement, expression and type of a tree.
#pragma once

#include "format/Marks.h"

namespace sx::format {

class Marker {
public:
    Marker(std::string_view text, SourcePos start) : text_(text), start_(start), marks_(text.size() + 1) {}

    void visit(const ast::Decl*);
    void visit(const ast::Stmt*);
    void visit(const ast::Expr*);
    Marks take() { return std::move(marks_); }

private:
    void mark(SourcePos, unsigned marks);
    bool isBrace(SourcePos) const;

    // ---- declarations
    void items(ast::ArrayRef<ast::Decl*>);
    void function(const ast::FunctionDecl&);
    void structure(const ast::StructDecl&);
    void enumeration(const ast::EnumDecl&);
    void unionOf(const ast::UnionDecl&);
    void protocol(const ast::ProtocolDecl&);
    void impl(const ast::ImplDecl&);
    void inlineIf(const ast::InlineIfDecl&);
    void runtimeClass(const ast::RuntimeClassDecl&);
    void typeParams(ast::ArrayRef<ast::TypeParamDecl>);
    void names(ast::ArrayRef<ast::Ident>);

    // ---- statements and expressions
    void block(const ast::BlockExpr*);
    void statements(ast::ArrayRef<ast::Stmt*>, unsigned marks);
    void loop(const ast::For&);
    void match(const ast::Match&);
    void caught(const ast::Catch&);
    void typeElems(ast::ArrayRef<ast::TypeElem>);
    const ast::Expr* postfix(const ast::Expr*);
    void operand(const ast::Expr*);
    void type(const ast::Expr*);
    void call(const ast::Call&);
    void assembly(const ast::AsmExpr&);
    void literal(const ast::Expr*);

    std::string_view text_;
    SourcePos start_;
    Marks marks_;
};

} // namespace sx::format
