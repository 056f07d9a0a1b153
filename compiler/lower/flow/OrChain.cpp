#include "lower/flow/OrChain.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Cleanup.h"
#include "lower/body/ErrorVariables.h"
#include "lower/body/Failable.h"
#include "lower/body/Probe.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/flow/Errors.h"
#include "lower/values/Conversions.h"
#include "lower/values/Join.h"
#include "sema/Declare.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Failable.h"
#include "types/Predicates.h"

#include "llvm/ADT/ScopeExit.h"

namespace sx::lower {

using namespace ast;

namespace {

/// `a or b or c` and `(a or b) or c` as a list; a parenthesized chain elsewhere stays one operand.
void flatten(const Expr* e, llvm::SmallVectorImpl<const Expr*>& out, Body& l) {
    const auto* binary = llvm::dyn_cast<Binary>(withoutParens(e));
    if (binary && binary->op == BinaryOp::Or && (out.empty() || !llvm::isa<Paren>(e))) {
        flatten(binary->lhs, out, l);
        out.push_back(binary->rhs);
        return;
    }
    out.push_back(e);
}

/// The `try` that an operand is. One in parentheses has passed its error on already: it is a plain value.
const Unary* tryOf(const Expr* operand) {
    const auto* u = llvm::dyn_cast<Unary>(operand);
    return u && u->op == UnaryOp::Try ? u : nullptr;
}

} // namespace

bool isFallbackOr(Body& f, const Expr* e) {
    const auto* binary = llvm::dyn_cast<Binary>(withoutParens(e));
    return binary && binary->op == BinaryOp::Or && (isFailableExpr(f, binary->lhs) || isFailableExpr(f, binary->rhs));
}

bool hasUnknownOperand(Body& f, const Expr* e) {
    const auto* binary = llvm::dyn_cast<Binary>(withoutParens(e));
    return binary && binary->op == BinaryOp::Or &&
           (probeType(f, binary->lhs) == TypeId::None || probeType(f, binary->rhs) == TypeId::None);
}

/// Whether an operand makes `or` the fallback operator: a `try`, a failable `or`, or anything of failable type.
/// The type of a call is found by lowering it into a block that is thrown away.
bool isFailableExpr(Body& f, const Expr* e) {
    const Expr* inner = withoutParens(e);
    switch (inner->kind) {
    case ExprKind::Unary: return tryOf(e) != nullptr;
    case ExprKind::Binary: return isFallbackOr(f, inner);
    case ExprKind::Cast: {
        const auto* cast = static_cast<const Cast*>(inner);
        TypeId base = probeType(f, cast->base);
        if (cast->optional) // `o?.(?T)` yields null where it does not hold a `T`
            return f.types.kind(base) == TypeKind::Optional && f.types.elem(base) == TypeId::Any &&
                   !llvm::isa<OptionalType>(withoutParens(cast->type));
        return base == TypeId::Any || f.types.kind(base) == TypeKind::Protocol;
    }
    case ExprKind::Call: // `.circle(7)` gets its type from what it stands for, and is a value
        return !llvm::isa<EnumLit>(static_cast<const Call*>(inner)->callee) && isFailable(f.types, probeType(f, inner));
    case ExprKind::NameRef:
    case ExprKind::Member:
    case ExprKind::Index:
    case ExprKind::Deref: {
        // A stored error value is an ordinary condition (`if err or c`), a stored `Tuple(T, Set)` is failable.
        TypeId type = probeType(f, inner);
        return isFailable(f.types, type) && !isErrorSet(f.types, type);
    }
    default: return false;
    }
}

/// The result type of a direct call of a plain function: known without lowering anything. None: no such call.
static TypeId directResult(Body& l, const Call& call) {
    const auto* n = llvm::dyn_cast<NameRef>(call.callee);
    if (!n) return TypeId::None;
    LookupResult found = lookup(l.sema, n->id.name, l.scope, l.scopeLimit, &l.file);
    if (!found.symbol || found.symbol->kind == SymbolKind::Local || found.ambiguous) return TypeId::None;
    Symbol* s = resolve(l.sema, found.symbol);
    if (s->kind != SymbolKind::Function || s->function->isGeneric || s->function->isIntrinsic) return TypeId::None;
    FunctionInstance* i = instance(l.sema, *s->function, {}, call.span);
    return i && !i->signatureFailed ? i->result : TypeId::None;
}

TypeId probeType(Body& f, const Expr* e) {
    if (auto it = f.memo.probed.find(e); it != f.memo.probed.end()) return it->second;
    TypeId type = TypeId::None;
    if (const auto* call = llvm::dyn_cast<Call>(e)) type = directResult(f, *call);
    if (type == TypeId::None && f.reachable())
        if (Value v = probeExpr(f, e); !v.isError()) type = v.type;
    f.memo.probed[e] = type;
    return type;
}

Value lowerOr(Body& f, const Binary& e, TypeId target, ValueId dest) {
    llvm::SmallVector<const Expr*, 4> operands;
    flatten(&e, operands, f);
    const Expr* last = operands.back();
    bool marked = tryOf(last) != nullptr;
    return lowerChain(f, e, target, dest, [&](const ChainError& error) {
        if (!f.result.isFailable) {
            requireFailableFunction(f, operands.front()->span, "or");
            return Value::error();
        }
        if (!marked) {
            f.diags.error(last->span, "the last operand of this `or` chain can fail, and nothing handles its error")
                .help(
                    "mark it: `or try …`, end the chain with a value, or put the chain in parentheses and add `catch`");
            return Value::error();
        }
        noteEscaping(f, error.set, error.errors, last->span);
        linkCauses(f);
        f.b.noteError(ir::ErrorEventKind::Propagate, error.tag);
        emitErrorExit(f, error.tag);
        return Value::diverged();
    });
}

namespace {

/// Lowers one `or` chain, operand by operand.
class ChainLowering {
public:
    ChainLowering(Body& f, llvm::ArrayRef<const Expr*> operands, TypeId target,
                  llvm::function_ref<Value(const ChainError&)> onError)
        : f_(f), operands_(operands), target_(target), onError_(onError), join_(f), outer_(f.handlers.size()) {}

    Value run(ValueId dest) {
        auto restore = llvm::make_scope_exit([&] { f_.handlers.resize(outer_); });
        for (size_t i = 0; i < operands_.size(); ++i) {
            bool isValue = isLast(i) && !isFailableExpr(f_, operands_[i]);
            Outcome outcome = isValue ? lowerValue(operands_[i]) : attempt(i);
            if (outcome == Outcome::Rejected) return Value::error();
            if (outcome == Outcome::Leaves) break;
        }
        if (success_ == TypeId::Void || success_ == TypeId::None) return join_.finishVoid();
        return join_.finishAs(success_, success_ == target_ ? dest : ValueId::None);
    }

private:
    enum class Outcome { Joined, Leaves, Rejected }; ///< Leaves: control does not come out of the operand

    bool isLast(size_t i) const { return i + 1 == operands_.size(); }

    Outcome reject(Span at, const std::string& message, const char* help = nullptr) {
        Diagnostic& d = f_.diags.error(at, message);
        if (help) d.help(help);
        return Outcome::Rejected;
    }

    /// The last operand, which cannot fail: its value replaces that of the others.
    Outcome lowerValue(const Expr* operand) {
        if (success_ == TypeId::Void)
            return reject(operands_.front()->span, "this has no success value that `or` could replace",
                          "use `catch { … }` to handle the error");
        f_.handlers.resize(outer_);
        f_.b.noteError(ir::ErrorEventKind::Absorb, failed_);
        f_.b.emit(ir::Op::TraceAbsorb, TypeId::Void, {});
        Value v = lower(f_, operand, success_);
        if (v.isError()) return Outcome::Rejected;
        if (f_.reachable()) {
            if (!requireValue(f_, v, operand->span)) return Outcome::Rejected;
            v = convert(f_, v, success_, operand->span);
        }
        join_.add(v, operand->span);
        return Outcome::Joined;
    }

    /// An operand that may fail: its value joins the others, and the next operand is tried where it fails.
    Outcome attempt(size_t i) {
        const Expr* operand = operands_[i];
        const Unary* marked = tryOf(operand);
        Failable attempt =
            lowerFailable(f_, marked ? marked->operand : operand, success_ != TypeId::None ? success_ : target_);
        if (attempt.whole.isError()) return Outcome::Rejected;
        if (!f_.reachable()) return Outcome::Leaves;
        f_.handlers.resize(outer_); // the errors of the operands before are tied to what comes of this one
        if (!attempt.failable)
            return reject(
                operand->span,
                "only failable operands may stand before the last one of an `or` chain, and this cannot fail");
        TypeId own =
            isErrorSet(f_.types, attempt.whole.type) ? TypeId::Void : successType(f_.types, attempt.whole.type);
        if (i == 0) success_ = own;
        BlockId failed = f_.b.newBlock(true), fine = f_.b.newBlock(i > 0);
        emitCondBr(f_.b, emitICmp(f_.b, ir::ICmpPred::Ne, attempt.tag, constInt(f_.b, attempt.set, 0)), failed, fine,
                   true);
        f_.b.setBlock(fine);
        if (!joinSuccess(i, attempt)) return Outcome::Rejected;
        failed_ = attempt.tag;
        f_.b.setBlock(failed);
        f_.b.setSpan(operand->span);
        traceFailure(f_, attempt, {operand->span.begin, operand->span.begin + (marked ? 3 : 1)});
        if (i > 0) f_.b.emit(ir::Op::TraceLink, TypeId::Void, {}, static_cast<uint32_t>(ir::TraceLinkKind::Attempt));
        if (isLast(i)) {
            Value recovered = onError_({attempt.tag, attempt.set, attempt.errors, success_});
            if (recovered.isError()) join_.failed = true;
            join_.add(recovered, operand->span);
        } else {
            f_.handlers.push_back({nullptr, f_.cleanups.stack.size(), ir::TraceLinkKind::Attempt});
        }
        return Outcome::Joined;
    }

    /// The path on which an operand has succeeded. False after a report.
    bool joinSuccess(size_t i, const Failable& attempt) {
        Span at = operands_[i]->span;
        if (i > 0) {
            f_.b.noteError(ir::ErrorEventKind::Absorb, failed_);
            f_.b.emit(ir::Op::TraceAbsorb, TypeId::Void, {});
        }
        Value v = successOf(f_, attempt);
        if (success_ != TypeId::Void && v.isVoid()) {
            reject(at, "this yields no value, and the operand before it yields " + withArticle(f_.types, success_));
            return false;
        }
        if (success_ == TypeId::Void) v = Value::none();
        if (i > 0 && success_ != TypeId::Void) v = convert(f_, v, success_, at);
        join_.add(v, at);
        return true;
    }

    Body& f_;
    llvm::ArrayRef<const Expr*> operands_;
    TypeId target_;
    llvm::function_ref<Value(const ChainError&)> onError_;
    Join join_;
    size_t outer_;                   ///< how many handlers are around the chain
    ValueId failed_ = ValueId::None; ///< the error of the operand before
    TypeId success_{};               ///< of the first operand; None: not known yet
};

} // namespace

Value lowerChain(Body& f, const Binary& e, TypeId target, ValueId dest,
                 llvm::function_ref<Value(const ChainError&)> onError) {
    llvm::SmallVector<const Expr*, 4> operands;
    flatten(&e, operands, f);
    for (size_t i = 1; i < operands.size(); ++i)
        if (llvm::isa<Paren>(operands[i]) && isFallbackOr(f, operands[i])) {
            const Expr* first = withoutParens(operands[i]);
            f.diags
                .error(Span{first->span.begin, first->span.begin + 1},
                       "a parenthesized `or` chain can only be the leftmost operand")
                .help("drop the parentheses: `or` takes the first success from left to right anyway");
            return Value::error();
        }
    return ChainLowering(f, operands, target, onError).run(dest);
}

} // namespace sx::lower
