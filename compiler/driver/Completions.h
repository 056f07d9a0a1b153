// What makes a shell complete the command line of `sx`.
#pragma once

#include <string>

namespace sx::driver {

/// The script for `bash`, `zsh` or `fish`; "" for another shell.
std::string completionScript(const std::string& shell);

} // namespace sx::driver
