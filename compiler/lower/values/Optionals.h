// Optionals: presence, payloads, `!`, `??`, `?.` and flow narrowing (types.md 11).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

Value lowerUnwrap(Body&, const ast::Unwrap&);
Value lowerCoalesce(Body&, const ast::Binary&, TypeId target, ValueId dest);
Value lowerOptionalChain(Body&, const ast::Member&);
/// I1.
ValueId isPresent(Body&, const Value& optional);
/// Place/temporary of the payload, unchecked.
Value payloadOf(Body&, const Value& optional);
Value nullOptional(Body&, TypeId optional, ValueId dest = ValueId::None);
/// The payload of a narrowed name that ends a branch, where the target is no optional.
Value unwrapFor(Body&, const Value&, TypeId target);
/// `x?.…`: null stays null, else `onPayload` of the payload, wrapped (an optional result is not doubled).
Value mapPresent(Body&, const Value& optional, llvm::function_ref<Value(const Value&)> onPayload);

} // namespace sx::lower
