#include "lower/body/ErrorVariables.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Cleanup.h"
#include "lower/body/Recursion.h"
#include "lower/body/Scopes.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "sema/ErrorSets.h"
#include "sema/Lookup.h"
#include "syntax/Walk.h"
#include "types/Derived.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

// ------------------------------------------------------------------------------------ which variables

namespace {

/// The names whose value `e` may be, or be an optional of.
void forEachSource(const Expr* e, llvm::function_ref<void(Name)> visit) {
    if (!e) return;
    forEachResult(e, [&](const Expr* end) {
        end = withoutParens(end);
        if (const auto* n = llvm::dyn_cast<NameRef>(end)) return visit(n->id.name);
        if (const auto* unwrap = llvm::dyn_cast<Unwrap>(end)) return forEachSource(unwrap->base, visit);
        const auto* choice = llvm::dyn_cast<Binary>(end);
        if (!choice || choice->op != BinaryOp::Coalesce) return;
        forEachSource(choice->lhs, visit);
        forEachSource(choice->rhs, visit);
    });
}

/// From which names an error may flow to which, in one body, by name alone: more than there are do no harm.
class ErrorFlowByName {
public:
    explicit ErrorFlowByName(const Expr* body) {
        auto onExpr = [&](const Expr* e) {
            expression(e);
            return true;
        };
        auto onStmt = [&](const Stmt* s) {
            statement(s);
            return true;
        };
        Walker{onExpr, onStmt}.walk(body);
        leavesFrom(body); // a trailing expression is returned too
    }

    void solve(ErrorVariables& out) {
        out.pointedTo = std::move(pointedTo_);
        std::vector<Name> open = std::move(raised_);
        while (!open.empty()) {
            Name to = open.back();
            open.pop_back();
            if (!out.leaving.insert(to).second) continue;
            for (Name from : sources_[to]) {
                out.mayHoldHandled |= bindings_.contains(from);
                open.push_back(from);
            }
        }
    }

private:
    void leavesFrom(const Expr* e) {
        if (!e) return;
        forEachSource(e, [&](Name n) { raised_.push_back(n); });
        forEachResult(e, [&](const Expr* end) {
            const auto* full = llvm::dyn_cast<StructLit>(withoutParens(end)); // `.{v, err}`
            if (full && !full->type && !full->inits.empty())
                forEachSource(full->inits.back().value, [&](Name n) { raised_.push_back(n); });
        });
    }

    void leavesFrom(llvm::ArrayRef<ReturnElem> elems) {
        for (const ReturnElem& elem : elems) leavesFrom(elem.value);
    }

    void copies(Name to, const Expr* from) {
        forEachSource(from, [&](Name n) { sources_[to].push_back(n); });
    }

    void assigned(const Expr* target, const Expr* value) {
        if (const auto* n = llvm::dyn_cast<NameRef>(withoutParens(target))) copies(n->id.name, value);
    }

    void expression(const Expr* e) {
        if (const auto* r = llvm::dyn_cast<ReturnExpr>(e)) leavesFrom(r->elems);
        if (const auto* u = llvm::dyn_cast<Unary>(e); u && u->op == UnaryOp::AddrOf)
            if (const auto* n = llvm::dyn_cast<NameRef>(withoutParens(u->operand))) pointedTo_.insert(n->id.name);
        if (const auto* c = llvm::dyn_cast<Catch>(e); c && c->binding) bindings_.insert(c->binding.name);
        if (const auto* i = llvm::dyn_cast<If>(e); i && i->binding) copies(i->binding.name, i->cond);
        if (const auto* w = llvm::dyn_cast<While>(e); w && w->binding) copies(w->binding.name, w->cond);
        if (const auto* m = llvm::dyn_cast<Match>(e))
            for (const MatchArm& arm : m->arms)
                if (arm.capture) copies(arm.capture.name, m->subject);
    }

    void statement(const Stmt* s) {
        if (const auto* raise = llvm::dyn_cast<RaiseStmt>(s)) leavesFrom(raise->value);
        if (const auto* r = llvm::dyn_cast<ReturnStmt>(s)) leavesFrom(r->elems);
        if (const auto* v = llvm::dyn_cast<VarStmt>(s)) copies(v->name.name, v->init);
        if (const auto* d = llvm::dyn_cast<LocalDecl>(s))
            if (const auto* c = llvm::dyn_cast<ConstDecl>(d->decl)) copies(c->name.name, c->value);
        if (const auto* a = llvm::dyn_cast<Assign>(s)) assigned(a->target, a->value);
        if (const auto* m = llvm::dyn_cast<MultiAssign>(s))
            for (size_t i = 0; i < m->targets.size() && i < m->values.size(); ++i)
                assigned(m->targets[i], m->values[i]);
    }

    std::vector<Name> raised_;
    llvm::DenseMap<Name, llvm::SmallVector<Name, 1>> sources_; ///< of a name: those that are copied to it
    llvm::DenseSet<Name> bindings_, pointedTo_;
};

} // namespace

void findErrorVariables(Body& f, const Expr* body) { ErrorFlowByName(body).solve(f.errorVariables); }

bool isErrorOrOptional(const TypeTable& types, TypeId type) {
    return isErrorSet(types, type) || (types.kind(type) == TypeKind::Optional && isErrorSet(types, types.elem(type)));
}

bool carriesTrace(const Body& f, const Symbol* s) {
    return s && s->kind == SymbolKind::Local && s->owner == &f && s->snapshot != ir::SlotId::None;
}

bool mayCarryTrace(const Body& f, const Binary& coalesce) {
    if (!f.result.isFailable) return false;
    bool found = false;
    forEachSource(&coalesce, [&](Name n) { found |= f.errorVariables.leaving.contains(n); });
    return found;
}

static ValueId snapshotOf(Body& f, const Symbol& s) { return slotAddr(f.b, s.snapshot); }

static void giveSnapshot(Body& f, Symbol& s, Name name) {
    s.snapshot = f.b.newRawSlot(ir::TraceSnapshotBytes, 8);
    if (!f.reachable() || !f.errorVariables.pointedTo.contains(name)) return;
    ValueId stack = emitOffset(f.b, snapshotOf(f, s), ir::TraceSnapshotStack, pointerTo(f.types, TypeId::U64));
    emitStore(f.b, stack, constInt(f.b, TypeId::U64, 0));
}

Symbol* declareErrorVariable(Body& f, Symbol* s) {
    bool carries =
        f.result.isFailable && isErrorOrOptional(f.types, s->type) && f.errorVariables.leaving.contains(s->name);
    if (carries) giveSnapshot(f, *s, s->name);
    return s;
}

Symbol* newErrorCarrier(Body& f, Name variable) {
    Symbol* s = newLocal(f, Name::None, SymbolKind::Local, {});
    s->owner = &f;
    giveSnapshot(f, *s, variable);
    return s;
}

void adoptCarrier(Symbol& variable, const Symbol& carrier) { variable.snapshot = carrier.snapshot; }

Symbol* traceSource(const Body& f, const Value& v) {
    Symbol* s = v.errorOrigin();
    if (!s) return nullptr;
    if (carriesTrace(f, s)) return s;
    return llvm::any_of(f.handlers, [&](const auto& h) { return h.binding == s; }) ? s : nullptr;
}

// ------------------------------------------------------------------------------------ keeping

namespace {

void captureNewest(Body& f, Symbol& variable) {
    f.b.emit(ir::Op::TraceCapture, TypeId::Void, {snapshotOf(f, variable)});
}

/// How many of the handlers around here, from outside, it takes to reach the one with this binding.
size_t handlerOf(const Body& f, const Symbol* binding) {
    size_t own = f.handlers.size();
    while (f.handlers[own - 1].binding != binding) --own;
    return own;
}

/// Code that runs only where `tag` is an error.
void ifError(Body& f, ValueId tag, llvm::function_ref<void()> onError) {
    BlockId failed = f.b.newBlock(true), on = f.b.newBlock();
    emitCondBr(f.b, emitICmp(f.b, ir::ICmpPred::Ne, tag, constInt(f.b, f.b.typeOf(tag), 0)), failed, on, true);
    f.b.setBlock(failed);
    onError();
    if (f.reachable()) emitBr(f.b, on);
    f.b.setBlock(on);
}

/// The tag in an error or in an optional of one; an absent optional is all zero.
ValueId tagIn(Body& f, const Value& v) {
    if (isErrorSet(f.types, v.type)) return scalar(f, v);
    TypeId set = f.types.elem(v.type);
    return emitLoad(f.b, set, emitOffset(f.b, addressOf(f, v), 0, pointerTo(f.types, set)));
}

bool isNullConstant(const Value& v) { return v.isConst() && v.constant.kind == ConstValue::Kind::Null; }

} // namespace

void endFailure(Body& f, ValueId tag, Symbol* variable, Span at) {
    if (!f.reachable()) return;
    ifError(f, tag, [&] {
        if (carriesTrace(f, variable)) {
            tracePush(f, at);
            captureNewest(f, *variable);
        }
        f.b.noteError(ir::ErrorEventKind::Absorb, tag);
        f.b.emit(ir::Op::TraceAbsorb, TypeId::Void, {});
    });
}

void beginAndKeep(Body& f, ValueId tag, Symbol* variable, Span at) {
    if (!f.reachable() || !carriesTrace(f, variable)) return;
    ifError(f, tag, [&] {
        traceRaise(f, at, tag);
        captureNewest(f, *variable);
        f.b.emit(ir::Op::TraceAbsorb, TypeId::Void, {});
    });
}

void keepTrace(Body& f, Symbol* variable, const Value& v) {
    if (!f.reachable() || !carriesTrace(f, variable) || v.isError() || isNullConstant(v) ||
        !isErrorOrOptional(f.types, v.type))
        return;
    Symbol* source = traceSource(f, v);
    if (source && !carriesTrace(f, source)) { // the binding of a handler: always an error
        size_t own = handlerOf(f, source);
        f.b.emit(ir::Op::TraceCapture, TypeId::Void, {snapshotOf(f, *variable)},
                 static_cast<uint32_t>(f.handlers.size() - own));
        return;
    }
    auto copy = [&] {
        ValueId to = snapshotOf(f, *variable);
        if (source) f.b.emit(ir::Op::TraceCopy, TypeId::Void, {to, snapshotOf(f, *source)});
        else f.b.emit(ir::Op::TraceForget, TypeId::Void, {to});
    };
    if (source == variable) return;
    if (v.isConst()) copy(); // a tag
    else ifError(f, tagIn(f, v), copy);
}

// ------------------------------------------------------------------------------------ leaving

void continueTrace(Body& f, const Value& v, ValueId tag, Span at, llvm::function_ref<void()> leave) {
    auto rejoin = [&](size_t own) { // the handlers inside `own` end here; those around it are left by the error
        for (size_t h = f.handlers.size(); h > own; --h) f.b.emit(ir::Op::TraceAbsorb, TypeId::Void, {});
        tracePush(f, at);
        linkHandlers(f, own - 1);
        leave();
    };
    Symbol* source = traceSource(f, v);
    bool isCarrier = carriesTrace(f, source);
    if (source && !isCarrier) return rejoin(handlerOf(f, source));
    bool hasBinding = llvm::any_of(f.handlers, [](const Handler& h) { return h.binding != nullptr; });
    if (isCarrier && f.errorVariables.mayHoldHandled && hasBinding) {
        ValueId found = f.b.emit(ir::Op::TraceFind, TypeId::U32, {snapshotOf(f, *source), tag});
        for (size_t own = f.handlers.size(); own > 0; --own) {
            if (!f.handlers[own - 1].binding) continue;
            BlockId same = f.b.newBlock(true), other = f.b.newBlock(true);
            ValueId position = constInt(f.b, TypeId::U32, f.handlers.size() - own + 1);
            emitCondBr(f.b, emitICmp(f.b, ir::ICmpPred::Eq, found, position), same, other);
            f.b.setBlock(same);
            rejoin(own);
            f.b.setBlock(other);
        }
    }
    if (isCarrier) {
        BlockId resumed = f.b.newBlock(true), fresh = f.b.newBlock(true), done = f.b.newBlock(true);
        emitCondBr(f.b, f.b.emit(ir::Op::TraceResume, TypeId::Bool, {snapshotOf(f, *source), tag}), resumed, fresh);
        f.b.setBlock(resumed);
        tracePush(f, at);
        emitBr(f.b, done);
        f.b.setBlock(fresh);
        traceRaise(f, at, tag);
        emitBr(f.b, done);
        f.b.setBlock(done);
    } else {
        traceRaise(f, at, tag);
    }
    linkHandlers(f, f.handlers.size());
    leave();
}

// ------------------------------------------------------------------------------------ ends of branches

Symbol* markErrorEnds(Body& f, Name variable, const Expr* value, Symbol* carrier) {
    const Expr* e = withoutParens(value);
    if (!llvm::isa<If, Match, BlockExpr>(e) || !f.result.isFailable || !f.errorVariables.leaving.contains(variable))
        return nullptr;
    if (!carrier) carrier = newErrorCarrier(f, variable);
    forEachResult(e, [&](const Expr* end) { f.errorVariables.ends[end] = carrier; });
    return carrier;
}

Value captureEnd(Body& f, const Value& v, Symbol* carrier, Span at) {
    if (v.isError() || !f.reachable()) return v;
    if (!v.unmarkedFailable) {
        keepTrace(f, carrier, v);
        return v;
    }
    if (!isErrorSet(f.types, v.type)) return v;
    Value error = Value::scalar(v.type, scalar(f, v));
    error.errors = v.errors;
    endFailure(f, error.id, carrier, at);
    return error;
}

/// Stores an error value in a variable; a failable's error ends its way here, captured if the variable carries it.
void storeErrorVariable(Body& f, Symbol* var, ValueId place, const Value& v, const Expr* at, bool captured) {
    if (v.unmarkedFailable) {
        if (mustAbsorb(f) || !isErrorSet(f.types, v.type)) {
            rejectUnmarked(f, v, at->span);
            return;
        }
        ValueId tag = scalar(f, v);
        f.errorVariables.kept.push_back(var);
        if (isErrorSet(f.types, var->type)) emitStore(f.b, place, tag);
        else store(f, place, convert(f, Value::scalar(v.type, tag), var->type, at->span));
        endFailure(f, tag, var, withoutParens(at)->span);
    } else {
        Value converted = convert(f, v, var->type, at->span);
        if (converted.isError()) return;
        store(f, place, converted);
        if (!captured) keepTrace(f, var, v);
    }
    noteVariableErrors(f, var, v);
}

/// The tags a variable of inferred set may hold: everything that was ever stored in it.
void noteVariableErrors(Body& f, Symbol* var, const Value& v) {
    if (var->type != TypeId::InferredErrors) return;
    if (!var->errors) var->errors = newErrorNode(f.sema);
    addErrors(f, *var->errors, v);
}

void addErrors(Body& f, ErrorNode& node, const Value& v) {
    if (v.errors && v.errors != &node) node.from.push_back(v.errors);
    else if (v.isConst() && v.constant.isInt()) node.tags.push_back(static_cast<uint32_t>(v.constant.i));
    else if (isErrorSet(f.types, v.type) && v.type != TypeId::InferredErrors)
        for (Name tag : f.types.errorSetInfo(v.type).tags) node.tags.push_back(f.types.tagId(tag));
}

} // namespace sx::lower
