// What is said of a program that needs symbols of C which nobody has.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>

namespace sx {

constexpr llvm::StringRef UndefinedSymbol = "undefined symbol: ";

/// In the words of the linker, joined by `; `; "": nothing is missing.
inline std::string undefinedSymbols(const std::set<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : "; ") + (UndefinedSymbol.str() + name);
    return text;
}

/// The names in such a text, of which `rest` is what follows it.
inline std::set<std::string> undefinedIn(llvm::StringRef text, std::string* rest = nullptr) {
    std::set<std::string> names;
    while (text.consume_front(UndefinedSymbol)) {
        auto [name, others] = text.split("; ");
        names.insert(name.str());
        text = others;
    }
    if (rest) *rest = text.str();
    return names;
}

} // namespace sx
