// Brackets, and their matching, so that the parser may look past a group in constant time.
#pragma once

#include "syntax/Token.h"

namespace sx {

inline bool isOpener(TokenKind kind) {
    return kind == TokenKind::LParen || kind == TokenKind::LBracket || kind == TokenKind::LBrace;
}
inline bool isCloser(TokenKind kind) {
    return kind == TokenKind::RParen || kind == TokenKind::RBracket || kind == TokenKind::RBrace;
}

/// Sets Token::value of every bracket. In well-formed text this is plain nesting. In text with a missing or
/// spare bracket a `}` closes the nearest open `{` whatever stands open inside it, and `)` or `]` never
/// reach out of a `{`: so a slip inside one statement leaves the block structure around it intact.
void matchBrackets(std::vector<Token>&);

} // namespace sx
