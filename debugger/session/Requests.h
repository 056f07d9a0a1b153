// The handlers of requests, by theme. A handler reads its arguments, and returns the answer; Dispatch.cpp has checked
// the state.
#pragma once

#include "debugger/session/Session.h"

namespace sx::debugger {

// ---- Lifecycle.cpp
Reply initialize(Session&, Arguments&);
Reply launch(Session&, Arguments&);
Reply attach(Session&, Arguments&);
Reply configurationDone(Session&, Arguments&);
Reply restart(Session&, Arguments&);
Reply terminate(Session&, Arguments&);
Reply disconnect(Session&, Arguments&);
Reply sendInput(Session&, Arguments&);

// ---- BreakpointRequests.cpp
Reply setBreakpoints(Session&, Arguments&);
Reply setFunctionBreakpoints(Session&, Arguments&);
Reply setInstructionBreakpoints(Session&, Arguments&);
Reply setExceptionBreakpoints(Session&, Arguments&);
Reply dataBreakpointInfo(Session&, Arguments&);
Reply setDataBreakpoints(Session&, Arguments&);
Reply breakpointLocations(Session&, Arguments&);

// ---- Execution.cpp
Reply continueAll(Session&, Arguments&);
Reply next(Session&, Arguments&);
Reply stepIn(Session&, Arguments&);
Reply stepOut(Session&, Arguments&);
Reply stepBack(Session&, Arguments&);
Reply reverseContinue(Session&, Arguments&);
Reply stepInTargets(Session&, Arguments&);
Reply pause(Session&, Arguments&);
Reply gotoTargets(Session&, Arguments&);
Reply goTo(Session&, Arguments&);
Reply restartFrame(Session&, Arguments&);

// ---- FiberRequests.cpp
Reply threads(Session&, Arguments&);
Reply asyncStack(Session&, Arguments&);

// ---- StackRequests.cpp
Reply stackTrace(Session&, Arguments&);
Reply scopes(Session&, Arguments&);

// ---- VariableRequests.cpp
Reply variables(Session&, Arguments&);
Reply setVariable(Session&, Arguments&);
Reply setExpression(Session&, Arguments&);
Reply evaluate(Session&, Arguments&);
Reply completions(Session&, Arguments&);

// ---- ErrorRequests.cpp
Reply exceptionInfo(Session&, Arguments&);
Reply errorTrace(Session&, Arguments&);

// ---- MemoryRequests.cpp
Reply readMemory(Session&, Arguments&);
Reply writeMemory(Session&, Arguments&);
Reply disassemble(Session&, Arguments&);

// ---- ObjectRequests.cpp
Reply object(Session&, Arguments&);
Reply neighbourhood(Session&, Arguments&);
Reply pathsToRoots(Session&, Arguments&);
Reply dominators(Session&, Arguments&);
Reply snapshot(Session&, Arguments&);
Reply snapshotDiff(Session&, Arguments&);
Reply exportHeap(Session&, Arguments&);

// ---- MachineRequests.cpp
Reply openSession(Session&, Arguments&);
Reply readCode(Session&, Arguments&);
Reply listSymbols(Session&, Arguments&);
Reply stackInfo(Session&, Arguments&);
Reply readTrace(Session&, Arguments&);

// ---- WatchRequests.cpp
Reply addWatch(Session&, Arguments&);
Reply removeWatch(Session&, Arguments&);
Reply listWatches(Session&, Arguments&);

// ---- RegionRequests.cpp
Reply memoryRegions(Session&, Arguments&);
Reply memoryMap(Session&, Arguments&);

// ---- SourceRequests.cpp
Reply source(Session&, Arguments&);
Reply loadedSources(Session&, Arguments&);
Reply modules(Session&, Arguments&);

} // namespace sx::debugger
