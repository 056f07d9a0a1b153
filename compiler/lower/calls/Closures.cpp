#include "lower/calls/Closures.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "lower/body/Allocation.h"
#include "lower/body/Body.h"
#include "lower/body/Effects.h"
#include "lower/body/ErrorVariables.h"
#include "lower/body/LocalUse.h"
#include "lower/body/Recursion.h"
#include "lower/body/Results.h"
#include "lower/body/Scopes.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/calls/FunctionValues.h"
#include "lower/values/Names.h"
#include "sema/Adapters.h"
#include "sema/ErrorSets.h"
#include "sema/Functions.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Failable.h"
#include "types/Layout.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

namespace {

class LambdaLowering {
public:
    LambdaLowering(Body& outer, const FunctionDecl& decl, TypeId target, Span at)
        : outer_(outer), sema_(outer.sema), types_(outer.types), decl_(decl), at_(at) {
        while (types_.kind(target) == TypeKind::Optional) target = types_.elem(target);
        TypeKind kind = types_.kind(target);
        if (kind == TypeKind::Closure || kind == TypeKind::Function) {
            goal_ = target;
            goalInfo_ = &types_.functionInfo(target);
            isPointer_ = kind == TypeKind::Function;
        }
    }

    Value run() {
        if (!readParameters()) return Value::error();
        if (decl_.result) {
            TypeContext context = typeContext(outer_);
            context.resultPosition = true;
            result_ = resolveResultType(sema_, decl_.result, context);
            if (result_ == TypeId::None) return Value::error();
        } else if (goalInfo_) {
            result_ = goalInfo_->result;
        }
        makeFunction();
        if (!lowerBody()) return Value::error();
        return isPointer_ ? pointerValue() : closureValue();
    }

private:
    bool readParameters() {
        bool ok = true;
        for (size_t i = 0; i < decl_.params.size(); ++i) {
            const Param& p = decl_.params[i];
            TypeId type = TypeId::None;
            if (p.type) {
                type = resolveType(sema_, p.type, typeContext(outer_));
                ok &= type != TypeId::None;
            } else if (goalInfo_ && i < goalInfo_->params.size()) {
                type = goalInfo_->params[i];
                if (type == TypeId::None) ok = untyped(p);
            } else {
                ok = untyped(p);
            }
            params_.push_back(type);
        }
        return ok;
    }

    bool untyped(const Param& p) {
        if (goalInfo_ && decl_.params.size() > goalInfo_->params.size()) {
            outer_.diags.error(p.name.span, "this lambda has " + countOf(decl_.params.size(), "parameter") + ", and " +
                                                code(types_, goal_) + " takes " +
                                                countOf(goalInfo_->params.size(), "argument"));
            return false;
        }
        outer_.diags
            .error(p.name.span, "the parameter " + code(sema_, p.name.name) +
                                    " needs a type: nothing here says what the lambda is for")
            .help("write " + code("(" + sema_.text(p.name.name) + ": i64) => …"));
        return false;
    }

    /// The hidden parameters are those of every closure, or of every function where a pointer is wanted.
    void makeFunction() {
        std::string name = outer_.name + ".lambda";
        func_ = newFunction(sema_, name, name);
        ir::Function& fn = outer_.module.fn(func_);
        CallConv conv = isPointer_ ? goalInfo_->conv : CallConv::Sx;
        TypeId shape = isPointer_ ? functionTypeOf(types_, params_, TypeId::Void, conv)
                                  : closureTypeOf(types_, params_, TypeId::Void);
        fn.params = types_.functionInfo(machineType(sema_, shape, !isPointer_)).params;
        hidden_ = static_cast<uint32_t>(fn.params.size() - params_.size());
        fn.paramNames.assign(hidden_, Name::None);
        for (const Param& p : decl_.params) fn.paramNames.push_back(p.name.name);
        fn.conv = conv;
        fn.hasContext = hidden_ > (isPointer_ ? 0u : 1u);
        fn.span = at_;
        if (decl_.hasBody()) fn.bodyStart = decl_.bodySpan().begin;
    }

    bool lowerBody() {
        ir::Function& fn = outer_.module.fn(func_);
        Body inner(sema_, fn, outer_.currentFile(), outer_.scope, nullptr, outer_.locals);
        inner.scope->isLambda = true;
        inner.parent = &outer_;
        inner.isLambda = true;
        inner.name = fn.name;
        inner.modes.outermostCall = outer_.modes.outermostCall;
        if (fn.hasContext) inner.context = inner.b.param(0);
        else if (sema_.hasContext())
            inner.context = globalAddr(inner.b, sema_.defaultContext, pointerTo(types_, sema_.contextType));
        if (!isPointer_) inner.captures.environment = inner.b.param(hidden_ - 1);
        bool isInferred = result_ == TypeId::None;
        if (isInferred) inner.result.inferred = true;
        else setResultType(inner, result_);
        if (inner.result.errorSet == TypeId::InferredErrors) inner.result.errors = newErrorNode(sema_);

        recordScope(inner, decl_.span);
        size_t errorsBefore = outer_.diags.errorCount();
        bindParameters(inner);
        declareResultSlots(inner, decl_);
        BlockId body = inner.b.newBlock();
        inner.b.setBlock(body); // the entry block stays open for the captures
        if (decl_.hasBody()) {
            inner.tree = decl_.body();
            findErrorVariables(inner, decl_.body());
            lowerStatements(inner);
        }
        fillCaptures(inner, body);
        finishFunction(inner);
        if (decl_.hasBody()) warnOfLostWrites(inner, decl_.body());

        result_ = inner.result.type == TypeId::None ? TypeId::Void : inner.result.type;
        fn.result = result_ == TypeId::NoReturn ? TypeId::Void : result_;
        captures_ = std::move(inner.captures.list);
        if (inner.result.errors)
            shapeNode(sema_, closureTypeOf(types_, params_, result_))->from.push_back(inner.result.errors);
        // An arrow body that yields nothing, not even no value, depends on something that was rejected.
        bool isBroken = inner.result.type == TypeId::None && decl_.bodyKind == BodyKind::Arrow;
        bool failed = outer_.diags.errorCount() != errorsBefore || (isBroken && outer_.diags.hasErrors());
        return !failed || !isInferred;
    }

    void bindParameters(Body& inner) {
        ir::Function& fn = inner.fn;
        for (uint32_t i = 0; i < params_.size(); ++i) {
            const Ident& id = decl_.params[i].name;
            inner.b.setSpan({}); // the function is entered when they are in place
            Symbol* s = newVariable(inner, id, params_[i], LocalKind::Parameter);
            if (s->kind == SymbolKind::Error) continue;
            uint32_t index = hidden_ + i;
            fn.slots[fn.instr(s->address).imm].paramIndex = static_cast<int32_t>(index);
            ValueId incoming = inner.b.param(index);
            if (isScalar(types_, params_[i])) emitStore(inner.b, s->address, incoming);
            else emitCopy(inner.b, s->address, incoming, params_[i]);
        }
    }

    void lowerStatements(Body& inner) {
        bool isExpression = decl_.bodyKind == BodyKind::Arrow && !llvm::isa<BlockExpr>(decl_.body());
        if (!isExpression || result_ != TypeId::Void) {
            lower::lowerBody(inner, decl_);
            return;
        }
        // Where no result is wanted, the expression of an arrow body is there for its effects.
        inner.b.beginStatement(decl_.bodySpan().begin);
        inner.modes.operation = decl_.bodySpan();
        size_t firstInstr = inner.fn.instrs.size();
        if (llvm::isa<If, Match>(decl_.body())) {
            lowerDropped(inner, decl_.body());
        } else {
            Value v = lower(inner, decl_.body());
            if (!v.isError()) warnOfNoEffect(inner, decl_.body(), firstInstr);
        }
        if (inner.reachable()) emitReturn(inner, Value::none(), decl_.bodySpan());
    }

    /// Each call starts with fresh copies of what was captured.
    void fillCaptures(Body& inner, BlockId body) {
        BlockId end = inner.b.block();
        inner.b.setBlock(BlockId{0});
        inner.b.setSpan({});
        for (const Capture& c : inner.captures.list) {
            if (inner.captures.environment == ValueId::None) break; // rejected below
            ValueId source =
                emitOffset(inner.b, inner.captures.environment, c.offset, pointerTo(types_, c.inner->type));
            emitCopy(inner.b, c.inner->address, source, sizeOf(types_, c.inner->type));
            inner.fn.captures.push_back({c.inner->name, c.inner->type, c.offset});
        }
        emitBr(inner.b, body);
        inner.b.setBlock(end);
    }

    /// Copies of the captured values, in the function around the lambda.
    ValueId makeEnvironment() {
        TypeId pointer = pointerTo(types_, TypeId::Void);
        if (captures_.empty()) return nullOf(outer_.b, pointer);
        const Capture& last = captures_.back();
        uint64_t size = last.offset + sizeOf(types_, last.inner->type);
        ValueId env = allocate(outer_, i64(outer_, static_cast<int64_t>(std::max<uint64_t>(size, 1))), nullptr, at_);
        for (const Capture& c : captures_) {
            ValueId place = emitOffset(outer_.b, env, c.offset, pointerTo(types_, c.inner->type));
            bool isOwn = c.outer->owner == &outer_;
            Value v = isOwn && c.outer->address != ValueId::None ? Value::place(c.inner->type, c.outer->address)
                                                                 : valueOfSymbol(outer_, c.outer, at_, !isOwn);
            if (v.isMemory() && !v.refCapture) emitCopy(outer_.b, place, v.id, sizeOf(types_, c.inner->type));
            else store(outer_, place, v);
        }
        return emitCast(outer_.b, ir::Op::Reinterpret, env, pointer);
    }

    Value closureValue() {
        TypeId type = closureTypeOf(types_, params_, result_);
        ir::FuncId code = func_;
        if (goal_ != TypeId::None && canWiden(types_, type, goal_)) {
            code = wideningAdapter(sema_, func_, type, goal_, true);
            type = goal_;
        }
        outer_.b.setSpan(at_);
        ValueId env = makeEnvironment();
        return closureOf(outer_, type, funcAddr(outer_.b, code, pointerTo(types_, TypeId::Void)), env);
    }

    Value pointerValue() {
        Span body = decl_.hasBody() ? decl_.bodySpan() : at_;
        if (!captures_.empty()) {
            outer_.diags
                .error(body, "a lambda that captures " + code(sema_, captures_.front().outer->name) +
                                 " cannot become a function pointer, which carries no environment")
                .help("take a `Closure(…)` there instead");
            return Value::error();
        }
        TypeId type = functionTypeOf(types_, params_, result_, goalInfo_->conv);
        ir::FuncId code = func_;
        bool widens = canWiden(types_, type, goal_);
        if (widens) code = wideningAdapter(sema_, func_, type, goal_, false);
        if (!widens && goalInfo_->result != TypeId::None && !sameResult(outer_, result_, goalInfo_->result)) {
            outer_.diags
                .error(body, "this lambda yields " + withArticle(types_, result_) +
                                 ", but the function pointer here yields " + withArticle(types_, goalInfo_->result))
                .help(isFailable(types_, result_) ? "handle the error in the lambda"
                                                  : "convert the result in the lambda");
            return Value::error();
        }
        noteShape(sema_, type, goal_);
        outer_.b.setSpan(at_);
        TypeId valueType = widens || goalInfo_->result == TypeId::None
                               ? (widens ? goal_ : type)
                               : functionTypeOf(types_, params_, goalInfo_->result, goalInfo_->conv);
        return Value::scalar(valueType, funcAddr(outer_.b, code, valueType));
    }

    Body& outer_;
    Sema& sema_;
    TypeTable& types_;
    const FunctionDecl& decl_;
    Span at_;
    TypeId goal_{}; ///< the closure or function type expected here
    const FunctionInfo* goalInfo_ = nullptr;
    bool isPointer_ = false; ///< a function pointer is wanted
    llvm::SmallVector<TypeId, 4> params_;
    TypeId result_{}; ///< None: inferred
    ir::FuncId func_ = ir::FuncId::None;
    uint32_t hidden_ = 0; ///< context and environment
    std::vector<Capture> captures_;
};

} // namespace

Value lowerLambda(Body& f, const FunctionDecl& decl, TypeId target, Span at) {
    ++f.lambdaCount;
    return LambdaLowering(f, decl, target, at).run();
}

} // namespace sx::lower
