// Where functions, globals and descriptors are for evaluated code: where the program has them, or else in memory of its
// own.
#pragma once

#include "debugger/evaluate/EvaluationMemory.h"

namespace sx::debugger {

class LocalAddresses : public Addresses {
public:
    LocalAddresses(const ir::Module& module, Addresses& program, EvaluationMemory& memory)
        : module_(module), program_(program), memory_(memory) {}

    std::optional<CodeName> codeAt(uint64_t address) override;
    std::optional<ir::FuncId> functionAt(uint64_t address) override;
    TypeId typeAt(uint64_t descriptor) override;
    /// Globals that the program does not have are made of their data; of a variable there is none.
    std::optional<uint64_t> descriptorOf(TypeId type) override;
    std::optional<uint64_t> addressOf(ir::GlobalId global) override;
    std::optional<uint64_t> addressOf(ir::FuncId function) override;
    uint64_t fiberRecords() override { return program_.fiberRecords(); }
    uint32_t threadOfFiber(uint32_t number) override { return program_.threadOfFiber(number); }

    /// What was made is gone with the memory that it lies in.
    void forget() {
        globals_.clear();
        types_.clear();
    }

private:
    static constexpr uint64_t CodeSize = 16; ///< addresses that stand for one function
    std::optional<uint64_t> make(ir::GlobalId id);
    std::optional<uint64_t> target(const ir::Reloc& reloc);

    const ir::Module& module_;
    Addresses& program_;
    EvaluationMemory& memory_;
    llvm::DenseMap<uint32_t, uint64_t> globals_; ///< by GlobalId
    llvm::DenseMap<uint64_t, TypeId> types_;     ///< by the address of the descriptor
};

} // namespace sx::debugger
