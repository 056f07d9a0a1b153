// Turns one IR function into register code. Analysis decides where values live; a Translator knows where they are while
// the blocks are walked, and free functions over it emit (Emit.h).
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

using ValueId = ir::ValueId;
using BlockId = ir::BlockId;
using Instr = ir::Instr;

/// Where memory is that an instruction works on.
struct Address {
    enum class Kind : uint8_t { Frame, Register, Indexed } kind{};
    Reg reg = 0, index = 0;
    uint64_t offset = 0;
};

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

    // ---- Translator.cpp: the frame
    void layOutFrame();
    SlotPlace placeSlot(ir::SlotId);
    void assignFixed();
    void findLoops();
    void beginTemps();
    void endInstr(uint32_t position);

    // ---- Operands.cpp: where values are
    const Instr& instr(ValueId v) const { return fn.instr(v); }
    ValueId operand(const Instr& i, unsigned n) const { return fn.operandsOf(i)[n]; }
    ScalarKind kindOf(ValueId v) const { return scalarKind(types, instr(v).type); }
    ScalarKind kindOf(TypeId t) const { return scalarKind(types, t); }
    Reg takeTemp();
    Reg scratch();       ///< a register until the end of the current instruction
    Reg dest(ValueId v); ///< where the value of the current instruction goes
    Reg slotRegister(ir::SlotId s) const { return static_cast<Reg>(places[static_cast<uint32_t>(s)].index); }
    Reg use(ValueId v);              ///< the register that holds a value; leaves are loaded into a scratch one
    void useInto(ValueId v, Reg to); ///< puts a value into a given register
    bool isInPlace(ValueId v, ValuePlan::Target, uint32_t index) const;
    std::optional<uint64_t> constant(ValueId v); ///< of leaves with a value known now, in canonical form
    bool smallConstant(ValueId v, int16_t& out);
    void loadConstant(Reg to, uint64_t value);
    Reg constantRegister(uint64_t value);
    void move(Reg to, Reg from);
    Address addressOf(ValueId pointer);
    void addressInto(const Address&, Reg to);
    Reg addressRegister(const Address&);
    void addOffset(Reg to, Reg from, uint64_t offset);

    /// The code fails with this message when it gets here.
    void fail(std::string message);

    // ---- blocks
    Label labelOf(BlockId b) const { return blockLabels[static_cast<uint32_t>(b)]; }
    Label labelTo(BlockId b) const { return labelOf(analysis.threaded(b)); }
    bool isNext(BlockId b) const { return analysis.threaded(b) == analysis.threaded(nextBlock); }

    // ---- Marks.cpp: what a debugger is told of the code
    /// Finds out which statement is under way where each block begins.
    void findStatements();
    void beginBlock(BlockId);
    /// Before the code of an instruction; it may have none.
    void placeMarks(ValueId);
    bool isRepeatable(const ir::Block&) const;
    /// A statement without code of its own gets an instruction to stop at.
    void endStatement();

    Environment& environment;
    const bool debugged;
    const ir::Function& fn;
    const ir::FuncId func;
    const TypeTable& types;
    Analysis analysis;
    CodeBuffer code;

    const Plan& plan;
    std::vector<Reg> constantRegisters; ///< of the plan's constants
    std::vector<uint64_t> wanted;       ///< constants that loops load, as far as there is room for them
    std::vector<uint8_t> inLoop;        ///< by block
    bool blockLoops = false;            ///< the block that is being emitted is part of a loop

    std::vector<SlotPlace> places;
    std::vector<Reg> registers; ///< of Register values; temporaries change from block to block
    std::vector<Label> blockLabels;
    BlockId nextBlock{};   ///< in the layout, after the block that is being emitted
    uint32_t fixedEnd = 0; ///< first word after the fixed registers
    uint32_t frameEnd = 0; ///< first word after the small slots: temporaries start here
    uint32_t maxTemp = 0;
    uint64_t farBytes = 0;
    uint32_t farAlign = 16;
    Reg farRegister = 0;
    struct LiveTemp {
        Reg reg;
        uint32_t lastUse;
    };
    struct Temps {
        uint32_t end = 0;
        std::vector<Reg> free, scratch; ///< scratch: free again after the current instruction
        std::vector<LiveTemp> live;
    } temps;
    std::vector<ir::SlotId>
        checkedSlots; ///< pointer variables that are not null here: checked in this block, not written since
    bool copyingHeader = false, tooLarge = false;

    std::vector<uint32_t> statements, loopTests; ///< where they begin, as FunctionCode has it
    llvm::DenseMap<uint32_t, llvm::SmallVector<uint32_t, 1>> statementsAt, eventsAt; ///< by ValueId
    std::vector<uint32_t> statementBefore;                                           ///< by block
    uint32_t openStatement = FunctionCode::None; ///< begun in this block, and maybe without code
};

} // namespace sx::vm
