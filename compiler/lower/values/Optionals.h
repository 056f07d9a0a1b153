// Optionals: presence, payloads, `!`, `??`, `?.` and flow narrowing (types.md 11).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

Value lowerUnwrap(Body&, const ast::Unwrap&);
Value lowerCoalesce(Body&, const ast::Binary&, TypeId target, ValueId dest);
Value lowerOptionalChain(Body&, const ast::Member&);
/// Whether an optional has a payload, as an i1.
ValueId isPresent(Body&, const Value& optional);
/// The payload, a place or a temporary as the optional is. It is not checked to be there.
Value payloadOf(Body&, const Value& optional);
Value nullOptional(Body&, TypeId optional, ValueId dest = ValueId::None);
/// The payload of a narrowed name that ends a branch, where the target is no optional.
Value unwrapFor(Body&, const Value&, TypeId target);
/// Lowers `x?.…`: null stays null, of a payload `onPayload` is wrapped in an optional, unless it is one already.
Value mapPresent(Body&, const Value& optional, llvm::function_ref<Value(const Value&)> onPayload);

} // namespace sx::lower
