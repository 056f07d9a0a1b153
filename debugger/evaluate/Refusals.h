// Why code is not evaluated: what it would change in the program.
#pragma once

#include "source/Wording.h"

#include <string>
#include <string_view>

namespace sx::debugger::refusals {

inline constexpr const char* WritesToProgram = "has side effects: it writes to the program's memory";
inline constexpr const char* Assigns = "has side effects: it is an assignment";
inline constexpr const char* HoldsAssembly = "has side effects: it holds inline assembly";
inline std::string changes(std::string_view variable) { return "has side effects: it changes " + code(variable); }
inline std::string callsC(std::string_view function) {
    return "has side effects: it calls " + code(function) + ", a function of C";
}
/// Of a global variable or a function that was left out of what was built.
inline std::string isUnused(std::string_view name) {
    return "the program that runs has no " + code(name) + ", as nothing in it uses it";
}

} // namespace sx::debugger::refusals
