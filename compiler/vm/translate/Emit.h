// What emits the code of a function: free functions over its Translator, by the source that defines them.
#pragma once

#include "vm/translate/Translator.h"

namespace sx::vm {

/// What a branch depends on.
struct Condition {
    enum class Kind : uint8_t { Value, Int, Float } kind{};
    ValueId a{}, b{};
    bool zero = false; ///< Int: compare `a` with 0 instead of `b`
    bool negated = false;
    uint8_t pred = 0;
};

// ---- Translator.cpp

void emitBlock(Translator&, BlockId);
void emitInstr(Translator&, ValueId);

// ---- Arithmetic.cpp

void emitAddSub(Translator&, const Instr&, ValueId);
void emitMul(Translator&, const Instr&, ValueId);
void emitBitwise(Translator&, const Instr&, ValueId);
void emitShift(Translator&, const Instr&, ValueId);
void emitDivision(Translator&, const Instr&, ValueId);
/// `d` for f64, `s` for f32.
void emitFloat(Translator&, const Instr&, ValueId, Opcode d, Opcode s);
void emitMath(Translator&, const Instr&, ValueId, const char* name, Opcode d, Opcode s);
void emitCompare(Translator&, const Instr&, ValueId);
void emitSelect(Translator&, const Instr&, ValueId);
void emitTruncation(Translator&, const Instr&, ValueId);
void emitZeroExtension(Translator&, const Instr&, ValueId);
void emitSignExtension(Translator&, const Instr&, ValueId);
void emitIntToBool(Translator&, const Instr&, ValueId);
void emitIntToFloat(Translator&, const Instr&, ValueId);
void emitFloatToInt(Translator&, const Instr&, ValueId);
void emitFloatResize(Translator&, const Instr&, ValueId);
void emitReinterpret(Translator&, const Instr&, ValueId);
/// Truncates a 64-bit result to its type.
void normalize(Translator&, Reg r, ScalarKind);
void extend(Translator&, Reg to, Reg from, unsigned bits, bool withSign);
Reg zeroExtended(Translator&, ValueId v);

// ---- MemoryOps.cpp

void emitLoad(Translator&, const Instr&, ValueId);
void emitStore(Translator&, const Instr&);
void emitCopy(Translator&, const Instr&);
void emitZero(Translator&, const Instr&);
void emitIndex(Translator&, const Instr&, ValueId);
void emitOffset(Translator&, const Instr&, ValueId);
void emitMemEq(Translator&, const Instr&, ValueId);
void emitNullCheck(Translator&, const Instr&);
void emitAtomic(Translator&, const Instr&, ValueId);
/// At compile time; true if a failure stands instead of the write.
bool rejectGlobalWrite(Translator&, ValueId pointer);
std::optional<Reg> frameWord(const Translator&, const Address&, uint64_t bytes);
void putInFrame(Translator&, ValueId value, Reg word);
void copyBytes(Translator&, Reg to, Reg from, uint64_t bytes);

// ---- Branches.cpp

void emitTerminator(Translator&, const Instr&);
void emitCondBr(Translator&, const Instr&);
void emitSwitch(Translator&, const Instr&);
void emitPanic(Translator&, ir::PanicKind, llvm::ArrayRef<ValueId> operands);
Condition conditionOf(Translator&, ValueId);
/// Jumps if it holds.
void branchIf(Translator&, const Condition&, Label);
void branchOnInt(Translator&, const Condition&, Label);
void branchOnFloat(Translator&, const Condition&, Label);
bool branchOnImmediate(Translator&, ir::ICmpPred, ValueId a, int16_t b, Label);
/// Picks the counting form for a bound label.
void branch(Translator&, Opcode forward, Reg a, uint16_t b, Label);
void loop(Translator&, bool isSigned, Reg counter, Reg end, Label head);
/// Moves the arguments, then goes there (or falls through).
void jumpTo(Translator&, const ir::Target&);
/// Instead of jumping back to it.
bool copyHeader(Translator&, BlockId);
void moveArguments(Translator&, const ir::Target&);

// ---- Calls.cpp

void emitCall(Translator&, const Instr&, ValueId);
void emitIndirectCall(Translator&, const Instr&, ValueId);
void emitForeignCall(Translator&, const Instr&, ValueId, const ir::Function& callee);
void passArguments(Translator&, const Instr&);
void emitReturn(Translator&, const Instr&);
void emitTrace(Translator&, const Instr&, ValueId);

} // namespace sx::vm
