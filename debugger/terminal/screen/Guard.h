// A process that gives the terminal back whatever becomes of the one that draws
// on it.
#pragma once

#include <functional>

namespace sx::terminal {

/// Runs `work` in a child process, waits for it, and puts the terminal back as
/// it was. Returns what `work` returned, or 128 plus the signal that has ended
/// it.
int guarded(const std::function<int()>& work);

} // namespace sx::terminal
