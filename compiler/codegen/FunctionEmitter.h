// Emits the body of one function.
//
// Blocks become blocks, block parameters phis, slots allocas of the entry block. Blocks are visited in reverse
// postorder, so a value is emitted before its uses; they are laid out in that order too, the cold ones last.
// Every instruction passes `emitInstruction`, which is the place that knows its span and scope. A FunctionEmitter knows
// what has been made so far; free functions over it emit (Emit.h).
#pragma once

#include "codegen/ModuleEmitter.h"
#include "ir/CodeMarks.h"

#include "llvm/IR/IRBuilder.h"

namespace sx::codegen {

class FunctionEmitter {
public:
    FunctionEmitter(ModuleEmitter&, const ir::Function&, llvm::Function&, const Signature&);
    void emit();

    // ---- what has been made
    llvm::Value* value(ir::ValueId v) const { return values_[static_cast<uint32_t>(v)]; }
    llvm::Value* operand(const ir::Instr& i, unsigned n) const { return value(fn.operandsOf(i)[n]); }
    TypeId operandType(const ir::Instr& i, unsigned n) const { return fn.instr(fn.operandsOf(i)[n]).type; }
    llvm::Type* scalarType(TypeId t) const { return module.types().scalar(t); }
    llvm::BasicBlock* block(ir::BlockId id) const { return blocks_[static_cast<uint32_t>(id)]; }
    bool isCold(ir::BlockId id) const { return fn.blocks[static_cast<uint32_t>(id)].cold; }
    llvm::AllocaInst* storage(uint64_t size, uint64_t align); ///< in the entry block
    llvm::AllocaInst* slot(ir::SlotId);
    /// What ends this block gets a block of its own in unoptimised code. For terminators that LLVM's quick instruction
    /// selection does not know: it leaves all that stands before them in their block to the slow one.
    void setTerminatorApart();
    /// The same for a return of what lies at `result`, which goes through registers that the quick selection does not
    /// know: one block does it for all returns of that. False if the block is there already; then the return is made.
    bool beginReturnOf(llvm::Value* result);
    /// A NullCheck that has nothing to say, since another one came before. Optimised code has LLVM find that out.
    bool isRepeatedCheck(const ir::Instr& i) const {
        return !repeatedChecks_.empty() && repeatedChecks_[static_cast<size_t>(&i - fn.instrs.data())];
    }
    /// A statement has begun, and no code that acts was emitted for it.
    bool hasStatementToShow() const { return statement_ != ir::CodeMarks::None; }

    ModuleEmitter& module;
    const ir::Function& fn;
    llvm::Function& out;
    const Signature& signature;
    llvm::IRBuilder<> b;

private:
    void createBlocks();
    void emitInstruction(ir::ValueId);
    void collectMarks();
    void begin(ir::ValueId);
    Span shownSpan(const ir::Instr&);
    void declareVariables();

    llvm::BasicBlock* entry_ = nullptr;                               // allocas, then a branch to block 0
    std::vector<ir::BlockId> order_;                                  // reachable blocks, in reverse postorder
    std::vector<llvm::BasicBlock*> blocks_;                           // by BlockId; null: unreachable
    std::vector<llvm::Value*> values_;                                // by ValueId
    std::vector<bool> repeatedChecks_;                                // by ValueId
    std::vector<llvm::AllocaInst*> slots_;                            // by SlotId, made at first use
    llvm::SmallDenseMap<llvm::Value*, llvm::BasicBlock*, 2> returns_; // by what they return
    // Where debug information is wanted: what begins at an instruction, by ValueId, and what began last.
    llvm::DenseMap<uint32_t, uint32_t> statements_, errorEvents_;
    uint32_t statement_ = ir::CodeMarks::None, errorEvent_ = ir::CodeMarks::None;
    SourcePos begun_; // a statement that has no code yet
};

} // namespace sx::codegen
