// Names that the syntax stage must recognise. A table of names for source texts begins with them,
// so each has a fixed number.
#pragma once

#include "source/Names.h"
#include "syntax/Token.h"

#include <string_view>
#include <vector>

namespace sx {

/// What a NameTable must begin with that the lexer uses.
std::span<const char* const> knownNames();

std::vector<std::string_view> keywords();

constexpr uint32_t keywordCount = static_cast<uint32_t>(TokenKind::KwSelf) - static_cast<uint32_t>(TokenKind::KwIf) + 1;

/// Contextual words, numbered right after the keywords.
enum class KnownName : uint32_t {
    Tuple = keywordCount + 1,
    Closure,
    self,
    flags,
    c,
    naked,
    volatile_,
    end,
};

inline bool operator==(Name name, KnownName known) {
    return static_cast<uint32_t>(name) == static_cast<uint32_t>(known);
}

/// The keyword a name spells, or Ident.
inline TokenKind keywordOf(Name name) {
    const auto number = static_cast<uint32_t>(name);
    if (number == 0 || number > keywordCount) return TokenKind::Ident;
    return static_cast<TokenKind>(static_cast<uint32_t>(TokenKind::KwIf) + number - 1);
}

inline Name nameOf(TokenKind keyword) {
    return static_cast<Name>(static_cast<uint32_t>(keyword) - static_cast<uint32_t>(TokenKind::KwIf) + 1);
}

} // namespace sx
