#include "ir/BuildValues.h"

#include "ir/BuildConstants.h"
#include "ir/Folding.h"
#include "ir/Ops.h"

namespace sx::ir {

namespace {

bool isNarrowFloatToInt(Op op, unsigned bits) { return (op == Op::FloatToSInt || op == Op::FloatToUInt) && bits < 64; }
bool isWidthChange(Op op) { return op == Op::Trunc || op == Op::ZExt || op == Op::SExt || op == Op::FloatResize; }

unsigned widthOf(Builder& b, TypeId type) { return valueBits(b.module().types, type); }

} // namespace

ValueId emitBinary(Builder& b, Op op, ValueId left, ValueId right) {
    TypeId type = b.typeOf(left);
    uint64_t x = 0, y = 0;
    if (b.isConst(left, x) && b.isConst(right, y))
        if (auto folded = foldBinary(op, widthOf(b, type), x, y)) return b.emit(Op::Const, type, {}, *folded);
    return b.emit(op, type, {left, right});
}

ValueId emitUnary(Builder& b, Op op, ValueId operand) {
    TypeId type = b.typeOf(operand);
    uint64_t x = 0;
    if (b.isConst(operand, x))
        if (auto folded = foldUnary(op, widthOf(b, type), x)) return b.emit(Op::Const, type, {}, *folded);
    return b.emit(op, type, {operand});
}

ValueId emitICmp(Builder& b, ICmpPred pred, ValueId left, ValueId right) {
    uint64_t x = 0, y = 0;
    if (b.isConst(left, x) && b.isConst(right, y))
        return constBool(b, foldICmp(pred, widthOf(b, b.typeOf(left)), x, y));
    return b.emit(Op::ICmp, TypeId::Bool, {left, right}, 0, static_cast<uint8_t>(pred));
}

ValueId emitFCmp(Builder& b, FCmpPred pred, ValueId left, ValueId right) {
    uint64_t x = 0, y = 0;
    if (b.isConst(left, x) && b.isConst(right, y))
        return constBool(b, foldFCmp(pred, widthOf(b, b.typeOf(left)), x, y));
    return b.emit(Op::FCmp, TypeId::Bool, {left, right}, 0, static_cast<uint8_t>(pred));
}

ValueId emitSelect(Builder& b, ValueId cond, ValueId ifTrue, ValueId ifFalse) {
    uint64_t bits = 0;
    if (ifTrue == ifFalse) return ifTrue;
    if (b.isConst(cond, bits)) return bits != 0 ? ifTrue : ifFalse;
    return b.emit(Op::Select, b.typeOf(ifTrue), {cond, ifTrue, ifFalse});
}

ValueId emitNot(Builder& b, ValueId v) {
    uint64_t bits = 0;
    if (b.isConst(v, bits)) return constBool(b, bits == 0);
    return b.emit(Op::Xor, TypeId::Bool, {v, constBool(b, true)});
}

ValueId emitCast(Builder& b, Op op, ValueId v, TypeId to) {
    TypeId from = b.typeOf(v);
    unsigned fromBits = widthOf(b, from), toBits = widthOf(b, to);
    if (isWidthChange(op) && fromBits == toBits) op = Op::Reinterpret;
    if (op == Op::Reinterpret && from == to) return v;
    if (isNarrowFloatToInt(op, toBits)) {
        ValueId wide = emitCast(b, Op::FloatToSInt, v, TypeId::I64);
        return emitCast(b, Op::Trunc, wide, to);
    }
    uint64_t bits = 0;
    if (b.isConst(v, bits))
        if (auto folded = foldCast(op, fromBits, toBits, bits)) return b.emit(Op::Const, to, {}, *folded);
    return b.emit(op, to, {v});
}

} // namespace sx::ir
