// The memory of the process that runs the program, and what its addresses mean, for the agent in it.
#pragma once

#include "debugger/inspect/Memory.h"
#include "debugger/program/Program.h"
#include "vm/debug/Debugger.h"

namespace sx::debugger {

class OwnProcess : public Memory, public Addresses {
public:
    OwnProcess(const Program& program, const vm::Debugger& debugger) : program_(program), debugger_(debugger) {}

    size_t read(uint64_t address, llvm::MutableArrayRef<uint8_t> into) override;
    /// A variable that is in a register there has its canonical form afterwards.
    bool write(uint64_t address, llvm::ArrayRef<uint8_t> bytes) override;

    std::optional<CodeName> codeAt(uint64_t address) override;
    std::optional<ir::FuncId> functionAt(uint64_t address) override;
    /// The C function that begins at an address; empty: none does.
    std::string symbolAt(uint64_t address);
    TypeId typeAt(uint64_t descriptor) override;
    std::optional<uint64_t> descriptorOf(TypeId) override;
    std::optional<uint64_t> addressOf(ir::GlobalId) override;
    std::optional<uint64_t> addressOf(ir::FuncId) override;
    uint64_t fiberRecords() override;
    uint32_t threadOfFiber(uint32_t number) override { return vm::threadOfFiber(debugger_, number); }

private:
    const Program& program_;
    const vm::Debugger& debugger_;
};

} // namespace sx::debugger
