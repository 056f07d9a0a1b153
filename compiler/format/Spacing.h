// Whether a blank stands between two tokens of one line.
#pragma once

#include "format/Pieces.h"

namespace sx::format {

/// Between piece `i` - 1 and piece `i`, both tokens.
bool blankBefore(const Pieces&, uint32_t i);

/// Whether piece `i` is an operator between two operands.
bool isBinaryOperator(const Pieces&, uint32_t i);
/// Whether piece `i` is the dot before the name of a member: one that has something before it.
bool isMemberDot(const Pieces&, uint32_t i);

} // namespace sx::format
