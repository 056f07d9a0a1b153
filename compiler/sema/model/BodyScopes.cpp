#include "sema/model/BodyScopes.h"

namespace sx::sema {

const BodyScope* BodyScopes::at(SourcePos pos, const FunctionInstance* instance) const {
    const BodyScope* found = nullptr;
    for (const BodyScope& s : all_) {
        bool inside = s.span.begin <= pos && pos <= s.span.end;
        if (!inside || (instance && s.instance && s.instance != instance)) continue;
        // Scopes are opened from the outside inwards, so a later one of the same size is an inner one.
        bool isSmaller = !found || s.span.end.raw - s.span.begin.raw <= found->span.end.raw - found->span.begin.raw;
        if (isSmaller) found = &s;
    }
    return found;
}

} // namespace sx::sema
