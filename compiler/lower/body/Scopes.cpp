#include "lower/body/Scopes.h"

#include "ir/BuildConstants.h"
#include "lower/body/Body.h"
#include "lower/body/Cleanup.h"
#include "lower/body/Traces.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"

namespace sx::lower {

using namespace ast;

Scope* newLocalScope(Body& f, Scope* parent, SourceFile* file) {
    return f.locals ? f.locals->newScope(parent, file) : newScope(f.sema, parent, file);
}

Symbol* newLocal(Body& f, Name name, SymbolKind kind, Span span) {
    return f.locals ? f.locals->newSymbol(name, kind, span) : newSymbol(f.sema, name, kind, span);
}

Symbol* declareLocal(Body& f, const Ident& id, TypeId type, LocalKind kind, ValueId address) {
    Symbol* s = newLocal(f, id.name, SymbolKind::Local, id.span);
    s->type = type;
    s->localKind = kind;
    s->owner = &f;
    s->address = address;
    if (address != ValueId::None)
        if (const ir::Instr& storage = f.b.function().instr(address); storage.op == ir::Op::SlotAddr)
            s->slot = static_cast<ir::SlotId>(storage.imm);
    s->file = &f.currentFile();
    s->scope = f.scope;
    s->visibleFrom = id.span.end;
    if (id && f.sema.names.text(id.name) != "_") {
        declare(f.sema, *f.scope, id.name, s);
        if (kind == LocalKind::Parameter) f.b.declareEverywhere(address, id.name, id.span);
        else f.b.declareVariable(address, id.name, id.span);
    }
    return s;
}

Symbol* newVariable(Body& f, const Ident& id, TypeId type, LocalKind kind) {
    bool usable = type != TypeId::None && (f.types.isComplete(type) || completeDeep(f.sema, type, id.span));
    ValueId address = usable ? slotAddr(f.b, f.b.newSlot(type, id.name, id.span)) : slotAddr(f.b, f.b.newRawSlot(8, 8));
    Symbol* s = declareLocal(f, id, type, kind, address);
    if (!usable) s->kind = SymbolKind::Error; // reported: uses are silent
    return s;
}

void recordScope(Body& f, Span span) {
    if (!f.sema.options.keepScopes || f.sema.journal || f.isComptimeScratch) return;
    BodyScope opened{span, f.b.scope(), f.scope, f.instance, &f.fn, {}};
    opened.narrowed.assign(f.narrowing.present.begin(), f.narrowing.present.end());
    f.sema.bodyScopes.open(std::move(opened));
}

Scope* pushScope(Body& f, Span span) {
    Scope* outer = f.scope;
    f.scope = newLocalScope(f, f.scope, &f.currentFile());
    f.scope->owner = &f;
    f.b.pushScope(span);
    recordScope(f, span);
    return outer;
}

void popScope(Body& f, Scope* outer) {
    f.b.popScope();
    f.scope = outer;
}

ScopeGuard::ScopeGuard(Body& f, Span span)
    : f_(f), saved_(pushScope(f, span)), cleanupDepth_(f.cleanups.stack.size()), narrowed_(f.narrowing.present) {}

void ScopeGuard::close() {
    if (!open_) return;
    open_ = false;
    if (f_.reachable()) runCleanups(f_, cleanupDepth_, false);
    popCleanups(f_, cleanupDepth_);
    popScope(f_, saved_);
    llvm::SmallPtrSet<Symbol*, 4> still;
    for (Symbol* s : narrowed_)
        if (f_.narrowing.present.count(s)) still.insert(s);
    f_.narrowing.present = still;
}

} // namespace sx::lower
