// Aggregates of every small size, as parameters and results of sx functions.
#include "Program.h"
#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "types/Derived.h"
#include "types/Layout.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::codegen;
using namespace sx::codegen::test;
using ir::BlockId;
using ir::Builder;
using ir::FuncId;
using ir::Op;
using ir::ValueId;

namespace {

/// `(a: T, k: u8) -> T`: every byte of `a` xor k.
FuncId addXor(Program& p, TypeId type, uint64_t size) {
    FuncId f = p.function("xor" + std::to_string(size), {type, TypeId::U8}, type);
    TypeId bytePointer = pointerTo(p.types, TypeId::U8);
    Builder b(p.module, p.module.fn(f));
    ValueId copy = slotAddr(b, b.newSlot(type));
    emitCopy(b, copy, b.param(0), type);
    for (uint64_t i = 0; i < size; ++i) {
        ValueId at = emitOffset(b, copy, i, bytePointer);
        emitStore(b, at, emitBinary(b, Op::Xor, emitLoad(b, TypeId::U8, at), b.param(1)));
    }
    emitRet(b, copy);
    return f;
}

constexpr uint64_t Guard = 8;

/// Calls `f` into the middle of guarded storage and returns `errors` plus the number of wrong bytes.
ValueId callGuarded(Program& p, Builder& b, FuncId f, TypeId type, uint64_t size, bool indirect, ValueId errors) {
    TypeId bytePointer = pointerTo(p.types, TypeId::U8),
           functionType = functionTypeOf(p.types, {type, TypeId::U8}, type);
    ValueId arg = slotAddr(b, b.newSlot(type)), storage = slotAddr(b, b.newRawSlot(size + 2 * Guard, 8));
    for (uint64_t i = 0; i < size; ++i)
        emitStore(b, emitOffset(b, arg, i, bytePointer), constInt(b, TypeId::U8, i * 7 + 1));
    for (uint64_t i = 0; i < size + 2 * Guard; ++i)
        emitStore(b, emitOffset(b, storage, i, bytePointer), constInt(b, TypeId::U8, 0xAA));
    ValueId dest = emitOffset(b, storage, Guard, pointerTo(p.types, type)), k = constInt(b, TypeId::U8, 0x5C);
    if (indirect) emitCallIndirect(b, funcAddr(b, f, functionType), functionType, {arg, k}, dest);
    else emitCallInto(b, f, dest, {arg, k});
    for (uint64_t i = 0; i < size + 2 * Guard; ++i) {
        bool isInside = i >= Guard && i < Guard + size;
        uint64_t wanted = isInside ? ((i - Guard) * 7 + 1) ^ 0x5C : 0xAA;
        ValueId wrong = emitICmp(b, ir::ICmpPred::Ne, emitLoad(b, TypeId::U8, emitOffset(b, storage, i, bytePointer)),
                                 constInt(b, TypeId::U8, wanted));
        errors = emitBinary(b, Op::Add, errors, emitCast(b, Op::ZExt, wrong, TypeId::I32));
    }
    return errors;
}

} // namespace

TEST_CASE("byte arrays of 0 to 40 bytes survive direct and indirect calls") {
    Program p;
    std::vector<FuncId> functions;
    std::vector<TypeId> types;
    for (uint64_t size = 0; size <= 40; ++size) {
        types.push_back(p.structOf({arrayOf(p.types, size, TypeId::U8)}));
        functions.push_back(addXor(p, types.back(), size));
    }
    p.main([&](Builder& b) {
        ValueId errors = constInt(b, TypeId::I32, 0);
        for (uint64_t size = 0; size <= 40; ++size)
            for (bool indirect : {false, true})
                errors = callGuarded(p, b, functions[size], types[size], size, indirect, errors);
        emitRet(b, errors);
    });
    CHECK(p.run().exitCode == 0);
}

TEST_CASE("structs of words and halves survive calls") {
    Program p;
    std::vector<TypeId> types = {
        p.structOf({TypeId::I64, TypeId::I32}),
        p.structOf({TypeId::F64, TypeId::F32}),
        TypeId::String,
        TypeId::Any,
        p.types.tupleOf({{Name::None, TypeId::String}, {Name::None, TypeId::I32}}),
        p.types.tupleOf({{Name::None, TypeId::I64}, {Name::None, TypeId::U32}}),
        optionalOf(p.types, TypeId::I32),
        optionalOf(p.types, TypeId::String),
        vectorOf(p.types, 4, TypeId::F32),
        sliceOf(p.types, TypeId::I64),
        p.structOf({TypeId::I64, TypeId::I64, TypeId::I64, TypeId::I8}),
    };
    std::vector<FuncId> functions;
    for (TypeId type : types) {
        functions.push_back(addXor(p, type, sizeOf(p.types, type)));
        p.module.fn(functions.back()).symbol += "_" + std::to_string(functions.size());
    }
    p.main([&](Builder& b) {
        ValueId errors = constInt(b, TypeId::I32, 0);
        for (size_t i = 0; i < types.size(); ++i)
            for (bool indirect : {false, true})
                errors = callGuarded(p, b, functions[i], types[i], sizeOf(p.types, types[i]), indirect, errors);
        emitRet(b, errors);
    });
    CHECK(p.run().exitCode == 0);
}

TEST_CASE("constant data holds addresses of functions, data and type descriptors") {
    Program p;
    FuncId seven = p.function("seven", {}, TypeId::I64);
    {
        Builder b(p.module, p.module.fn(seven));
        emitRet(b, constInt(b, TypeId::I64, 7));
    }
    ir::GlobalId hello = p.text("hello world");
    ir::Global table;
    table.name = table.symbol = "table";
    table.size = 32;
    table.align = 8;
    table.init.bytes.assign(32, 0);
    table.init.bytes[16] = 3;
    table.init.relocs = {{ir::Reloc::Kind::Global, 8, static_cast<uint32_t>(hello), 6},
                         {ir::Reloc::Kind::Function, 0, static_cast<uint32_t>(seven), 0}};
    p.module.globals.push_back(table);
    ir::Global counter; // writable, all zero
    counter.name = counter.symbol = "counter";
    counter.size = counter.align = 8;
    p.module.globals.push_back(counter);
    FuncId puts = p.external("puts", {TypeId::CString}, TypeId::I32);
    TypeId functionType = functionTypeOf(p.types, {}, TypeId::I64), i64 = TypeId::I64,
           i64Pointer = pointerTo(p.types, i64);
    p.main([&](Builder& b) {
        ValueId at = globalAddr(b, ir::GlobalId(1), i64Pointer), count = globalAddr(b, ir::GlobalId(2), i64Pointer);
        emitCall(b, puts, {emitLoad(b, TypeId::CString, emitOffset(b, at, 8, i64Pointer))});
        ValueId sum = emitCallIndirect(b, emitLoad(b, functionType, at), functionType, {});
        sum = emitBinary(b, Op::Add, sum, emitLoad(b, i64, emitOffset(b, at, 16, i64Pointer)));
        sum = emitBinary(b, Op::Add, sum, emitLoad(b, i64, emitOffset(b, at, 24, i64Pointer)));
        emitStore(b, count, emitBinary(b, Op::Add, emitLoad(b, i64, count), sum));
        emitRet(b, emitCast(b, Op::Trunc, emitLoad(b, i64, count), TypeId::I32));
    });
    Outcome outcome = p.run();
    CHECK(outcome.out == "world\n");
    CHECK(outcome.exitCode == 10);
}
