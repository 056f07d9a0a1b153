// The agent's answers about the machine: code, raw frames, symbols, the instructions that have run.
#pragma once

#include "debugger/program/Program.h"
#include "debugger/vm/InstructionTrace.h"

namespace sx::debugger {

class AgentMachine {
public:
    AgentMachine(Program&, vm::Debugger&);

    /// Of Command::Record, Recorded, TracePlaces, LogFibers, Disassemble, MachineStack, Symbols and HeapBytes; the last
    /// three while the program stands still.
    std::string answer(Command, WireReader&);
    /// A thread is about to run an instruction.
    void before(vm::Thread& t) { trace_.before(t); }

private:
    void record(bool on);
    std::string stack(WireReader&) const;
    std::string symbols();
    uint64_t heapBytes() const;
    std::string disassembly(WireReader&) const;

    Program& program_;
    vm::Debugger& debugger_;
    InstructionTrace trace_;
    uint64_t bytesBefore_; ///< that the process had from the allocator before the program began
};

} // namespace sx::debugger
