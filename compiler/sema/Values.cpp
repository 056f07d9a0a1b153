// Expressions: the dispatch over their kinds, and what becomes of a value where one is needed.
#include "sema/Operands.h"

namespace sx::sema {

using namespace ast;

namespace {

/// A failable that nothing marked: a pure one is its error value, any other is rejected at the call.
Value withoutFailure(FunctionLowering& f, Value v, const Expr* e) {
    if (v.isError() || !v.unmarkedFailable) return v;
    return f.types.isErrorSet(v.type) ? f.errorOperand(v) : f.rejectUnmarked(v, withoutParens(e)->span);
}

/// The value of a construct that yields none, unless control does not come out of it.
Value nothing(const FunctionLowering& f) { return f.reachable() ? Value::none() : Value::diverged(); }

} // namespace

Value FunctionLowering::lower(const Expr* e, TypeId target, ValueId dest) {
    Value v = withoutFailure(*this, lowerUnmarked(e, target, dest), e);
    return settleFloat(v, target, e->span);
}

Value FunctionLowering::lowerOperand(const Expr* e, TypeId target) {
    return withoutFailure(*this, lowerUnmarked(e, target), e);
}

Value FunctionLowering::lowerUnmarked(const Expr* e, TypeId target, ValueId dest) {
    Span outer = b.span();
    b.setSpan(e->span);
    Value v = dispatchExpr(e, target, dest);
    b.setSpan(outer);
    return v;
}

Value FunctionLowering::lowerTo(const Expr* e, TypeId type, ValueId dest) {
    Value v = lower(e, type, dest);
    return v.isError() ? v : convert(v, type, e->span, dest);
}

bool FunctionLowering::lowerInto(const Expr* e, TypeId type, ValueId dest) {
    Value v = lowerTo(e, type, dest);
    if (v.isError()) return false;
    store(dest, v);
    return true;
}

Value FunctionLowering::dryRun(const Expr* e, TypeId target) {
    BlockId here = b.block();
    Span span = b.span();
    auto narrowedHere = narrowed;
    size_t assignedHere = reassigned.size();
    uint32_t lambdas = lambdaCount;
    b.setBlock(b.newBlock(true));
    Value v = lowerUnmarked(e, target);
    if (reachable()) b.unreachable();
    b.setBlock(here);
    b.setSpan(span);
    narrowed = narrowedHere;
    reassigned.resize(assignedHere);
    lambdaCount = lambdas;
    return v;
}

Value FunctionLowering::lowerRun(const Run& run, TypeId target) {
    // An expression may be lowered again to learn its type; that must not run it again.
    auto [known, isNew] = runs.try_emplace({&run, scope});
    if (isNew) {
        std::optional<ConstValue> c =
            evaluateComptime(run.value, target, "a `#run` expression in `" + name + "`", true);
        known->second = c ? valueOfConstant(comptimeType, *c) : Value::error();
    }
    return known->second;
}

Value FunctionLowering::valueOfConstant(TypeId type, const ConstValue& c) {
    switch (c.kind) {
    case ConstValue::Kind::None: return Value::none();
    case ConstValue::Kind::Type: return Value::ofType(c.t);
    case ConstValue::Kind::Int:
    case ConstValue::Kind::Float:
    case ConstValue::Kind::Bool:
    case ConstValue::Kind::String:
    case ConstValue::Kind::Null:
    case ConstValue::Kind::Undef:
    case ConstValue::Kind::Data: return Value::ofConst(type, c);
    }
    return Value::error();
}

Value FunctionLowering::dispatchExpr(const Expr* e, TypeId target, ValueId dest) {
    if (stackIsLow()) return sema.reportTooDeep(e->span), Value::error();
    switch (e->kind) {
    case ExprKind::Int: return lowerInt(*llvm::cast<IntLit>(e), target);
    case ExprKind::Float: return lowerFloat(*llvm::cast<FloatLit>(e), target);
    case ExprKind::Bool: return Value::ofConst(TypeId::Bool, ConstValue::ofBool(llvm::cast<BoolLit>(e)->value));
    case ExprKind::String: return stringValue(llvm::cast<StringLit>(e)->value);
    case ExprKind::Null: return lowerNull(target);
    case ExprKind::Undef: return lowerUndef(e->span, target);
    case ExprKind::NameRef: {
        Value v = lowerName(*llvm::cast<NameRef>(e), target);
        if (v.symbol) v.symbol->isRead = true;
        return v;
    }
    case ExprKind::TypeParam: return lowerTypeParam(*llvm::cast<TypeParam>(e), target);
    case ExprKind::EnumLit: return lowerEnumLit(*llvm::cast<EnumLit>(e), target);
    case ExprKind::ErrorTag: return lowerErrorTag(*llvm::cast<ErrorTag>(e), target);
    case ExprKind::CallerLocation:
        return callerLocation(defaultOfCall.isValid() ? defaultOfCall : currentOperation, target);
    case ExprKind::Paren: return lowerUnmarked(llvm::cast<Paren>(e)->inner, target, dest);
    case ExprKind::Unary: return lowerUnary(*llvm::cast<Unary>(e), target, dest);
    case ExprKind::Binary: return lowerBinary(*llvm::cast<Binary>(e), target, dest);
    case ExprKind::CompareChain: return lowerCompareChain(*llvm::cast<CompareChain>(e));
    case ExprKind::Call: return lowerCall(*llvm::cast<Call>(e), target, dest);
    case ExprKind::Index: return lowerIndex(*llvm::cast<Index>(e));
    case ExprKind::Slice: return lowerSlice(*llvm::cast<SliceExpr>(e));
    case ExprKind::Member: return lowerMember(*llvm::cast<Member>(e), target);
    case ExprKind::Deref: return lowerDeref(*llvm::cast<Deref>(e));
    case ExprKind::Cast: return lowerCast(*llvm::cast<Cast>(e), target, dest);
    case ExprKind::Unwrap: return lowerUnwrap(*llvm::cast<Unwrap>(e));
    case ExprKind::Catch: return lowerCatch(*llvm::cast<Catch>(e), target, dest);
    case ExprKind::StructLit: return lowerStructLit(*llvm::cast<StructLit>(e), target, dest);
    case ExprKind::ArrayLit: return lowerArrayLit(*llvm::cast<ArrayLit>(e), target, dest);
    case ExprKind::Lambda: return lowerLambda(*llvm::cast<Lambda>(e)->fn, target, e->span);
    case ExprKind::Block: return lowerBlock(*llvm::cast<BlockExpr>(e), target, dest, true);
    case ExprKind::If: return lowerIf(*llvm::cast<If>(e), target, dest, true);
    case ExprKind::Match: return lowerMatch(*llvm::cast<Match>(e), target, dest, true);
    case ExprKind::While: lowerWhile(*llvm::cast<While>(e)); return nothing(*this);
    case ExprKind::For: lowerFor(*llvm::cast<For>(e)); return nothing(*this);
    case ExprKind::Push: lowerPush(*llvm::cast<Push>(e)); return nothing(*this);
    case ExprKind::Break: lowerBreak(e->span); return Value::diverged();
    case ExprKind::Continue: lowerContinue(e->span); return Value::diverged();
    case ExprKind::Return: lowerReturn(llvm::cast<ReturnExpr>(e)->elems, e->span); return Value::diverged();
    case ExprKind::Run: return lowerRun(*llvm::cast<Run>(e), target);
    case ExprKind::Asm: return lowerAsm(*llvm::cast<AsmExpr>(e), dest);
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
        TypeId t = sema.resolveType(e, typeContext());
        return t == TypeId::None ? Value::error() : Value::ofType(t);
    }
    }
    return Value::error();
}

Sema::TypeContext FunctionLowering::typeContext(bool quiet) {
    Sema::TypeContext context;
    context.scope = scope;
    context.limit = scopeLimit;
    context.file = &currentFile();
    context.lowering = this;
    context.quiet = quiet;
    return context;
}

// ------------------------------------------------------------------------------------ what counts as a value

bool FunctionLowering::requireValue(Value& v, Span at) {
    auto reject = [&](const std::string& message) -> Diagnostic& { return diags.error(at, message); };
    switch (v.kind) {
    case Value::Kind::Error: return false;
    case Value::Kind::Scalar:
    case Value::Kind::Memory:
    case Value::Kind::Const:
    case Value::Kind::TypeName: return true;
    case Value::Kind::Void:
        if (v.type == TypeId::NoReturn) return true; // control does not get here
        reject("this has no value, and one is needed here");
        return false;
    case Value::Kind::Function:
        if (!v.function) {
            reject("`" + (v.symbol ? sema.text(v.symbol->name) : std::string("this intrinsic")) +
                   "` is an intrinsic: it can be called, but it is no value");
            return false;
        }
        v = functionValue(*v.function, at, TypeId::None);
        return !v.isError();
    case Value::Kind::Method:
        reject("a method is no value: call it").help("write `(…)` after it, or wrap the call in a lambda");
        return false;
    case Value::Kind::Namespace:
        reject("a module is no value").help("name one of its declarations: `module.name`");
        return false;
    case Value::Kind::GenericStruct:
        reject("a generic struct is no value").help("give its arguments and build one: `Name(i64).{ … }`");
        return false;
    case Value::Kind::Protocol:
        reject("a parameterised protocol is no value").help("give its arguments to make it a type: `Name(i64)`");
        return false;
    case Value::Kind::Pack:
        reject("the pack `" + sema.text(v.pack->name) + "` is no value: its elements have different types")
            .help("use an element, `" + sema.text(v.pack->name) +
                  "[0]`, spread it with `..`, or walk it with `inline for`");
        return false;
    }
    return false;
}

Value FunctionLowering::elementOf(const Value& v) {
    if (!v.refCapture) return v;
    return Value::place(types.elem(v.type), scalar(v));
}

Value FunctionLowering::operandOf(const Value& value, Span at) {
    Value v = narrowedValue(elementOf(value));
    return requireValue(v, at) ? v : Value::error();
}

bool FunctionLowering::isConstantEvaluable(const Value& v) const {
    switch (v.kind) {
    case Value::Kind::Const:
    case Value::Kind::TypeName:
    case Value::Kind::Function: return true;
    case Value::Kind::Memory: return v.constRooted && v.constant.kind == ConstValue::Kind::Data;
    case Value::Kind::Error:
    case Value::Kind::Void:
    case Value::Kind::Scalar:
    case Value::Kind::Method:
    case Value::Kind::Namespace:
    case Value::Kind::GenericStruct:
    case Value::Kind::Protocol:
    case Value::Kind::Pack: return false;
    }
    return false;
}

} // namespace sx::sema
