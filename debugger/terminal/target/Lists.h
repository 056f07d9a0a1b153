// What the program has, as lists: threads and fibers, mappings of memory,
// objects around a value.
#pragma once

#include "debugger/terminal/target/Debuggee.h"

namespace sx::terminal {

struct ThreadRow {
    int64_t id = 0;
    std::string name;
    bool isFiber = false; ///< or a task: suspended, with a logical stack
};

Result<std::vector<ThreadRow>> threadsOf(Debuggee&);
/// The mappings of the program's memory, a line each.
Result<std::vector<std::string>> regionsOf(Debuggee&);
/// The object that an expression denotes or points to, and what is one edge
/// away: a line each. Fails where it is no object of the heap, or the heap is
/// not tracked.
Result<std::vector<std::string>> graphAround(Debuggee&, const std::string& expression);

} // namespace sx::terminal
