// The agent's answers about the machine: code, raw frames, symbols, the instructions that have run.
#pragma once

#include "debugger/program/Program.h"
#include "debugger/vm/InstructionTrace.h"

namespace sx::debugger {

class AgentMachine {
public:
    AgentMachine(Program& program, vm::Debugger& debugger) : program_(program), debugger_(debugger) {}

    /// Of Command::Record, Recorded, TracePlaces, LogFibers, Disassemble, MachineStack and Symbols; the last two while
    /// the program stands still.
    std::string answer(Command, WireReader&);
    /// A thread is about to run an instruction.
    void before(vm::Thread& t) { trace_.before(t); }

private:
    void record(bool on);
    std::string stack(WireReader&) const;
    std::string symbols();
    std::string disassembly(WireReader&) const;

    Program& program_;
    vm::Debugger& debugger_;
    InstructionTrace trace_;
};

} // namespace sx::debugger
