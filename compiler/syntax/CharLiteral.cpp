#include "syntax/CharLiteral.h"

#include "syntax/Utf8.h"

#include <cstddef>

namespace sx {
namespace {

int hexValue(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/// The quote that closes the literal, on the same line; nullptr if there is none.
const char* findClosingQuote(const char* body, const char* end) {
    for (const char* p = body; p < end && *p != '\n'; ++p) {
        if (*p == '\\' && p + 1 < end && p[1] != '\n') ++p;
        else if (*p == '\'') return p;
    }
    return nullptr;
}

CharLiteral decodeHex(const char* digits, const char* close) {
    const ptrdiff_t count = close - digits;
    if (count < 1 || count > 2) return {0, 0, LexError::BadHexEscape};
    uint32_t value = 0;
    for (const char* p = digits; p < close; ++p) {
        if (hexValue(*p) < 0) return {0, 0, LexError::BadHexEscape};
        value = value * 16 + static_cast<uint32_t>(hexValue(*p));
    }
    return {0, value, LexError::None};
}

CharLiteral decodeUnicode(const char* text, const char* close) {
    constexpr CharLiteral bad{0, 0, LexError::BadUnicodeEscape};
    const ptrdiff_t count = close - text - 2; // without the braces
    if (count < 1 || count > 6 || *text != '{' || close[-1] != '}') return bad;
    uint32_t value = 0;
    for (const char* p = text + 1; p < close - 1; ++p) {
        if (hexValue(*p) < 0) return bad;
        value = value * 16 + static_cast<uint32_t>(hexValue(*p));
    }
    if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return bad;
    return {0, value, LexError::None};
}

CharLiteral decodeEscape(const char* escape, const char* close) {
    if (*escape == 'x') return decodeHex(escape + 1, close);
    if (*escape == 'u') return decodeUnicode(escape + 1, close);
    uint32_t value = 0;
    switch (*escape) {
    case 'n': value = 10; break;
    case 't': value = 9; break;
    case 'r': value = 13; break;
    case '\\': value = 92; break;
    case '\'': value = 39; break;
    case '0': value = 0; break;
    default: return {0, 0, LexError::UnknownCharEscape};
    }
    return {0, value, close - escape == 1 ? LexError::None : LexError::LongChar};
}

CharLiteral decodeBody(const char* body, const char* close) {
    if (body == close) return {0, 0, LexError::EmptyChar};
    if (*body == '\\') return decodeEscape(body + 1, close);
    const Utf8Char decoded = decodeUtf8(body, close);
    if (!decoded.valid) return {0, 0, LexError::InvalidUtf8};
    return {0, decoded.codePoint, body + decoded.length == close ? LexError::None : LexError::LongChar};
}

} // namespace

CharLiteral scanCharLiteral(const char* at, const char* end) {
    const char* const body = at + 1;
    const char* const close = findClosingQuote(body, end);
    if (!close) return {1, 0, LexError::UnterminatedChar};
    CharLiteral literal = decodeBody(body, close);
    literal.length = static_cast<uint32_t>(close + 1 - at);
    return literal;
}

} // namespace sx
