// What a value is where one is needed: a constant made one, an element or payload looked through, a name rejected that
// is none.
#pragma once

#include "lower/body/Body.h"
#include "sema/TypeResolver.h"

namespace sx::lower {

/// Makes a value of a named function. False after a report: a type, module, pack or generic is no value.
bool requireValue(Body&, Value&, Span at);
/// Reports a pack where a value is needed; the caller adds a help.
Diagnostic& rejectPack(Body&, Span at, const PackInfo&);
bool isConstantEvaluable(const Value&);
/// The scope and file in which a type written here is read.
TypeContext typeContext(Body&, bool quiet = false);
/// What an operator works on: the element of a `(*x)` capture, the payload of a narrowed name, the pointer of a
/// named function. Error after a report if there is no value.
Value operandOf(Body&, const Value&, Span at);
/// The element that a `(*x)` capture points at; any other value as it is.
Value elementOf(Body&, const Value&);
/// The Value of a constant.
Value valueOfConstant(TypeId, const ConstValue&);

/// An element of a pack, which counts as an rvalue where ownership is asked for (generics.md 4.8).
inline bool isPackElement(const Value& v) {
    return v.symbol && v.symbol->kind == SymbolKind::Local && v.symbol->localKind == LocalKind::PackElement;
}

/// The literal in `5`, `-5`, `(5)`: whose range is checked as one value, or not at all under a cast.
inline bool isNumberLiteral(const ast::Expr* e) {
    e = withoutParens(e);
    if (const auto* u = llvm::dyn_cast<ast::Unary>(e); u && u->op == ast::UnaryOp::Neg) e = u->operand;
    return llvm::isa<ast::IntLit>(e) || llvm::isa<ast::FloatLit>(e);
}

/// Equal up to the alias of a generic instance (generics.md 2.1).
inline bool sameType(Sema& sema, TypeId a, TypeId b) { return a == b || canonical(sema, a) == canonical(sema, b); }

} // namespace sx::lower
