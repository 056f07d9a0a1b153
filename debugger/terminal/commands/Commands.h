// The commands that a user types, for scripts and for the screen alike.
#pragma once

#include "debugger/terminal/target/Debuggee.h"

namespace sx::terminal {

/// What a command has led to.
struct Outcome {
    std::string text;    ///< lines to print, without the last line's end
    std::string error;   ///< why it failed; empty: it was carried out
    bool goesOn = false; ///< the program runs: its next stop is the rest of the answer
    bool quits = false;

    static Outcome failure(std::string why) { return {{}, std::move(why), false, false}; }
    static Outcome lines(std::string text) { return {std::move(text), {}, false, false}; }
    static Outcome running() { return {{}, {}, true, false}; }
};

/// Carries out a line. One that is empty or begins with `#` does nothing.
Outcome execute(Debuggee&, const std::string& line);
/// What is said of a program that has stopped or ended: `FUNCTION at
/// FILE:LINE:COL`, with lines before it that say why where it is no step or
/// breakpoint; `exited N`.
std::string stopText(Debuggee&);
/// The commands, a line each.
std::string commandHelp();
/// Names of commands that begin so.
std::vector<std::string> commandsLike(const std::string& prefix);
/// Whether a script needs history (`rn`, `rs`, `rc`), or ids of objects
/// (`graph`).
bool goesBack(const std::string& line);
bool asksForObjects(const std::string& line);

} // namespace sx::terminal
