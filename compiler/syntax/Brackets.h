// Matching of brackets, so that the parser may look past a group in constant time.
#pragma once

#include "syntax/Token.h"

namespace sx {

/// Sets Token::value of every bracket. In well-formed text this is plain nesting. In text with a missing or
/// spare bracket a `}` closes the nearest open `{` whatever stands open inside it, and `)` or `]` never
/// reach out of a `{`: so a slip inside one statement leaves the block structure around it intact.
void matchBrackets(std::vector<Token>&);

} // namespace sx
