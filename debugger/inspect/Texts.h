// Texts as values show them.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace sx::debugger {

constexpr uint64_t TextLimit = 200;                    ///< bytes of a text that are shown
constexpr uint64_t WholeTextLimit = uint64_t{1} << 24; ///< bytes of one that is wanted whole

/// Between quotes, with escapes; bytes that are no UTF-8 as `\xNN`. `isCut`: a character that was cut in two is left
/// out.
std::string quoted(llvm::StringRef text, bool isCut = false);

/// An expression for what `suffix` (`.x`, `[3]`, `!`) selects from the value that `name` is an expression for.
std::string selected(llvm::StringRef name, llvm::StringRef suffix);

} // namespace sx::debugger
