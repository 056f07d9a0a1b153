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

/// The nearest value of a float type; nullopt if that is infinity. `whole` is the function of C for the type.
template <typename F> std::optional<F> nearest(std::string_view text, F (*whole)(const char*, char**)) {
    std::string digits;
    digits.reserve(text.size());
    for (char c : text)
        if (c != '_') digits += c;
    F value = 0;
    const auto result =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::general);
    // Too small is no error: it rounds to zero or a subnormal. The function of C tells the two apart.
    if (result.ec == std::errc::result_out_of_range) value = whole(digits.c_str(), nullptr);
    if (std::isinf(value)) return std::nullopt;
    return value;
}

bool isWordChar(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

} // namespace

IntStatus decodeInt(std::string_view text, uint64_t& value) {
    const unsigned base = baseOf(text);
    value = 0;
    bool any = false;
    for (char c : text.substr(base == 10 ? 0 : 2)) {
        if (c == '_') continue;
        any = true;
        uint64_t scaled;
        if (__builtin_mul_overflow(value, uint64_t{base}, &scaled) ||
            __builtin_add_overflow(scaled, uint64_t{digitValue(c)}, &value))
            return IntStatus::TooLarge;
    }
    return any ? IntStatus::Ok : IntStatus::NoDigits;
}

std::optional<double> decodeFloat(std::string_view text) { return nearest<double>(text, std::strtod); }

std::optional<float> decodeFloat32(std::string_view text) { return nearest<float>(text, std::strtof); }

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
