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

namespace sx::lower {

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

} // namespace

/// Orderings are constants, known by the name of their variant.
std::optional<MemoryOrder> IntrinsicCall::order(size_t i) {
    const Expr* e = withoutParens(arg(i));
    std::optional<MemoryOrder> result;
    if (const auto* lit = llvm::dyn_cast<EnumLit>(e)) {
        result = orderNamed(sema_.names.text(lit->name.name));
    } else {
        Value v = lower::lower(f_, e);
        if (v.isError()) return std::nullopt;
        if (v.isConst() && v.constant.isInt() && isPlainEnum(types_, v.type))
            for (const Variant& variant : types_.enumInfo(v.type).variants)
                if (variant.value == v.constant.i) result = orderNamed(sema_.names.text(variant.name));
    }
    if (!result)
        reject(e->span, "a memory ordering is one of `.relaxed`, `.acquire`, `.release`, `.acq_rel`, `.seq_cst`, known "
                        "while compiling");
    return result;
}

bool IntrinsicCall::atomicType(TypeId& type) {
    TypeArg t = typeArg(0, Accept::Static);
    if (!t.ok) return false;
    type = t.type;
    if (isScalar(types_, type) && sx::sizeOf(types_, type) <= 8) return true;
    reject(arg(0)->span, code(types_, type) + " is no scalar of 1, 2, 4 or 8 bytes, so it has no atomic operations");
    return false;
}

TypeId IntrinsicCall::container(TypeId type) const {
    bool isSigned = isInteger(types_, type) && types_.isSigned(type);
    return integerType(static_cast<unsigned>(sx::sizeOf(types_, type) * 8), isSigned);
}

ValueId IntrinsicCall::toBits(const Value& v, TypeId type) {
    TypeId word = container(type);
    if (isFloat(types_, type)) return emitCast(b_, Op::Reinterpret, scalar(f_, v), word);
    return castScalar(f_, scalar(f_, v), type, word);
}

Value IntrinsicCall::fromBits(ValueId bits, TypeId type) {
    if (isFloat(types_, type)) return Value::scalar(type, emitCast(b_, Op::Reinterpret, bits, type));
    return Value::scalar(type, castScalar(f_, bits, container(type), type));
}

ValueId IntrinsicCall::atomicPointer(TypeId type) {
    TypeId pointer = pointerTo(types_, type);
    Value p = convertArgument(f_, lower::lower(f_, arg(1), pointer), pointer, arg(1)->span);
    return p.isError() ? ValueId::None
                       : emitCast(b_, Op::Reinterpret, scalar(f_, p), pointerTo(types_, container(type)));
}

Value IntrinsicCall::atomicLoad() {
    TypeId type{};
    if (!atomicType(type)) return Value::error();
    ValueId p = atomicPointer(type);
    std::optional<MemoryOrder> o = order(2);
    if (p == ValueId::None || !o) return Value::error();
    if (*o == MemoryOrder::Release || *o == MemoryOrder::AcqRel)
        return reject(arg(2)->span, "a load cannot release: use `.relaxed`, `.acquire` or `.seq_cst`");
    return fromBits(b_.emit(Op::AtomicLoad, container(type), {p}, 0, static_cast<uint8_t>(*o)), type);
}

Value IntrinsicCall::atomicStore() {
    TypeId type{};
    if (!atomicType(type)) return Value::error();
    ValueId p = atomicPointer(type);
    Value v = lowerTo(f_, arg(2), type);
    std::optional<MemoryOrder> o = order(3);
    if (p == ValueId::None || v.isError() || !o) return Value::error();
    if (*o == MemoryOrder::Acquire || *o == MemoryOrder::AcqRel)
        return reject(arg(3)->span, "a store cannot acquire: use `.relaxed`, `.release` or `.seq_cst`");
    b_.emit(Op::AtomicStore, TypeId::Void, {p, toBits(v, type)}, 0, static_cast<uint8_t>(*o));
    return Value::none();
}

Value IntrinsicCall::atomicRmw() {
    std::optional<ir::AtomicOp> operation = operationNamed(name_);
    if (!operation) return reject(nameSpan(), "there is no atomic operation " + code(name_));
    TypeId type{};
    if (!atomicType(type)) return Value::error();
    ValueId p = atomicPointer(type);
    Value v = lowerTo(f_, arg(2), type);
    std::optional<MemoryOrder> o = order(3);
    if (p == ValueId::None || v.isError() || !o) return Value::error();
    if (isFloat(types_, type) && *operation != ir::AtomicOp::Swap)
        return reject(arg(0)->span, code(name_) + " works on integers, not on " + code(types_, type));
    ValueId before = b_.emit(Op::AtomicRmw, container(type), {p, toBits(v, type)}, static_cast<uint64_t>(*operation),
                             static_cast<uint8_t>(*o));
    return fromBits(before, type);
}

/// Null if the exchange took place, else the value found.
Value IntrinsicCall::atomicCompareExchange() {
    TypeId type{};
    if (!atomicType(type)) return Value::error();
    ValueId p = atomicPointer(type);
    Value expected = lowerTo(f_, arg(2), type), desired = lowerTo(f_, arg(3), type);
    std::optional<MemoryOrder> ok = order(4), fail = order(5);
    if (p == ValueId::None || expected.isError() || desired.isError() || !ok || !fail) return Value::error();
    if (*fail == MemoryOrder::Release || *fail == MemoryOrder::AcqRel)
        return reject(arg(5)->span, "a failed exchange stores nothing, so it cannot release");
    if (strength(*fail) > strength(*ok))
        return reject(arg(5)->span,
                      "the ordering of a failed exchange cannot be stronger than that of a successful one");
    ValueId old = toBits(expected, type);
    ValueId found =
        b_.emit(Op::AtomicCmpXchg, container(type), {p, old, toBits(desired, type)}, 0, static_cast<uint8_t>(*ok));
    TypeId optional = optionalOf(types_, type);
    ir::SlotId slot = b_.newSlot(optional);
    BlockId done = b_.newBlock(), other = b_.newBlock(), join = b_.newBlock();
    emitCondBr(b_, emitICmp(b_, ir::ICmpPred::Eq, found, old), done, other);
    b_.setBlock(done);
    emitZero(b_, slotAddr(b_, slot), optional);
    emitBr(b_, join);
    b_.setBlock(other);
    store(f_, slotAddr(b_, slot), wrapOptional(f_, fromBits(found, type), optional));
    emitBr(b_, join);
    b_.setBlock(join);
    return lower::load(f_, Value::temporary(optional, slotAddr(b_, slot)));
}

Value IntrinsicCall::atomicFence() {
    std::optional<MemoryOrder> o = order(0);
    if (!o) return Value::error();
    if (*o == MemoryOrder::Relaxed) return reject(arg(0)->span, "a relaxed fence orders nothing");
    b_.emit(Op::Fence, TypeId::Void, {}, 0, static_cast<uint8_t>(*o));
    return Value::none();
}

} // namespace sx::lower
