#include "lower/body/Effects.h"

#include "lower/body/Body.h"
#include "lower/body/Traces.h"
#include "lower/body/VoidValues.h"
#include "sema/Declare.h"
#include "sema/Lookup.h"
#include "sema/Warnings.h"
#include "sema/Wording.h"

namespace sx::lower {

using namespace ast;

namespace {

bool isPure(const Expr* e);

bool arePure(llvm::ArrayRef<Expr*> list) { return llvm::all_of(list, isPure); }

/// Whether the text of an expression holds nothing that could have an effect. What may be a call without looking like
/// one (a property, a conversion of the program's own) is found in what it was lowered to.
bool isPure(const Expr* e) {
    if (!e) return true;
    switch (e->kind) {
    case ExprKind::Int:
    case ExprKind::Float:
    case ExprKind::Bool:
    case ExprKind::String:
    case ExprKind::Null:
    case ExprKind::NameRef:
    case ExprKind::TypeParam:
    case ExprKind::EnumLit:
    case ExprKind::ErrorTag:
    case ExprKind::CallerLocation:
    case ExprKind::Lambda:
    case ExprKind::OptionalType:
    case ExprKind::SliceType:
    case ExprKind::ManyPointerType:
    case ExprKind::SentinelType:
    case ExprKind::ArrayType:
    case ExprKind::FunctionType:
    case ExprKind::ClosureType:
    case ExprKind::TupleType:
    case ExprKind::InlineType: return true;
    case ExprKind::Paren: return isPure(static_cast<const Paren*>(e)->inner);
    case ExprKind::Unary:
        return static_cast<const Unary*>(e)->op != UnaryOp::Try && isPure(static_cast<const Unary*>(e)->operand);
    case ExprKind::Binary:
        return isPure(static_cast<const Binary*>(e)->lhs) && isPure(static_cast<const Binary*>(e)->rhs);
    case ExprKind::CompareChain: return arePure(static_cast<const CompareChain*>(e)->operands);
    case ExprKind::Index:
        return isPure(static_cast<const Index*>(e)->base) && isPure(static_cast<const Index*>(e)->index);
    case ExprKind::Slice: {
        const auto& s = *static_cast<const SliceExpr*>(e);
        return isPure(s.base) && isPure(s.lo) && isPure(s.hi);
    }
    case ExprKind::Member: return isPure(static_cast<const Member*>(e)->base);
    case ExprKind::Deref: return isPure(static_cast<const Deref*>(e)->base);
    case ExprKind::Cast:
        return isPure(static_cast<const Cast*>(e)->base) && isPure(static_cast<const Cast*>(e)->allocator);
    case ExprKind::StructLit: {
        const auto& lit = *static_cast<const StructLit*>(e);
        return !lit.initBlock && llvm::all_of(lit.inits, [](const Init& i) { return isPure(i.value); });
    }
    case ExprKind::ArrayLit: return arePure(static_cast<const ArrayLit*>(e)->elems);
    // Anything else is a call, a statement by itself, or leaves; `o!;` is there for the failure of a null.
    default: return false;
    }
}

bool isCall(ir::Op op) {
    switch (op) {
    case ir::Op::Call:
    case ir::Op::CallIndirect:
    case ir::Op::AtomicStore:
    case ir::Op::AtomicRmw:
    case ir::Op::AtomicCmpXchg:
    case ir::Op::Fence:
    case ir::Op::InlineAsm: return true;
    default: return false;
    }
}

std::string helpFor(Body& f, const Expr* e) {
    const Expr* inner = withoutParens(e);
    std::string text(f.sema.sources.textOf(inner->span));
    bool isShort = text.size() <= 40 && text.find('\n') == std::string::npos;
    if (llvm::isa<Lambda>(inner)) return "a lambda runs when it is called: `name := …; name();`";
    if (const auto* b = llvm::dyn_cast<Binary>(inner);
        b && b->op == BinaryOp::Eq && isShort && llvm::isa<NameRef>(withoutParens(b->lhs)))
        return "to assign, write " + code(std::string(f.sema.sources.textOf(b->lhs->span)) + " = " +
                                          std::string(f.sema.sources.textOf(b->rhs->span)) + ";");
    if (const auto* n = llvm::dyn_cast<NameRef>(inner)) {
        LookupResult found = lookup(f.sema, n->id.name, f.scope, f.scopeLimit, &f.currentFile());
        const Symbol* s = found.symbol && !found.ambiguous ? resolve(f.sema, found.symbol) : nullptr;
        if (s && s->kind == SymbolKind::Function) {
            bool takes =
                llvm::any_of(s->function->decl->params, [](const Param& p) { return !p.defaultValue && !p.variadic; });
            return "to call it, write " + code(text + (takes ? "(…)" : "()"));
        }
    }
    return "drop it, or write " + code("_ = " + (isShort ? text : "…") + ";") + " if it is meant";
}

} // namespace

void warnOfNoEffect(Body& f, const Expr* e, size_t firstInstr) {
    if (!f.warns || !isPure(e) || takesVoid(f)) return;
    bool calls = !f.reachable(); // `unreachable`
    bool casts = llvm::isa<Cast>(withoutParens(e));
    // `v.(T);` asserts the type of an `any`, `c or unreachable;` a condition.
    auto asserts = [&](const ir::Instr& i) {
        return i.op == ir::Op::Panic && (casts || i.imm == static_cast<decltype(i.imm)>(ir::PanicKind::Unreachable));
    };
    for (size_t i = firstInstr; i < f.fn.instrs.size() && !calls; ++i)
        calls = isCall(f.fn.instrs[i].op) || asserts(f.fn.instrs[i]);
    if (calls) return refuteWarning(f.sema, WarningKind::NoEffect, e->span);
    warn(f.sema, WarningKind::NoEffect, e->span, "this statement has no effect: its value is not used", helpFor(f, e));
}

} // namespace sx::lower
