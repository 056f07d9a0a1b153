// What other parts need of impl blocks.
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

/// Templates for the methods that the impl block writes.
void declareImplMethods(Sema&, ImplInfo&);

/// Makes the impls that a generic struct's `impl P for Head($T)` blocks mean for one instance.
void instantiateImpls(Sema&, NominalInfo& instance);

/// The same for the impls that patterns such as `Closure(..$args) -> $R` mean for one closure type.
void instantiatePatterns(Sema&, TypeId closure);

/// The copy of a protocol's default method for one concrete type.
FunctionTemplate* defaultMethod(Sema&, TypeId protocol, unsigned method, TypeId concrete);

/// What stands behind a protocol's method for a concrete type that has an impl: the impl's own method, one that it
/// adopts, or the default. Null: none, or there is no impl.
FunctionTemplate* implTemplate(Sema&, TypeId protocol, unsigned method, TypeId concrete);

/// `Self` = concrete and the protocol's arguments: where the protocol's signatures resolve for one type.
Scope* protocolScope(Sema&, TypeId protocol, TypeId concrete);

} // namespace sx::sema
