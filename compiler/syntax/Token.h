// Tokens: what the lexer makes of a file, all at once, in one vector.
#pragma once

#include "source/Names.h"
#include "source/Source.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sx {

enum class TokenKind : uint8_t {
#define TOKEN(name, description) name,
#define PUNCT(name, spelling) name,
#define KEYWORD(name, spelling) Kw##name,
#define DIRECTIVE(name, spelling) Dir##name,
#include "syntax/Tokens.def"
};

/// What is wrong with a token. An invalid token is no error by itself: the parser reports it where it fails.
/// Of a malformed character literal the token stays a Char, because its error belongs to the token after it.
enum class LexError : uint8_t {
    None,
    UnexpectedByte,
    NulByte,
    NonAscii,
    InvalidUtf8,
    LoneBacktick,
    UnknownDirective,
    UnterminatedString,
    UnterminatedChar,
    UnterminatedHeredoc,
    HeredocWithoutWord,
    EmptyChar,
    LongChar,
    UnknownCharEscape,
    BadHexEscape,
    BadUnicodeEscape,
};

constexpr uint32_t noMatch = UINT32_MAX;

struct Token {
    TokenKind kind = TokenKind::Eof;
    LexError error = LexError::None;
    bool raw = false;       ///< an identifier with a backtick; the position excludes it
    bool lineStart = false; ///< the first token on its line
    SourcePos begin;
    SourcePos end;
    /// Identifiers and keywords: the Name. Brackets: index of the partner, or noMatch. Char: the code point.
    uint32_t value = 0;

    Span span() const { return {begin, end}; }
    Name name() const { return static_cast<Name>(value); }
};

inline bool isKeyword(TokenKind kind) { return kind >= TokenKind::KwIf && kind <= TokenKind::KwSelf; }
inline bool isDirective(TokenKind kind) { return kind >= TokenKind::DirImport; }

/// `protocol`, `impl` and `ufcs` are keywords that still work as names.
inline bool isIdentLike(TokenKind kind) {
    return kind == TokenKind::Ident || kind == TokenKind::KwProtocol || kind == TokenKind::KwImpl ||
           kind == TokenKind::KwUfcs;
}

/// The text between backticks in messages: "::", "if", "#run"; for tokens without fixed spelling a description.
std::string_view spelling(TokenKind);
bool hasFixedSpelling(TokenKind);

} // namespace sx
