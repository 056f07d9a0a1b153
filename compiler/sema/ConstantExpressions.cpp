// Which expressions are constant (types.md 17.2).
#include "sema/Constants.h"
#include "sema/Declare.h"
#include "sema/Lookup.h"
#include "sema/NumberLimits.h"
#include "sema/Sema.h"
#include "sema/TypeResolver.h"
#include "types/Predicates.h"

namespace sx::sema {

using namespace ast;

namespace {

/// Asks whether an expression is constant where it stands.
class ConstantReader {
public:
    ConstantReader(Sema& sema, Scope* scope, uint32_t limit, SourceFile* file, bool forGlobal)
        : sema_(sema), scope_(scope), limit_(limit), file_(file), forGlobal_(forGlobal) {}

    /// Literals, constants and what is made of them; no variables, and no calls but those of `call`.
    bool is(const Expr* e) {
        if (!e) return true;
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
        case ExprKind::TypeParam:
        case ExprKind::Lambda: return true; // a lambda has no captures at module scope
        case ExprKind::NameRef: return name(*static_cast<const NameRef*>(e));
        case ExprKind::Paren: return is(static_cast<const Paren*>(e)->inner);
        case ExprKind::Unary: return unary(*static_cast<const Unary*>(e));
        case ExprKind::Binary: return is(static_cast<const Binary*>(e)->lhs) && is(static_cast<const Binary*>(e)->rhs);
        case ExprKind::CompareChain: return all(static_cast<const CompareChain*>(e)->operands);
        case ExprKind::Index: return is(static_cast<const Index*>(e)->base) && is(static_cast<const Index*>(e)->index);
        case ExprKind::Member: return member(*static_cast<const Member*>(e));
        case ExprKind::Cast: return is(static_cast<const Cast*>(e)->base);
        case ExprKind::StructLit: {
            const auto& lit = *static_cast<const StructLit*>(e);
            return !lit.initBlock && llvm::all_of(lit.inits, [&](const Init& i) { return is(i.value); });
        }
        case ExprKind::ArrayLit: return all(static_cast<const ArrayLit*>(e)->elems);
        case ExprKind::If: {
            const auto& i = *static_cast<const If*>(e);
            return i.thenForm && is(i.cond) && is(i.then) && is(i.otherwise);
        }
        case ExprKind::Call: return call(*static_cast<const Call*>(e));
        default: return false; // anything else runs code
        }
    }

    /// A call that builds a value: `.move(3)`, `Cmd.move(3)`, or a type query such as `size_of(T)`.
    bool call(const Call& call) {
        if (!llvm::all_of(call.args, [&](const Arg& a) { return is(a.value); })) return false;
        if (llvm::isa<EnumLit>(call.callee)) return true;
        if (const auto* m = llvm::dyn_cast<Member>(call.callee)) {
            TypeContext context;
            context.scope = scope_;
            context.limit = limit_;
            context.file = file_;
            context.quiet = true;
            if (!namesType(sema_, m->base, context)) return false;
            TypeId type = resolveType(sema_, m->base, context);
            return sema_.types.kind(type) == TypeKind::Enum && isTaggedEnum(sema_.types, type);
        }
        const auto* n = llvm::dyn_cast<NameRef>(call.callee);
        if (!n) return false;
        Symbol* s = symbolOf(*n);
        return !s || s->kind == SymbolKind::Intrinsic ||
               (s->kind == SymbolKind::Function && s->function->isIntrinsic) || s->kind == SymbolKind::GenericStruct;
    }

private:
    bool all(llvm::ArrayRef<Expr*> list) {
        return llvm::all_of(list, [&](const Expr* e) { return is(e); });
    }

    /// Null: a builtin name, or an intrinsic; anything else was reported while lowering.
    Symbol* symbolOf(const NameRef& n) {
        LookupResult found = lookup(sema_, n.id.name, scope_, limit_, file_);
        return found.symbol ? resolve(sema_, found.symbol) : nullptr;
    }

    bool name(const NameRef& n) {
        Symbol* s = symbolOf(n);
        return !s ||
               (s->kind != SymbolKind::Global && s->kind != SymbolKind::Local && s->kind != SymbolKind::RuntimeConst);
    }

    /// The address of a global is a constant, its value is not.
    bool unary(const Unary& u) {
        if (u.op == UnaryOp::AddrOf && isFixedPlace(u.operand)) return true;
        return u.op != UnaryOp::Try && is(u.operand);
    }

    /// A name, or a field or element of one at a place that is known.
    bool isFixedPlace(const Expr* place) {
        bool isFixed = true;
        for (;; place = withoutParens(place)) {
            if (const auto* m = llvm::dyn_cast<Member>(place)) place = m->base;
            else if (const auto* i = llvm::dyn_cast<Index>(place)) {
                isFixed &= is(i->index);
                place = i->base;
            } else break;
        }
        return isFixed && llvm::isa<NameRef>(place);
    }

    bool member(const Member& m) {
        if (limitOwner(sema_, m) != TypeId::None) return true;
        if (const auto* n = forGlobal_ ? llvm::dyn_cast<NameRef>(m.base) : nullptr) {
            Symbol* s = symbolOf(*n);
            if (s && s->kind == SymbolKind::Constant && sema_.types.kind(s->type) == TypeKind::Struct) return false;
        }
        return is(m.base);
    }

    Sema& sema_;
    Scope* scope_;
    uint32_t limit_;
    SourceFile* file_;
    bool forGlobal_;
};

} // namespace

bool isConstantExpression(Sema& sema, const Expr* e, Scope* scope, uint32_t limit, SourceFile* file, bool forGlobal) {
    return ConstantReader(sema, scope, limit, file, forGlobal).is(e);
}

} // namespace sx::sema
