// Calls of functions in the program.
#pragma once

#include "debugger/native/plugin/EventQueue.h"
#include "debugger/native/plugin/OwnSignals.h"
#include "debugger/native/target/Target.h"

#include "lldb/API/LLDB.h"

#include <string>

namespace sx::debugger::native {

class ProgramCalls {
public:
    /// Of parts of one target, which outlive this.
    ProgramCalls(Target& target, lldb::SBTarget& program, lldb::SBProcess& process, EventQueue& events,
                 OwnSignals& signals)
        : target_(target), program_(program), process_(process), events_(events), signals_(signals) {}

    /// See Target::call.
    std::string call(SystemThread, const ProgramCall&, uint64_t& result);

private:
    void prepare(SystemThread);
    uint64_t stackFor(SystemThread);
    void blockAgain(SystemThread, uint64_t signals, uint64_t stack);
    uint64_t map(SystemThread, uint64_t address, uint64_t size, int protection);
    std::string callOn(SystemThread, const ProgramCall&, uint64_t stack, uint64_t& result);

    Target& target_;
    lldb::SBTarget& program_;
    lldb::SBProcess& process_;
    EventQueue& events_;
    OwnSignals& signals_;
    uint64_t back_ = 0;       ///< where calls return to; 0: there was none yet
    uint64_t spareStack_ = 0; ///< the end of a stack that calls have where a thread's own is used up; 0: there is none
};

} // namespace sx::debugger::native
