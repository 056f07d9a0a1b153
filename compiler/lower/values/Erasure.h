// Making protocol values: owning copies, borrows and views (generics.md 4.4, 4.8, 4.9).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Where the first method stands in a protocol value, in bytes: after the pointer to the data and the type.
constexpr uint64_t FirstSlot = 16;

Value erase(Body&, const Value&, TypeId protocol, Span at, bool isExplicit, const Value* allocator = nullptr,
            ValueId dest = ValueId::None);
Value eraseView(Body&, const Value&, TypeId pointerToProtocol, Span at);

} // namespace sx::lower
