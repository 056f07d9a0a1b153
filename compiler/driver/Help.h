// What `sx help` prints.
#pragma once

#include <string>

namespace sx::driver {

struct CommandRow;

/// How a command is called: `sx run [options] FILE [args]`.
std::string usageLine(const CommandRow&);
/// Help on everything, or on one command. Empty for an unknown topic.
std::string helpText(const std::string& topic);
/// How to set up lldb and gdb, whose scripts are in a folder; "" if they are not installed.
std::string debuggerHelp(const std::string& editorsFolder);
/// The manual page sx(1), in the language of troff.
std::string manualPage();

} // namespace sx::driver
