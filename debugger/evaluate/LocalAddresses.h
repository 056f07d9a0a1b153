// Where functions, globals and descriptors are for evaluated code: where the program has them, or else in memory of its
// own.
#pragma once

#include "debugger/evaluate/EvaluationMemory.h"

#include "llvm/ADT/DenseSet.h"

namespace sx::debugger {

class LocalAddresses : public Addresses {
public:
    /// `context`: the default context, which optimized programs may be without although code is given it.
    LocalAddresses(const ir::Module& module, ir::GlobalId context, Addresses& program, EvaluationMemory& memory)
        : module_(module), context_(context), program_(program), memory_(memory) {}

    std::optional<CodeName> codeAt(uint64_t address) override;
    std::optional<ir::FuncId> functionAt(uint64_t address) override;
    TypeId typeAt(uint64_t descriptor) override;
    /// Globals that the program does not have are made of their data: constants, those that hold nothing, the default
    /// context, and variables that nothing in it uses.
    std::optional<uint64_t> descriptorOf(TypeId type) override;
    std::optional<uint64_t> addressOf(ir::GlobalId global) override;
    std::optional<uint64_t> addressOf(ir::FuncId function) override;
    uint64_t fiberRecords() override { return program_.fiberRecords(); }
    uint32_t threadOfFiber(uint32_t number) override { return program_.threadOfFiber(number); }

    /// The variable that was made and has this address in it; null where there is none. Writing to it would change
    /// nothing in the program.
    const ir::Global* madeVariableAt(uint64_t address) const;
    /// The same of one that was left out of what was built.
    const ir::Global* unusedVariableAt(uint64_t address) const;
    /// Of the program's text, and not of an expression's. Null: no such function is there.
    const ir::Function* unusedFunctionAt(uint64_t address);
    /// A block of what was made has a copy in the program's memory, which stays.
    void noteCopy(uint64_t from, uint64_t size, uint64_t to);

    /// What was made is gone with the memory that it lies in.
    void forget() {
        globals_.clear();
        variables_.clear();
        types_.clear();
        asked_.clear();
    }

private:
    static constexpr uint64_t CodeSize = 16; ///< addresses that stand for one function
    std::optional<uint64_t> ofProgram(std::optional<uint64_t> address);
    std::optional<uint64_t> make(ir::GlobalId id);
    std::optional<uint64_t> target(const ir::Reloc& reloc);

    const ir::Module& module_;
    ir::GlobalId context_;
    Addresses& program_;
    EvaluationMemory& memory_;
    llvm::DenseMap<uint32_t, uint64_t> globals_; ///< by GlobalId
    std::vector<ir::GlobalId> variables_;        ///< those of `globals_` that are no constants
    llvm::DenseMap<uint64_t, TypeId> types_;     ///< by the address of the descriptor
    llvm::DenseMap<uint64_t, TypeId> copies_;    ///< by the address of a descriptor that was copied to the program
    llvm::DenseSet<uint64_t> asked_;             ///< addresses that the program has told since it stopped
};

} // namespace sx::debugger
