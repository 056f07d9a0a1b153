// Finds and loads the library that knows lldb.
#pragma once

#include "debugger/native/target/Target.h"
#include "source/Result.h"

namespace sx::debugger::native {

/// What is to be installed so that machine code can be debugged; empty: nothing. The library is looked for in a folder
/// and in ../lib/sx from there; an empty folder is that of this executable.
std::string pluginProblem(const std::string& folder = "");

/// A new target.
Result<std::unique_ptr<Target>> makeTarget(const std::string& folder = "");

} // namespace sx::debugger::native
