#include "lower/flow/ControlFlow.h"

#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "lower/body/Body.h"
#include "lower/body/Cleanup.h"
#include "lower/body/ErrorVariables.h"
#include "lower/body/LocalUse.h"
#include "lower/body/Narrowing.h"
#include "lower/body/Recursion.h"
#include "lower/body/Scopes.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/VoidValues.h"
#include "lower/flow/Errors.h"
#include "lower/flow/Match.h"
#include "lower/flow/Return.h"
#include "lower/flow/Statements.h"
#include "lower/values/Conditions.h"
#include "lower/values/Conversions.h"
#include "lower/values/Join.h"
#include "lower/values/Names.h"
#include "lower/values/Optionals.h"
#include "sema/Declare.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"
#include "sema/Notes.h"
#include "sema/Wording.h"
#include "syntax/Walk.h"
#include "types/Derived.h"
#include "types/Failable.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

/// The value of statements: of the last one, if it is an expression without `;` (or, in a match arm, whatever
/// it ends with). Cleanups and scopes are the caller's business.
Value lowerStmtsValue(Body& f, llvm::ArrayRef<Stmt*> stmts, TypeId target, ValueId dest, bool valueNeeded,
                      bool keepSemicolonValue) {
    if (stmts.empty()) return Value::none();
    lowerStmts(f, stmts.drop_back());
    if (!f.reachable()) return Value::diverged();
    const Stmt* last = stmts.back();
    f.b.beginStatement(last->span.begin);
    f.b.setSpan(last->span);
    f.modes.operation = last->span;
    if (const auto* insert = llvm::dyn_cast<InsertStmt>(last))
        return lowerInsertValue(f, *insert, target, dest, valueNeeded);
    const auto* e = llvm::dyn_cast<ExprStmt>(last);
    bool hasValue = valueNeeded && e && (!e->semicolon || keepSemicolonValue);
    if (!hasValue) {
        lowerStmt(f, last);
        return f.reachable() ? Value::none() : Value::diverged();
    }
    if (const auto* i = llvm::dyn_cast<If>(e->expr); i && !i->otherwise) {
        // A block-form `if` without `else` is a guard, not a value.
        lowerIf(f, *i, TypeId::None, ValueId::None, false);
        return f.reachable() ? Value::none() : Value::diverged();
    }
    Value v;
    switch (e->expr->kind) {
    case ExprKind::Block: v = lowerBlock(f, *static_cast<const BlockExpr*>(e->expr), target, dest, true); break;
    case ExprKind::If: v = lowerIf(f, *static_cast<const If*>(e->expr), target, dest, true); break;
    case ExprKind::Match: v = lowerMatch(f, *static_cast<const Match*>(e->expr), target, dest, true); break;
    case ExprKind::Catch: v = lowerCatch(f, *static_cast<const Catch*>(e->expr), target, dest); break;
    default: v = lowerResult(f, e->expr, target, dest); break;
    }
    return v;
}

Value lowerBlock(Body& f, const BlockExpr& block, TypeId target, ValueId dest, bool valueNeeded) {
    Scope* saved = pushScope(f, block.span);
    size_t cleanupDepth = f.cleanups.stack.size();
    auto narrowedBefore = f.narrowing.present;
    Value v = lowerStmtsValue(f, block.stmts, target, dest, valueNeeded, false);
    // The value is what a variable holds now, not the variable.
    if (valueNeeded && f.reachable() && v.isMemory() && v.lvalue && !v.refCapture) {
        ErrorNode* errors = v.errors;
        v = snapshot(f, v);
        v.errors = errors;
    }
    bool hasCleanups = f.cleanups.stack.size() > cleanupDepth;
    if (f.reachable() && hasCleanups) {
        // The value is computed before the cleanups run.
        if (!v.isError() && !v.isVoid()) {
            if (v.kind == Value::Kind::Scalar || (v.isMemory() && isScalar(f.types, v.type)))
                v = Value::scalar(v.type, scalar(f, v));
        }
        runCleanups(f, cleanupDepth, false);
    }
    popCleanups(f, cleanupDepth);
    // What the block assigned is not known any more; what it proved ends with it.
    keepKnown(f.narrowing.present, narrowedBefore);
    // A local of the block that is its value is a temporary from here on.
    if (v.isMemory()) {
        v.symbol = nullptr;
        if (!v.constRooted && f.fn.instr(v.id).op == ir::Op::SlotAddr) v.lvalue = false;
    }
    popScope(f, saved);
    if (!f.reachable() && !v.isError()) return Value::diverged();
    return v;
}

// ------------------------------------------------------------------------------------ if

Value lowerBranchBody(Body& f, const Expr* e, TypeId target, ValueId dest, bool valueNeeded) {
    if (const auto* block = llvm::dyn_cast<BlockExpr>(e)) return lowerBlock(f, *block, target, dest, valueNeeded);
    if (const auto* i = llvm::dyn_cast<If>(e)) {
        f.b.beginStatement(i->span.begin);
        return lowerIf(f, *i, target, dest, valueNeeded);
    }
    if (!valueNeeded) f.b.beginStatement(e->span.begin);
    return valueNeeded ? lowerResult(f, e, target, dest) : lowerDropped(f, e);
}

namespace {

/// A branch that a constant condition drops is not checked, but what is written in it counts for the inferred error set
/// (errors.md 5): literal tags, and what calls of functions by name pass on.
struct DroppedErrors {
    Body& f;

    void walk(const Expr* root) {
        auto onExpr = [&](const Expr* e) { return expr(e); };
        auto onStmt = [&](const Stmt* s) { return stmt(s); };
        Walker walker{onExpr, onStmt};
        walker.walk(root);
    }

private:
    void leaves(const Expr* e) {
        e = withoutParens(e);
        if (const auto* tag = llvm::dyn_cast<ErrorTag>(e)) return noteTag(f, *tag);
        if (const auto* full = llvm::dyn_cast<StructLit>(e); full && !full->type && !full->inits.empty()) {
            if (llvm::isa<ErrorTag>(withoutParens(full->inits.back().value))) leaves(full->inits.back().value);
            return;
        }
        const auto* call = llvm::dyn_cast<Call>(e);
        const auto* name = call ? llvm::dyn_cast<NameRef>(call->callee) : nullptr;
        LookupResult found =
            name ? lookup(f.sema, name->id.name, f.scope, f.scopeLimit, &f.currentFile()) : LookupResult{};
        if (!found.symbol || found.ambiguous) return;
        Symbol* s = resolve(f.sema, found.symbol);
        if (s->kind != SymbolKind::Function || s->function->isGeneric || s->function->isIntrinsic) return;
        FunctionInstance* callee = instance(f.sema, *s->function, {}, call->span);
        if (!callee || callee->signatureFailed || !isFailable(f.types, callee->result)) return;
        funcFor(f.sema, *callee);
        noteEscaping(f, errorSetOf(f.types, callee->result), callee->errors, call->span);
    }

    bool stmt(const Stmt* s) {
        if (const auto* raise = llvm::dyn_cast<RaiseStmt>(s)) leaves(raise->value);
        if (const auto* r = llvm::dyn_cast<ReturnStmt>(s); r && r->elems.size() == 1) leaves(r->elems[0].value);
        return true;
    }

    bool expr(const Expr* e) {
        if (f.result.returned.count(e)) leaves(e);
        if (const auto* u = llvm::dyn_cast<Unary>(e); u && u->op == UnaryOp::Try) leaves(u->operand);
        if (const auto* r = llvm::dyn_cast<ReturnExpr>(e); r && r->elems.size() == 1) leaves(r->elems[0].value);
        if (const auto* or_ = llvm::dyn_cast<Binary>(e);
            or_ && or_->op == BinaryOp::Or) { // only the last operand passes its error on
            inside(or_->lhs);
            walk(or_->rhs);
            return false;
        }
        if (const auto* c = llvm::dyn_cast<Catch>(e)) {
            inside(c->operand);
            walk(c->body);
            return false;
        }
        return true;
    }

    /// An operand whose own error ends here; those of its arguments do not.
    void inside(const Expr* e) {
        if (const auto* u = llvm::dyn_cast<Unary>(withoutParens(e)); u && u->op == UnaryOp::Try && u != e)
            return walk(e); // a plain value
        e = withoutParens(e);
        if (const auto* u = llvm::dyn_cast<Unary>(e); u && u->op == UnaryOp::Try) return inside(u->operand);
        if (const auto* or_ = llvm::dyn_cast<Binary>(e); or_ && or_->op == BinaryOp::Or) {
            inside(or_->lhs);
            return inside(or_->rhs);
        }
        walk(e);
    }
};

} // namespace

static void finishBranch(Body& f, Join& join, const Value& v, const Expr* at, bool valueNeeded) {
    if (addBranch(f, join, v, at->span, valueNeeded)) return;
    f.diags.error(at->span, "this branch yields no value, and one is needed here")
        .help("end it with an expression without `;`");
}

Value lowerIf(Body& f, const If& e, TypeId target, ValueId dest, bool valueNeeded) {
    f.b.setSpan(e.cond->span);
    if (!e.otherwise && f.result.mayYieldNothing.contains(&e)) valueNeeded = false;
    if (valueNeeded && !e.otherwise && !e.isInline) {
        f.diags.error(e.cond->span, "an `if` that yields a value needs an `else`")
            .help("add `else …` with the value for the other case");
        return Value::error();
    }
    if (e.binding) return lowerIfBinding(f, e, target, dest, valueNeeded);
    if (std::optional<bool> known = foldCondition(f, e.cond, e.isInline)) {
        const Expr* taken = *known ? e.then : e.otherwise;
        const Expr* dropped = *known ? e.otherwise : e.then;
        if (dropped && !e.isInline && f.result.errorSet == TypeId::InferredErrors && !f.isComptimeScratch)
            DroppedErrors{f}.walk(dropped);
        noteMentioned(f, dropped);
        if (!taken) return Value::none();
        return lowerBranchBody(f, taken, target, dest, valueNeeded);
    }
    BlockId ifTrue = f.b.newBlock(), ifFalse = f.b.newBlock();
    Facts facts;
    size_t errors = f.diags.errorCount();
    lowerBranch(f, e.cond, ifTrue, ifFalse, facts);
    bool bad = f.diags.errorCount() != errors;
    auto before = f.narrowing.present;
    Join join(f, &e);
    join.failed = bad;

    f.b.setBlock(ifTrue);
    for (Symbol* s : facts.presentIfTrue) f.narrowing.present.insert(s);
    Value v = lowerBranchBody(f, e.then, target, dest, valueNeeded);
    finishBranch(f, join, v, e.then, valueNeeded);
    bool thenLeaves = !f.reachable();
    auto afterThen = f.narrowing.present;

    f.narrowing.present = before;
    f.b.setBlock(ifFalse);
    for (Symbol* s : facts.presentIfFalse) f.narrowing.present.insert(s);
    if (e.otherwise) {
        Value w = lowerBranchBody(f, e.otherwise, target, dest, valueNeeded);
        finishBranch(f, join, w, e.otherwise, valueNeeded);
    } else {
        join.add(Value::none(), e.span);
    }
    bool elseLeaves = !f.reachable();
    auto afterElse = f.narrowing.present;
    // Known afterwards: what was known before and was not assigned; and what a guard that leaves has proved.
    f.narrowing.present.clear();
    for (Symbol* s : before)
        if ((thenLeaves || afterThen.count(s)) && (elseLeaves || afterElse.count(s))) f.narrowing.present.insert(s);
    if (thenLeaves && !e.otherwise)
        for (Symbol* s : facts.presentIfFalse) f.narrowing.present.insert(s);

    f.b.setSpan(e.span);
    if (!valueNeeded) return join.finishVoid();
    return join.finish(target, dest, e.span);
}

bool addBranch(Body& f, Join& join, Value v, Span at, bool valueNeeded) {
    if (v.isError()) join.failed = true;
    if (!f.reachable()) return true;
    bool hasNone = v.isVoid() && v.type == TypeId::Void;
    bool lacksValue = valueNeeded && hasNone && !f.modes.voidIsValue && !takesVoid(f) && !join.mayYieldNothing;
    if (lacksValue) join.failed = true;
    bool isPlace = v.isMemory() && isScalar(f.types, v.type) && !v.refCapture;
    join.add(valueNeeded && isPlace ? loadForJoin(f, v) : v, at);
    return !lacksValue;
}

/// Scalars are loaded at the end of their branch, before anything else can store.
Value loadForJoin(Body& f, const Value& v) {
    Value n = narrowedValue(f, v);
    if (!isScalar(f.types, n.type)) return n;
    Value r = load(f, n);
    r.errors = v.errors;
    return r;
}

Value lowerIfBinding(Body& f, const If& e, TypeId target, ValueId dest, bool valueNeeded) {
    Value optional = lower(f, e.cond);
    if (optional.isError()) return optional;
    if (!f.reachable()) return Value::diverged();
    if (f.types.kind(optional.type) != TypeKind::Optional) {
        f.diags.error(e.cond->span,
                      "`if name := …` needs an optional, and this is " + withArticle(f.types, optional.type));
        return Value::error();
    }
    if (isScalar(f.types, optional.type) && !optional.isMemory())
        optional = Value::temporary(optional.type, addressOf(f, optional));
    BlockId present = f.b.newBlock(), absent = f.b.newBlock();
    emitCondBr(f.b, isPresent(f, optional), present, absent);
    Join join(f, &e);
    auto before = f.narrowing.present;
    f.b.setBlock(present);
    {
        Scope* saved = pushScope(f, e.then->span);
        bindPayload(f, e.binding, payloadOf(f, optional), LocalKind::Variable);
        Value v = lowerBranchBody(f, e.then, target, dest, valueNeeded);
        finishBranch(f, join, v, e.then, valueNeeded);
        popScope(f, saved);
    }
    f.narrowing.present = before;
    f.b.setBlock(absent);
    if (e.otherwise) {
        Value v = lowerBranchBody(f, e.otherwise, target, dest, valueNeeded);
        finishBranch(f, join, v, e.otherwise, valueNeeded);
    } else {
        join.add(Value::none(), e.span);
    }
    f.narrowing.present = before;
    f.b.setSpan(e.span);
    return valueNeeded ? join.finish(target, dest, e.span) : join.finishVoid();
}

/// A fresh local holding a copy of a payload; `_` only tests for presence.
void bindPayload(Body& f, const Ident& id, const Value& payload, LocalKind kind) {
    if (f.sema.names.text(id.name) == "_" && !id.raw) return;
    Value place = temp(f, payload.type);
    store(f, place.id, payload);
    Symbol* s = declareErrorVariable(f, declareLocal(f, id, payload.type, kind, place.id));
    f.b.needEntry();
    s->errors = payload.errors;
    keepTrace(f, s, payload);
}

// ------------------------------------------------------------------------------------ jumps

void lowerBreak(Body& f, Span at) {
    if (!f.reachable()) return;
    if (f.loops.empty()) {
        f.diags.error(at, "`break` outside a loop");
        return;
    }
    Loop loop = f.loops.back();
    leaveTo(f, loop.cleanupDepth, loop.handlerDepth);
    if (!f.reachable()) return;
    emitBr(f.b, loop.breakTo);
}

void lowerContinue(Body& f, Span at) {
    if (!f.reachable()) return;
    if (f.loops.empty()) {
        f.diags.error(at, "`continue` outside a loop");
        return;
    }
    Loop loop = f.loops.back();
    leaveTo(f, loop.cleanupDepth, loop.handlerDepth);
    if (f.reachable()) emitBr(f.b, loop.continueTo);
}

// ------------------------------------------------------------------------------------ push

void lowerPush(Body& f, const Push& p) {
    if (!f.sema.hasContext()) {
        contextMissing(f);
        return;
    }
    TypeId type = f.sema.contextType;
    Value fresh = temp(f, type);
    const auto* lit = llvm::dyn_cast<StructLit>(p.context);
    if (lit && !lit->type && !lit->initBlock) {
        emitCopy(f.b, fresh.id, f.context, type); // other fields are inherited
        const StructInfo& info = f.types.structInfo(type);
        bool ok = true;
        for (const Init& init : lit->inits) {
            if (!init.name) {
                f.diags.error(init.span, "the fields of a pushed context are named");
                return;
            }
            auto it = info.index.find(init.name.name);
            if (it == info.index.end()) {
                Diagnostic& d =
                    f.diags.error(init.value->span, "the context has no field " + code(f.sema, init.name.name));
                std::vector<std::string_view> names;
                for (const StructField& field : info.fields) names.push_back(f.sema.names.text(field.name));
                if (!suggest(f.diags, d, f.sema.names.text(init.name.name), names))
                    d.help("declare it with `#context_extend`");
                return;
            }
            noteUse(f.sema, init.name.span, type, init.name.name);
            const StructField& field = info.fields[it->second];
            ok &= lowerInto(f, init.value, field.type,
                            emitOffset(f.b, fresh.id, field.offset, pointerTo(f.types, field.type)));
        }
        if (!ok) fresh = Value::place(type, f.context); // the body is checked all the same
    } else if (!lowerInto(f, p.context, type, fresh.id)) {
        fresh = Value::place(type, f.context);
    }
    ValueId outer = f.context;
    f.context = fresh.id;
    f.b.pushScope(p.body->span);
    f.b.needEntry();
    lowerBlock(f, *p.body, TypeId::None, ValueId::None, false);
    f.b.popScope();
    f.context = outer;
}

} // namespace sx::lower
