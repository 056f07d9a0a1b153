// Breakpoints of all kinds as the user counts them. The protocol sets all of a
// kind (and a file) at once.
#pragma once

#include "debugger/terminal/target/Debuggee.h"

namespace sx::terminal {

/// Adds one and tells the adapter. Returns its number; fails, and keeps
/// nothing, where the adapter says why it would never be reached.
Result<int64_t> addBreakpoint(Debuggee&, BreakpointRow);
/// Fails where there is none of this number.
Result<void> removeBreakpoint(Debuggee&, int64_t number);
/// At the line of a file: adds one, or removes those that are there. Returns
/// the number; 0 after removal.
Result<int64_t> toggleBreakpoint(Debuggee&, const SourceFile& file, int64_t line);
/// What the adapter tells of one later: `reason` is `changed` or `removed`.
void takeBreakpoint(Debuggee&, const std::string& reason, const Object& breakpoint);
/// Null where there is none.
const BreakpointRow* findBreakpoint(const Debuggee&, int64_t number);
/// Where it is, or else where it was asked for; a path "" and 0 where it has no
/// place.
const SourceFile& placeFile(const BreakpointRow&);
int64_t placeLine(const BreakpointRow&);
/// One as text: `1  FILE:LINE:COL if EXPR`.
std::string describe(Debuggee&, const BreakpointRow&);

} // namespace sx::terminal
