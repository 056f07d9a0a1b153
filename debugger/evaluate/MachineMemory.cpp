// Accesses of memory: reads of the program's and of what is the evaluation's own, writes to the latter.
#include "debugger/evaluate/Machine.h"
#include "debugger/evaluate/Refusals.h"
#include "debugger/inspect/Datum.h"

#include "ir/Folding.h"
#include "ir/Ops.h"
#include "types/Layout.h"
#include "types/Predicates.h"

#include <algorithm>
#include <cstring>

namespace sx::debugger {

using namespace ir;

Machine::Step Machine::read(uint64_t from, llvm::MutableArrayRef<uint8_t> into) {
    if (memory_.read(from, into) == into.size()) return true;
    return fail(from == 0 ? std::string(infoOf(PanicKind::NullPointer).message)
                          : "the memory at " + hexText(from) + " cannot be read");
}

Machine::Step Machine::write(uint64_t to, llvm::ArrayRef<uint8_t> bytes) {
    bool isOwn = EvaluationMemory::isOwn(to);
    if (!isOwn && !rights_.mayWrite) {
        refusedWrite_ = to;
        return fail(refusals::WritesToProgram);
    }
    if (const ir::Global* variable = isOwn ? addresses_.madeVariableAt(to) : nullptr)
        return fail(rights_.mayWrite ? refusals::isUnused(variable->name) : refusals::WritesToProgram);
    std::vector<uint8_t> settled;
    if (!isOwn && Transfer::refersToOwn(bytes)) {
        if (!callsProgram() && Transfer::refersToBlock(bytes, memory_))
            return fail("has side effects: the program keeps memory that it allocates");
        settled.assign(bytes.begin(), bytes.end());
        if (Result<void> done = Transfer(memory_, addresses_, rights_.host).settle(settled); !done)
            return fail(done.error());
        bytes = settled;
    }
    if (memory_.write(to, bytes)) return true;
    return fail("the memory at " + hexText(to) + " cannot be written");
}

Machine::Step Machine::load(TypeId type, uint64_t from, uint64_t& out) {
    uint8_t bytes[sizeof out] = {};
    if (!read(from, {bytes, static_cast<size_t>(sizeOf(module_.types, type))})) return false;
    std::memcpy(&out, bytes, sizeof out);
    out = lowBits(valueBits(module_.types, type), out);
    return true;
}

Machine::Step Machine::store(TypeId type, uint64_t to, uint64_t value) {
    // Odd widths are kept extended to their container.
    unsigned bits = valueBits(module_.types, type);
    if (isInteger(module_.types, type) && module_.types.isSigned(type))
        value = static_cast<uint64_t>(signExtended(bits, value));
    uint8_t bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    return write(to, {bytes, static_cast<size_t>(sizeOf(module_.types, type))});
}

Machine::Step Machine::copy(uint64_t to, uint64_t from, uint64_t size) {
    if (size > EvaluationMemory::MostBytes)
        return fail("it copies " + std::to_string(size) + " bytes, which is too much");
    std::vector<uint8_t> bytes(size);
    return size == 0 || (read(from, bytes) && write(to, bytes));
}

Machine::Step Machine::fill(uint64_t to, uint8_t byte, uint64_t size) {
    if (size > EvaluationMemory::MostBytes)
        return fail("it writes " + std::to_string(size) + " bytes, which is too much");
    return size == 0 || write(to, std::vector<uint8_t>(size, byte));
}

Machine::Step Machine::equal(uint64_t a, uint64_t b, uint64_t size, uint64_t& out) {
    out = 1;
    for (uint64_t done = 0; done < size && out == 1 && static_cast<int64_t>(size) > 0;) {
        uint8_t first[4096], second[sizeof first];
        size_t count = std::min<uint64_t>(sizeof first, size - done);
        if (!read(a + done, {first, count}) || !read(b + done, {second, count})) return false;
        out = std::memcmp(first, second, count) == 0;
        done += count;
    }
    return true;
}

Machine::Step Machine::access(const Instr& i, uint64_t& out) {
    switch (i.op) {
    case Op::Load:
    case Op::AtomicLoad: return load(i.type, operand(i, 0), out);
    case Op::Store:
    case Op::AtomicStore: return store(operandType(i, 1), operand(i, 0), operand(i, 1));
    case Op::Copy: return copy(operand(i, 0), operand(i, 1), i.imm);
    case Op::CopyN:
        return static_cast<int64_t>(operand(i, 2)) <= 0 || copy(operand(i, 0), operand(i, 1), operand(i, 2));
    case Op::Zero: return fill(operand(i, 0), 0, i.imm);
    case Op::MemEq: return equal(operand(i, 0), operand(i, 1), operand(i, 2), out);
    case Op::NullCheck: return operand(i, 0) != 0 || fail(std::string(infoOf(PanicKind::NullPointer).message));
    case Op::AtomicRmw: return update(i, out);
    case Op::AtomicCmpXchg: return compareExchange(i, out);
    default: return fail(std::string("the operation ") + opName(i.op) + " cannot be evaluated");
    }
}

Machine::Step Machine::update(const Instr& i, uint64_t& out) {
    if (!load(i.type, operand(i, 0), out)) return false;
    unsigned bits = valueBits(module_.types, i.type);
    uint64_t now = out, by = operand(i, 1);
    bool isLess = module_.types.isSigned(i.type) ? signExtended(bits, now) < signExtended(bits, by) : now < by;
    switch (static_cast<AtomicOp>(i.imm)) {
    case AtomicOp::Add: now += by; break;
    case AtomicOp::Sub: now -= by; break;
    case AtomicOp::And: now &= by; break;
    case AtomicOp::Or: now |= by; break;
    case AtomicOp::Xor: now ^= by; break;
    case AtomicOp::Min: now = isLess ? now : by; break;
    case AtomicOp::Max: now = isLess ? by : now; break;
    case AtomicOp::Swap: now = by; break;
    }
    return store(i.type, operand(i, 0), lowBits(bits, now));
}

Machine::Step Machine::compareExchange(const Instr& i, uint64_t& out) {
    if (!load(i.type, operand(i, 0), out)) return false;
    return out != operand(i, 1) || store(i.type, operand(i, 0), operand(i, 2));
}

} // namespace sx::debugger
