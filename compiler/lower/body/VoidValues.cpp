#include "lower/body/VoidValues.h"

#include "lower/body/Body.h"
#include "sema/Nominal.h"

#include "llvm/ADT/STLExtras.h"

namespace sx::lower {

static bool bindsVoid(const sema::Bindings& bindings) {
    return llvm::any_of(bindings,
                        [](const auto& b) { return b.kind == sema::Binding::Kind::Type && b.type == TypeId::Void; });
}

bool takesVoid(const Body& f) {
    const Body* body = &f;
    while (!body->instance && body->parent) body = body->parent;
    if (!body->instance) return false;
    if (bindsVoid(body->instance->bindings)) return true;
    const sema::NominalInfo* owner = sema::nominal(f.sema, body->instance->tmpl->ownerType);
    return owner && bindsVoid(owner->bindings);
}

} // namespace sx::lower
