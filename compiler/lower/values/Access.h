// Member access: fields, lanes, slots, `.len`, payloads, properties, and what a type or a module gives by name
// (types.md 3.5, 7.5, 8.1, 12; modules-and-comptime 2.2).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

Value lowerMember(Body&, const ast::Member&, TypeId target);
/// The field, lane, tuple slot, length, property or static member of that name.
Value memberOf(Body&, const Value& base, const ast::Member&);
/// Reads a property of a value through its `#get` function.
Value callGetter(Body&, FunctionTemplate& getter, const Value& receiver, Span at);

} // namespace sx::lower
