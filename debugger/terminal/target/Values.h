// Values of the program as rows: variables of a frame, children, expressions.
#pragma once

#include "debugger/terminal/target/Debuggee.h"

namespace sx::terminal {

struct ValueRow {
    std::string name, value, type;
    std::string evaluateName; ///< empty: it has no expression
    std::string memory;       ///< address, `0x…`; empty: none
    int64_t children = 0;     ///< a reference; 0: none
    int64_t childCount = 0;   ///< how many, where that is known; 0: not known
    int64_t object = 0;       ///< id of the heap object; 0: none
};

/// The scopes of the row of the stack that is looked at: names and references.
std::vector<ValueRow> scopesOf(Debuggee&);
/// What is below a reference, from `start` on, at most `count`.
Result<std::vector<ValueRow>> childrenOf(Debuggee&, int64_t reference, int64_t start, int64_t count);
/// The value of an expression where the program stands. `context` is of the
/// protocol: `watch`, `repl`, `hover`.
Result<ValueRow> evaluate(Debuggee&, const std::string& expression, const char* context);
/// Gives a place a new value; returns its text.
Result<std::string> assign(Debuggee&, const std::string& place, const std::string& expression);

} // namespace sx::terminal
