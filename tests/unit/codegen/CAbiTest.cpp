// Calls to and from C, with structs by value of every class.
#include "Program.h"
#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/Predicates.h"

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

struct Shape {
    const char* name;
    std::vector<TypeId> fields;
};

std::vector<Shape> shapes() {
    constexpr TypeId i8 = TypeId::I8, i16 = TypeId::I16, i32 = TypeId::I32, i64 = TypeId::I64, u8 = TypeId::U8,
                     f32 = TypeId::F32, f64 = TypeId::F64;
    return {
        {"Byte", {i8}},
        {"Double", {f64}},
        {"Float", {f32}},
        {"ShortByte", {i16, i8}},
        {"IntFloat", {i32, f32}},
        {"Floats2", {f32, f32}},
        {"DoubleInt", {f64, i32}},
        {"LongDouble", {i64, f64}},
        {"Doubles", {f64, f64}},
        {"Longs2", {i64, i64}},
        {"Bytes3", {i8, i8, i8}},
        {"Floats3", {f32, f32, f32}},
        {"Longs3", {i64, i64, i64}},
        {"Bytes5", std::vector<TypeId>(5, u8)},
        {"Shorts5", std::vector<TypeId>(5, i16)},
        {"Doubles5", std::vector<TypeId>(5, f64)},
    };
}

/// A program with the helpers' library, that counts what is wrong in its exit code.
struct CProgram : Program {
    CProgram() { module.libraries.push_back("codegen_helpers"); }

    Outcome runAll() {
        Outcome outcome;
        for (int optLevel : {0, 2}) {
            INFO("-O" << optLevel);
            Options options = level(optLevel, true);
            options.libraryPaths = {HELPERS_FOLDER};
            outcome = runJit(options);
            CHECK(outcome.exitCode == 0);
            CHECK(outcome.err == "");
            LinkOptions link;
            link.libraryPaths = {HELPERS_FOLDER};
            link.libraries = {"codegen_helpers"};
            link.extraFlags = {"-Wl,-rpath," HELPERS_FOLDER};
            Outcome native = runNative(options, link);
            CHECK(native.exitCode == 0);
            CHECK(native.out == outcome.out);
        }
        return outcome;
    }
};

ValueId constant(Builder& b, TypeId t, int64_t n) {
    return isFloat(b.module().types, t) ? constFloat(b, t, static_cast<double>(n))
                                        : constInt(b, t, static_cast<uint64_t>(n));
}

/// Adds to `errors` whether a field of the struct at `address` is not its number plus `k`.
ValueId checkFields(Builder& b, TypeId type, ValueId address, int64_t k, ValueId errors) {
    TypeTable& types = b.module().types;
    int64_t n = 0;
    for (const StructField& field : types.structInfo(type).fields) {
        ValueId v =
            emitLoad(b, field.type, emitOffset(b, address, fieldOffset(types, type, n), pointerTo(types, field.type)));
        ValueId wanted = constant(b, field.type, ++n + k);
        ValueId wrong = isFloat(types, field.type) ? emitFCmp(b, ir::FCmpPred::Ne, v, wanted)
                                                   : emitICmp(b, ir::ICmpPred::Ne, v, wanted);
        errors = emitBinary(b, Op::Add, errors, emitCast(b, Op::ZExt, wrong, TypeId::I32));
    }
    return errors;
}

void fillFields(Builder& b, TypeId type, ValueId address) {
    TypeTable& types = b.module().types;
    int64_t n = 0;
    for (const StructField& field : types.structInfo(type).fields) {
        ValueId at = emitOffset(b, address, fieldOffset(types, type, n), pointerTo(types, field.type));
        emitStore(b, at, constant(b, field.type, ++n));
    }
}

/// `(s: T, k: i32) -> T abi(.c)`: adds k to every field, as the helpers do.
FuncId addCallback(Program& p, const std::string& name, TypeId type) {
    FuncId f = p.function(name, {type, TypeId::I32}, type, CallConv::C);
    Builder b(p.module, p.module.fn(f));
    ValueId copy = slotAddr(b, b.newSlot(type));
    emitCopy(b, copy, b.param(0), type);
    unsigned n = 0;
    for (const StructField& field : p.types.structInfo(type).fields) {
        ValueId at = emitOffset(b, copy, fieldOffset(p.types, type, n++), pointerTo(p.types, field.type));
        ValueId v = emitLoad(b, field.type, at), k = b.param(1);
        if (isFloat(p.types, field.type))
            emitStore(b, at, emitBinary(b, Op::FAdd, v, emitCast(b, Op::SIntToFloat, k, field.type)));
        else if (bitsOf(p.types, field.type) == 64)
            emitStore(b, at, emitBinary(b, Op::Add, v, emitCast(b, Op::SExt, k, field.type)));
        else
            emitStore(b, at,
                      emitBinary(b, Op::Add, v,
                                 bitsOf(p.types, field.type) == 32 ? k : emitCast(b, Op::Trunc, k, field.type)));
    }
    emitRet(b, copy);
    return f;
}

} // namespace

TEST_CASE("structs by value go to C and back") {
    CProgram p;
    struct Functions {
        TypeId type, callbackType;
        FuncId add, call, late, callback;
    };
    std::vector<Functions> all;
    for (const Shape& shape : shapes()) {
        TypeId type = p.structOf(shape.fields);
        TypeId callbackType = functionTypeOf(p.types, {type, TypeId::I32}, type, CallConv::C);
        std::string name = shape.name;
        FuncId late = p.external(
            "late_" + name, {TypeId::I64, TypeId::I64, TypeId::I64, TypeId::I64, TypeId::I64, type, TypeId::I64}, type);
        all.push_back({type, callbackType, p.external("add_" + name, {type, TypeId::I32}, type),
                       p.external("call_" + name, {callbackType, type, TypeId::I32}, type), late,
                       addCallback(p, "callback_" + name, type)});
    }
    p.main([&](Builder& b) {
        ValueId errors = constInt(b, TypeId::I32, 0), k = constInt(b, TypeId::I32, 3);
        for (const Functions& f : all) {
            ValueId value = slotAddr(b, b.newSlot(f.type)), result = slotAddr(b, b.newSlot(f.type));
            fillFields(b, f.type, value);
            emitCallInto(b, f.add, result, {value, k});
            errors = checkFields(b, f.type, result, 3, errors);
            emitCallInto(b, f.call, result, {funcAddr(b, f.callback, f.callbackType), value, k});
            errors = checkFields(b, f.type, result, 6, errors);
            auto word = [&](uint64_t n) { return constInt(b, TypeId::I64, n); };
            emitCallInto(b, f.late, result, {word(1), word(2), word(3), word(4), word(5), value, word(6)});
            errors = checkFields(b, f.type, result, 21, errors);
            emitCallIndirect(b, funcAddr(b, f.callback, f.callbackType), f.callbackType, {value, k}, result);
            errors = checkFields(b, f.type, result, 3, errors);
        }
        emitRet(b, errors);
    });
    p.runAll();
}

TEST_CASE("small integers, bools, variables and variadic arguments agree with C") {
    CProgram p;
    FuncId small =
        p.external("small_integers", {TypeId::I8, TypeId::U8, TypeId::I16, TypeId::U16, TypeId::Bool}, TypeId::I32);
    FuncId negative = p.external("negative_byte", {}, TypeId::I8),
           isEven = p.external("is_even", {TypeId::I32}, TypeId::Bool);
    FuncId variadic = p.external("sum_variadic", {TypeId::I32}, TypeId::F64, true);
    ir::Global counter;
    counter.name = counter.symbol = "helper_counter";
    counter.type = TypeId::I32;
    counter.size = counter.align = 4;
    counter.isExtern = true;
    p.module.globals.push_back(counter);
    // Values that the optimiser cannot see through, and registers with anything in their upper bits.
    FuncId wide = p.function("wide", {TypeId::I64}, TypeId::I64);
    {
        Builder b(p.module, p.module.fn(wide));
        emitRet(b, b.param(0));
    }
    p.main([&](Builder& b) {
        ValueId errors = constInt(b, TypeId::I32, 0);
        auto expect = [&](ValueId ok) {
            errors = emitBinary(b, Op::Add, errors, emitCast(b, Op::ZExt, emitNot(b, ok), TypeId::I32));
        };
        auto isI32 = [&](ValueId v, int32_t n) {
            expect(emitICmp(b, ir::ICmpPred::Eq, v, constant(b, TypeId::I32, n)));
        };
        auto narrow = [&](uint64_t bits, TypeId t) {
            return emitCast(b, Op::Trunc, emitCall(b, wide, {constInt(b, TypeId::I64, bits)}), t);
        };
        ValueId flag = emitCast(b, Op::IntToBool, narrow(0xABCD00, TypeId::I32), TypeId::Bool);
        ValueId i8 = narrow(0x1234FF, TypeId::I8), u8 = narrow(0x1234FF, TypeId::U8);
        ValueId i16 = narrow(0x12FFFE, TypeId::I16), u16 = narrow(0x12FFFE, TypeId::U16);
        isI32(emitCall(b, small, {i8, u8, i16, u16, flag}), -1 + 2 * 255 + 3 * -2 + 4 * 65534 + 5);
        isI32(emitCast(b, Op::SExt, emitCall(b, negative, {}), TypeId::I32), -5);
        isI32(emitCast(b, Op::ZExt, emitCall(b, isEven, {constInt(b, TypeId::I32, 4)}), TypeId::I32), 1);
        isI32(emitCast(b, Op::ZExt, emitCall(b, isEven, {constInt(b, TypeId::I32, 5)}), TypeId::I32), 0);
        std::vector<ValueId> args{constInt(b, TypeId::I32, 4)};
        for (int i = 0; i < 4; ++i)
            args.insert(args.end(),
                        {constInt(b, TypeId::I32, 10), constFloat(b, TypeId::F64, 0.5), constInt(b, TypeId::I64, 3)});
        expect(emitFCmp(b, ir::FCmpPred::Eq, emitCall(b, variadic, args), constFloat(b, TypeId::F64, 4 * 13.5)));
        isI32(emitLoad(b, TypeId::I32, globalAddr(b, ir::GlobalId(0), pointerTo(p.types, TypeId::I32))), 41);
        emitRet(b, errors);
    });
    p.runAll();
}

TEST_CASE("what is missing is reported by name") {
    Program p;
    FuncId missing = p.external("no_such_function", {}, TypeId::Void);
    p.main([&](Builder& b) { emitCall(b, missing, {}); });
    Result<int> run = runInProcess(p.module, {}, {"program"});
    REQUIRE_FALSE(run);
    CHECK(run.error() == "undefined symbol: no_such_function");

    Result<ObjectFile> object = emitObject(p.module, {});
    REQUIRE(object);
    LinkOptions link;
    link.output = scratch("unlinked");
    Result<void> linked = linkExecutable({*object}, link);
    REQUIRE_FALSE(linked);
    CHECK(linked.error().substr(0, linked.error().find('\n')) == "undefined symbol: no_such_function");
    CHECK(linked.error().find("/proc/") == std::string::npos);

    p.module.libraries.push_back("no_such_library");
    run = runInProcess(p.module, {}, {"program"});
    REQUIRE_FALSE(run);
    CHECK(run.error() == "undefined symbol: no_such_function"); // a library that cannot be loaded is no error by itself
    link.libraries = {"no_such_library"};
    linked = linkExecutable({*object}, link);
    REQUIRE_FALSE(linked);
    CHECK(linked.error().substr(0, linked.error().find('\n')) == "unable to find library -lno_such_library");
}
