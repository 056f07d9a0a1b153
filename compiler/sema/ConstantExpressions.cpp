// Which expressions are constant (types.md 17.2).

#include "sema/Constants.h"
#include "sema/Declare.h"
#include "sema/Lookup.h"
#include "sema/NumberLimits.h"
#include "sema/Sema.h"
#include "sema/TypeResolver.h"

namespace sx::sema {

using namespace ast;

/// Literals, constants and what is made of them; no calls, no variables (types.md 17.2).
bool isConstantExpression(Sema& sema, const Expr* e, Scope* scope, uint32_t limit, SourceFile* file, bool forGlobal) {
    auto all = [&](auto&& list) {
        for (const auto& x : list)
            if (!isConstantExpression(sema, x, scope, limit, file, forGlobal)) return false;
        return true;
    };
    auto self = [&](const Expr* x) { return !x || isConstantExpression(sema, x, scope, limit, file, forGlobal); };
    switch (e->kind) {
    case ExprKind::Int:
    case ExprKind::Float:
    case ExprKind::Bool:
    case ExprKind::String:
    case ExprKind::Null:
    case ExprKind::Undef:
    case ExprKind::EnumLit:
    case ExprKind::ErrorTag:
    case ExprKind::Run:
    case ExprKind::OptionalType:
    case ExprKind::SliceType:
    case ExprKind::ManyPointerType:
    case ExprKind::SentinelType:
    case ExprKind::ArrayType:
    case ExprKind::FunctionType:
    case ExprKind::ClosureType:
    case ExprKind::TupleType:
    case ExprKind::InlineType:
    case ExprKind::TypeParam: return true;
    case ExprKind::NameRef: {
        LookupResult found = lookup(sema, static_cast<const NameRef*>(e)->id.name, scope, limit, file);
        if (!found.symbol) return true; // a builtin name; anything else was reported while lowering
        Symbol* s = resolve(sema, found.symbol);
        return s->kind != SymbolKind::Global && s->kind != SymbolKind::Local && s->kind != SymbolKind::RuntimeConst;
    }
    case ExprKind::Paren: return self(static_cast<const Paren*>(e)->inner);
    case ExprKind::Unary: {
        const auto* u = static_cast<const Unary*>(e);
        if (u->op == UnaryOp::AddrOf) { // the address of a global is a constant, its value is not
            const Expr* place = u->operand;
            bool fixed = true; // fields and elements at known places included
            for (;; place = withoutParens(place)) {
                if (const auto* m = llvm::dyn_cast<Member>(place)) place = m->base;
                else if (const auto* i = llvm::dyn_cast<Index>(place)) {
                    fixed &= self(i->index);
                    place = i->base;
                } else break;
            }
            if (fixed && llvm::isa<NameRef>(place)) return true;
        }
        return u->op != UnaryOp::Try && self(u->operand);
    }
    case ExprKind::Binary: {
        const auto* b = static_cast<const Binary*>(e);
        return self(b->lhs) && self(b->rhs);
    }
    case ExprKind::CompareChain: return all(static_cast<const CompareChain*>(e)->operands);
    case ExprKind::Index: {
        const auto* i = static_cast<const Index*>(e);
        return self(i->base) && self(i->index);
    }
    case ExprKind::Member: {
        const auto* m = static_cast<const Member*>(e);
        if (limitOwner(sema, *m) != TypeId::None) return true;
        if (forGlobal)
            if (const auto* n = llvm::dyn_cast<NameRef>(m->base)) {
                LookupResult found = lookup(sema, n->id.name, scope, limit, file);
                Symbol* s = found.symbol ? resolve(sema, found.symbol) : nullptr;
                if (s && s->kind == SymbolKind::Constant && sema.types.kind(s->type) == TypeKind::Struct) return false;
            }
        return self(m->base);
    }
    case ExprKind::Cast: return self(static_cast<const Cast*>(e)->base);
    case ExprKind::StructLit: {
        const auto* s = static_cast<const StructLit*>(e);
        if (s->initBlock) return false;
        for (const Init& i : s->inits)
            if (!self(i.value)) return false;
        return true;
    }
    case ExprKind::ArrayLit: return all(static_cast<const ArrayLit*>(e)->elems);
    case ExprKind::If: {
        const auto* i = static_cast<const If*>(e);
        return i->thenForm && self(i->cond) && self(i->then) && self(i->otherwise);
    }
    case ExprKind::Call: return isConstantCall(sema, *static_cast<const Call*>(e), scope, limit, file, forGlobal);
    case ExprKind::Lambda: return true; // without captures at module scope
    case ExprKind::CallerLocation:
    case ExprKind::Slice:
    case ExprKind::Deref:
    case ExprKind::Unwrap:
    case ExprKind::Catch:
    case ExprKind::Block:
    case ExprKind::Match:
    case ExprKind::While:
    case ExprKind::For:
    case ExprKind::Push:
    case ExprKind::Break:
    case ExprKind::Continue:
    case ExprKind::Return:
    case ExprKind::ResultList:
    case ExprKind::ErrorChannel:
    case ExprKind::Asm: return false;
    }
    return false;
}

/// A call that builds a value: `.move(3)`, `Cmd.move(3)`, or a type query such as `size_of(T)`.
bool isConstantCall(Sema& sema, const Call& call, Scope* scope, uint32_t limit, SourceFile* file, bool forGlobal) {
    for (const Arg& a : call.args)
        if (!isConstantExpression(sema, a.value, scope, limit, file, forGlobal)) return false;
    if (llvm::isa<EnumLit>(call.callee)) return true;
    TypeContext context;
    context.scope = scope;
    context.limit = limit;
    context.file = file;
    context.quiet = true;
    if (const auto* m = llvm::dyn_cast<Member>(call.callee)) {
        if (!namesType(sema, m->base, context)) return false;
        TypeId type = resolveType(sema, m->base, context);
        return sema.types.kind(type) == TypeKind::Enum && sema.types.isTaggedEnum(type);
    }
    if (const auto* n = llvm::dyn_cast<NameRef>(call.callee)) {
        LookupResult found = lookup(sema, n->id.name, scope, limit, file);
        if (!found.symbol) return true; // an intrinsic
        Symbol* s = resolve(sema, found.symbol);
        return s->kind == SymbolKind::Intrinsic || (s->kind == SymbolKind::Function && s->function->isIntrinsic) ||
               s->kind == SymbolKind::GenericStruct;
    }
    return false;
}

} // namespace sx::sema
