#include "lower/calls/ExternCalls.h"

#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "lower/body/Allocation.h"
#include "lower/body/Body.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "sema/Functions.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/Predicates.h"

namespace sx::lower {

namespace {

/// `(text: [*]u8) -> i64`: the bytes before the NUL. No call of C's strlen: the program may declare that its own way.
void buildTextLength(ir::Builder& b) {
    TypeId bytes = manyPointerTo(b.module().types, TypeId::U8);
    ValueId text = b.param(0), zero = constInt(b, TypeId::I64, 0);
    BlockId loop = b.newBlock(), next = b.newBlock(), done = b.newBlock();
    ValueId i = b.blockParam(loop, TypeId::I64);
    emitBr(b, loop, {zero});
    b.setBlock(loop);
    ValueId byte = emitLoad(b, TypeId::U8, emitIndex(b, text, i, 1, bytes));
    emitCondBr(b, emitICmp(b, ir::ICmpPred::Ne, byte, constInt(b, TypeId::U8, 0)), next, done);
    b.setBlock(next);
    emitBr(b, loop, {emitBinary(b, ir::Op::Add, i, constInt(b, TypeId::I64, 1))});
    b.setBlock(done);
    emitRet(b, i);
}

/// Passed by value; of texts and slices the pointer is.
bool isVariadicStruct(const TypeTable& types, TypeId t) {
    return !isScalar(types, t) &&
           isOneOf(types, t, TypeKind::Struct, TypeKind::Union, TypeKind::Array, TypeKind::Tuple);
}

/// Only the pointer of a text or slice is passed. That of an absent one is null: absent values are all zero.
ValueId operandForC(Body& f, const Value& v) {
    TypeId plain = f.types.kind(v.type) == TypeKind::Optional ? f.types.elem(v.type) : v.type;
    bool isSlice = f.types.kind(plain) == TypeKind::Slice;
    if (plain == TypeId::String || isSlice) {
        TypeId pointer = manyPointerTo(f.types, isSlice ? f.types.elem(plain) : TypeId::U8);
        return emitLoad(f.b, pointer, addressOf(f, v));
    }
    return isScalar(f.types, v.type) ? scalar(f, v) : addressOf(f, v);
}

class ExternCall {
public:
    ExternCall(Body& f, FunctionInstance& callee, Span at)
        : f_(f), b_(f.b), types_(f.types), callee_(callee), at_(at) {}

    Value run(llvm::ArrayRef<Value> args, ValueId dest) {
        ir::FuncId func = funcFor(f_.sema, callee_);
        size_t fixed = types_.functionInfo(callee_.type).params.size();
        llvm::SmallVector<ValueId, 8> operands;
        for (size_t i = 0; i < args.size(); ++i)
            operands.push_back(i < fixed ? operandForC(f_, args[i]) : promotedForC(f_, args[i]));
        b_.setSpan(at_);
        TypeId machine = machineTypeOf(func), listed = listedForC(f_, machine, args, operands);
        bool hasStructs = listed != machine;
        if (hasStructs) listed_ = listed;
        TypeId result = callee_.result;
        if (result == TypeId::NoReturn) {
            call(func, operands);
            emitUnreachable(b_);
            return Value::diverged();
        }
        if (result == TypeId::Void) {
            call(func, operands);
            return Value::none();
        }
        if (isText(result)) return textFrom(call(func, operands), result, dest);
        if (isScalar(types_, result)) return Value::scalar(result, call(func, operands));
        ValueId place = temp(f_, result, dest).id;
        if (hasStructs) emitCallIndirect(b_, address(func), listed_, operands, place);
        else emitCallInto(b_, func, place, operands);
        return Value::temporary(result, place);
    }

private:
    ValueId call(ir::FuncId func, llvm::ArrayRef<ValueId> operands) {
        return listed_ == TypeId::None ? emitCall(b_, func, operands)
                                       : emitCallIndirect(b_, address(func), listed_, operands);
    }
    ValueId address(ir::FuncId func) { return funcAddr(b_, func, pointerTo(types_, TypeId::Void)); }
    TypeId machineTypeOf(ir::FuncId func) {
        const ir::Function& fn = f_.module.fn(func);
        return functionTypeOf(types_, fn.params, fn.result, fn.conv, fn.cVariadic);
    }

    bool isText(TypeId t) const {
        return t == TypeId::String || (types_.kind(t) == TypeKind::Optional && types_.elem(t) == TypeId::String);
    }

    /// A `char*` as a text of its length; a null one is absent, or empty where it may not be absent.
    Value textFrom(ValueId pointer, TypeId type, ValueId dest) {
        TypeId bytes = manyPointerTo(types_, TypeId::U8);
        Value text = temp(f_, type, dest);
        emitZero(b_, text.id, type);
        ir::BlockId present = b_.newBlock(), join = b_.newBlock();
        emitCondBr(b_, emitICmp(b_, ir::ICmpPred::Ne, pointer, nullOf(b_, bytes)), present, join);
        b_.setBlock(present);
        ValueId length =
            emitCall(b_, helperFunction(f_.sema, "text_length", {bytes}, TypeId::I64, buildTextLength), {pointer});
        emitStore(b_, emitOffset(b_, text.id, 0, pointerTo(types_, bytes)), pointer);
        emitStore(b_, emitOffset(b_, text.id, 8, pointerTo(types_, TypeId::I64)), length);
        if (type != TypeId::String)
            emitStore(b_, emitOffset(b_, text.id, optionalFlagOffset(types_, type), pointerTo(types_, TypeId::Bool)),
                      constBool(b_, true));
        emitBr(b_, join);
        b_.setBlock(join);
        return text;
    }

    Body& f_;
    ir::Builder& b_;
    TypeTable& types_;
    FunctionInstance& callee_;
    Span at_;
    TypeId listed_ = TypeId::None; ///< the type to call through; None: the function's own
};

} // namespace

ValueId promotedForC(Body& f, const Value& v) {
    if (isVariadicStruct(f.types, v.type)) return addressOf(f, v);
    TypeId type = v.type;
    if (type == TypeId::F32) return emitCast(f.b, ir::Op::FloatResize, scalar(f, v), TypeId::F64);
    if (type == TypeId::Bool) return emitCast(f.b, ir::Op::ZExt, scalar(f, v), TypeId::I32);
    TypeId integer = isPlainEnum(f.types, type) ? f.types.enumInfo(type).backing : type;
    if (!isInteger(f.types, integer) || bitsOf(f.types, integer) == 32 || bitsOf(f.types, integer) == 64)
        return operandForC(f, v);
    ValueId id = scalar(f, v);
    if (integer != type) id = emitCast(f.b, ir::Op::Reinterpret, id, integer);
    TypeId wide = bitsOf(f.types, integer) < 32 ? TypeId::I32 : TypeId::I64;
    return emitCast(f.b, f.types.isSigned(integer) ? ir::Op::SExt : ir::Op::ZExt, id, wide);
}

/// Where a struct goes follows from its type, which only the type of the callee can say.
TypeId listedForC(Body& f, TypeId machine, llvm::ArrayRef<Value> args, llvm::ArrayRef<ValueId> operands) {
    const FunctionInfo info = f.types.functionInfo(machine);
    std::vector<TypeId> params = info.params;
    bool hasStructs = false;
    for (size_t i = params.size(); i < args.size(); ++i) {
        bool isStruct = isVariadicStruct(f.types, args[i].type);
        hasStructs |= isStruct;
        params.push_back(isStruct ? args[i].type : f.fn.instr(operands[i]).type);
    }
    return hasStructs ? functionTypeOf(f.types, params, info.result, info.conv, info.cVariadic) : machine;
}

Value emitExternCall(Body& f, FunctionInstance& callee, llvm::ArrayRef<Value> args, Span at, ValueId dest) {
    return ExternCall(f, callee, at).run(args, dest);
}

} // namespace sx::lower
