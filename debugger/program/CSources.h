// What a program's sources in C have, as far as their text tells.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace sx::debugger {

/// The text of a source in C declares, defines or calls a function of this name: the name stands before a parenthesis,
/// outside of comments and texts.
bool mentionsFunction(llvm::StringRef text, llvm::StringRef name);

} // namespace sx::debugger
