// Core files with further threads. lldb walks the stacks of threads only, and of a core file it cannot change
// registers: a stack that nobody ran on is shown by a copy of the file in which a thread has stopped there.
#pragma once

#include "debugger/native/target/Target.h"

#include <string>
#include <vector>

namespace sx::debugger::native {

/// Writes a copy of an ELF core file of this kind of machine with further threads. Returns why it failed, or nothing.
std::string copyCore(const std::string& core, const std::string& to, const std::vector<ParkedStack>&);

} // namespace sx::debugger::native
