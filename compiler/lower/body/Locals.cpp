#include "lower/body/Locals.h"

#include <type_traits>

namespace sx::lower {

using namespace sx::sema;

Locals::~Locals() {
    static_assert(std::is_trivially_destructible_v<Symbol>);
    for (Scope* scope : scopes_) scope->~Scope();
}

Scope* Locals::newScope(Scope* parent, SourceFile* file) {
    scopes_.push_back(new (arena_.Allocate<Scope>()) Scope(parent, file));
    return scopes_.back();
}

Symbol* Locals::newSymbol(Name name, SymbolKind kind, Span span) {
    return new (arena_.Allocate<Symbol>()) Symbol(name, kind, span);
}

} // namespace sx::lower
