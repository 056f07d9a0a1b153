// defer and onfail, and error exits (errors.md 9).
#include "lower/body/Cleanup.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "lower/body/Body.h"
#include "lower/body/ErrorVariables.h"
#include "lower/body/Explain.h"
#include "lower/body/LocalUse.h"
#include "lower/body/Narrowing.h"
#include "lower/body/Recursion.h"
#include "lower/body/Results.h"
#include "lower/body/Scopes.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "sema/Lookup.h"
#include "sema/Wording.h"
#include "syntax/Walk.h"
#include "types/Failable.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

bool mustAbsorb(const Body& f) {
    if (!f.modes.inCleanup) return false;
    const Body* named = &f;
    while (named->isLambda && named->parent) named = named->parent;
    if (!named->instance) return true;
    const FunctionTemplate& declared = *named->instance->tmpl;
    return declared.file->isEntry && !declared.isNested && !declared.isImplMethod && declared.ownerType == TypeId::None;
}

void registerCleanup(Body& f, const Stmt& s) {
    if (llvm::isa<OnFailStmt>(s) && !f.result.isFailable) {
        f.diags.error(s.span, "`onfail` needs a failable function: no error can leave " + functionTitle(f))
            .help("use `defer` for a cleanup on every way out");
        return;
    }
    Cleanup c{&s, f.scope, f.sema.scopeCounter, f.context, f.b.scope(), {}};
    for (Symbol* known : f.narrowing.present)
        if (!isAssignedAfter(f, known, s.span)) c.narrowed.insert(known);
    f.cleanups.stack.push_back(std::move(c));
    noteMentioned(f, llvm::isa<OnFailStmt>(s) ? static_cast<const OnFailStmt&>(s).body
                                              : static_cast<const DeferStmt&>(s).body);
}

bool isAssignedAfter(Body& f, const Symbol* s, Span at) {
    if (!f.tree || at.begin < f.tree->span.begin || at.begin >= f.tree->span.end)
        return true; // in inserted text: it may
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
    walker.walk(f.tree);
    return found;
}

void popCleanups(Body& f, size_t downTo) {
    while (f.cleanups.stack.size() > downTo) {
        // The body of an `onfail` is checked even where no error leaves while it is pending: in a block nothing leads
        // to.
        if (llvm::isa<OnFailStmt>(f.cleanups.stack.back().stmt)) {
            BlockId here = f.b.block();
            f.b.setBlock(f.b.newBlock(true));
            runCleanups(f, f.cleanups.stack.size() - 1, true, constInt(f.b, f.result.errorSet, 0));
            if (!f.b.terminated()) emitUnreachable(f.b);
            f.b.setBlock(here);
        }
        f.cleanups.stack.pop_back();
    }
    // A shared error exit stays valid for the entries that are still there.
    while (!f.cleanups.errorExits.empty() && f.cleanups.errorExits.back().first > downTo)
        f.cleanups.errorExits.pop_back();
}

void runCleanups(Body& f, size_t downTo, bool errorExit, ValueId tag) {
    if (f.cleanups.stack.size() <= downTo) return;
    // The body of a cleanup is lowered as if it stood alone: with what surrounded its registration, and with only
    // the older entries pending.
    std::vector<Cleanup> all = f.cleanups.stack;
    auto exits = std::move(f.cleanups.errorExits);
    f.cleanups.errorExits.clear();
    Scope* savedScope = f.scope;
    ValueId savedContext = f.context;
    auto savedLoops = std::move(f.loops);
    auto savedNarrowed = f.narrowing.present;
    size_t assignedBefore = f.narrowing.reassigned.size();
    auto savedHandlers = std::move(f.handlers);
    bool savedCleanup = f.modes.inCleanup;
    Span savedSpan = f.b.span();
    f.loops.clear();
    f.handlers.clear();
    f.modes.inCleanup = true;
    for (size_t i = all.size(); i > downTo && f.reachable(); --i) {
        const Cleanup& c = all[i - 1];
        f.cleanups.stack.resize(i - 1);
        const auto* onfail = llvm::dyn_cast<OnFailStmt>(c.stmt);
        if (onfail && !errorExit) continue;
        f.narrowing.present = c.narrowed;
        f.context = c.context;
        f.scope = newLocalScope(f, c.scope, &f.file);
        f.scope->owner = &f;
        f.scope->outerLimit = c.limit;
        const Expr* body = onfail ? onfail->body : static_cast<const DeferStmt*>(c.stmt)->body;
        f.modes.operation = body->span;
        f.b.setSpan(body->span);
        f.b.keepStatement(); // of what leaves
        f.b.enterScope(c.blockScope);
        f.b.pushScope(body->span);
        f.b.needEntry(); // its end is that of the way out that it is a part of
        if (!llvm::isa<BlockExpr>(body)) f.b.beginStatement(body->span.begin); // else those in it begin
        if (onfail && onfail->binding) {
            Symbol* e = newVariable(f, onfail->binding, f.result.errorSet, LocalKind::ErrorBinding);
            e->errors = f.result.errors;
            emitStore(f.b, e->address, tag);
            f.b.needEntry();
        }
        lowerDropped(f, body);
        f.b.endStatement();
        f.b.popScope();
        f.b.popScope();
    }
    f.cleanups.stack = std::move(all);
    f.cleanups.errorExits = std::move(exits);
    f.scope = savedScope;
    f.context = savedContext;
    f.loops = std::move(savedLoops);
    f.narrowing.present = savedNarrowed;
    forgetReassigned(f, assignedBefore); // what the cleanups have assigned is not known after them
    f.handlers = std::move(savedHandlers);
    f.modes.inCleanup = savedCleanup;
    f.b.setSpan(savedSpan);
}

void emitErrorExit(Body& f, ValueId tag) {
    if (!f.reachable()) return;
    if (f.cleanups.stack.empty()) {
        emitErrorReturn(f, tag);
        return;
    }
    // All errors that leave from here run the same cleanups: one block for them, with the tag as its parameter.
    for (auto& [depth, block] : f.cleanups.errorExits)
        if (depth == f.cleanups.stack.size()) {
            emitBr(f.b, block, tag);
            return;
        }
    BlockId exit = f.b.newBlock(true);
    ValueId param = f.b.blockParam(exit, f.result.errorSet);
    emitBr(f.b, exit, tag);
    BlockId after = f.b.block();
    auto known = f.narrowing.present; // on the way that goes on, these cleanups have not run
    size_t assignedBefore = f.narrowing.reassigned.size();
    f.b.setBlock(exit);
    runCleanups(f, 0, true, param);
    if (f.reachable()) emitErrorReturn(f, param);
    f.b.setBlock(after);
    f.narrowing.present = known;
    f.narrowing.reassigned.resize(assignedBefore);
    f.cleanups.errorExits.push_back({f.cleanups.stack.size(), exit});
}

// ------------------------------------------------------------------------------------ unmarked failables

Value rejectUnmarked(Body& f, const Value& v, Span at) {
    Diagnostic& d = f.diags.error(at, "this call can fail, and nothing handles its error");
    bool isPure = isErrorSet(f.types, v.type) || successType(f.types, v.type) == TypeId::Void;
    if (f.result.isFailable && !f.modes.inCleanup)
        d.help(std::string("mark it with `try` to pass the error on, or handle it with `catch`") +
               (isPure ? "" : " or `or`"));
    else d.help(handledHere(isPure));
    return Value::error();
}

Value errorOperand(Body& f, const Value& v) {
    ValueId tag = scalar(f, v);
    endFailure(f, tag, nullptr, {});
    Value result = Value::scalar(v.type, tag);
    result.errors = v.errors;
    return result;
}

} // namespace sx::lower
