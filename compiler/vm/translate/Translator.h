// Turns one IR function into register code. Analysis decides where values live; this walks the blocks and emits.
#pragma once

#include "source/Result.h"
#include "vm/code/CodeBuffer.h"
#include "vm/code/Scalar.h"
#include "vm/translate/Analysis.h"
#include "vm/translate/Environment.h"

#include <memory>
#include <optional>

namespace sx::vm {

/// Fails if the function exceeds a limit of the encoding, or needs what only compiled code has.
Result<std::unique_ptr<FunctionCode>> translate(Environment&, ir::FuncId);

class Translator {
public:
    /// What a first attempt finds out for a second one.
    struct Plan {
        bool wideBranches = false;
        std::vector<uint64_t> constants; ///< kept in registers for the whole function: loops use them
    };
    Translator(Environment&, ir::FuncId, const Plan&);
    enum class Attempt : uint8_t { Done, TryAgain, TooLarge };
    /// TryAgain: with the plan that `better` is now.
    Attempt run(FunctionCode& out, Plan& better);

private:
    using ValueId = ir::ValueId;
    using BlockId = ir::BlockId;
    using Instr = ir::Instr;

    // ---- Translator.cpp: frame, blocks
    void layOutFrame();
    SlotPlace placeSlot(ir::SlotId);
    void assignFixed();
    void findLoops();
    void emitBlock(BlockId);
    void emitInstr(ValueId);
    void beginTemps();
    void endInstr(uint32_t position);

    // ---- Operands.cpp: where values are
    const Instr& instr(ValueId v) const { return fn_.instr(v); }
    ValueId operand(const Instr& i, unsigned n) const { return fn_.operandsOf(i)[n]; }
    ScalarKind kindOf(ValueId v) const { return scalarKind(types_, instr(v).type); }
    ScalarKind kindOf(TypeId t) const { return scalarKind(types_, t); }
    Reg takeTemp();
    Reg scratch();       ///< a register until the end of the current instruction
    Reg dest(ValueId v); ///< where the value of the current instruction goes
    Reg slotRegister(ir::SlotId s) const { return static_cast<Reg>(places_[static_cast<uint32_t>(s)].index); }
    Reg use(ValueId v);              ///< the register that holds a value; leaves are loaded into a scratch one
    void useInto(ValueId v, Reg to); ///< puts a value into a given register
    bool isInPlace(ValueId v, ValuePlan::Target, uint32_t index) const;
    std::optional<uint64_t> constant(ValueId v); ///< of leaves with a value known now, in canonical form
    bool smallConstant(ValueId v, int16_t& out);
    void loadConstant(Reg to, uint64_t value);
    Reg constantRegister(uint64_t value);
    void move(Reg to, Reg from);
    struct Address {
        enum class Kind : uint8_t { Frame, Register, Indexed } kind{};
        Reg reg = 0, index = 0;
        uint64_t offset = 0;
    };
    Address addressOf(ValueId pointer);
    void addressInto(const Address&, Reg to);
    Reg addressRegister(const Address&);
    void addOffset(Reg to, Reg from, uint64_t offset);

    // ---- Arithmetic.cpp
    void emitAddSub(const Instr&, ValueId);
    void emitMul(const Instr&, ValueId);
    void emitBitwise(const Instr&, ValueId);
    void emitShift(const Instr&, ValueId);
    void emitDivision(const Instr&, ValueId);
    /// `d` for f64, `s` for f32.
    void emitFloat(const Instr&, ValueId, Opcode d, Opcode s);
    void emitMath(const Instr&, ValueId, const char* name, Opcode d, Opcode s);
    void emitCompare(const Instr&, ValueId);
    void emitSelect(const Instr&, ValueId);
    void emitTruncation(const Instr&, ValueId);
    void emitZeroExtension(const Instr&, ValueId);
    void emitSignExtension(const Instr&, ValueId);
    void emitIntToBool(const Instr&, ValueId);
    void emitIntToFloat(const Instr&, ValueId);
    void emitFloatToInt(const Instr&, ValueId);
    void emitFloatResize(const Instr&, ValueId);
    void emitReinterpret(const Instr&, ValueId);
    void normalize(Reg r, ScalarKind); ///< truncates a 64-bit result to its type
    void extend(Reg to, Reg from, unsigned bits, bool withSign);
    Reg zeroExtended(ValueId v);

    // ---- MemoryOps.cpp
    void emitLoad(const Instr&, ValueId);
    void emitStore(const Instr&);
    void emitCopy(const Instr&);
    void emitZero(const Instr&);
    void emitIndex(const Instr&, ValueId);
    void emitOffset(const Instr&, ValueId);
    void emitMemEq(const Instr&, ValueId);
    void emitNullCheck(const Instr&);
    void emitAtomic(const Instr&, ValueId);
    bool rejectGlobalWrite(ValueId pointer); ///< at compile time; true if a failure stands instead of the write
    void fail(std::string message);
    std::optional<Reg> frameWord(const Address&, uint64_t bytes) const;
    void putInFrame(ValueId value, Reg word);
    void copyBytes(Reg to, Reg from, uint64_t bytes);

    // ---- Branches.cpp
    void emitTerminator(const Instr&);
    void emitCondBr(const Instr&);
    void emitSwitch(const Instr&);
    void emitPanic(ir::PanicKind, llvm::ArrayRef<ValueId> operands);
    struct Condition {
        enum class Kind : uint8_t { Value, Int, Float } kind{};
        ValueId a{}, b{};
        bool zero = false; ///< Int: compare `a` with 0 instead of `b`
        bool negated = false;
        uint8_t pred = 0;
    };
    Condition conditionOf(ValueId);
    void branchIf(const Condition&, Label); ///< jumps if it holds
    void branchOnInt(const Condition&, Label);
    void branchOnFloat(const Condition&, Label);
    bool branchOnImmediate(ir::ICmpPred, ValueId a, int16_t b, Label);
    void branch(Opcode forward, Reg a, uint16_t b, Label); ///< picks the counting form for a bound label
    void loop(bool isSigned, Reg counter, Reg end, Label head);
    void jumpTo(const ir::Target&); ///< moves the arguments, then goes there (or falls through)
    bool copyHeader(BlockId);       ///< instead of jumping back to it
    void moveArguments(const ir::Target&);
    Label labelOf(BlockId b) const { return blockLabels_[static_cast<uint32_t>(b)]; }
    Label labelTo(BlockId b) const { return labelOf(analysis_.threaded(b)); }
    bool isNext(BlockId b) const { return analysis_.threaded(b) == analysis_.threaded(nextBlock_); }

    // ---- Calls.cpp
    void emitCall(const Instr&, ValueId);
    void emitIndirectCall(const Instr&, ValueId);
    void emitForeignCall(const Instr&, ValueId, const ir::Function& callee);
    void passArguments(const Instr&);
    void emitReturn(const Instr&);
    void emitTrace(const Instr&, ValueId);

    Environment& environment_;
    const ir::Function& fn_;
    const ir::FuncId func_;
    const TypeTable& types_;
    Analysis analysis_;
    CodeBuffer code_;

    const Plan& plan_;
    std::vector<Reg> constantRegisters_; ///< of the plan's constants
    std::vector<uint64_t> wanted_;       ///< constants that loops load, as far as there is room for them
    std::vector<uint8_t> inLoop_;        ///< by block
    bool blockLoops_ = false;            ///< the block that is being emitted is part of a loop

    std::vector<SlotPlace> places_;
    std::vector<Reg> registers_; ///< of Register values; temporaries change from block to block
    std::vector<Label> blockLabels_;
    BlockId nextBlock_{};   ///< in the layout, after the block that is being emitted
    uint32_t fixedEnd_ = 0; ///< first word after the fixed registers
    uint32_t frameEnd_ = 0; ///< first word after the small slots: temporaries start here
    uint32_t maxTemp_ = 0;
    uint64_t farBytes_ = 0;
    uint32_t farAlign_ = 16;
    Reg farRegister_ = 0;
    struct LiveTemp {
        Reg reg;
        uint32_t lastUse;
    };
    struct Temps {
        uint32_t end = 0;
        std::vector<Reg> free, scratch; ///< scratch: free again after the current instruction
        std::vector<LiveTemp> live;
    } temps_;
    std::vector<ir::SlotId>
        checkedSlots_; ///< pointer variables that are not null here: checked in this block, not written since
    bool copyingHeader_ = false, tooLarge_ = false;
};

} // namespace sx::vm
