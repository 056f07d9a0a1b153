// Character literals: `'a'`, `'\n'`, `'\x41'`, `'\u{1F600}'`.
#pragma once

#include "syntax/Token.h"

namespace sx {

struct CharLiteral {
    uint32_t length = 1; ///< bytes from the opening quote, the closing one included if there is one
    uint32_t value = 0;  ///< the code point; 0 on error
    LexError error = LexError::None;
};

/// Scans at the opening quote. Without a closing quote on the same line the result is UnterminatedChar and
/// covers the opening quote only.
CharLiteral scanCharLiteral(const char* at, const char* end);

} // namespace sx
