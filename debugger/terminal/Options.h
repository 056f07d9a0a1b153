// The command line of `sx-debug`.
#pragma once

#include "debugger/terminal/target/Debuggee.h"
#include "source/Result.h"

#include <string>
#include <vector>

namespace sx::terminal {

struct TerminalOptions {
    Start start;
    bool help = false;
    bool batch = false;                  ///< no screen
    std::string script;                  ///< commands that are carried out first; `-`: standard input
    std::vector<std::string> formatters; ///< files for the adapter that is started
    std::string connect;                 ///< address of an adapter; empty: one is started
};

std::string terminalHelp();
Result<TerminalOptions> parseOptions(const std::vector<std::string>& args);

} // namespace sx::terminal
