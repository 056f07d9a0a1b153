#include "debugger/inspect/Texts.h"

#include "llvm/ADT/StringExtras.h"

namespace sx::debugger {

namespace {

/// A suffix after it would belong to all of it: names, members, elements, calls.
bool isPostfix(llvm::StringRef name) {
    if (name.empty() || !(llvm::isAlpha(name[0]) || name[0] == '_' || name[0] == '(')) return false;
    for (size_t i = 0; i < name.size(); ++i) {
        char c = name[i];
        bool isDereference = c == '*' && i > 0 && name[i - 1] == '.';
        if (!llvm::isAlnum(c) && !isDereference && !llvm::StringRef("_.[]()!$").contains(c)) return false;
    }
    return true;
}

} // namespace

std::string selected(llvm::StringRef name, llvm::StringRef suffix) {
    if (name.empty() || suffix.empty()) return name.str();
    return isPostfix(name) ? (name + suffix).str() : ("(" + name + ")" + suffix).str();
}

} // namespace sx::debugger
