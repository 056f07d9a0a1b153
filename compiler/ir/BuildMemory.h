// What a Builder emits for memory. A `ptr` may be of any pointer type.
#pragma once

#include "ir/Builder.h"

namespace sx::ir {

ValueId emitLoad(Builder&, TypeId, ValueId ptr);
void emitStore(Builder&, ValueId ptr, ValueId value);
void emitCopy(Builder&, ValueId dst, ValueId src, uint64_t bytes); ///< nothing for 0 bytes
void emitCopy(Builder&, ValueId dst, ValueId src, TypeId);
void emitCopyN(Builder&, ValueId dst, ValueId src, ValueId byteCount);
void emitZero(Builder&, ValueId dst, TypeId);
void emitZeroBytes(Builder&, ValueId dst, uint64_t bytes);
ValueId emitOffset(Builder&, ValueId ptr, uint64_t bytes, TypeId resultPointer); ///< `ptr` itself retyped for 0
ValueId emitIndex(Builder&, ValueId ptr, ValueId i, uint64_t elemSize, TypeId resultPointer);
ValueId emitMemEq(Builder&, ValueId left, ValueId right, ValueId byteCount);
void emitNullCheck(Builder&, ValueId ptr, Span at);

} // namespace sx::ir
