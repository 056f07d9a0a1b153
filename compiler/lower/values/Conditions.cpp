#include "lower/values/Conditions.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Cleanup.h"
#include "lower/body/Explain.h"
#include "lower/body/Narrowing.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/values/Names.h"
#include "lower/values/Optionals.h"
#include "lower/values/Variants.h"
#include "sema/Declare.h"
#include "sema/Lookup.h"
#include "sema/Notes.h"
#include "sema/NumberLimits.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Predicates.h"

#include "llvm/ADT/StringSwitch.h"

namespace sx::lower {

using namespace ast;

ValueId lowerCondition(Body& f, const Expr* e) {
    Value v;
    if (mustAbsorb(f)) { // an error value made here is no answer to the error (errors.md 9.1)
        v = lowerUnmarked(f, e);
        if (v.unmarkedFailable) v = rejectUnmarked(f, v, e->span);
    } else {
        v = lower(f, e);
    }
    return v.isError() ? ValueId::None : conditionOf(f, v, e->span);
}

ValueId conditionOf(Body& f, const Value& value, Span at) {
    Value v = elementOf(f, value);
    if (!requireValue(f, v, at)) return ValueId::None;
    if (v.type == TypeId::NoReturn) return constBool(f.b, false);
    switch (f.types.kind(v.type)) {
    case TypeKind::Bool: return scalar(f, v);
    case TypeKind::Int:
    case TypeKind::ErrorSet: return emitICmp(f.b, ir::ICmpPred::Ne, scalar(f, v), constInt(f.b, v.type, 0));
    case TypeKind::Enum:
        if (isPlainEnum(f.types, v.type))
            return emitICmp(f.b, ir::ICmpPred::Ne, scalar(f, v), constInt(f.b, v.type, 0));
        break;
    case TypeKind::Pointer:
    case TypeKind::ManyPointer:
    case TypeKind::CString: return emitICmp(f.b, ir::ICmpPred::Ne, scalar(f, v), nullOf(f.b, v.type));
    case TypeKind::Optional: return isPresent(f, v);
    case TypeKind::None:
    case TypeKind::Void:
    case TypeKind::NoReturn:
    case TypeKind::Float:
    case TypeKind::String:
    case TypeKind::Any:
    case TypeKind::Type:
    case TypeKind::Null:
    case TypeKind::Slice:
    case TypeKind::Array:
    case TypeKind::Vector:
    case TypeKind::Tuple:
    case TypeKind::Function:
    case TypeKind::Closure:
    case TypeKind::Struct:
    case TypeKind::Union:
    case TypeKind::Protocol: break;
    }
    Diagnostic& d = f.diags.error(at, withArticle(f.types, v.type) + " is no condition");
    switch (f.types.kind(v.type)) {
    case TypeKind::String:
    case TypeKind::Slice: d.help("test its length: `… .len > 0`"); break;
    case TypeKind::Function: d.help("call it, or compare it: `… != null`"); break;
    case TypeKind::Float: d.help("compare it: `… != 0.0`"); break;
    default:
        d.help("a condition is a bool, an integer, a pointer, an optional, an error value or an enum without payloads");
        break;
    }
    return ValueId::None;
}

// ------------------------------------------------------------------------------------ branching

namespace {

bool isLogic(Body& f, const Binary& e) {
    if (e.op == BinaryOp::And) return true;
    return e.op == BinaryOp::Or && !isFailableExpr(f, e.lhs) && !isFailableExpr(f, e.rhs);
}

bool isComparison(BinaryOp op) { return classOf(op) == OpClass::Comparison; }

/// An operand of `!` that is a bool whatever its own operands are: negating it swaps the branches.
bool isTruth(Body& f, const Expr* e) {
    e = withoutParens(e);
    if (llvm::isa<BoolLit>(e) || llvm::isa<CompareChain>(e)) return true;
    if (const auto* u = llvm::dyn_cast<Unary>(e)) return u->op == UnaryOp::Not;
    const auto* binary = llvm::dyn_cast<Binary>(e);
    return binary && (isComparison(binary->op) || isLogic(f, *binary));
}

/// The local optional that `x == null` or `x != null` tests; null: it is no such test.
Symbol* testedForNull(Body& f, const Binary& e) {
    const Expr *l = withoutParens(e.lhs), *r = withoutParens(e.rhs);
    const auto* name = llvm::dyn_cast_or_null<NameRef>(llvm::isa<NullLit>(r) ? l : llvm::isa<NullLit>(l) ? r : nullptr);
    if (!name) return nullptr;
    LookupResult found = lookup(f.sema, name->id.name, f.scope, f.scopeLimit, &f.currentFile());
    if (!found.symbol || found.symbol->kind != SymbolKind::Local ||
        f.types.kind(found.symbol->type) != TypeKind::Optional)
        return nullptr;
    Value v = valueOfSymbol(f, found.symbol, name->id.span, found.crossesFunction); // in a lambda: its private copy
    return v.symbol;
}

} // namespace

void lowerBranch(Body& f, const Expr* cond, BlockId ifTrue, BlockId ifFalse, Facts& facts) {
    const Expr* e = withoutParens(cond);
    const auto* binary = llvm::dyn_cast<Binary>(e);
    if (binary && isLogic(f, *binary)) {
        bool isAnd = binary->op == BinaryOp::And;
        BlockId second = f.b.newBlock();
        Facts left, right;
        lowerBranch(f, binary->lhs, isAnd ? second : ifTrue, isAnd ? ifFalse : second, left);
        f.b.setBlock(second);
        if (!isAnd &&
            rejectedWithin(f.diags,
                           binary->lhs->span)) { // the left may have been meant to fail, and the right as its fallback
            checkDiscarded(f, binary->rhs);
            emitCondBr(f.b, constBool(f.b, false), ifTrue, ifFalse);
            return;
        }
        auto before = f.narrowing.present;
        size_t assignedBefore = f.narrowing.reassigned.size();
        narrow(f, left, isAnd); // the second operand is evaluated only where the first one said so
        lowerBranch(f, binary->rhs, ifTrue, ifFalse, right);
        f.narrowing.present = before;
        forgetReassigned(f, assignedBefore);
        left.forget(
            llvm::ArrayRef(f.narrowing.reassigned).drop_front(assignedBefore)); // assigned by the second operand
        auto& proven = isAnd ? facts.presentIfTrue : facts.presentIfFalse;
        for (const Facts* side : {&left, &right}) {
            const auto& more = isAnd ? side->presentIfTrue : side->presentIfFalse;
            proven.append(more.begin(), more.end());
        }
        return;
    }
    if (const auto* u = llvm::dyn_cast<Unary>(e); u && u->op == UnaryOp::Not && isTruth(f, u->operand)) {
        Facts inner;
        lowerBranch(f, u->operand, ifFalse, ifTrue, inner);
        facts.presentIfTrue.append(inner.presentIfFalse.begin(), inner.presentIfFalse.end());
        facts.presentIfFalse.append(inner.presentIfTrue.begin(), inner.presentIfTrue.end());
        return;
    }
    f.b.setSpan(e->span);
    ValueId c = lowerCondition(f, e);
    if (binary && (binary->op == BinaryOp::Eq || binary->op == BinaryOp::Ne) && c != ValueId::None)
        if (Symbol* s = testedForNull(f, *binary))
            (binary->op == BinaryOp::Ne ? facts.presentIfTrue : facts.presentIfFalse).push_back(s);
    if (!f.reachable()) return;
    if (c == ValueId::None) c = constBool(f.b, false); // reported: both ways stay open for more errors
    emitCondBr(f.b, c, ifTrue, ifFalse);
}

namespace {

/// The constant that an `and` or `or` of constants is: both operands are conditions that fold.
std::optional<bool> constantLogic(Body& f, const Expr* e) {
    e = withoutParens(e);
    if (const auto* literal = llvm::dyn_cast<BoolLit>(e)) return literal->value;
    return foldCondition(f, e, true);
}

} // namespace

/// `optional or value`, meant as the value for an absent one.
static void explainAbsent(Body& f, size_t before, const Binary& e) {
    if (e.op != BinaryOp::Or || f.diags.since(before).empty()) return;
    if (f.types.kind(peekType(f, e.lhs)) != TypeKind::Optional) return;
    for (Diagnostic& d : f.diags.since(before)) {
        if (d.severity != Severity::Error || d.span.begin < e.rhs->span.begin) continue;
        d.notes.clear();
        d.help("a value for an absent one is written " +
               code(std::string(f.sema.sources.textOf(e.lhs->span)) + " ?? …"));
    }
}

Value lowerLogic(Body& f, const Binary& e) {
    std::optional<bool> l = constantLogic(f, e.lhs), r = l ? constantLogic(f, e.rhs) : std::nullopt;
    if (l && r) return Value::ofConst(TypeId::Bool, ConstValue::ofBool(e.op == BinaryOp::And ? *l && *r : *l || *r));
    BlockId yes = f.b.newBlock(), no = f.b.newBlock(), join = f.b.newBlock();
    ValueId result = f.b.blockParam(join, TypeId::Bool);
    Facts facts;
    size_t before = f.diags.all().size();
    lowerBranch(f, &e, yes, no, facts);
    explainAbsent(f, before, e);
    f.b.setBlock(yes);
    emitBr(f.b, join, {constBool(f.b, true)});
    f.b.setBlock(no);
    emitBr(f.b, join, {constBool(f.b, false)});
    f.b.setBlock(join);
    return rejectedWithin(f.diags, e.span) ? Value::error() : Value::scalar(TypeId::Bool, result);
}

// ------------------------------------------------------------------------------------ decided while compiling

namespace {

/// Tells conditions whose value is known without running anything. It looks before it lowers: what it lets
/// through emits no code.
class ConditionFolder {
public:
    explicit ConditionFolder(Body& f) : f_(f) {}

    /// modules-and-comptime 4.3: comparisons of constants, bool literals and constants, `and`, `or`.
    std::optional<bool> fold(const Expr* e) {
        e = withoutParens(e);
        if (const auto* literal = llvm::dyn_cast<BoolLit>(e)) return literal->value;
        if (const auto* negated = llvm::dyn_cast<Unary>(e);
            negated && negated->op == UnaryOp::Not && isTruth(f_, negated->operand)) {
            std::optional<bool> inner = fold(negated->operand);
            return inner ? std::optional(!*inner) : std::nullopt;
        }
        if (const auto* binary = llvm::dyn_cast<Binary>(e)) {
            if (binary->op == BinaryOp::And || binary->op == BinaryOp::Or) {
                std::optional<bool> l = fold(binary->lhs), r = fold(binary->rhs);
                if (!l || !r) return std::nullopt;
                return binary->op == BinaryOp::And ? *l && *r : *l || *r;
            }
            if (std::optional<bool> decided = variants(*binary)) return decided;
            if (!isComparison(binary->op) || !isConstant(binary->lhs) || !isConstant(binary->rhs)) return std::nullopt;
            return truth(e);
        }
        if ((llvm::isa<NameRef>(e) || llvm::isa<Member>(e)) && isConstant(e)) return truth(e);
        return std::nullopt;
    }

    /// `type_eq(A, B)`, `is_struct(T)`, …: the whole condition is one query on known types.
    std::optional<bool> query(const Expr* e) {
        const auto* call = llvm::dyn_cast<Call>(withoutParens(e));
        const auto* name = call ? llvm::dyn_cast<NameRef>(call->callee) : nullptr;
        if (!name || name->id.raw || call->trailingBlock) return std::nullopt;
        std::string_view text = f_.sema.names.text(name->id.name);
        bool decides = llvm::StringSwitch<bool>(llvm::StringRef(text))
                           .Cases("type_eq", "has_impl", "is_struct", "is_flags", "is_identity", true)
                           .Default(false);
        if (!decides || !isIntrinsic(*name)) return std::nullopt;
        if (text != "has_impl") // its first argument may be a parameterised protocol
            for (const Arg& arg : call->args)
                if (arg.spread || arg.name || !yieldsType(arg.value)) return std::nullopt;
        return truth(e);
    }

private:
    /// `s == .ring` of a parameter whose variant is known, whatever its payload is.
    std::optional<bool> variants(const Binary& e) {
        if (e.op != BinaryOp::Eq && e.op != BinaryOp::Ne) return std::nullopt;
        for (const Expr* side : {e.lhs, e.rhs}) {
            const auto* name = llvm::dyn_cast<NameRef>(withoutParens(side));
            Symbol* s = name ? symbolOf(*name) : nullptr;
            if (!s || !s->variant) continue;
            std::optional<int64_t> other = knownVariant(f_, side == e.lhs ? e.rhs : e.lhs, s->type);
            if (other) return (*other == *s->variant) == (e.op == BinaryOp::Eq);
        }
        return std::nullopt;
    }

    std::optional<bool> truth(const Expr* e) {
        Value v = lower(f_, e);
        if (!v.isConst() || v.constant.kind != ConstValue::Kind::Bool) return std::nullopt;
        return v.constant.i != 0;
    }

    /// A type that is known, as a spelling or as a call such as `struct_field_type(T, 0)`.
    bool yieldsType(const Expr* e) {
        e = withoutParens(e);
        if (namesType(e)) return true;
        const auto* call = llvm::dyn_cast<Call>(e);
        const auto* name = call ? llvm::dyn_cast<NameRef>(call->callee) : nullptr;
        if (!name || name->id.raw || call->args.empty() || call->trailingBlock || !isIntrinsic(*name)) return false;
        const Expr* of = call->args.front().value;
        std::string_view text = f_.sema.names.text(name->id.name);
        if (text == "type_of") return hasKnownType(of);
        if (text == "pointee_type") return yieldsType(of);
        bool counts = text == "struct_field_type" || text == "variant_type";
        return counts && call->args.size() == 2 && yieldsType(of) && isConstant(call->args[1].value);
    }

    /// A variable or a field of one, whose type is not found out when the program runs.
    bool hasKnownType(const Expr* e) {
        const Expr* root = withoutParens(e);
        while (const auto* m = llvm::dyn_cast<Member>(root)) root = withoutParens(m->base);
        if (!llvm::isa<NameRef>(root)) return false;
        TypeId type = peekType(f_, e);
        return type != TypeId::None && type != TypeId::Any && f_.types.kind(type) != TypeKind::Protocol;
    }

    bool namesType(const Expr* e) { return sema::namesType(f_.sema, e, typeContext(f_, true)); }

    bool isIntrinsic(const NameRef& name) {
        LookupResult found = lookup(f_.sema, name.id.name, f_.scope, f_.scopeLimit, &f_.currentFile());
        if (!found.symbol) return true;
        Symbol* s = resolve(f_.sema, found.symbol);
        return s->kind == SymbolKind::Intrinsic ||
               (s->kind == SymbolKind::Function && s->function && s->function->isIntrinsic);
    }

    Symbol* symbolOf(const NameRef& name) {
        LookupResult found = lookup(f_.sema, name.id.name, f_.scope, f_.scopeLimit, &f_.currentFile());
        return found.symbol && !found.ambiguous ? resolve(f_.sema, found.symbol) : nullptr;
    }

    bool isConstantName(const NameRef& name) {
        Symbol* s = symbolOf(name);
        if (!s) {
            std::string_view text = f_.sema.names.text(name.id.name);
            return !name.id.raw && (text == "OS" || text == "ARCH" || text == "POINTER_SIZE" || namesType(&name));
        }
        return (s->kind == SymbolKind::Constant && !s->constant().isNone() &&
                s->constant().kind != ConstValue::Kind::Data) ||
               s->kind == SymbolKind::Type;
    }

    /// `ns.CONST`, `T.max`, `pack.len`, `Color.red`.
    bool isConstantMember(const Member& m) {
        if (m.optional) return false;
        if (namesType(m.base) || limitOwner(f_.sema, m) != TypeId::None) return true;
        const auto* name = llvm::dyn_cast<NameRef>(withoutParens(m.base));
        Symbol* s = name ? symbolOf(*name) : nullptr;
        if (!s) return false;
        if (s->kind == SymbolKind::Pack) return f_.sema.names.text(m.name.name) == "len";
        if (s->kind != SymbolKind::Namespace || !s->module) return false;
        Symbol* member = lookupMember(*s->module, m.name.name, f_.currentFile());
        if (!member) return false;
        member = resolve(f_.sema, member);
        return member->kind == SymbolKind::Type ||
               (member->kind == SymbolKind::Constant && !member->constant().isNone() &&
                member->constant().kind != ConstValue::Kind::Data);
    }

    bool isConstant(const Expr* e) {
        e = withoutParens(e);
        switch (e->kind) {
        case ExprKind::Int:
        case ExprKind::Float:
        case ExprKind::Bool:
        case ExprKind::String:
        case ExprKind::EnumLit: return true;
        case ExprKind::NameRef: return isConstantName(*llvm::cast<NameRef>(e));
        case ExprKind::Member: return isConstantMember(*llvm::cast<Member>(e));
        case ExprKind::Unary: {
            const auto* u = llvm::cast<Unary>(e);
            bool folds = u->op == UnaryOp::Neg || u->op == UnaryOp::Not || u->op == UnaryOp::BitNot;
            return folds ? isConstant(u->operand) : u->op == UnaryOp::AddrOf && namesType(e);
        }
        case ExprKind::Binary: {
            const auto* binary = llvm::cast<Binary>(e);
            bool folds = classOf(binary->op) != OpClass::Other;
            return folds && isConstant(binary->lhs) && isConstant(binary->rhs);
        }
        case ExprKind::Call: { // `size_of(T)` and its like
            const auto* call = llvm::cast<Call>(e);
            const auto* name = llvm::dyn_cast<NameRef>(call->callee);
            if (!name || call->args.empty() || call->trailingBlock) return false;
            std::string_view text = f_.sema.names.text(name->id.name);
            bool counts = text == "size_of" || text == "align_of" || text == "struct_field_count" ||
                          text == "variant_count" || text == "vector_lanes" || text == "is_unsigned";
            return counts && isIntrinsic(*name) && namesType(call->args.front().value);
        }
        case ExprKind::OptionalType:
        case ExprKind::SliceType:
        case ExprKind::ManyPointerType:
        case ExprKind::SentinelType:
        case ExprKind::ArrayType:
        case ExprKind::FunctionType:
        case ExprKind::ClosureType:
        case ExprKind::TupleType: return namesType(e);
        default: return false; // anything else runs code, or needs more than a look
        }
    }

    Body& f_;
};

} // namespace

std::optional<bool> foldCondition(Body& f, const Expr* e, bool inlineIf) {
    ConditionFolder folder(f);
    if (std::optional<bool> decided = folder.query(e)) return decided;
    if (inlineIf) return folder.fold(e);
    const auto* literal = llvm::dyn_cast<BoolLit>(withoutParens(e));
    return literal ? std::optional(literal->value) : std::nullopt;
}

} // namespace sx::lower
