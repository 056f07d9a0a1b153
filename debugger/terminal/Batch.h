// Commands from a file, answers as plain text.
#pragma once

#include "debugger/terminal/target/Debuggee.h"

namespace sx::terminal {

/// A script: its lines, and what messages call it.
struct Script {
    std::string name;
    std::vector<std::string> lines;
};

/// Reads a script; `-` is standard input.
Result<Script> readScript(const std::string& path);

/// Carries out the script: answers, stops and the program's output go to
/// standard output, what fails and the program's errors to standard error. Ends
/// the session. Returns whether every command was carried out, and all was
/// written.
bool runScript(Debuggee&, const Script&);

} // namespace sx::terminal
