// The copy of its process that the program makes by `fork`: it runs as if it had no debugger.
#pragma once

#include "vm/debug/Debugger.h"

namespace sx::vm {

/// From now on a copy of this process has no debugger. `inCopy`: what else is to be done there first; it may do what a
/// signal's handler may do only. To be called once; the debugger stays as long as the process.
void leaveCopies(Debugger&, std::function<void()> inCopy);

} // namespace sx::vm
