// Facts about single operations and values that builder, printer, verifier and machines share.
#pragma once

#include "ir/Ir.h"

#include <array>

namespace sx::ir {

/// What an operand or a result of an operation is.
enum class ValueRule : uint8_t {
    None, ///< results: there is none
    Scalar,
    Pointer,
    Word, ///< an integer of 64 bits
    Integer,
    Float,
    Bool,
    Bits,   ///< an integer or bool
    Result, ///< operands: of the class and width of the result
    Own,    ///< the form has a rule of its own
};

/// What `imm` and `pred` of an instruction hold, and what else has to be right about it.
enum class Form : uint8_t {
    Plain, ///< nothing
    // imm alone; the first ones are ids of tables
    Constant,
    Function,
    Global,
    Type,
    Slot,
    Parameter,
    Number,
    Link,
    // comparisons: pred
    IntCompare,
    FloatCompare,
    // conversions: the widths of operand and result
    Narrows,
    Widens,
    OtherWidth,
    SameWidth,
    // calls
    Callee,
    CalleeType,
    // atomics: pred is a MemoryOrder, imm an AtomicOp
    Ordered,
    OrderedUpdate,
    Assembly,   ///< imm: index into Function::assembly
    Parameters, ///< of a list, the first operand
    // terminators
    Branch,
    Cases, ///< imm: index into Function::switches
    Returned,
    Failure, ///< imm: PanicKind
};

enum class Effect : uint8_t {
    Fixed, ///< has no operands and gives the same value wherever it stands in its function
    Pure,  ///< matters only if somebody reads its result
    Acts,  ///< doing it matters
    Ends,  ///< ends its block
};

/// The row of an operation in Ops.def.
struct OpInfo {
    const char* text;
    std::array<ValueRule, 3> operands;
    uint8_t operandCount; ///< of `operands`; not of instructions whose form has a rule of its own
    ValueRule result;
    Form form;
    Effect effect;
    bool hasOwnOperands() const { return operandCount == 1 && operands[0] == ValueRule::Own; }
};
const OpInfo& infoOf(Op);

/// As the text form spells it: `icmp`, `slot_addr`.
inline const char* opName(Op op) { return infoOf(op).text; }
const char* predName(ICmpPred);
/// The predicate for the operands in the other order: `a pred b` is `b swapped(pred) a`.
ICmpPred swapped(ICmpPred);
const char* predName(FCmpPred);
const char* atomicName(AtomicOp);
const char* orderName(MemoryOrder);

/// The row of a run-time failure in Panics.def.
struct PanicInfo {
    const char* text;
    uint8_t operandCount;
    std::string_view message;
    bool isDropped;
};
constexpr PanicInfo panics[] = {
#define PANIC(name, text, operands, message, isDropped) {text, operands, message, isDropped},
#include "ir/Panics.def"
};
constexpr const PanicInfo& infoOf(PanicKind kind) { return panics[static_cast<size_t>(kind)]; }

inline bool isTerminator(Op op) { return infoOf(op).effect == Effect::Ends; }
/// Doing it matters even if nobody reads a result.
inline bool hasEffect(Op op) { return infoOf(op).effect >= Effect::Acts; }

/// Scalars that machines treat alike: values of one class and width may stand for each other.
enum class ValueClass : uint8_t {
    None, ///< not a scalar: no SSA value
    Bool,
    Int, ///< integers, plain enums, error values
    Float,
    Pointer, ///< one word: pointers of any pointee, functions, cstring, Type, null, optionals of pointer-likes
};
ValueClass classOf(const TypeTable&, TypeId);

/// Width of an SSA value: 1 for a bool, else scalarBits. 0 if it is not a scalar.
unsigned valueBits(const TypeTable&, TypeId);

/// Same class and width.
bool interchangeable(const TypeTable&, TypeId, TypeId);

/// The call returns through an address that its caller passes: neither void nor a scalar.
bool returnsInMemory(const TypeTable&, TypeId result);

constexpr uint64_t lowBits(unsigned bits, uint64_t value) {
    return bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
}
constexpr int64_t signExtended(unsigned bits, uint64_t value) {
    unsigned unused = 64 - bits;
    return static_cast<int64_t>(value << unused) >> unused;
}

} // namespace sx::ir
