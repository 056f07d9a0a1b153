// How the arguments of a call reach the parameters: by position, by name, spread, as a trailing block or by
// default (language 3.10 to 3.12, generics.md 8.1).
//
// A call without spreads is matched with the parameters first, so that a wrong count or name is one error and
// nothing is emitted. The arguments are then lowered in the order they are written, the defaults after them.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Converts one argument of a call (types.md 16.1 with the positions of arguments); `dest` as for `convert`.
/// `element`: a field or element of a literal instead, whose span is given.
Value convertArgument(Body&, const Value&, TypeId to, Span argument, ValueId dest = ValueId::None);
/// The same for the arguments that `inferInstance` lowered. `lowered` includes the receiver.
bool bindInferred(Body&, const ast::Call&, FunctionInstance&, bool hasReceiver, llvm::ArrayRef<Value> lowered,
                  llvm::ArrayRef<const ast::Arg*> written, bool spread, llvm::SmallVectorImpl<Value>& out);
/// A slice over `elements`, which have its element type, in storage of this frame.
Value sliceOfValues(Body&, TypeId slice, llvm::ArrayRef<Value> elements);

} // namespace sx::lower
