// The rules for single instructions: what is valid passes, and each violation is found.
#include "Verifying.h"

#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "ir/Ops.h"
#include "types/Derived.h"

using namespace sx;
using namespace sx::ir;

namespace {

/// Emits one instruction into a valid function and asks for the complaint about it.
struct Emitting : Verifying {
    void bad(Op op, TypeId type, std::initializer_list<ValueId> operands, const std::string& expected, uint64_t imm = 0,
             uint8_t pred = 0) {
        INFO(opName(op));
        b.emit(op, type, std::vector<ValueId>(operands), imm, pred);
        BlockId block = b.block();
        emitRet(b);
        complains(expected);
        at(fn, block).instrs.pop_back(); // the terminator
        at(fn, block).instrs.pop_back();
        isValidWithRet();
    }
    void isValidWithRet() {
        BlockId block = b.block();
        emitRet(b);
        isValid();
        at(fn, block).instrs.pop_back();
    }
};

} // namespace

TEST_CASE_METHOD(Emitting, "every form that the language uses is valid") {
    TypeId dir = plainEnum(), fault = types.newErrorSet("Fault", {}), handler = functionTypeOf(types, {}, TypeId::Void);
    ValueId size = constInt(b, TypeId::USize, 1), direction = constInt(b, dir, 0), error = constInt(b, fault, 0);
    emitBinary(b, Op::Add, n, size); // integers of one width stand for each other
    emitBinary(b, Op::Or, direction, direction);
    emitBinary(b, Op::And, flag, flag);
    b.emit(Op::ICmp, TypeId::Bool, {n, direction});
    b.emit(Op::ICmp, TypeId::Bool, {flag, flag});
    b.emit(Op::ICmp, TypeId::Bool, {error, constInt(b, TypeId::U32, 0)});
    b.emit(Op::ICmp, TypeId::Bool, {text, nullOf(b, TypeId::CString)});
    b.emit(Op::ICmp, TypeId::Bool, {typeHandle(b, TypeId::I64), nullOf(b, TypeId::Type)});
    b.emit(Op::ICmp, TypeId::Bool, {nullOf(b, handler), nullOf(b, TypeId::Null)});
    b.emit(Op::Select, pointer(), {flag, text, nullOf(b, optionalOf(types, pointer()))});
    b.emit(Op::Select, TypeId::Bool, {flag, flag, flag});
    emitStore(b, text, nullOf(b, handler));
    emitLoad(b, optionalOf(types, pointer()), text);
    emitCast(b, Op::Reinterpret, n, dir);
    emitCast(b, Op::Reinterpret, n, TypeId::F64);
    emitCast(b, Op::Reinterpret, error, TypeId::U32);
    emitCast(b, Op::Reinterpret, text, handler);
    emitCast(b, Op::Reinterpret, flag, integerType(1, false));
    emitCast(b, Op::ZExt, flag, TypeId::I64);
    emitCast(b, Op::Trunc, n, integerType(7, true));
    emitCast(b, Op::IntToBool, n, TypeId::Bool);
    emitCast(b, Op::SIntToFloat, n, TypeId::F32);
    emitCast(b, Op::FloatResize, d, TypeId::F32);
    emitCast(b, Op::FloatToSInt, d, TypeId::I16);
    emitCast(b, Op::IntToPtr, emitCast(b, Op::PtrToInt, text, TypeId::U64), pointer());
    emitUnary(b, Op::FSin, d);
    emitCopyN(b, text, text, n);
    emitMemEq(b, text, text, n);
    emitIndex(b, text, n, 8, pointer());
    undefOf(b, TypeId::F32);
    b.emit(Op::AtomicLoad, TypeId::I64, {text}, 0, 4);
    b.emit(Op::AtomicStore, TypeId::Void, {text, n}, 0, 4);
    b.emit(Op::AtomicRmw, TypeId::I64, {text, n}, 7, 4);
    b.emit(Op::AtomicCmpXchg, TypeId::I64, {text, n, n}, 0, 4);
    b.emit(Op::Fence, TypeId::Void, {}, 0, 4);
    ValueId frame = emitTraceFrame(b, {});
    ValueId snapshot = slotAddr(b, b.newRawSlot(64, 8));
    b.emit(Op::TraceRaise, TypeId::Void, {frame, constInt(b, TypeId::U32, 1)});
    b.emit(Op::TracePush, TypeId::Void, {frame});
    b.emit(Op::TraceLink, TypeId::Void, {}, 2);
    b.emit(Op::TraceAbsorb, TypeId::Void, {});
    b.emit(Op::TraceCapture, TypeId::Void, {snapshot});
    b.emit(Op::TraceResume, TypeId::Bool, {snapshot, constInt(b, TypeId::U32, 1)});
    b.emit(Op::TraceFind, TypeId::U32, {snapshot, constInt(b, TypeId::U32, 1)});
    b.emit(Op::TraceCopy, TypeId::Void, {snapshot, snapshot});
    b.emit(Op::TraceForget, TypeId::Void, {snapshot});
    b.emit(Op::TraceResolve, TypeId::Void, {snapshot, frame});
    b.emit(Op::IsComptime, TypeId::Bool, {});
    BlockId other = b.newBlock();
    emitSwitch(b, n, other, {{1, other}});
    b.setBlock(other);
    emitPanic(b, PanicKind::SliceBounds, {}, {n, n, n});
    isValid();
}

TEST_CASE_METHOD(Emitting, "constants") {
    bad(Op::Const, TypeId::I8, {}, "the bits do not fit i8", 256);
    bad(Op::Const, integerType(3, true), {}, "the bits do not fit i3", 8);
    bad(Op::Const, TypeId::Bool, {}, "the bits do not fit bool", 2);
    bad(Op::Const, TypeId::F32, {}, "the bits do not fit f32", uint64_t{1} << 32);
    bad(Op::Const, pointer(), {}, "a constant pointer is null", 8);
    bad(Op::Const, TypeId::Type, {}, "a constant pointer is null", 1);
    bad(Op::Const, TypeId::String, {}, "the result is string, not a scalar");
    bad(Op::Const, TypeId::I64, {n}, "takes 0 operands, has 1");
    bad(Op::Undef, sliceOf(types, TypeId::U8), {}, "the result is []u8, not a scalar");
}

TEST_CASE_METHOD(Emitting, "addresses name what exists") {
    TypeId p = pointer();
    bad(Op::FuncAddr, p, {}, "there is no function 1", 1);
    bad(Op::GlobalAddr, p, {}, "there is no global 0", 0);
    bad(Op::TypeHandle, TypeId::Type, {}, "there is no type 99999", 99999);
    bad(Op::SlotAddr, p, {}, "there is no slot 0", 0);
    bad(Op::FuncAddr, TypeId::I64, {}, "the result is i64, not a pointer", 0);
    bad(Op::Param, TypeId::I64, {}, "there is no parameter 4", 4);
    bad(Op::Param, TypeId::Bool, {}, "the result is bool, not i64", 0);
    bad(Op::Param, TypeId::I64, {}, "the result is i64, not a pointer", 1);
}

TEST_CASE_METHOD(Emitting, "memory") {
    TypeId p = pointer();
    bad(Op::Load, TypeId::I64, {n}, "operand 0 is i64, not a pointer");
    bad(Op::Load, TypeId::String, {text}, "the result is string, not a scalar");
    bad(Op::Load, TypeId::I64, {}, "takes 1 operands, has 0");
    bad(Op::Store, TypeId::Void, {n, n}, "operand 0 is i64, not a pointer");
    bad(Op::Store, TypeId::I64, {text, n}, "the result is i64, not void");
    bad(Op::Copy, TypeId::Void, {text, n}, "operand 1 is i64, not a pointer", 8);
    bad(Op::Zero, TypeId::Void, {d}, "operand 0 is f64, not a pointer", 8);
    bad(Op::CopyN, TypeId::Void, {text, text, flag}, "operand 2 is bool, not an integer of 64 bits");
    bad(Op::Offset, TypeId::I64, {text}, "the result is i64, not a pointer", 8);
    bad(Op::Offset, p, {n}, "operand 0 is i64, not a pointer", 8);
    bad(Op::Index, p, {text, d}, "operand 1 is f64, not an integer of 64 bits", 8);
    bad(Op::MemEq, TypeId::I64, {text, text, n}, "the result is i64, not bool");
    bad(Op::MemEq, TypeId::Bool, {text, flag, n}, "operand 1 is bool, not a pointer");
}

TEST_CASE_METHOD(Emitting, "arithmetic") {
    bad(Op::Add, TypeId::I64, {n, flag}, "operand 1 is bool, not i64");
    bad(Op::Add, TypeId::I32, {n, n}, "operand 0 is i64, not i32");
    bad(Op::Add, TypeId::Bool, {flag, flag}, "the result is bool, not an integer");
    bad(Op::Mul, TypeId::F64, {d, d}, "the result is f64, not an integer");
    bad(Op::Sub, TypeId::I64, {n}, "takes 2 operands, has 1");
    bad(Op::Xor, TypeId::F64, {d, d}, "the result is f64, not an integer or bool");
    bad(Op::Xor, TypeId::Bool, {flag, n}, "operand 1 is i64, not bool");
    bad(Op::Shl, TypeId::I64, {n, text}, "operand 1 is *string, not i64");
    bad(Op::FAdd, TypeId::F64, {d, n}, "operand 1 is i64, not f64");
    bad(Op::FAdd, TypeId::F32, {d, d}, "operand 0 is f64, not f32");
    bad(Op::FNeg, TypeId::I64, {n}, "the result is i64, not a float");
    bad(Op::FSqrt, TypeId::F64, {d, d}, "takes 1 operands, has 2");
}

TEST_CASE_METHOD(Emitting, "comparisons and selection") {
    bad(Op::ICmp, TypeId::Bool, {n, flag}, "operand 1 is bool, not i64 as operand 0");
    bad(Op::ICmp, TypeId::Bool, {n, text}, "operand 1 is *string, not i64 as operand 0");
    bad(Op::ICmp, TypeId::Bool, {d, d}, "operand 0 is f64, not an integer, bool or pointer");
    bad(Op::ICmp, TypeId::I64, {n, n}, "the result is i64, not bool");
    bad(Op::ICmp, TypeId::Bool, {n, n}, "predicate 10 does not exist", 0, 10);
    bad(Op::FCmp, TypeId::Bool, {n, n}, "operand 0 is i64, not a float");
    bad(Op::FCmp, TypeId::Bool, {d, n}, "operand 1 is i64, not f64 as operand 0");
    bad(Op::FCmp, TypeId::Bool, {d, d}, "predicate 6 does not exist", 0, 6);
    bad(Op::Select, TypeId::I64, {n, n, n}, "operand 0 is i64, not a bool");
    bad(Op::Select, TypeId::I64, {flag, n, d}, "operand 2 is f64, not i64");
}

TEST_CASE_METHOD(Emitting, "conversions") {
    TypeId p = pointer();
    bad(Op::Trunc, TypeId::I64, {n}, "a trunc from i64 to i64");
    bad(Op::Trunc, TypeId::I8, {flag}, "operand 0 is bool, not an integer");
    bad(Op::ZExt, TypeId::I32, {n}, "a zext from i64 to i32");
    bad(Op::SExt, TypeId::I64, {flag}, "operand 0 is bool, not an integer");
    bad(Op::ZExt, integerType(1, true), {flag}, "a zext from bool to i1");
    bad(Op::ZExt, TypeId::F64, {flag}, "the result is f64, not an integer");
    bad(Op::IntToBool, TypeId::Bool, {d}, "operand 0 is f64, not an integer");
    bad(Op::IntToBool, TypeId::I8, {n}, "the result is i8, not bool");
    bad(Op::SIntToFloat, TypeId::F64, {flag}, "operand 0 is bool, not an integer");
    bad(Op::UIntToFloat, TypeId::I64, {n}, "the result is i64, not a float");
    bad(Op::FloatToSInt, TypeId::I64, {n}, "operand 0 is i64, not a float");
    bad(Op::FloatToUInt, TypeId::F64, {d}, "the result is f64, not an integer");
    bad(Op::FloatResize, TypeId::F64, {d}, "the width stays the same");
    bad(Op::PtrToInt, TypeId::I32, {text}, "the result is i32, not an integer of 64 bits");
    bad(Op::PtrToInt, TypeId::I64, {n}, "operand 0 is i64, not a pointer");
    bad(Op::IntToPtr, p, {flag}, "operand 0 is bool, not an integer of 64 bits");
    bad(Op::IntToPtr, TypeId::I64, {n}, "the result is i64, not a pointer");
    bad(Op::Reinterpret, p, {n}, "operand 0 is i64, not of the form of *i64");
    bad(Op::Reinterpret, TypeId::I64, {text}, "operand 0 is *string, not of the form of i64");
    bad(Op::Reinterpret, TypeId::F32, {n}, "operand 0 is i64, not of the form of f32");
    bad(Op::Reinterpret, TypeId::String, {text}, "the result is string, not a scalar");
}

TEST_CASE_METHOD(Emitting, "direct calls") {
    uint64_t unit = static_cast<uint64_t>(declare("unit", {TypeId::I64, TypeId::String}));
    uint64_t number = static_cast<uint64_t>(declare("number", {}, TypeId::I32));
    uint64_t words = static_cast<uint64_t>(declare("words", {TypeId::Bool}, TypeId::String));
    uint64_t printf_ = static_cast<uint64_t>(declare("printf", {TypeId::CString}, TypeId::I32));
    for (auto& f : module.functions) f->isExtern = f.get() != &fn;
    module.functions[printf_]->cVariadic = true;

    bad(Op::Call, TypeId::Void, {}, "there is no function 99", 99);
    bad(Op::Call, TypeId::Void, {n}, "passes 1 arguments for 2 parameters", unit);
    bad(Op::Call, TypeId::Void, {n, text, n}, "passes 3 arguments for 2 parameters", unit);
    bad(Op::Call, TypeId::Void, {d, text}, "operand 0 is f64, not i64", unit);
    bad(Op::Call, TypeId::Void, {n, n}, "operand 1 is i64, not a pointer", unit);
    bad(Op::Call, TypeId::I64, {n, text}, "the result is i64, not void", unit);
    bad(Op::Call, TypeId::Void, {}, "the result is void, not i32", number);
    bad(Op::Call, TypeId::I64, {}, "the result is i64, not i32", number);
    bad(Op::Call, TypeId::Void, {}, "the address of the result is missing", words);
    bad(Op::Call, TypeId::Void, {flag, flag}, "operand 0 is bool, not a pointer", words);
    bad(Op::Call, TypeId::Void, {text}, "passes 0 arguments for 1 parameters", words);
    bad(Op::Call, TypeId::Void, {text, n}, "operand 1 is i64, not bool", words);
    bad(Op::Call, TypeId::I32, {}, "passes 0 arguments for 1 parameters", printf_);

    b.emit(Op::Call, TypeId::Void, {n, text}, unit);
    b.emit(Op::Call, TypeId::Void, {text, flag}, words);
    b.emit(Op::Call, TypeId::U32, {text, n, d}, printf_);
    isValidWithRet();
}

TEST_CASE_METHOD(Emitting, "indirect calls") {
    uint64_t type = static_cast<uint64_t>(functionTypeOf(types, {TypeId::I64}, TypeId::String));
    uint64_t plain = static_cast<uint64_t>(functionTypeOf(types, {TypeId::I64}, TypeId::Bool));
    bad(Op::CallIndirect, TypeId::Void, {text}, "the type of the callee is not a function type",
        static_cast<uint64_t>(TypeId::I64));
    bad(Op::CallIndirect, TypeId::Void, {text}, "the type of the callee is not a function type", 99999);
    bad(Op::CallIndirect, TypeId::Void, {}, "the callee is missing", type);
    bad(Op::CallIndirect, TypeId::Bool, {n, n}, "operand 0 is i64, not a pointer", plain);
    bad(Op::CallIndirect, TypeId::Void, {text}, "the address of the result is missing", type);
    bad(Op::CallIndirect, TypeId::Void, {text, text}, "passes 0 arguments for 1 parameters", type);
    bad(Op::CallIndirect, TypeId::Bool, {text, text, n}, "passes 2 arguments for 1 parameters", plain);
    bad(Op::CallIndirect, TypeId::I64, {text, n}, "the result is i64, not bool", plain);
    b.emit(Op::CallIndirect, TypeId::Void, {text, text, n}, type);
    b.emit(Op::CallIndirect, TypeId::Bool, {text, n}, plain);
    isValidWithRet();
}

TEST_CASE_METHOD(Emitting, "atomics") {
    bad(Op::AtomicLoad, TypeId::I64, {n}, "operand 0 is i64, not a pointer");
    bad(Op::AtomicLoad, TypeId::I64, {text}, "predicate 5 does not exist", 0, 5);
    bad(Op::AtomicStore, TypeId::Void, {text}, "takes 2 operands, has 1");
    bad(Op::AtomicRmw, TypeId::I64, {text, d}, "operand 1 is f64, not i64");
    bad(Op::AtomicRmw, TypeId::I64, {text, n}, "there is no atomic operation 8", 8);
    bad(Op::AtomicCmpXchg, TypeId::I64, {text, n, flag}, "operand 2 is bool, not i64");
    bad(Op::AtomicStore, TypeId::I64, {text, n}, "the result is i64, not void");
    bad(Op::Fence, TypeId::Void, {n}, "takes 0 operands, has 1");
    bad(Op::Fence, TypeId::Void, {}, "predicate 5 does not exist", 0, 5);
}

TEST_CASE_METHOD(Emitting, "traces") {
    bad(Op::TraceFrame, TypeId::I32, {}, "the result is i32, not an integer of 64 bits");
    bad(Op::TraceRaise, TypeId::Void, {text, text}, "operand 0 is *string, not an integer of 64 bits");
    bad(Op::TracePush, TypeId::Void, {}, "takes 1 operands, has 0");
    bad(Op::TraceLink, TypeId::Void, {}, "link kind 3 does not exist", 3);
    bad(Op::TraceAbsorb, TypeId::Void, {n}, "takes 0 operands, has 1");
    bad(Op::TraceCapture, TypeId::Void, {n}, "operand 0 is i64, not a pointer");
    bad(Op::TraceResume, TypeId::Void, {text, n}, "the result is void, not bool");
    bad(Op::TraceFind, TypeId::Bool, {text, n}, "the result is bool, not an integer");
    bad(Op::TraceCopy, TypeId::Void, {text}, "takes 2 operands, has 1");
    bad(Op::TraceForget, TypeId::Void, {n}, "operand 0 is i64, not a pointer");
    bad(Op::TraceResolve, TypeId::Void, {text, text}, "operand 1 is *string, not an integer of 64 bits");
    bad(Op::IsComptime, TypeId::I64, {}, "the result is i64, not bool");
}
