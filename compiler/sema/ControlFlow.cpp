// Blocks, `if`, `push`, jumps (language 4.7, 4.9, 5.5-5.10).
#include "sema/Explain.h"
#include "sema/Join.h"
#include "syntax/Walk.h"

namespace sx::sema {

using namespace ast;

/// The value of statements: of the last one, if it is an expression without `;` (or, in a match arm, whatever
/// it ends with). Cleanups and scopes are the caller's business.
Value FunctionLowering::lowerStmtsValue(llvm::ArrayRef<Stmt*> stmts, TypeId target, ValueId dest, bool valueNeeded,
                                        bool keepSemicolonValue) {
    if (stmts.empty()) return Value::none();
    lowerStmts(stmts.drop_back());
    if (!reachable()) return Value::diverged();
    const Stmt* last = stmts.back();
    b.setSpan(last->span);
    currentOperation = last->span;
    if (const auto* insert = llvm::dyn_cast<InsertStmt>(last))
        return lowerInsertValue(*insert, target, dest, valueNeeded);
    const auto* e = llvm::dyn_cast<ExprStmt>(last);
    bool hasValue = valueNeeded && e && (!e->semicolon || keepSemicolonValue);
    if (!hasValue) {
        lowerStmt(last);
        return reachable() ? Value::none() : Value::diverged();
    }
    if (const auto* i = llvm::dyn_cast<If>(e->expr); i && !i->otherwise) {
        // A block-form `if` without `else` is a guard, not a value.
        lowerIf(*i, TypeId::None, ValueId::None, false);
        return reachable() ? Value::none() : Value::diverged();
    }
    Value v;
    switch (e->expr->kind) {
    case ExprKind::Block: v = lowerBlock(*static_cast<const BlockExpr*>(e->expr), target, dest, true); break;
    case ExprKind::If: v = lowerIf(*static_cast<const If*>(e->expr), target, dest, true); break;
    case ExprKind::Match: v = lowerMatch(*static_cast<const Match*>(e->expr), target, dest, true); break;
    case ExprKind::Catch: v = lowerCatch(*static_cast<const Catch*>(e->expr), target, dest); break;
    default: v = lowerResult(e->expr, target, dest); break;
    }
    return v;
}

Value FunctionLowering::lowerBlock(const BlockExpr& block, TypeId target, ValueId dest, bool valueNeeded) {
    Scope* saved = pushScope(block.span);
    size_t cleanupDepth = cleanups.size();
    auto narrowedBefore = narrowed;
    Value v = lowerStmtsValue(block.stmts, target, dest, valueNeeded, false);
    // The value is what a variable holds now, not the variable.
    if (valueNeeded && reachable() && v.isMemory() && v.lvalue && !v.refCapture) {
        ErrorNode* errors = v.errors;
        v = hold(v, nullptr);
        v.errors = errors;
    }
    bool hasCleanups = cleanups.size() > cleanupDepth;
    if (reachable() && hasCleanups) {
        // The value is computed before the cleanups run.
        if (!v.isError() && !v.isVoid()) {
            if (v.kind == Value::Kind::Scalar || (v.isMemory() && types.isScalar(v.type)))
                v = Value::scalar(v.type, scalar(v));
        }
        runCleanups(cleanupDepth, false);
    }
    popCleanups(cleanupDepth);
    // What the block assigned is not known any more; what it proved ends with it.
    keepKnown(narrowed, narrowedBefore);
    // A local of the block that is its value is a temporary from here on.
    if (v.isMemory()) {
        v.symbol = nullptr;
        if (!v.constRooted && fn.instr(v.id).op == ir::Op::SlotAddr) v.lvalue = false;
    }
    popScope(saved);
    if (!reachable() && !v.isError()) return Value::diverged();
    return v;
}

// ------------------------------------------------------------------------------------ if

Value FunctionLowering::lowerBranchBody(const Expr* e, TypeId target, ValueId dest, bool valueNeeded) {
    if (const auto* block = llvm::dyn_cast<BlockExpr>(e)) return lowerBlock(*block, target, dest, valueNeeded);
    if (const auto* i = llvm::dyn_cast<If>(e)) return lowerIf(*i, target, dest, valueNeeded);
    return valueNeeded ? lowerResult(e, target, dest) : lowerDropped(e);
}

namespace {

/// A branch that a constant condition drops is not checked, but what is written in it counts for the inferred error set
/// (errors.md 5): literal tags, and what calls of functions by name pass on.
struct DroppedErrors {
    FunctionLowering& f;

    void walk(const Expr* root) {
        auto onExpr = [&](const Expr* e) { return expr(e); };
        auto onStmt = [&](const Stmt* s) { return stmt(s); };
        Walker walker{onExpr, onStmt};
        walker.walk(root);
    }

private:
    void leaves(const Expr* e) {
        e = withoutParens(e);
        if (const auto* tag = llvm::dyn_cast<ErrorTag>(e)) return f.noteTag(*tag);
        if (const auto* full = llvm::dyn_cast<StructLit>(e); full && !full->type && !full->inits.empty()) {
            if (llvm::isa<ErrorTag>(withoutParens(full->inits.back().value))) leaves(full->inits.back().value);
            return;
        }
        const auto* call = llvm::dyn_cast<Call>(e);
        const auto* name = call ? llvm::dyn_cast<NameRef>(call->callee) : nullptr;
        Sema::LookupResult found =
            name ? f.sema.lookup(name->id.name, f.scope, f.scopeLimit, &f.currentFile()) : Sema::LookupResult{};
        if (!found.symbol || found.ambiguous) return;
        Symbol* s = f.sema.resolve(found.symbol);
        if (s->kind != SymbolKind::Function || s->function->isGeneric || s->function->isIntrinsic) return;
        FunctionInstance* callee = f.sema.instance(*s->function, {}, call->span);
        if (!callee || callee->signatureFailed || !f.types.isFailable(callee->result)) return;
        f.sema.funcFor(*callee);
        f.noteEscaping(f.types.errorSetOf(callee->result), callee->errors, call->span);
    }

    bool stmt(const Stmt* s) {
        if (const auto* raise = llvm::dyn_cast<RaiseStmt>(s)) leaves(raise->value);
        if (const auto* r = llvm::dyn_cast<ReturnStmt>(s); r && r->elems.size() == 1) leaves(r->elems[0].value);
        return true;
    }

    bool expr(const Expr* e) {
        if (f.returned.count(e)) leaves(e);
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

Value FunctionLowering::lowerIf(const If& e, TypeId target, ValueId dest, bool valueNeeded) {
    b.setSpan(e.cond->span);
    if (valueNeeded && !e.otherwise && !e.isInline) {
        diags.error(e.cond->span, "an `if` that yields a value needs an `else`")
            .help("add `else …` with the value for the other case");
        return Value::error();
    }
    if (e.binding) return lowerIfBinding(e, target, dest, valueNeeded);
    if (std::optional<bool> known = foldCondition(e.cond, e.isInline)) {
        const Expr* taken = *known ? e.then : e.otherwise;
        const Expr* dropped = *known ? e.otherwise : e.then;
        if (dropped && !e.isInline && errorSet == TypeId::InferredErrors && !isComptimeScratch)
            DroppedErrors{*this}.walk(dropped);
        noteMentioned(dropped);
        if (!taken) return Value::none();
        return lowerBranchBody(taken, target, dest, valueNeeded);
    }
    BlockId ifTrue = b.newBlock(), ifFalse = b.newBlock();
    Facts facts;
    size_t errors = diags.errorCount();
    lowerBranch(e.cond, ifTrue, ifFalse, facts);
    bool bad = diags.errorCount() != errors;
    auto before = narrowed;
    Join join(*this);
    join.failed = bad;

    b.setBlock(ifTrue);
    for (Symbol* s : facts.presentIfTrue) narrowed.insert(s);
    Value v = lowerBranchBody(e.then, target, dest, valueNeeded);
    finishBranch(join, v, e.then, valueNeeded);
    bool thenLeaves = !reachable();
    auto afterThen = narrowed;

    narrowed = before;
    b.setBlock(ifFalse);
    for (Symbol* s : facts.presentIfFalse) narrowed.insert(s);
    if (e.otherwise) {
        Value w = lowerBranchBody(e.otherwise, target, dest, valueNeeded);
        finishBranch(join, w, e.otherwise, valueNeeded);
    } else {
        join.add(Value::none(), e.span);
    }
    bool elseLeaves = !reachable();
    auto afterElse = narrowed;
    // Known afterwards: what was known before and nobody assigned; and what a guard that leaves has proved.
    narrowed.clear();
    for (Symbol* s : before)
        if ((thenLeaves || afterThen.count(s)) && (elseLeaves || afterElse.count(s))) narrowed.insert(s);
    if (thenLeaves && !e.otherwise)
        for (Symbol* s : facts.presentIfFalse) narrowed.insert(s);

    b.setSpan(e.span);
    if (!valueNeeded) return join.finishVoid();
    return join.finish(target, dest, e.span);
}

/// Adds a branch to the join; in value position a branch without a value that does not leave is an error.
void FunctionLowering::finishBranch(Join& join, Value v, const Expr* at, bool valueNeeded) {
    if (v.isError()) join.failed = true;
    if (!reachable()) return;
    if (valueNeeded && !v.isError() && v.isVoid() && v.type == TypeId::Void && !voidIsValue) {
        diags.error(at->span, "this branch yields no value, and one is needed here")
            .help("end it with an expression without `;`");
        join.failed = true;
    }
    if (valueNeeded && v.isMemory() && types.isScalar(v.type)) v = v.refCapture ? v : loadForJoin(v);
    join.add(v, at->span);
}

/// Scalars are loaded at the end of their branch, before anything else can store.
Value FunctionLowering::loadForJoin(const Value& v) {
    Value n = narrowedValue(v);
    if (!types.isScalar(n.type)) return n;
    Value r = load(n);
    r.errors = v.errors;
    return r;
}

Value FunctionLowering::lowerIfBinding(const If& e, TypeId target, ValueId dest, bool valueNeeded) {
    Value optional = lower(e.cond);
    if (optional.isError()) return optional;
    if (!reachable()) return Value::diverged();
    if (types.kind(optional.type) != TypeKind::Optional) {
        diags.error(e.cond->span, "`if name := …` needs an optional, and this is " + withArticle(types, optional.type));
        return Value::error();
    }
    if (types.isScalar(optional.type) && !optional.isMemory())
        optional = Value::temporary(optional.type, addressOf(optional));
    BlockId present = b.newBlock(), absent = b.newBlock();
    b.condBr(isPresent(optional), present, absent);
    Join join(*this);
    auto before = narrowed;
    b.setBlock(present);
    {
        Scope* saved = pushScope(e.then->span);
        bindPayload(e.binding, payloadOf(optional), LocalKind::Variable);
        Value v = lowerBranchBody(e.then, target, dest, valueNeeded);
        finishBranch(join, v, e.then, valueNeeded);
        popScope(saved);
    }
    narrowed = before;
    b.setBlock(absent);
    if (e.otherwise) {
        Value v = lowerBranchBody(e.otherwise, target, dest, valueNeeded);
        finishBranch(join, v, e.otherwise, valueNeeded);
    } else {
        join.add(Value::none(), e.span);
    }
    narrowed = before;
    b.setSpan(e.span);
    return valueNeeded ? join.finish(target, dest, e.span) : join.finishVoid();
}

/// A fresh local holding a copy of a payload; `_` only tests for presence.
void FunctionLowering::bindPayload(const Ident& id, const Value& payload, LocalKind kind) {
    if (sema.names.text(id.name) == "_" && !id.raw) return;
    Value place = temp(payload.type);
    store(place.id, payload);
    Symbol* s = declareLocal(id, payload.type, kind, place.id);
    s->errors = payload.errors;
    keepTrace(*this, s, payload);
}

// ------------------------------------------------------------------------------------ jumps

void FunctionLowering::lowerBreak(Span at) {
    if (!reachable()) return;
    if (loops.empty()) {
        diags.error(at, "`break` outside a loop");
        return;
    }
    Loop loop = loops.back();
    leaveTo(loop.cleanupDepth, loop.handlerDepth);
    if (!reachable()) return;
    b.br(loop.breakTo);
}

void FunctionLowering::lowerContinue(Span at) {
    if (!reachable()) return;
    if (loops.empty()) {
        diags.error(at, "`continue` outside a loop");
        return;
    }
    Loop loop = loops.back();
    leaveTo(loop.cleanupDepth, loop.handlerDepth);
    if (reachable()) b.br(loop.continueTo);
}

// ------------------------------------------------------------------------------------ push

void FunctionLowering::lowerPush(const Push& p) {
    if (!sema.hasContext()) {
        contextMissing();
        return;
    }
    TypeId type = sema.contextType;
    Value fresh = temp(type);
    const auto* lit = llvm::dyn_cast<StructLit>(p.context);
    if (lit && !lit->type && !lit->initBlock) {
        b.copy(fresh.id, context, type); // other fields are inherited
        const StructInfo& info = types.structInfo(type);
        bool ok = true;
        for (const Init& init : lit->inits) {
            if (!init.name) {
                diags.error(init.span, "the fields of a pushed context are named");
                return;
            }
            auto it = info.index.find(init.name.name);
            if (it == info.index.end()) {
                diags.error(init.value->span, "the context has no field `" + sema.text(init.name.name) + "`")
                    .help("declare it with `#context_extend`");
                return;
            }
            const StructField& field = info.fields[it->second];
            ok &= lowerInto(init.value, field.type, b.offset(fresh.id, field.offset, types.pointerTo(field.type)));
        }
        if (!ok) fresh = Value::place(type, context); // the body is checked all the same
    } else if (!lowerInto(p.context, type, fresh.id)) {
        fresh = Value::place(type, context);
    }
    ValueId outer = context;
    context = fresh.id;
    lowerBlock(*p.body, TypeId::None, ValueId::None, false);
    context = outer;
}

} // namespace sx::sema
