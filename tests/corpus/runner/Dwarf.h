// Looks at the debug information of the executables that were built.
#pragma once

#include <string>
#include <vector>

namespace corpus {

/// What the tool (llvm-dwarfdump) finds wrong with the executables NAME.O0 in `folder`, one message each: each must
/// have a unit, and no errors. One process for many, since its start costs more than what it does.
std::vector<std::string> checkDebugInfo(const std::string& tool, const std::string& folder);

} // namespace corpus
