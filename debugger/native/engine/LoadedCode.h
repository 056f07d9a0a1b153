// Code that the front end does not know: what the program calls in C, and what it loads while it runs.
#pragma once

#include "debugger/engine/Engine.h"
#include "debugger/native/engine/State.h"

namespace sx::debugger::native {

/// Reads what is there at the beginning, as far as it has debug information, and has the program stop where it loads
/// more, if it may.
void readCode(Native&, const StartRequest&);
/// Whether a thread has stopped because code was loaded that has places of statements, or such code is gone. It is
/// read, or forgotten.
bool hasLoadedCode(Native&, const std::vector<ThreadStop>&);
/// While files are being unloaded none of them has breakpoints: of those that are in memory that goes away lldb's
/// server would believe for ever that they are there.
void leaveOutUnloaded(const Native&, std::set<uint64_t>& addresses);

} // namespace sx::debugger::native
