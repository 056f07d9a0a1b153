// Letting the program run.
#pragma once

#include "debugger/native/engine/State.h"

namespace sx::debugger::native {

/// Lets the program run to the next of its breakpoints, or one instruction where a step or a watch wants that.
Result<void> go(Native&);
/// A command of lldb's own has let the program go on, which may stand again by now.
void goneOn(Native&);
/// Does something while the program stands still: one that runs is stopped for that, and goes on. Fails where it has
/// ended, or does not stop: then nothing was done.
Result<void> whileStill(Native&, const std::function<void()>& action);
/// Tells a stop that the program has made already, if one waits to be told.
bool tellsWaiting(Native&);
/// Tells a stop that the program has made already, if there is one: threads that stopped at the same time, and
/// statements that begin at the same instruction and have breakpoints of their own.
bool tellsAnother(Native&);
/// The user has seen where the thread stands: that a step has ended there too, or that it is the entry, is no news.
void dropSeen(Native&);
/// Gives lldb the difference between the breakpoints that are wanted and those that it has.
void syncBreakpoints(Native&);

} // namespace sx::debugger::native
