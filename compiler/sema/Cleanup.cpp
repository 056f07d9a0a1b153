// defer and onfail, and error exits (errors.md 9).
#include "sema/Cleanup.h"
#include "sema/Explain.h"
#include "syntax/Walk.h"

namespace sx::sema {

using namespace ast;

bool mustAbsorb(const FunctionLowering& f) {
    if (!f.inCleanup) return false;
    const FunctionLowering* named = &f;
    while (named->isLambda && named->parent) named = named->parent;
    if (!named->instance) return true;
    const FunctionTemplate& declared = *named->instance->tmpl;
    return declared.file->isEntry && !declared.isNested && !declared.isImplMethod && declared.ownerType == TypeId::None;
}

void FunctionLowering::registerCleanup(const Stmt& s) {
    if (llvm::isa<OnFailStmt>(s) && !isFailable) {
        diags.error(s.span, "`onfail` needs a failable function: no error can leave " + functionTitle(*this))
            .help("use `defer` for a cleanup on every way out");
        return;
    }
    Cleanup c{&s, scope, sema.scopeCounter, context, b.scope(), {}};
    for (Symbol* known : narrowed)
        if (!isAssignedAfter(known, s.span)) c.narrowed.insert(known);
    cleanups.push_back(std::move(c));
    noteMentioned(llvm::isa<OnFailStmt>(s) ? static_cast<const OnFailStmt&>(s).body
                                           : static_cast<const DeferStmt&>(s).body);
}

bool FunctionLowering::isAssignedAfter(const Symbol* s, Span at) {
    if (!tree || at.begin < tree->span.begin || at.begin >= tree->span.end)
        return true; // in inserted text: nobody knows
    bool found = false;
    auto isName = [&](const Expr* target) {
        const auto* n = llvm::dyn_cast<NameRef>(withoutParens(target));
        return n && n->id.name == s->name && at.begin < n->span.begin;
    };
    auto onExpr = [&](const Expr*) { return !found; };
    auto onStmt = [&](const Stmt* stmt) {
        if (const auto* a = llvm::dyn_cast<Assign>(stmt)) found |= isName(a->target);
        if (const auto* m = llvm::dyn_cast<MultiAssign>(stmt))
            for (const Expr* t : m->targets) found |= isName(t);
        found |= llvm::isa<InsertStmt>(stmt) && at.begin < stmt->span.begin; // its text may
        return !found;
    };
    Walker walker{onExpr, onStmt};
    walker.walk(tree);
    return found;
}

void FunctionLowering::popCleanups(size_t downTo) {
    while (cleanups.size() > downTo) {
        // The body of an `onfail` is checked even where no error leaves while it is pending: in a block nothing leads
        // to.
        if (llvm::isa<OnFailStmt>(cleanups.back().stmt)) {
            BlockId here = b.block();
            b.setBlock(b.newBlock(true));
            runCleanups(cleanups.size() - 1, true, b.constInt(errorSet, 0));
            if (!b.terminated()) b.unreachable();
            b.setBlock(here);
        }
        cleanups.pop_back();
    }
    // A shared error exit stays valid for the entries that are still there.
    while (!errorExits.empty() && errorExits.back().first > downTo) errorExits.pop_back();
}

void FunctionLowering::runCleanups(size_t downTo, bool errorExit, ValueId tag) {
    if (cleanups.size() <= downTo) return;
    // The body of a cleanup is lowered as if it stood alone: with what surrounded its registration, and with only
    // the older entries pending.
    std::vector<Cleanup> all = cleanups;
    auto exits = std::move(errorExits);
    errorExits.clear();
    Scope* savedScope = scope;
    ValueId savedContext = context;
    auto savedLoops = std::move(loops);
    auto savedNarrowed = narrowed;
    size_t assignedBefore = reassigned.size();
    auto savedHandlers = std::move(handlers);
    bool savedCleanup = inCleanup;
    Span savedSpan = b.span();
    loops.clear();
    handlers.clear();
    inCleanup = true;
    for (size_t i = all.size(); i > downTo && reachable(); --i) {
        const Cleanup& c = all[i - 1];
        cleanups.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i - 1));
        const auto* onfail = llvm::dyn_cast<OnFailStmt>(c.stmt);
        if (onfail && !errorExit) continue;
        narrowed = c.narrowed;
        context = c.context;
        scope = sema.newScope(c.scope, &file);
        scope->owner = this;
        scope->outerLimit = c.limit;
        const Expr* body = onfail ? onfail->body : static_cast<const DeferStmt*>(c.stmt)->body;
        currentOperation = body->span;
        b.setSpan(body->span);
        b.enterScope(c.blockScope);
        if (onfail && onfail->binding) {
            Symbol* e = newVariable(onfail->binding, errorSet, LocalKind::ErrorBinding);
            e->errors = errorNode;
            b.store(e->address, tag);
        }
        lowerDropped(body);
        b.popScope();
    }
    cleanups = std::move(all);
    errorExits = std::move(exits);
    scope = savedScope;
    context = savedContext;
    loops = std::move(savedLoops);
    narrowed = savedNarrowed;
    forgetReassigned(assignedBefore); // what the cleanups have assigned is not known behind them
    handlers = std::move(savedHandlers);
    inCleanup = savedCleanup;
    b.setSpan(savedSpan);
}

void FunctionLowering::emitErrorExit(ValueId tag) {
    if (!reachable()) return;
    if (cleanups.empty()) {
        emitErrorReturn(tag);
        return;
    }
    // All errors that leave from here run the same cleanups: one block for them, with the tag as its parameter.
    for (auto& [depth, block] : errorExits)
        if (depth == cleanups.size()) {
            b.br(block, tag);
            return;
        }
    BlockId exit = b.newBlock(true);
    ValueId param = b.blockParam(exit, errorSet);
    b.br(exit, tag);
    BlockId after = b.block();
    auto known = narrowed; // on the way that goes on, these cleanups have not run
    size_t assignedBefore = reassigned.size();
    b.setBlock(exit);
    runCleanups(0, true, param);
    if (reachable()) emitErrorReturn(param);
    b.setBlock(after);
    narrowed = known;
    reassigned.resize(assignedBefore);
    errorExits.push_back({cleanups.size(), exit});
}

// ------------------------------------------------------------------------------------ unmarked failables

std::string handledHere(bool isPure) {
    return isPure ? "handle the error here with `catch { … }`"
                  : "handle the error here with `catch { … }` or `or value`";
}

Value FunctionLowering::rejectUnmarked(const Value& v, Span at) {
    Diagnostic& d = diags.error(at, "this call can fail, and nothing handles its error");
    bool isPure = types.isErrorSet(v.type) || types.successType(v.type) == TypeId::Void;
    if (isFailable && !inCleanup)
        d.help(std::string("mark it with `try` to pass the error on, or handle it with `catch`") +
               (isPure ? "" : " or `or`"));
    else d.help(handledHere(isPure));
    return Value::error();
}

Value FunctionLowering::errorOperand(const Value& v) {
    ValueId tag = scalar(v);
    endFailure(*this, tag, nullptr, {});
    Value result = Value::scalar(v.type, tag);
    result.errors = v.errors;
    return result;
}

} // namespace sx::sema
