#include "lower/Expressions.h"

#include "lower/Assembly.h"
#include "lower/body/Body.h"
#include "lower/body/Cleanup.h"
#include "lower/body/ComptimeCode.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/calls/Calls.h"
#include "lower/calls/Closures.h"
#include "lower/flow/ControlFlow.h"
#include "lower/flow/Errors.h"
#include "lower/flow/Loops.h"
#include "lower/flow/Match.h"
#include "lower/flow/Return.h"
#include "lower/values/Access.h"
#include "lower/values/Aggregates.h"
#include "lower/values/ArrayLiterals.h"
#include "lower/values/Casts.h"
#include "lower/values/Compare.h"
#include "lower/values/Conversions.h"
#include "lower/values/Indexing.h"
#include "lower/values/Literals.h"
#include "lower/values/Names.h"
#include "lower/values/Operators.h"
#include "lower/values/Optionals.h"
#include "sema/Declare.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

namespace {

/// A failable that nothing marked: a pure one is its error value, any other is rejected at the call.
Value withoutFailure(Body& f, Value v, const Expr* e) {
    if (v.isError() || !v.unmarkedFailable) return v;
    return isErrorSet(f.types, v.type) ? errorOperand(f, v) : rejectUnmarked(f, v, withoutParens(e)->span);
}

/// The value of a construct that yields none, unless control does not come out of it.
Value voidOrDiverged(const Body& f) { return f.reachable() ? Value::none() : Value::diverged(); }

/// How the function fails is not known: what stands here may have been a call.
void noteRejected(Body& f) {
    if (f.instance) f.instance->usesRejected = true;
    if (f.result.errors) f.result.errors->isUnknown = true;
}

/// For editors, which complete what stands there.
void noteExpected(Body& f, const Expr* e, TypeId target) {
    if (!f.sema.uses || target == TypeId::None) return;
    const auto* name = llvm::dyn_cast<NameRef>(e);
    const auto* literal = llvm::dyn_cast<StructLit>(e);
    if (literal && literal->type) return;
    if (!name || f.sema.names.text(name->id.name) == "_") f.sema.uses->expected.push_back({e->span.begin, target});
}

} // namespace

Value lower(Body& f, const Expr* e, TypeId target, ValueId dest) {
    Value v = withoutFailure(f, lowerUnmarked(f, e, target, dest), e);
    return foldFloatForTarget(f, v, target, e->span);
}

Value lowerOperand(Body& f, const Expr* e, TypeId target) { return withoutFailure(f, lowerUnmarked(f, e, target), e); }

Value lowerUnmarked(Body& f, const Expr* e, TypeId target, ValueId dest) {
    Span outer = f.b.span();
    f.b.setSpan(e->span);
    bool wasReached = f.reachable();
    Value v = dispatchExpr(f, e, target, dest);
    if (v.isError() && f.diags.hasErrors()) noteRejected(f);
    if (wasReached && !f.reachable() && !f.result.slots.empty()) f.result.leaving.insert(e);
    f.b.setSpan(outer);
    return v;
}

Value lowerTo(Body& f, const Expr* e, TypeId type, ValueId dest) {
    Value v = lower(f, e, type, dest);
    return v.isError() ? v : convert(f, v, type, e->span, dest);
}

bool lowerInto(Body& f, const Expr* e, TypeId type, ValueId dest) {
    Value v = lowerTo(f, e, type, dest);
    if (v.isError()) return false;
    store(f, dest, v);
    return true;
}

Value lowerRun(Body& f, const Run& run, TypeId target) {
    // An expression may be lowered again to learn its type; that must not run it again.
    auto [known, isNew] = f.memo.runs.try_emplace({&run, f.scope});
    if (isNew) {
        std::optional<TypedConstant> c =
            evaluateComptime(f, run.value, target, "a `#run` expression in " + code(f.name), Wants::Run);
        known->second = c ? valueOfConstant(c->type, c->value) : Value::error();
    }
    return known->second;
}

Value dispatchExpr(Body& f, const Expr* e, TypeId target, ValueId dest) {
    if (stackIsLow()) return reportTooDeep(f.sema, e->span), Value::error();
    switch (e->kind) {
    case ExprKind::Int: return lowerInt(f, *llvm::cast<IntLit>(e), target);
    case ExprKind::Float: return lowerFloat(f, *llvm::cast<FloatLit>(e), target);
    case ExprKind::Bool: return Value::ofConst(TypeId::Bool, ConstValue::ofBool(llvm::cast<BoolLit>(e)->value));
    case ExprKind::String: return stringValue(f, llvm::cast<StringLit>(e)->value);
    case ExprKind::Null: return lowerNull(f, target);
    case ExprKind::Undef: return lowerUndef(f, e->span, target);
    case ExprKind::NameRef: {
        noteExpected(f, e, target);
        Value v = lowerName(f, *llvm::cast<NameRef>(e), target);
        if (v.symbol) v.symbol->isRead = true;
        return v;
    }
    case ExprKind::TypeParam: return lowerTypeParam(f, *llvm::cast<TypeParam>(e), target);
    case ExprKind::EnumLit: noteExpected(f, e, target); return lowerEnumLit(f, *llvm::cast<EnumLit>(e), target);
    case ExprKind::ErrorTag: return lowerErrorTag(f, *llvm::cast<ErrorTag>(e), target);
    case ExprKind::CallerLocation:
        return callerLocation(f, f.modes.defaultOfCall.isValid() ? f.modes.defaultOfCall : f.modes.operation, target);
    case ExprKind::Paren: return lowerUnmarked(f, llvm::cast<Paren>(e)->inner, target, dest);
    case ExprKind::Unary: return lowerUnary(f, *llvm::cast<Unary>(e), target, dest);
    case ExprKind::Binary: return lowerBinary(f, *llvm::cast<Binary>(e), target, dest);
    case ExprKind::CompareChain: return lowerCompareChain(f, *llvm::cast<CompareChain>(e));
    case ExprKind::Call: return lowerCall(f, *llvm::cast<Call>(e), target, dest);
    case ExprKind::Index: return lowerIndex(f, *llvm::cast<Index>(e));
    case ExprKind::Slice: return lowerSlice(f, *llvm::cast<SliceExpr>(e));
    case ExprKind::Member: return lowerMember(f, *llvm::cast<Member>(e), target);
    case ExprKind::Deref: return lowerDeref(f, *llvm::cast<Deref>(e));
    case ExprKind::Cast: return lowerCast(f, *llvm::cast<Cast>(e), target, dest);
    case ExprKind::Unwrap: return lowerUnwrap(f, *llvm::cast<Unwrap>(e));
    case ExprKind::Catch: return lowerCatch(f, *llvm::cast<Catch>(e), target, dest);
    case ExprKind::StructLit:
        noteExpected(f, e, target);
        return lowerStructLit(f, *llvm::cast<StructLit>(e), target, dest);
    case ExprKind::ArrayLit: return lowerArrayLit(f, *llvm::cast<ArrayLit>(e), target, dest);
    case ExprKind::Lambda: return lowerLambda(f, *llvm::cast<Lambda>(e)->fn, target, e->span);
    case ExprKind::Block: return lowerBlock(f, *llvm::cast<BlockExpr>(e), target, dest, true);
    case ExprKind::If: return lowerIf(f, *llvm::cast<If>(e), target, dest, true);
    case ExprKind::Match: return lowerMatch(f, *llvm::cast<Match>(e), target, dest, true);
    case ExprKind::While: lowerWhile(f, *llvm::cast<While>(e)); return voidOrDiverged(f);
    case ExprKind::For: lowerFor(f, *llvm::cast<For>(e)); return voidOrDiverged(f);
    case ExprKind::Push: lowerPush(f, *llvm::cast<Push>(e)); return voidOrDiverged(f);
    case ExprKind::Break: lowerBreak(f, e->span); return Value::diverged();
    case ExprKind::Continue: lowerContinue(f, e->span); return Value::diverged();
    case ExprKind::Return: lowerReturn(f, llvm::cast<ReturnExpr>(e)->elems, e->span); return Value::diverged();
    case ExprKind::Run: return lowerRun(f, *llvm::cast<Run>(e), target);
    case ExprKind::Asm: return lowerAsm(f, *llvm::cast<AsmExpr>(e), dest);
    case ExprKind::OptionalType:
    case ExprKind::SliceType:
    case ExprKind::ManyPointerType:
    case ExprKind::SentinelType:
    case ExprKind::ArrayType:
    case ExprKind::FunctionType:
    case ExprKind::ClosureType:
    case ExprKind::TupleType:
    case ExprKind::ResultList:
    case ExprKind::ErrorChannel:
    case ExprKind::InlineType: {
        TypeId t = resolveType(f.sema, e, typeContext(f));
        return t == TypeId::None ? Value::error() : Value::ofType(t);
    }
    }
    return Value::error();
}

// ------------------------------------------------------------------------------------ what counts as a value

} // namespace sx::lower
