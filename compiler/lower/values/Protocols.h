// Protocol values in use: dispatch and the recovery of what they hold (generics.md 4.2, 4.5, 4.7, 4.11).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// A method of a protocol value, fetched before the arguments are evaluated.
struct ProtocolSlot {
    ValueId ctx = ValueId::None, code = ValueId::None;
};

Value dispatch(Body&, const BoundMethod&, const ast::Call&, TypeId target, ValueId dest);
Value castProtocol(Body&, const Value&, TypeId to, Span at, bool isAutoCast, bool consumed);
ProtocolSlot loadSlot(Body&, TypeId protocol, uint32_t method, ValueId protocolValue, Span at);
Value callSlot(Body&, const ProtocolSlot&, TypeId protocol, uint32_t method, llvm::ArrayRef<Value> args, ValueId dest);
/// Address of the words of a protocol value of type `P`, `*P`, `?P` or `?*P`; `protocol` becomes P. None: no such
/// value.
ValueId protocolWords(Body&, const Value&, TypeId& protocol);
/// The protocol P of a type `P`, `*P`, `?P` or `?*P`; None: it is no type of protocol values.
TypeId protocolWithin(const TypeTable&, TypeId);

} // namespace sx::lower
