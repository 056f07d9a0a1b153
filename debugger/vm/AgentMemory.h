// The memory of the program, and what its addresses mean, as its agent says.
#pragma once

#include "debugger/program/Program.h"
#include "debugger/vm/AgentConnection.h"

#include <unordered_map>

namespace sx::debugger {

class AgentMemory final : public Memory, public Addresses {
public:
    AgentMemory(const Program& program, const AgentConnection& agent) : program_(program), agent_(agent) {}

    /// The process has begun: it knows the types, globals and functions that there are now. `child`: its number, where
    /// it is a child of this one; else 0 or less.
    void begin(int child);
    bool knows(TypeId t) const { return static_cast<size_t>(t) < types_; }
    uint64_t typeCount() const { return types_; } ///< of those that it knows

    size_t read(uint64_t address, llvm::MutableArrayRef<uint8_t> into) override;
    size_t readData(uint64_t address, llvm::MutableArrayRef<uint8_t> into) override;
    bool write(uint64_t address, llvm::ArrayRef<uint8_t> bytes) override;
    std::optional<CodeName> codeAt(uint64_t address) override;
    std::optional<ir::FuncId> functionAt(uint64_t address) override;
    TypeId typeAt(uint64_t descriptor) override;
    std::optional<uint64_t> descriptorOf(TypeId) override;
    std::optional<uint64_t> addressOf(ir::GlobalId) override;
    std::optional<uint64_t> addressOf(ir::FuncId) override;
    uint64_t heapTables() override;
    uint64_t fiberRecords() override;
    uint32_t threadOfFiber(uint32_t number) override;
    /// A list has said which thread a fiber is.
    void noteFiber(uint32_t number, uint32_t thread) { threadsOfFibers_[number] = thread; }

private:
    const Program& program_;
    const AgentConnection& agent_;
    // What an address of code and a fiber's number mean stays true.
    struct Code {
        ir::FuncId func = ir::FuncId::None;
        std::string symbol; ///< of a C function
    };
    Code codeOf(uint64_t address);
    std::unordered_map<uint64_t, Code> codeAt_;
    std::unordered_map<uint32_t, uint32_t> threadsOfFibers_;
    int child_ = 0;
    size_t types_ = 0, globals_ = 0, functions_ = 0; ///< how many the process knows
};

} // namespace sx::debugger
