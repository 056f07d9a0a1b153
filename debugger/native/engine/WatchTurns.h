// Watched memory by single steps.
//
// One thread at a time makes a step in code of the program, while the others are held, and then the memory is compared:
// so what has changed was written by that thread, there. Threads in code that the program does not know, as in calls of
// the C library, are run through together, in turns of their own; what they have written is seen when the turn ends.
#pragma once

#include "debugger/native/engine/State.h"

namespace sx::debugger::native {

/// Nothing is known of threads: there were no watches.
void beginTurns(Native&);
/// Lets the program run for a turn, after `addTurnPlaces`. `only`: the thread that is to make a step, whatever else
/// would be next; 0: none. Returns why it failed, or nothing.
std::string takeTurn(Native&, SystemThread only);
/// Those of threads that were not held.
std::vector<ThreadStop> ofTurn(Native&, const std::vector<ThreadStop>&);
/// After a turn: the stop at watched memory that has changed, if any has.
std::vector<Stop> endTurn(Native&, const std::vector<ThreadStop>& ofTurn);
/// Interrupts threads that are run through, if they have had their time.
void endLongTurn(Native&);
/// Where threads that are run through come back to the program. Looks at threads that are new.
void addTurnPlaces(Native&, std::set<uint64_t>& addresses);

} // namespace sx::debugger::native
