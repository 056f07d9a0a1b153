// Integers of all widths, floats, conversions: against the results that this compiler's host computes.
#include "Program.h"
#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "types/Derived.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::codegen;
using namespace sx::codegen::test;
using ir::Builder;
using ir::FuncId;
using ir::Op;
using ir::ValueId;

namespace {

uint64_t low(unsigned bits, uint64_t v) { return bits == 64 ? v : v & ((uint64_t{1} << bits) - 1); }
int64_t asSigned(unsigned bits, uint64_t v) { return static_cast<int64_t>(v << (64 - bits)) >> (64 - bits); }

constexpr Op Operations[] = {Op::Add, Op::Sub, Op::Mul, Op::SDiv, Op::UDiv, Op::SRem, Op::URem,
                             Op::And, Op::Or,  Op::Xor, Op::Shl,  Op::LShr, Op::AShr};

/// The bits of `a op b` on integers of a width.
uint64_t reference(Op op, unsigned bits, uint64_t a, uint64_t b) {
    int64_t sa = asSigned(bits, a), sb = asSigned(bits, b);
    switch (op) {
    case Op::Add: return low(bits, a + b);
    case Op::Sub: return low(bits, a - b);
    case Op::Mul: return low(bits, a * b);
    case Op::SDiv: return low(bits, static_cast<uint64_t>(sa / sb));
    case Op::UDiv: return low(bits, a / b);
    case Op::SRem: return low(bits, static_cast<uint64_t>(sa % sb));
    case Op::URem: return low(bits, a % b);
    case Op::And: return a & b;
    case Op::Or: return a | b;
    case Op::Xor: return a ^ b;
    case Op::Shl: return low(bits, a << b);
    case Op::LShr: return a >> b;
    case Op::AShr: return low(bits, static_cast<uint64_t>(sa >> b));
    default: return 0;
    }
}

/// Exits with the number of checks that failed, at most 255, and prints the first one's number.
class Checks {
public:
    explicit Checks(Program& p)
        : printf_(p.external("printf", {TypeId::CString}, TypeId::I32, true)), format_(p.text("check %d failed\n")) {}

    void expect(Builder& b, ValueId ok) {
        ir::BlockId bad = b.newBlock(true), good = b.newBlock();
        emitCondBr(b, ok, good, bad);
        b.setBlock(bad);
        emitCall(b, printf_, {globalAddr(b, format_, TypeId::CString), constInt(b, TypeId::I32, count_)});
        emitRet(b, constInt(b, TypeId::I32, 1));
        b.setBlock(good);
        ++count_;
    }
    void expectBits(Builder& b, ValueId v, uint64_t bits) {
        expect(b, emitICmp(b, ir::ICmpPred::Eq, v, constInt(b, b.typeOf(v), bits)));
    }

private:
    FuncId printf_;
    ir::GlobalId format_;
    uint64_t count_ = 0;
};

void expectSuccess(Program& p) {
    Outcome outcome = p.run();
    CHECK(outcome.out == "");
    CHECK(outcome.exitCode == 0);
}

} // namespace

TEST_CASE("integer arithmetic wraps at every width") {
    for (unsigned bits : {1u, 3u, 7u, 8u, 9u, 16u, 17u, 31u, 32u, 33u, 63u, 64u}) {
        INFO(bits << " bits");
        Program p;
        Checks checks(p);
        TypeId type = integerType(bits, true);
        std::vector<FuncId> functions;
        for (Op op : Operations) {
            functions.push_back(p.function("op" + std::to_string(functions.size()), {type, type}, type));
            Builder b(p.module, p.module.fn(functions.back()));
            emitRet(b, emitBinary(b, op, b.param(0), b.param(1)));
        }
        uint64_t top = uint64_t{1} << (bits - 1);
        std::pair<uint64_t, uint64_t> pairs[] = {
            {5, 3}, {~uint64_t{0}, 1}, {top, 2}, {0x123456789ABCDEF, 0xFEDCBA987654321}, {top - 1, ~uint64_t{2}}};
        p.main([&](Builder& b) {
            for (auto [a, c] : pairs) {
                a = low(bits, a), c = low(bits, c);
                for (size_t i = 0; i < functions.size(); ++i) {
                    Op op = Operations[i];
                    bool divides = op == Op::SDiv || op == Op::UDiv || op == Op::SRem || op == Op::URem;
                    bool shifts = op == Op::Shl || op == Op::LShr || op == Op::AShr;
                    if (divides && (c == 0 || (asSigned(bits, c) == -1 && a == top))) continue;
                    if (shifts && c >= bits) continue;
                    ValueId result = emitCall(b, functions[i], {constInt(b, type, a), constInt(b, type, c)});
                    checks.expectBits(b, result, reference(op, bits, a, c));
                }
            }
        });
        expectSuccess(p);
    }
}

TEST_CASE("integers of odd widths are extended in memory by their sign") {
    Program p;
    Checks checks(p);
    p.main([&](Builder& b) {
        struct Case {
            unsigned bits;
            bool isSigned;
            TypeId container;
            uint64_t value, stored;
        };
        for (const Case& c : {Case{7, true, TypeId::I8, 0x7F, 0xFF},
                              {7, false, TypeId::U8, 0x7F, 0x7F},
                              {12, true, TypeId::I16, 0x800, 0xF800},
                              {33, false, TypeId::U64, 0x1FFFFFFFF, 0x1FFFFFFFF},
                              {33, true, TypeId::I64, 0x100000000, 0xFFFFFFFF00000000}}) {
            TypeId type = integerType(c.bits, c.isSigned);
            ValueId slot = slotAddr(b, b.newSlot(type));
            emitStore(b, slot, constInt(b, type, c.value));
            checks.expectBits(b, emitLoad(b, c.container, slot), c.stored);
            emitStore(b, slot, constInt(b, c.container, c.stored ^ 1));
            checks.expectBits(b, emitLoad(b, type, slot), c.value ^ 1);
        }
        ValueId flag = slotAddr(b, b.newSlot(TypeId::Bool));
        emitStore(b, flag, constBool(b, true));
        checks.expectBits(b, emitLoad(b, TypeId::U8, flag), 1);
    });
    expectSuccess(p);
}

TEST_CASE("shifts by too much give some value") {
    Program p;
    TypeId i9 = integerType(9, false);
    std::vector<FuncId> functions;
    for (TypeId type : {TypeId::I8, TypeId::U32, TypeId::I64, i9})
        for (Op op : {Op::Shl, Op::LShr, Op::AShr}) {
            functions.push_back(p.function("shift" + std::to_string(functions.size()), {type, type}, TypeId::I32));
            Builder b(p.module, p.module.fn(functions.back()));
            ValueId v = emitBinary(b, op, b.param(0), b.param(1));
            ir::BlockId zero = b.newBlock(), other = b.newBlock();
            emitCondBr(b, emitICmp(b, ir::ICmpPred::Eq, v, constInt(b, type, 0)), zero, other);
            b.setBlock(zero);
            emitRet(b, constInt(b, TypeId::I32, 1));
            b.setBlock(other);
            emitRet(b, constInt(b, TypeId::I32, 1));
        }
    p.main([&](Builder& b) {
        ValueId sum = constInt(b, TypeId::I32, 0);
        for (FuncId f : functions) {
            TypeId type = p.module.fn(f).params[0];
            sum = emitBinary(b, Op::Add, sum, emitCall(b, f, {constInt(b, type, 77), constInt(b, type, 200)}));
        }
        emitRet(b, sum);
    });
    CHECK(p.run().exitCode == static_cast<int>(functions.size()));
}

TEST_CASE("floats and their conversions") {
    Program p;
    Checks checks(p);
    TypeId f32 = TypeId::F32, f64 = TypeId::F64;
    auto unary = [&](const char* name, TypeId from, TypeId to, auto make) {
        FuncId f = p.function(name, {from}, to);
        Builder b(p.module, p.module.fn(f));
        emitRet(b, make(b, b.param(0)));
        return f;
    };
    auto cast = [&](const char* name, TypeId from, TypeId to, Op op) {
        return unary(name, from, to, [&](Builder& b, ValueId v) { return b.emit(op, to, {v}); });
    };
    auto math = [&](const char* name, Op op) {
        return unary(name, f64, f64, [&](Builder& b, ValueId v) { return emitUnary(b, op, v); });
    };
    FuncId toU8 = cast("toU8", f64, TypeId::U8, Op::FloatToUInt), toI8 = cast("toI8", f64, TypeId::I8, Op::FloatToSInt);
    FuncId toU64 = cast("toU64", f64, TypeId::U64, Op::FloatToUInt),
           toI64 = cast("toI64", f32, TypeId::I64, Op::FloatToSInt);
    FuncId fromU64 = cast("fromU64", TypeId::U64, f64, Op::UIntToFloat),
           fromI32 = cast("fromI32", TypeId::I32, f32, Op::SIntToFloat);
    FuncId resize = cast("resize", f64, f32, Op::FloatResize),
           bitsOf = cast("bitsOf", f64, TypeId::U64, Op::Reinterpret);
    FuncId root = math("root", Op::FSqrt), sine = math("sine", Op::FSin), cosine = math("cosine", Op::FCos);
    FuncId floor = math("floor_", Op::FFloor), negate = math("negate", Op::FNeg);
    FuncId remainder = p.function("remainder_", {f64, f64}, f64);
    {
        Builder b(p.module, p.module.fn(remainder));
        emitRet(b, emitBinary(b, Op::FRem, b.param(0), b.param(1)));
    }
    FuncId notEqual = unary("notEqual", f64, TypeId::Bool,
                            [&](Builder& b, ValueId v) { return emitFCmp(b, ir::FCmpPred::Ne, v, v); });
    p.main([&](Builder& b) {
        auto number = [&](double v) { return constFloat(b, f64, v); };
        auto equals = [&](ValueId v, double wanted) {
            checks.expect(b, emitFCmp(b, ir::FCmpPred::Eq, v, constFloat(b, b.typeOf(v), wanted)));
        };
        checks.expectBits(b, emitCall(b, toU8, {number(700.9)}), 188);
        checks.expectBits(b, emitCall(b, toU8, {number(-1.5)}), 255);
        checks.expectBits(b, emitCall(b, toI8, {number(200.0)}), 200);
        checks.expectBits(b, emitCall(b, toU64, {number(18446744073709549568.0)}), 18446744073709549568ull);
        checks.expectBits(b, emitCall(b, toU64, {number(-2.0)}), ~uint64_t{1});
        checks.expectBits(b, emitCall(b, toI64, {constFloat(b, f32, -3.75)}), static_cast<uint64_t>(-3));
        equals(emitCall(b, fromU64, {constInt(b, TypeId::U64, ~uint64_t{0})}), 18446744073709551615.0);
        equals(emitCall(b, fromI32, {constInt(b, TypeId::I32, static_cast<uint64_t>(-7))}), -7);
        equals(emitCall(b, resize, {number(0.1)}), 0.1f);
        checks.expectBits(b, emitCall(b, bitsOf, {number(1.0)}), 0x3FF0000000000000);
        equals(emitCall(b, root, {number(2.25)}), 1.5);
        equals(emitCall(b, sine, {number(0.0)}), 0.0);
        equals(emitCall(b, cosine, {number(0.0)}), 1.0);
        equals(emitCall(b, floor, {number(-1.25)}), -2.0);
        equals(emitCall(b, negate, {number(4.0)}), -4.0);
        equals(emitCall(b, remainder, {number(-7.5), number(2.0)}), -1.5);
        checks.expect(b, emitCall(b, notEqual, {b.emit(Op::FDiv, f64, {number(0.0), number(0.0)})}));
        checks.expect(b, emitNot(b, emitCall(b, notEqual, {number(1.0)})));
    });
    expectSuccess(p);
}

TEST_CASE("atomic operations") {
    Program p;
    Checks checks(p);
    auto order = static_cast<uint8_t>(ir::MemoryOrder::SeqCst),
         release = static_cast<uint8_t>(ir::MemoryOrder::Release);
    p.main([&](Builder& b) {
        TypeId i32 = TypeId::I32;
        ValueId slot = slotAddr(b, b.newSlot(i32));
        auto number = [&](int64_t n) { return constInt(b, i32, static_cast<uint64_t>(n)); };
        auto rmw = [&](ir::AtomicOp op, int64_t n) {
            return b.emit(Op::AtomicRmw, i32, {slot, number(n)}, static_cast<uint64_t>(op), order);
        };
        b.emit(Op::AtomicStore, TypeId::Void, {slot, number(-5)}, 0, release);
        checks.expectBits(b, rmw(ir::AtomicOp::Add, 2), static_cast<uint32_t>(-5));
        checks.expectBits(b, rmw(ir::AtomicOp::Max, 1), static_cast<uint32_t>(-3));
        checks.expectBits(b, rmw(ir::AtomicOp::Swap, 9), 1);
        checks.expectBits(b, b.emit(Op::AtomicCmpXchg, i32, {slot, number(9), number(11)}, 0, order), 9);
        checks.expectBits(b, b.emit(Op::AtomicCmpXchg, i32, {slot, number(9), number(12)}, 0, order), 11);
        b.emit(Op::Fence, TypeId::Void, {}, 0, order);
        checks.expectBits(b, b.emit(Op::AtomicLoad, i32, {slot}, 0, order), 11);
    });
    expectSuccess(p);
}
