// What is said of a program that needs symbols of C which nobody has.
#pragma once

#include <set>
#include <string>

namespace sx {

/// In the words of the linker, joined by `; `; "": nothing is missing.
inline std::string undefinedSymbols(const std::set<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : "; ") + ("undefined symbol: " + name);
    return text;
}

} // namespace sx
