#include "lower/values/Elementwise.h"

#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Storage.h"
#include "lower/values/Conversions.h"
#include "lower/values/Operators.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/Parts.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

void forEachLane(Body& f, uint64_t lanes, llvm::function_ref<void(ValueId)> body) {
    constexpr uint64_t Unrolled = 16;
    if (lanes <= Unrolled) {
        for (uint64_t i = 0; i < lanes; ++i) body(i64(f, static_cast<int64_t>(i)));
        return;
    }
    BlockId loop = f.b.newBlock(), after = f.b.newBlock();
    ValueId lane = f.b.blockParam(loop, TypeId::I64);
    emitBr(f.b, loop, {i64(f, 0)});
    f.b.setBlock(loop);
    body(lane);
    ValueId next = emitBinary(f.b, ir::Op::Add, lane, i64(f, 1));
    ValueId more = emitICmp(f.b, ir::ICmpPred::ULt, next, i64(f, static_cast<int64_t>(lanes)));
    emitCondBr(f.b, more, loop, {next}, after, {});
    f.b.setBlock(after);
}

Value vectorArithmetic(Body& f, BinaryOp op, const Value& lhs, const Value& rhs, Span at) {
    TypeTable& types = f.types;
    bool leftIsVector = types.kind(lhs.type) == TypeKind::Vector,
         rightIsVector = types.kind(rhs.type) == TypeKind::Vector;
    TypeId le = leftIsVector ? types.elem(lhs.type) : lhs.type, re = rightIsVector ? types.elem(rhs.type) : rhs.type;
    uint64_t lanes = types.count(leftIsVector ? lhs.type : rhs.type);
    // Lanes follow the rule of scalars: the left type, except that an integer meets a float. A broadcast scalar adapts.
    TypeId lane = leftIsVector ? le : re;
    if (leftIsVector && rightIsVector && isInteger(types, le) && isFloat(types, re)) lane = re;
    auto operand = [&](const Value& v, bool isVector, TypeId elem) {
        if (!isVector) return castScalar(f, scalar(f, v), elem, lane);
        return addressOf(f, v);
    };
    ValueId l = operand(lhs, leftIsVector, le), r = operand(rhs, rightIsVector, re);
    Value result = temp(f, vectorOf(types, lanes, lane));
    auto at_ = [&](ValueId base, ValueId index, TypeId elem) {
        return emitIndex(f.b, base, index, sizeOf(types, elem), pointerTo(types, elem));
    };
    forEachLane(f, lanes, [&](ValueId index) {
        auto value = [&](ValueId base, bool isVector, TypeId elem) {
            return isVector ? castScalar(f, emitLoad(f.b, elem, at_(base, index, elem)), elem, lane) : base;
        };
        ValueId x = value(l, leftIsVector, le), y = value(r, rightIsVector, re);
        emitStore(f.b, at_(result.id, index, lane), emitArithmetic(f, op, lane, x, y, at));
    });
    return result;
}

namespace {

Value concatenate(Body& f, llvm::ArrayRef<const Value*> sources) {
    TypeTable& types = f.types;
    std::vector<TupleField> fields;
    bool labelled = true;
    for (const Value* v : sources)
        for (const Part& part : partsOf(types, v->type)) {
            Name label = types.kind(v->type) == TypeKind::Tuple ? part.name : Name::None;
            for (const TupleField& other : fields) labelled &= label != other.name;
            fields.push_back({label, part.type});
        }
    if (!labelled) // a label that two parts share names neither
        for (TupleField& field : fields) field.name = Name::None;
    TypeId type = types.tupleOf(fields);
    Value result = temp(f, type);
    unsigned index = 0;
    for (const Value* v : sources) {
        ValueId base = addressOf(f, *v);
        for (const Part& part : partsOf(types, v->type)) {
            Value source = fieldOf(f, Value::temporary(v->type, base), part.offset, part.type);
            store(f, emitOffset(f.b, result.id, fieldOffset(types, type, index++), pointerTo(types, part.type)),
                  source);
        }
    }
    return result;
}

} // namespace

bool tupleArithmetic(Body& f, BinaryOp op, const Value& lhs, const Value& rhs, Value& out) {
    if (!isTupleLike(f.types, lhs.type)) return false;
    if (op == BinaryOp::Add && isTupleLike(f.types, rhs.type)) {
        out = concatenate(f, {&lhs, &rhs});
        return true;
    }
    constexpr __int128 Most = 4096;
    if (op != BinaryOp::Mul || !rhs.isConst() || !rhs.constant.isInt() || rhs.constant.i < 0 || rhs.constant.i > Most)
        return false;
    Value source = lhs;
    source.id = addressOf(f, lhs);
    source.kind = Value::Kind::Memory;
    source.constant = {};
    std::vector<const Value*> copies(static_cast<size_t>(rhs.constant.i), &source);
    out = concatenate(f, copies);
    return true;
}

} // namespace sx::lower
