// Atomic operations (generics.md 9.7). They work on the integer that holds the value in memory.
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "ir/Ops.h"
#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/calls/Arguments.h"
#include "lower/calls/IntrinsicCall.h"
#include "lower/values/Conversions.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/Predicates.h"

#include "llvm/ADT/StringSwitch.h"

namespace sx::lower::intrinsics {

using namespace ast;
using ir::MemoryOrder;
using ir::Op;

namespace {

std::optional<MemoryOrder> orderNamed(std::string_view name) {
    return llvm::StringSwitch<std::optional<MemoryOrder>>(llvm::StringRef(name))
        .Case("relaxed", MemoryOrder::Relaxed)
        .Case("acquire", MemoryOrder::Acquire)
        .Case("release", MemoryOrder::Release)
        .Case("acq_rel", MemoryOrder::AcqRel)
        .Case("seq_cst", MemoryOrder::SeqCst)
        .Default(std::nullopt);
}

std::optional<ir::AtomicOp> operationNamed(llvm::StringRef name) {
    name.consume_front("atomic_");
    name.consume_front("fetch_");
    return llvm::StringSwitch<std::optional<ir::AtomicOp>>(name)
        .Case("add", ir::AtomicOp::Add)
        .Case("sub", ir::AtomicOp::Sub)
        .Case("and", ir::AtomicOp::And)
        .Case("or", ir::AtomicOp::Or)
        .Case("xor", ir::AtomicOp::Xor)
        .Case("min", ir::AtomicOp::Min)
        .Case("max", ir::AtomicOp::Max)
        .Case("swap", ir::AtomicOp::Swap)
        .Default(std::nullopt);
}

/// How much a load with this order may see: the orders in which a failed exchange may not exceed a successful one.
unsigned strength(MemoryOrder o) {
    switch (o) {
    case MemoryOrder::Relaxed:
    case MemoryOrder::Release: return 0;
    case MemoryOrder::Acquire:
    case MemoryOrder::AcqRel: return 1;
    case MemoryOrder::SeqCst: return 2;
    }
    return 0;
}

/// Orderings are constants, known by the name of their variant.
std::optional<MemoryOrder> order(IntrinsicCall& c, size_t i) {
    const Expr* e = withoutParens(c.arg(i));
    std::optional<MemoryOrder> result;
    if (const auto* lit = llvm::dyn_cast<EnumLit>(e)) {
        result = orderNamed(c.sema.names.text(lit->name.name));
    } else {
        Value v = lower::lower(c.f, e);
        if (v.isError()) return std::nullopt;
        if (v.isConst() && v.constant.isInt() && isPlainEnum(c.types, v.type))
            for (const Variant& variant : c.types.enumInfo(v.type).variants)
                if (variant.value == v.constant.i) result = orderNamed(c.sema.names.text(variant.name));
    }
    if (!result)
        c.reject(e->span,
                 "a memory ordering is one of `.relaxed`, `.acquire`, `.release`, `.acq_rel`, `.seq_cst`, known "
                 "while compiling");
    return result;
}

/// The first argument.
bool atomicType(IntrinsicCall& c, TypeId& type) {
    TypeArg t = c.typeArg(0, Accept::Static);
    if (!t.ok) return false;
    type = t.type;
    if (isScalar(c.types, type) && sizeOf(c.types, type) <= 8) return true;
    c.reject(c.arg(0)->span,
             code(c.types, type) + " is no scalar of 1, 2, 4 or 8 bytes, so it has no atomic operations");
    return false;
}

TypeId container(const IntrinsicCall& c, TypeId type) {
    bool isSigned = isInteger(c.types, type) && c.types.isSigned(type);
    return integerType(static_cast<unsigned>(sizeOf(c.types, type) * 8), isSigned);
}

ValueId toBits(IntrinsicCall& c, const Value& v, TypeId type) {
    TypeId word = container(c, type);
    if (isFloat(c.types, type)) return emitCast(c.b, Op::Reinterpret, scalar(c.f, v), word);
    return castScalar(c.f, scalar(c.f, v), type, word);
}

Value fromBits(IntrinsicCall& c, ValueId bits, TypeId type) {
    if (isFloat(c.types, type)) return Value::scalar(type, emitCast(c.b, Op::Reinterpret, bits, type));
    return Value::scalar(type, castScalar(c.f, bits, container(c, type), type));
}

/// The second argument.
ValueId atomicPointer(IntrinsicCall& c, TypeId type) {
    TypeId pointer = pointerTo(c.types, type);
    Value p = convertArgument(c.f, lower::lower(c.f, c.arg(1), pointer), pointer, c.arg(1)->span);
    return p.isError() ? ValueId::None
                       : emitCast(c.b, Op::Reinterpret, scalar(c.f, p), pointerTo(c.types, container(c, type)));
}

} // namespace

Value atomicLoad(IntrinsicCall& c) {
    TypeId type{};
    if (!atomicType(c, type)) return Value::error();
    ValueId p = atomicPointer(c, type);
    std::optional<MemoryOrder> o = order(c, 2);
    if (p == ValueId::None || !o) return Value::error();
    if (*o == MemoryOrder::Release || *o == MemoryOrder::AcqRel)
        return c.reject(c.arg(2)->span, "a load cannot release: use `.relaxed`, `.acquire` or `.seq_cst`");
    return fromBits(c, c.b.emit(Op::AtomicLoad, container(c, type), {p}, 0, static_cast<uint8_t>(*o)), type);
}

Value atomicStore(IntrinsicCall& c) {
    TypeId type{};
    if (!atomicType(c, type)) return Value::error();
    ValueId p = atomicPointer(c, type);
    Value v = lowerTo(c.f, c.arg(2), type);
    std::optional<MemoryOrder> o = order(c, 3);
    if (p == ValueId::None || v.isError() || !o) return Value::error();
    if (*o == MemoryOrder::Acquire || *o == MemoryOrder::AcqRel)
        return c.reject(c.arg(3)->span, "a store cannot acquire: use `.relaxed`, `.release` or `.seq_cst`");
    c.b.emit(Op::AtomicStore, TypeId::Void, {p, toBits(c, v, type)}, 0, static_cast<uint8_t>(*o));
    return Value::none();
}

Value atomicRmw(IntrinsicCall& c) {
    std::optional<ir::AtomicOp> operation = operationNamed(c.name);
    if (!operation) return c.reject(c.nameSpan(), "there is no atomic operation " + code(c.name));
    TypeId type{};
    if (!atomicType(c, type)) return Value::error();
    ValueId p = atomicPointer(c, type);
    Value v = lowerTo(c.f, c.arg(2), type);
    std::optional<MemoryOrder> o = order(c, 3);
    if (p == ValueId::None || v.isError() || !o) return Value::error();
    if (!isInteger(c.types, type) && *operation != ir::AtomicOp::Swap)
        return c.reject(c.arg(0)->span, code(c.name) + " works on integers, not on " + code(c.types, type));
    ValueId before = c.b.emit(Op::AtomicRmw, container(c, type), {p, toBits(c, v, type)},
                              static_cast<uint64_t>(*operation), static_cast<uint8_t>(*o));
    return fromBits(c, before, type);
}

/// Null if the exchange took place, else the value found.
Value atomicCompareExchange(IntrinsicCall& c) {
    TypeId type{};
    if (!atomicType(c, type)) return Value::error();
    ValueId p = atomicPointer(c, type);
    Value expected = lowerTo(c.f, c.arg(2), type), desired = lowerTo(c.f, c.arg(3), type);
    std::optional<MemoryOrder> ok = order(c, 4), fail = order(c, 5);
    if (p == ValueId::None || expected.isError() || desired.isError() || !ok || !fail) return Value::error();
    if (*fail == MemoryOrder::Release || *fail == MemoryOrder::AcqRel)
        return c.reject(c.arg(5)->span, "a failed exchange stores nothing, so it cannot release");
    if (strength(*fail) > strength(*ok))
        return c.reject(c.arg(5)->span,
                        "the ordering of a failed exchange cannot be stronger than that of a successful one");
    ValueId old = toBits(c, expected, type);
    ValueId found = c.b.emit(Op::AtomicCmpXchg, container(c, type), {p, old, toBits(c, desired, type)}, 0,
                             static_cast<uint8_t>(*ok));
    TypeId optional = optionalOf(c.types, type);
    ir::SlotId slot = c.b.newSlot(optional);
    BlockId done = c.b.newBlock(), other = c.b.newBlock(), join = c.b.newBlock();
    emitCondBr(c.b, emitICmp(c.b, ir::ICmpPred::Eq, found, old), done, other);
    c.b.setBlock(done);
    emitZero(c.b, slotAddr(c.b, slot), optional);
    emitBr(c.b, join);
    c.b.setBlock(other);
    store(c.f, slotAddr(c.b, slot), wrapOptional(c.f, fromBits(c, found, type), optional));
    emitBr(c.b, join);
    c.b.setBlock(join);
    return lower::load(c.f, Value::temporary(optional, slotAddr(c.b, slot)));
}

Value atomicFence(IntrinsicCall& c) {
    std::optional<MemoryOrder> o = order(c, 0);
    if (!o) return Value::error();
    if (*o == MemoryOrder::Relaxed) return c.reject(c.arg(0)->span, "a relaxed fence orders nothing");
    c.b.emit(Op::Fence, TypeId::Void, {}, 0, static_cast<uint8_t>(*o));
    return Value::none();
}

} // namespace sx::lower::intrinsics
