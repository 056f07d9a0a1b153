#include "lower/body/FrameArrays.h"

#include "lower/body/Body.h"
#include "lower/body/LocalUse.h"
#include "lower/body/Traces.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"
#include "sema/Warnings.h"
#include "sema/Wording.h"
#include "syntax/Walk.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

namespace {

TypeId withoutOptional(const TypeTable& types, TypeId t) {
    while (types.kind(t) == TypeKind::Optional) t = types.elem(t);
    return t;
}

/// Which names count: those of locals that hold a slice of a literal, those of arrays as well.
enum class Names { None, Slices, All };

/// Looks for what a value views, part by part along its type.
class FrameArrayFinder {
public:
    FrameArrayFinder(Body& f, Names names) : f_(f), types_(f.types), names_(names) {}

    const Expr* find(const Expr* e, TypeId type) {
        e = withoutParens(e);
        type = withoutOptional(types_, type);
        TypeKind kind = types_.kind(type);
        bool isView = kind == TypeKind::Slice || type == TypeId::String;
        bool hasParts = kind == TypeKind::Struct || kind == TypeKind::Tuple || kind == TypeKind::Array ||
                        isTaggedEnum(types_, type);
        if (!isView && !hasParts) return nullptr;
        switch (e->kind) {
        case ExprKind::ArrayLit: return literal(*static_cast<const ArrayLit*>(e), type, isView);
        case ExprKind::StructLit:
            if (kind != TypeKind::Struct && kind != TypeKind::Tuple) return nullptr;
            return parts(*static_cast<const StructLit*>(e), type);
        case ExprKind::Call: return kind == TypeKind::Enum ? payload(*static_cast<const Call*>(e), type) : nullptr;
        case ExprKind::NameRef: return named(*static_cast<const NameRef*>(e), isView);
        case ExprKind::Slice: return isView ? find(static_cast<const SliceExpr*>(e)->base, type) : nullptr;
        case ExprKind::Cast: return find(static_cast<const Cast*>(e)->base, type);
        case ExprKind::Unary: {
            const auto* u = static_cast<const Unary*>(e);
            return u->op == UnaryOp::Xx ? find(u->operand, type) : nullptr;
        }
        case ExprKind::Binary: {
            const auto* b = static_cast<const Binary*>(e);
            if (b->op != BinaryOp::Coalesce && b->op != BinaryOp::Or) return nullptr;
            const Expr* left = b->op == BinaryOp::Coalesce ? find(b->lhs, type) : nullptr;
            return left ? left : find(b->rhs, type);
        }
        case ExprKind::Catch: return branches(static_cast<const Catch*>(e)->body, type);
        case ExprKind::If:
        case ExprKind::Match:
        case ExprKind::Block: return branches(e, type);
        default: return nullptr;
        }
    }

private:
    const Expr* literal(const ArrayLit& lit, TypeId type, bool isView) {
        if (lit.elems.empty()) return nullptr;
        if (isView) return &lit;
        TypeId elem = types_.kind(type) == TypeKind::Array ? types_.elem(type) : TypeId::None;
        for (const Expr* e : lit.elems)
            if (const Expr* found = elem == TypeId::None ? nullptr : find(e, elem)) return found;
        return nullptr;
    }

    const Expr* parts(const StructLit& lit, TypeId type) {
        if (types_.kind(type) == TypeKind::Struct && !complete(f_.sema, type)) return nullptr;
        llvm::SmallVector<std::pair<Name, TypeId>, 8> fields = fieldsOf(type);
        llvm::SmallVector<bool, 8> given(fields.size());
        for (size_t i = 0; i < lit.inits.size(); ++i) {
            const Init& init = lit.inits[i];
            size_t field = i;
            for (size_t k = 0; k < fields.size(); ++k)
                if (init.name && fields[k].first == init.name.name) field = k;
            if (init.spread || field >= fields.size()) return nullptr;
            given[field] = true;
            if (const Expr* found = find(init.value, fields[field].second)) return found;
        }
        return lit.initBlock || types_.kind(type) != TypeKind::Struct ? nullptr : defaults(lit, type, fields, given);
    }

    llvm::SmallVector<std::pair<Name, TypeId>, 8> fieldsOf(TypeId type) {
        llvm::SmallVector<std::pair<Name, TypeId>, 8> fields;
        if (types_.kind(type) == TypeKind::Struct)
            for (const StructField& f : types_.structInfo(type).fields) fields.push_back({f.name, f.type});
        else
            for (const TupleField& f : types_.tupleFields(type)) fields.push_back({f.name, f.type});
        return fields;
    }

    /// A default is evaluated where it is left to apply: the array is then in this frame.
    const Expr* defaults(const StructLit& lit, TypeId type, llvm::ArrayRef<std::pair<Name, TypeId>> fields,
                         llvm::ArrayRef<bool> given) {
        const NominalInfo* info = nominal(f_.sema, type);
        if (!info || info->fieldDefaults.size() != fields.size()) return nullptr;
        FrameArrayFinder inner(f_, Names::None);
        for (size_t i = 0; i < fields.size(); ++i)
            if (!given[i] && info->fieldDefaults[i] && inner.find(info->fieldDefaults[i], fields[i].second))
                return &lit;
        return nullptr;
    }

    /// `.variant(value)`.
    const Expr* payload(const Call& call, TypeId type) {
        const Expr* callee = withoutParens(call.callee);
        const auto* lit = llvm::dyn_cast<EnumLit>(callee);
        const auto* member = llvm::dyn_cast<Member>(callee);
        if ((!lit && !member) || call.args.size() != 1 || call.args[0].spread) return nullptr;
        const EnumInfo& info = types_.enumInfo(type);
        auto it = info.index.find(lit ? lit->name.name : member->name.name);
        TypeId part = it == info.index.end() ? TypeId::None : info.variants[it->second].payload;
        return part == TypeId::None ? nullptr : find(call.args[0].value, part);
    }

    const Expr* named(const NameRef& n, bool isView) {
        if (names_ == Names::None) return nullptr;
        Symbol* s = lookup(f_.sema, n.id.name, f_.scope, f_.scopeLimit, &f_.currentFile()).symbol;
        if (!s || s->kind != SymbolKind::Local || s->owner != &f_) return nullptr;
        if (s->frameArray) return s->frameArray;
        bool isStorage = s->localKind == LocalKind::Variable || s->localKind == LocalKind::Parameter;
        if (names_ != Names::All || !isView || !isStorage) return nullptr;
        return types_.kind(s->type) == TypeKind::Array && types_.count(s->type) > 0 ? &n : nullptr;
    }

    /// The names at the ends of branches belong to scopes that are not open here.
    const Expr* branches(const Expr* e, TypeId type) {
        const Expr* found = nullptr;
        FrameArrayFinder inner(f_, Names::None);
        forEachResult(e, [&](const Expr* end) {
            if (!found && end != e) found = inner.find(end, type);
        });
        const Expr* only = withoutParens(e);
        bool isBranch = llvm::isa<If>(only) || llvm::isa<Match>(only) || llvm::isa<BlockExpr>(only);
        return found || isBranch ? found : find(only, type);
    }

    Body& f_;
    TypeTable& types_;
    Names names_;
};

} // namespace

const Expr* frameArrayOf(Body& f, const Expr* e, TypeId type, bool arraysCount) {
    if (!f.warns || f.isComptimeScratch || !e) return nullptr;
    return FrameArrayFinder(f, arraysCount ? Names::All : Names::Slices).find(e, type);
}

void warnOfLeavingArray(Body& f, const Expr* value, TypeId type, std::string_view how) {
    bool isReturned = how == "is returned"; // an array may well be lent to a global for a while
    const Expr* array = frameArrayOf(f, value, type, isReturned);
    if (!array || (!isReturned && llvm::isa<NameRef>(array))) return;
    bool isName = llvm::isa<NameRef>(array);
    std::string what = isName                        ? "the array " + code(f.sema.sources.textOf(array->span))
                       : llvm::isa<StructLit>(array) ? "an array literal that is a default here"
                                                     : "this array literal";
    warn(f.sema, WarningKind::FrameArray, array->span,
         what + " ends with the call, and a slice of it " + std::string(how),
         isName ? "copy the elements into memory that lasts: `….clone(context.allocator)` of `std/mem.sx`"
                : "return an array by value, name a constant, `NAME : []T : .[…];`, or copy the elements: "
                  "`….clone(context.allocator)` of `std/mem.sx`");
}

void warnOfReturned(Body& f, const Expr* e) {
    if (f.warns && f.result.type != TypeId::None)
        warnOfLeavingArray(f, e, f.result.isFailable ? f.result.success : f.result.type, "is returned");
}

void noteInitializer(Body& f, const VarStmt& v) {
    if (!f.warns || !v.init) return;
    Symbol* s = lookup(f.sema, v.name.name, f.scope, f.scopeLimit, &f.currentFile()).symbol;
    if (s && s->kind == SymbolKind::Local && s->owner == &f && !isScalar(f.types, s->type))
        s->frameArray = frameArrayOf(f, v.init, s->type);
}

void noteStored(Body& f, const Value& place, const Expr* target, const Expr* value) {
    if (!f.warns || f.isComptimeScratch || !place.isMemory() || place.id == ValueId::None ||
        isScalar(f.types, place.type))
        return;
    const Expr* array = frameArrayOf(f, value, place.type);
    const Expr* root = withoutParens(target);
    bool isWhole = llvm::isa<NameRef>(root);
    if (!array && !isWhole) return;
    const ir::Instr& at = f.fn.instr(storageOf(f, place.id));
    if (at.op == ir::Op::GlobalAddr) {
        bool isMain = f.instance && f.name == "main"; // its frame lasts as long as the program
        if (!isMain) warnOfLeavingArray(f, value, place.type, "is kept in a global");
    } else if (at.op == ir::Op::Load) {
        const ir::Instr& from = f.fn.instr(storageOf(f, f.fn.operandsOf(at).front())); // a pointer, or that of a slice
        bool isParameter = from.op == ir::Op::SlotAddr && f.fn.slots[from.imm].paramIndex >= 0;
        if (isParameter) warnOfLeavingArray(f, value, place.type, "is kept where a parameter points");
    } else if (at.op == ir::Op::SlotAddr) {
        while (const auto* m = llvm::dyn_cast<Member>(root)) root = withoutParens(m->base);
        const auto* n = llvm::dyn_cast<NameRef>(root);
        Symbol* s = n ? lookup(f.sema, n->id.name, f.scope, f.scopeLimit, &f.currentFile()).symbol : nullptr;
        if (!s || s->kind != SymbolKind::Local || s->owner != &f) return;
        s->frameArray = array;
        if (llvm::is_contained(f.result.slots, s)) warnOfLeavingArray(f, value, place.type, "is returned");
    }
}

} // namespace sx::lower
