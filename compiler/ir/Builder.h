// Appends instructions to one function. Holds the insertion block, the current span and scope.
//
// A Builder on a function without blocks makes its entry block (and scope 0) and starts there. Code after a
// terminator is dead: it goes into a fresh block without predecessors, which removeUnreachableBlocks takes
// away, and a terminator right after a terminator is dropped.
#pragma once

#include "ir/Ir.h"

#include <utility>

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

    // ---- constants
    ValueId constInt(TypeId, uint64_t bits); ///< truncated to the type's width
    ValueId constFloat(TypeId, double);
    ValueId constBool(bool);
    ValueId null(TypeId pointer);
    ValueId undef(TypeId);
    ValueId funcAddr(FuncId, TypeId functionType);
    ValueId globalAddr(GlobalId, TypeId pointer);
    ValueId typeHandle(TypeId);
    ValueId slotAddr(SlotId);      ///< a pointer to the slot's type (to u8 for raw slots)
    ValueId param(uint32_t index); ///< one instruction per index; scalar, or the address of the aggregate

    // ---- memory; `ptr` operands may be of any pointer type
    ValueId load(TypeId, ValueId ptr);
    void store(ValueId ptr, ValueId value);
    void copy(ValueId dst, ValueId src, uint64_t bytes); ///< nothing for 0 bytes
    void copy(ValueId dst, ValueId src, TypeId);
    void zero(ValueId dst, TypeId);
    void zeroBytes(ValueId dst, uint64_t bytes);
    void copyN(ValueId dst, ValueId src, ValueId byteCount);
    ValueId offset(ValueId ptr, uint64_t bytes, TypeId resultPointer); ///< `ptr` itself retyped for 0
    ValueId index(ValueId ptr, ValueId i, uint64_t elemSize, TypeId resultPointer);
    ValueId memEq(ValueId a, ValueId b, ValueId byteCount);

    // ---- values
    ValueId binary(Op, ValueId, ValueId); ///< folds constants
    ValueId unary(Op, ValueId);           ///< FNeg, FSqrt, …
    ValueId icmp(ICmpPred, ValueId, ValueId);
    ValueId fcmp(FCmpPred, ValueId, ValueId);
    ValueId select(ValueId cond, ValueId a, ValueId b);
    ValueId notBool(ValueId);
    /// Any conversion op; folds constants. Between equal widths the integer and float ones are a Reinterpret
    /// or nothing. A float becomes a narrow integer by way of 64 bits, so that the low bits are kept.
    ValueId cast(Op, ValueId, TypeId);
    ValueId call(FuncId, llvm::ArrayRef<ValueId> args);                ///< scalar or void result
    void callInto(FuncId, ValueId dest, llvm::ArrayRef<ValueId> args); ///< aggregate result
    ValueId callIndirect(ValueId callee, TypeId fnType, llvm::ArrayRef<ValueId> args, ValueId dest = ValueId::None);
    ValueId emit(Op, TypeId, llvm::ArrayRef<ValueId> operands, uint64_t imm = 0, uint8_t pred = 0);

    // ---- traces: `traceFrame` uses the span given, the others the current one
    ValueId traceFrame(Span at);

    // ---- terminators
    void br(BlockId, llvm::ArrayRef<ValueId> args = {});
    void condBr(ValueId cond, BlockId ifTrue, BlockId ifFalse, bool trueIsUnlikely = false);
    void condBr(ValueId cond, BlockId ifTrue, llvm::ArrayRef<ValueId> trueArgs, BlockId ifFalse,
                llvm::ArrayRef<ValueId> falseArgs);
    void switchOn(ValueId, BlockId otherwise, llvm::ArrayRef<std::pair<uint64_t, BlockId>> cases);
    void ret();
    void ret(ValueId); ///< a scalar, or the address of the aggregate
    void nullCheck(ValueId ptr, Span at);
    void panic(PanicKind, Span at, llvm::ArrayRef<ValueId> operands = {});
    void unreachable();

    TypeId typeOf(ValueId) const;
    /// The bits if `v` is a Const.
    bool isConst(ValueId v, uint64_t& bits) const;

private:
    struct BranchTo {
        BlockId block;
        llvm::ArrayRef<ValueId> args;
    };
    static constexpr size_t MaxTargets = 255; ///< Instr::targetCount

    ValueId addInstr(Op, TypeId, llvm::ArrayRef<ValueId> operands, uint64_t imm, uint8_t pred); ///< in no block yet
    void appendOperands(llvm::ArrayRef<ValueId>);
    ValueId emitCall(Op, uint64_t imm, TypeId result, llvm::ArrayRef<ValueId> head, llvm::ArrayRef<ValueId> args);
    void terminate(Op, llvm::ArrayRef<ValueId> operands, llvm::ArrayRef<BranchTo> targets, uint64_t imm = 0);
    Slot* undeclaredSlot(ValueId address);
    void openScope(Span);
    void placeMarks(ValueId);
    void switchOnFew(ValueId, BlockId otherwise, llvm::ArrayRef<std::pair<uint64_t, BlockId>> cases);

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
