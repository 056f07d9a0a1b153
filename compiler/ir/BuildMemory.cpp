#include "ir/BuildMemory.h"

#include "ir/BuildConstants.h"
#include "ir/BuildValues.h"
#include "types/Layout.h"

namespace sx::ir {

ValueId emitLoad(Builder& b, TypeId type, ValueId ptr) { return b.emit(Op::Load, type, {ptr}); }
void emitStore(Builder& b, ValueId ptr, ValueId value) { b.emit(Op::Store, TypeId::Void, {ptr, value}); }

void emitCopy(Builder& b, ValueId dst, ValueId src, uint64_t bytes) {
    if (bytes != 0 && dst != src) b.emit(Op::Copy, TypeId::Void, {dst, src}, bytes);
}

void emitCopy(Builder& b, ValueId dst, ValueId src, TypeId type) {
    emitCopy(b, dst, src, sizeOf(b.module().types, type));
}

void emitCopyN(Builder& b, ValueId dst, ValueId src, ValueId byteCount) {
    b.emit(Op::CopyN, TypeId::Void, {dst, src, byteCount});
}

void emitZero(Builder& b, ValueId dst, TypeId type) { emitZeroBytes(b, dst, sizeOf(b.module().types, type)); }

void emitZeroBytes(Builder& b, ValueId dst, uint64_t bytes) {
    if (bytes != 0) b.emit(Op::Zero, TypeId::Void, {dst}, bytes);
}

ValueId emitOffset(Builder& b, ValueId ptr, uint64_t bytes, TypeId resultPointer) {
    if (bytes == 0) return emitCast(b, Op::Reinterpret, ptr, resultPointer);
    const Instr& base = b.function().instr(ptr);
    if (base.op == Op::Offset) { // field of a field
        ValueId inner = b.function().operandsOf(base)[0];
        return b.emit(Op::Offset, resultPointer, {inner}, base.imm + bytes);
    }
    return b.emit(Op::Offset, resultPointer, {ptr}, bytes);
}

ValueId emitIndex(Builder& b, ValueId ptr, ValueId i, uint64_t elemSize, TypeId resultPointer) {
    constexpr uint64_t LargestOffset = INT64_MAX;
    uint64_t bits = 0;
    if (b.isConst(i, bits) && (bits == 0 || elemSize == 0 || bits <= LargestOffset / elemSize))
        return emitOffset(b, ptr, bits * elemSize, resultPointer);
    return b.emit(Op::Index, resultPointer, {ptr, i}, elemSize);
}

ValueId emitMemEq(Builder& b, ValueId left, ValueId right, ValueId byteCount) {
    uint64_t bits = 1;
    if (b.isConst(byteCount, bits) && bits == 0) return constBool(b, true);
    return b.emit(Op::MemEq, TypeId::Bool, {left, right, byteCount});
}

void emitNullCheck(Builder& b, ValueId ptr, Span at) {
    Span before = b.span();
    b.setSpan(at);
    b.emit(Op::NullCheck, TypeId::Void, {ptr});
    b.setSpan(before);
}

} // namespace sx::ir
