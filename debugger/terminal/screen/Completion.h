// Completes what stands in front of the cursor of the command line.
#pragma once

#include "debugger/terminal/screen/Screen.h"

namespace sx::terminal {

/// Completes as far as it is certain; where it is not, the possibilities go to
/// the output.
void complete(Screen&);

/// What all of the texts begin with.
std::string commonBeginning(const std::vector<std::string>& texts);

} // namespace sx::terminal
