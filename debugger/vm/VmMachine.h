// The session's side of AgentMachine.
#pragma once

#include "debugger/engine/MachineView.h"
#include "debugger/program/Program.h"
#include "debugger/vm/AgentConnection.h"

namespace sx::debugger {

class VmMachine final : public MachineView {
public:
    VmMachine(const Program& program, const AgentConnection& agent) : program_(program), agent_(agent) {}

    const char* variant() const override { return "vm"; }
    MachineStack stack(uint32_t thread, uint32_t most) override;
    std::vector<Instruction> disassemble(uint64_t address, int32_t offset, uint32_t count) override;
    std::vector<ProgramSymbol> symbols() override;
    std::string takeSilence() override { return agent_.takeSilence() ? ProgramIsSilent : ""; }
    void record(bool on) override { agent_.ask(AgentConnection::message(Command::Record).put(on)); }
    void logFibers(bool on) override { agent_.ask(AgentConnection::message(Command::LogFibers).put(on)); }
    void tracePlaces(const std::vector<TracedPlace>&) override;
    std::optional<uint64_t> heapBytes() override;
    TracedInstructions recorded(uint64_t seen) override;

private:
    std::string nameOf(ir::FuncId) const;

    const Program& program_;
    const AgentConnection& agent_;
};

} // namespace sx::debugger
