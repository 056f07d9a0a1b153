// Lexical scopes of a body, and the variables that are declared in them.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// A scope and a symbol that live at least as long as the function is lowered.
Scope* newLocalScope(Body&, Scope* parent, SourceFile*);
Symbol* newLocal(Body&, Name, SymbolKind, Span);
/// Declares a local with that storage in the innermost scope.
Symbol* declareLocal(Body&, const ast::Ident&, TypeId, LocalKind, ValueId address);
/// Declares a local with a new slot in the innermost scope.
Symbol* newVariable(Body&, const ast::Ident&, TypeId, LocalKind = LocalKind::Variable);
/// Notes for later questions that the innermost scope of the body holds over `span`.
void recordScope(Body&, Span);
/// Opens a scope for the code in the span. Returns the scope around it, for `popScope`.
Scope* pushScope(Body&, Span);
void popScope(Body&, Scope* saved);

/// A lexical scope with its names, cleanups, narrowings and debug scope. `close` (or the destructor) runs the cleanups
/// registered in it if its end is reached, and forgets them. Narrowings found inside end with it; those ended inside
/// stay ended.
struct ScopeGuard {
    ScopeGuard(Body&, Span);
    ~ScopeGuard() { close(); }
    ScopeGuard(const ScopeGuard&) = delete;
    void close();

private:
    Body& f_;
    Scope* saved_;
    size_t cleanupDepth_;
    llvm::SmallPtrSet<Symbol*, 4> narrowed_;
    bool open_ = true;
};

} // namespace sx::lower
