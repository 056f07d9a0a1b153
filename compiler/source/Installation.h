// Where things lie that belong to the compiler, seen from its executable, and where it was started.
#pragma once

#include <string>
#include <vector>

namespace sx {

/// Folders that contain `modules/`: SX_STDLIB_PATH, else beside the executable.
std::vector<std::string> libraryRoots();
/// What is installed for debuggers. Empty where it is not.
std::string editorsFolder();
std::string workingDirectory();
/// The folder of the running executable.
std::string ownFolder();

} // namespace sx
