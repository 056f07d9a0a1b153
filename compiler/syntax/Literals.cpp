#include "syntax/Literals.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

namespace sx {
namespace {

unsigned baseOf(std::string_view text) {
    if (text.size() < 2 || text[0] != '0') return 10;
    switch (text[1]) {
    case 'x':
    case 'X': return 16;
    case 'o':
    case 'O': return 8;
    case 'b':
    case 'B': return 2;
    default: return 10;
    }
}

unsigned digitValue(char c) {
    if (c <= '9') return static_cast<unsigned>(c - '0');
    return static_cast<unsigned>((c | 0x20) - 'a') + 10;
}

char unescape(char c) {
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case '0': return '\0';
    default: return c; // a backslash before any other character yields that character
    }
}

bool isWordChar(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

} // namespace

IntStatus decodeInt(std::string_view text, uint64_t& value) {
    const unsigned base = baseOf(text);
    value = 0;
    bool any = false;
    for (char c : text.substr(base == 10 ? 0 : 2)) {
        if (c == '_') continue;
        any = true;
        uint64_t scaled;
        if (__builtin_mul_overflow(value, uint64_t{base}, &scaled) || __builtin_add_overflow(scaled, uint64_t{digitValue(c)}, &value))
            return IntStatus::TooLarge;
    }
    return any ? IntStatus::Ok : IntStatus::NoDigits;
}

std::optional<double> decodeFloat(std::string_view text) {
    std::string digits;
    digits.reserve(text.size());
    for (char c : text)
        if (c != '_') digits += c;
    double value = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed);
    if (result.ec == std::errc::result_out_of_range) {
        // Too small is no error: it rounds to zero or a subnormal. strtod tells the two apart.
        value = std::strtod(digits.c_str(), nullptr);
    }
    if (std::isinf(value)) return std::nullopt;
    return value;
}

llvm::StringRef decodeString(std::string_view text, llvm::BumpPtrAllocator& arena) {
    const std::string_view body = text.substr(1, text.size() - 2);
    const size_t firstEscape = body.find('\\');
    if (firstEscape == std::string_view::npos) return {body.data(), body.size()};

    char* const out = arena.Allocate<char>(body.size());
    size_t length = body.copy(out, firstEscape);
    for (size_t i = firstEscape; i < body.size(); ++i) {
        if (body[i] == '\\' && i + 1 < body.size()) out[length++] = unescape(body[++i]);
        else out[length++] = body[i];
    }
    return {out, length};
}

llvm::StringRef decodeHeredoc(std::string_view text) {
    size_t word = text.size();
    while (word > 0 && isWordChar(text[word - 1])) --word;
    const size_t content = text.find('\n') + 1;
    return {text.data() + content, word - content};
}

} // namespace sx
