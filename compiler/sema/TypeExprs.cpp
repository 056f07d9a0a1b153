#include "sema/TypeExprs.h"

#include "sema/Wording.h"
#include "syntax/Walk.h"
#include "types/Predicates.h"

namespace sx::sema {

using namespace ast;

bool anyInType(const Expr* type, llvm::function_ref<bool(const Expr*)> visit) {
    if (!type) return false;
    if (visit(type)) return true;
    auto in = [&](const Expr* e) { return anyInType(e, visit); };
    auto inElems = [&](ArrayRef<TypeElem> elems) {
        for (const TypeElem& e : elems)
            if (in(e.type)) return true;
        return false;
    };
    switch (type->kind) {
    case ExprKind::Paren: return in(static_cast<const Paren*>(type)->inner);
    case ExprKind::Unary: return in(static_cast<const Unary*>(type)->operand);
    case ExprKind::Binary:
        return in(static_cast<const Binary*>(type)->lhs) || in(static_cast<const Binary*>(type)->rhs);
    case ExprKind::Call: {
        const auto* call = static_cast<const Call*>(type);
        if (in(call->callee)) return true;
        for (const Arg& a : call->args)
            if (in(a.value)) return true;
        return false;
    }
    case ExprKind::Member: return in(static_cast<const Member*>(type)->base);
    case ExprKind::Index:
        return in(static_cast<const Index*>(type)->base) || in(static_cast<const Index*>(type)->index);
    case ExprKind::OptionalType: return in(static_cast<const OptionalType*>(type)->inner);
    case ExprKind::SliceType: return in(static_cast<const SliceType*>(type)->elem);
    case ExprKind::ManyPointerType: return in(static_cast<const ManyPointerType*>(type)->elem);
    case ExprKind::ArrayType:
        return in(static_cast<const ArrayType*>(type)->count) || in(static_cast<const ArrayType*>(type)->elem);
    case ExprKind::FunctionType:
        return inElems(static_cast<const FunctionType*>(type)->params) ||
               in(static_cast<const FunctionType*>(type)->result);
    case ExprKind::ClosureType:
        return inElems(static_cast<const ClosureType*>(type)->params) ||
               in(static_cast<const ClosureType*>(type)->result);
    case ExprKind::TupleType: return inElems(static_cast<const TupleType*>(type)->elems);
    case ExprKind::ResultList: return inElems(static_cast<const ResultList*>(type)->elems);
    case ExprKind::ErrorChannel: return in(static_cast<const ErrorChannel*>(type)->set);
    default: return false; // nothing else has types written in it
    }
}

std::string strayParamMessage(const std::string& name) {
    return code("$" + name) + " introduces a type parameter, which only the type of a parameter can do";
}

bool mentionsSelf(const Sema& sema, const Expr* type) {
    return anyInType(type, [&](const Expr* e) {
        const auto* n = llvm::dyn_cast<NameRef>(e);
        return n && !n->id.raw && sema.names.text(n->id.name) == "Self";
    });
}

bool isTypeKeyword(const Sema& sema, const Expr* e) {
    const auto* n = llvm::dyn_cast_or_null<NameRef>(withoutParens(e));
    return n && !n->id.raw && sema.names.text(n->id.name) == "Type";
}

bool isSliceVariadic(const Sema& sema, const Param& p) {
    if (!p.variadic) return false;
    const auto* slice = llvm::dyn_cast_or_null<SliceType>(withoutParens(p.type));
    return slice && !(p.comptime && isTypeKeyword(sema, slice->elem));
}

bool returnsValue(const Expr* body) {
    bool found = false;
    auto onExpr = [&](const Expr* e) {
        if (const auto* r = llvm::dyn_cast<ReturnExpr>(e)) found |= !r->elems.empty();
        return !found;
    };
    auto onStmt = [&](const Stmt* s) {
        if (const auto* r = llvm::dyn_cast<ReturnStmt>(s)) found |= !r->elems.empty();
        return !found;
    };
    Walker{onExpr, onStmt}.walk(body);
    return found;
}

bool isTypeFunction(const Sema& sema, const FunctionTemplate& f) {
    auto isKnown = [](const Param& p) {
        return p.comptime || p.variadic || llvm::isa_and_nonnull<TypeParam>(withoutParens(p.type));
    };
    return f.isGeneric && !f.isIntrinsic && isTypeKeyword(sema, f.decl->result) &&
           llvm::all_of(f.decl->params, isKnown);
}

bool passesPayload(const TypeTable& types, const Binding& b) {
    return b.kind == Binding::Kind::Value && b.value.isInt() && isTaggedEnum(types, b.type);
}

} // namespace sx::sema
