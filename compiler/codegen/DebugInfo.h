// Debug information (DWARF) for debuggers. Nothing of the program reads it: a stripped program prints the same traces.
//
// One compile unit for each object, a file entry per source file, a subprogram per function, lexical blocks from the
// IR's scopes, a location on every instruction. The code is the same with it and without it.
#pragma once

#include "codegen/CallAbi.h"
#include "codegen/Codegen.h"
#include "codegen/DebugTypes.h"

#include "llvm/IR/Instructions.h"

namespace sx::codegen {

class DebugInfo {
public:
    DebugInfo(llvm::Module&, const ir::Module&, const Options&);

    /// Before the body is emitted.
    void beginFunction(llvm::Function&, const ir::Function&, const Signature&);
    /// Where an instruction of the function that was begun last stands. Without a position: none, or for a call
    /// line 0, which steppers pass over. `marks`: what begins there (ir/CodeMarks.h).
    llvm::DebugLoc location(Span, ir::ScopeId, bool isCall, uint32_t marks);
    /// With `originMarks`: what says which instruction of the IR it is. The line is its number, from 1, the line of the
    /// subprogram that of the function.
    llvm::DebugLoc origin(ir::ValueId);
    /// Where a variable lives, from the end of `entry` on.
    void declareVariable(const ir::Slot&, llvm::AllocaInst*, llvm::BasicBlock* entry);
    /// Where the trace lives that an error variable carries. It has no name, so that debuggers do not list it; its line
    /// is the number of its slot, from 1.
    void declareTrace(uint32_t slot, llvm::AllocaInst* storage, llvm::BasicBlock* entry);
    /// Keeps a type that formatters look up by its name: what a run-time type handle stands for.
    void keepType(TypeId t);
    void declareGlobal(llvm::GlobalVariable&, const ir::Global&);
    /// The named constants of the program.
    void declareConstants();
    /// After the last function.
    void finish();

private:
    llvm::DIFile* file(FileId);
    llvm::DIFile* fileOf(Span);
    llvm::DILocalScope* scope(ir::ScopeId);
    llvm::DISubroutineType* signatureType(const ir::Function&, const Signature&);
    /// Line 0 for what has no position.
    Location locate(Span at) const { return at.isValid() ? ir_.sources.resolve(at.begin) : Location{}; }

    const ir::Module& ir_;
    const Options& options_;
    llvm::DIBuilder builder_;
    DebugTypes types_;
    std::vector<llvm::DIFile*> files_; // by FileId
    llvm::DICompileUnit* unit_ = nullptr;
    // of the function that was begun last
    const ir::Function* function_ = nullptr;
    llvm::DISubprogram* subprogram_ = nullptr; ///< null in the C `main`
    static constexpr uint32_t MostNestedBlocks = 256;
    std::vector<llvm::DILocalScope*> scopes_;               // by ScopeId
    std::vector<uint32_t> depths_;                          // by ScopeId; the function's own has 0
    llvm::DenseMap<const ir::Function*, uint32_t> numbers_; ///< of functions, from 1; with `originMarks`
    Span lastSpan_;
    Location lastLocation_;
};

} // namespace sx::codegen
