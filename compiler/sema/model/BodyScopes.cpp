#include "sema/model/BodyScopes.h"

namespace sx::sema {

const BodyScope* BodyScopes::innermost(SourcePos pos, llvm::function_ref<bool(const BodyScope&)> counts) const {
    const BodyScope* found = nullptr;
    for (const BodyScope& s : all_) {
        bool inside = s.span.begin <= pos && pos <= s.span.end;
        if (!inside || !counts(s)) continue;
        // Scopes are opened from the outside inwards, so a later one of the same size is an inner one.
        bool isSmaller = !found || s.span.end.raw - s.span.begin.raw <= found->span.end.raw - found->span.begin.raw;
        if (isSmaller) found = &s;
    }
    return found;
}

const BodyScope* BodyScopes::at(SourcePos pos, const FunctionInstance* instance) const {
    return innermost(pos, [&](const BodyScope& s) { return !instance || !s.instance || s.instance == instance; });
}

const BodyScope* BodyScopes::in(const ir::Function& code, SourcePos pos) const {
    return innermost(pos, [&](const BodyScope& s) { return s.code == &code; });
}

} // namespace sx::sema
