#include "sema/model/BodyScopes.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace sx::sema {

static uint32_t sizeOf(const BodyScope& s) { return s.span.end.raw - s.span.begin.raw; }

static bool isAround(const BodyScope& s, SourcePos pos) { return s.span.begin <= pos && pos <= s.span.end; }

const BodyScope* BodyScopes::at(SourcePos pos, const FunctionInstance* instance) const {
    const BodyScope* found = nullptr;
    for (const BodyScope& s : all_) {
        if (!isAround(s, pos) || (instance && s.instance && s.instance != instance)) continue;
        // Scopes are opened from the outside inwards, so a later one of the same size is an inner one.
        if (!found || sizeOf(s) <= sizeOf(*found)) found = &s;
    }
    return found;
}

namespace {

/// The scopes of a function around one of them, and how much of them another one shares.
class Nesting {
public:
    explicit Nesting(const CodePlace& place) : scopes_(place.code.scopes) {
        for (ir::ScopeId s = place.scope; s != 0 && s < scopes_.size(); s = scopes_[s].parent) around_.insert(s);
    }
    unsigned shared(ir::ScopeId scope) const {
        unsigned depth = 0;
        for (ir::ScopeId s = scope; s != 0 && s < scopes_.size(); s = scopes_[s].parent)
            depth += around_.contains(s) ? 1 : 0;
        return depth;
    }

private:
    llvm::ArrayRef<ir::Scope> scopes_;
    llvm::DenseSet<ir::ScopeId> around_;
};

} // namespace

const BodyScope* BodyScopes::in(const CodePlace& place) const {
    Nesting nesting(place);
    const BodyScope* found = nullptr;
    unsigned shared = 0;
    for (const BodyScope& s : all_) {
        if (s.code != &place.code || !isAround(s, place.at)) continue;
        if (found && sizeOf(s) > sizeOf(*found)) continue;
        unsigned depth = nesting.shared(s.opened);
        // Copies of one block have one size: of them the one counts that the place is in, and its innermost scope.
        if (found && sizeOf(s) == sizeOf(*found) && depth < shared) continue;
        found = &s;
        shared = depth;
    }
    return found;
}

bool BodyScopes::any(const ir::Function& code, llvm::function_ref<bool(const BodyScope&)> is) const {
    return llvm::any_of(all_, [&](const BodyScope& s) { return s.code == &code && is(s); });
}

ir::ScopeId BodyScopes::openedFor(const ir::Function& code, const Scope* scope) const {
    auto found = llvm::find_if(all_, [&](const BodyScope& s) { return s.code == &code && s.scope == scope; });
    return found == all_.end() ? 0 : found->opened;
}

} // namespace sx::sema
