#include "lower/body/Narrowing.h"

#include "lower/body/Body.h"
#include "lower/body/Traces.h"
#include "sema/Lookup.h"
#include "syntax/Walk.h"

namespace sx::lower {

using namespace ast;

/// What stands for a local of the functions around in the lambda `f`: its private copy, if it has one yet.
static Symbol* ownCopy(const Body& f, Symbol* s) {
    if (s->owner == &f || !f.parent) return s;
    Symbol* source = s->owner == f.parent ? s : ownCopy(*f.parent, s);
    for (const Capture& c : f.captures.list)
        if (c.outer == source) return c.inner;
    return s;
}

Symbol* localTarget(Body& f, const Expr* target) {
    const auto* n = llvm::dyn_cast<NameRef>(withoutParens(target));
    Symbol* s = n ? lookup(f.sema, n->id.name, f.scope, f.scopeLimit, &f.currentFile()).symbol : nullptr;
    return s && s->kind == SymbolKind::Local ? ownCopy(f, s) : nullptr;
}

void endNarrowing(Body& f, const Expr* target) {
    Symbol* s = localTarget(f, target);
    if (!s || f.types.kind(s->type) != TypeKind::Optional) return;
    f.narrowing.present.erase(s);
    f.narrowing.reassigned.push_back(s);
}

void forgetReassigned(Body& f, size_t from) {
    for (size_t i = from; i < f.narrowing.reassigned.size(); ++i) f.narrowing.present.erase(f.narrowing.reassigned[i]);
}

bool isNarrowed(Body& f, const Expr* target) {
    Symbol* s = localTarget(f, target);
    return s && f.narrowing.present.count(s);
}

void narrow(Body& f, const Facts& facts, bool ifTrue) {
    const auto& proven = ifTrue ? facts.presentIfTrue : facts.presentIfFalse;
    f.narrowing.present.insert(proven.begin(), proven.end());
}

/// A name that the loop assigns is not known to be present when a later round begins. Text that it inserts may assign
/// any.
void forgetAssigned(Body& f, const Expr* repeated) {
    if (f.narrowing.present.empty()) return;
    auto onStmt = [&](const Stmt* s) {
        if (const auto* a = llvm::dyn_cast<Assign>(s)) endNarrowing(f, a->target);
        if (const auto* m = llvm::dyn_cast<MultiAssign>(s))
            for (const Expr* t : m->targets) endNarrowing(f, t);
        if (llvm::isa<InsertStmt>(s)) f.narrowing.present.clear();
        return true;
    };
    auto onExpr = [](const Expr*) { return true; };
    Walker walker{onExpr, onStmt};
    walker.walk(repeated);
}

} // namespace sx::lower
