// The functions that carry out commands; Commands.cpp has the table.
#pragma once

#include "debugger/terminal/commands/Commands.h"

namespace sx::terminal {

/// The words after a command's name, trimmed.
using Words = llvm::StringRef;

// ---- BreakpointCommands.cpp
Outcome breakAt(Debuggee&, Words);
Outcome breakOnErrors(Debuggee&, Words);
Outcome watchPlace(Debuggee&, Words);
Outcome deleteBreakpoint(Debuggee&, Words);
std::string breakpointList(Debuggee&);

// ---- RunCommands.cpp
Outcome run(Debuggee&, Words);
Outcome goOn(Debuggee&, Words);
Outcome stepOver(Debuggee&, Words);
Outcome stepInto(Debuggee&, Words);
Outcome stepOut(Debuggee&, Words);
Outcome backOver(Debuggee&, Words);
Outcome backInto(Debuggee&, Words);
Outcome backOn(Debuggee&, Words);
Outcome pauseProgram(Debuggee&, Words);
Outcome input(Debuggee&, Words);
Outcome quit(Debuggee&, Words);

// ---- LookCommands.cpp
Outcome backtrace(Debuggee&, Words);
Outcome printValue(Debuggee&, Words);
Outcome setValue(Debuggee&, Words);
Outcome locals(Debuggee&, Words);
Outcome trace(Debuggee&, Words);
Outcome selectFrame(Debuggee&, Words);
Outcome up(Debuggee&, Words);
Outcome down(Debuggee&, Words);
Outcome selectThread(Debuggee&, Words);
Outcome list(Debuggee&, Words);

// ---- MachineCommands.cpp
Outcome disassembly(Debuggee&, Words);
Outcome registers(Debuggee&, Words);
Outcome memory(Debuggee&, Words);

// ---- InfoCommands.cpp
Outcome info(Debuggee&, Words);
Outcome graph(Debuggee&, Words);

} // namespace sx::terminal
