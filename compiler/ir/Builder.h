// Appends instructions to one function. Holds the insertion block, the current span and scope.
// What to append is said by free functions: BuildConstants.h, BuildMemory.h, BuildValues.h, BuildCalls.h,
// BuildControl.h.
//
// A Builder on a function without blocks makes its entry block (and scope 0) and starts there. Code after a
// terminator is dead: it goes into a fresh block without predecessors, which removeUnreachableBlocks takes
// away, and a terminator right after a terminator is dropped.
#pragma once

#include "ir/Ir.h"

#include <vector>

namespace sx::ir {

class Builder {
public:
    Builder(Module&, Function&);

    Module& module() { return module_; }
    Function& function() { return fn_; }

    // ---- where
    BlockId newBlock(bool cold = false);
    void setBlock(BlockId); ///< further instructions go to its end
    BlockId block() const { return block_; }
    bool terminated() const; ///< the current block has its terminator: code that follows is dead
    ValueId blockParam(BlockId, TypeId);
    void setSpan(Span s) { span_ = s; }
    Span span() const { return span_; }
    ScopeId scope() const { return scope_; }
    ScopeId pushScope(Span);           ///< new lexical scope inside the current one
    void enterScope(ScopeId);          ///< goes on in a scope that was left, until popScope
    void continueFrom(const Builder&); ///< where another builder of the same function stands: block, span and scope
    /// What follows in this scope is written elsewhere, and debuggers show it at `at`; the outermost such place
    /// counts. Returns what held before: give it back to end the part.
    Span showAt(Span at);
    /// Debuggers lead into what follows in this scope only from within it: something before has prepared it.
    void needEntry();
    void popScope(); ///< back to where the matching pushScope was called
    /// A variable of the program lives at `address`; it is visible to what is emitted from here to the end of
    /// the current scope, a parameter or capture everywhere in the function. Nothing happens if the address is
    /// not that of a slot, or the slot is a variable already.
    void declareVariable(ValueId address, Name, Span);
    void declareEverywhere(ValueId address, Name, Span);

    // ---- marks for debuggers: they go to the next instruction that is emitted
    /// A statement begins at this position. It takes the place of one that has no instruction yet. In code that is
    /// shown elsewhere there are no statements: what is shown is one.
    void beginStatement(SourcePos, bool breakable = true);
    /// The statement that was begun last keeps its place, if it has no instruction yet, and further ones follow it.
    void keepStatement() { marks_.kept = marks_.statements.size(); }
    /// It has ended: if it still has no instruction, it has none.
    void endStatement() { marks_.statements.resize(marks_.kept); }
    /// Something has happened to the error `tag`.
    void noteError(ErrorEventKind, ValueId tag);

    /// Marks that wait for an instruction.
    struct Marks {
        std::vector<Statement> statements;
        size_t kept = 0; ///< the first ones of them, which stay
        std::vector<ErrorEvent> errors;
    };
    Marks takeMarks() { return std::exchange(marks_, {}); }
    void putMarks(Marks marks) { marks_ = std::move(marks); }

    SlotId newSlot(TypeId, Name = Name::None, Span = {});
    SlotId newRawSlot(uint64_t size, uint32_t align);

    // ---- instructions
    ValueId param(uint32_t index); ///< one instruction per index; scalar, or the address of the aggregate
    ValueId emit(Op, TypeId, llvm::ArrayRef<ValueId> operands, uint64_t imm = 0, uint8_t pred = 0);
    struct BranchTo {
        BlockId block;
        llvm::ArrayRef<ValueId> args;
    };
    static constexpr size_t MaxTargets = 255; ///< Instr::targetCount
    /// Ends the block.
    void terminate(Op, llvm::ArrayRef<ValueId> operands, llvm::ArrayRef<BranchTo> targets, uint64_t imm = 0);

    TypeId typeOf(ValueId) const;
    /// The bits if `v` is a Const.
    bool isConst(ValueId v, uint64_t& bits) const;

private:
    ValueId addInstr(Op, TypeId, llvm::ArrayRef<ValueId> operands, uint64_t imm, uint8_t pred); ///< in no block yet
    void appendOperands(llvm::ArrayRef<ValueId>);
    Slot* undeclaredSlot(ValueId address);
    void openScope(Span);
    void placeMarks(ValueId);

    Module& module_;
    Function& fn_;
    BlockId block_ = BlockId::None;
    Span span_;
    ScopeId scope_ = 0;
    std::vector<ScopeId> outerScopes_; ///< of the scopes that are open
    uint32_t variableScopes_ = 0;
    Marks marks_;
};

} // namespace sx::ir
