// Strings and C strings.
#include "debugger/inspect/Reader.h"

#include "syntax/Utf8.h"

#include <algorithm>

namespace sx::debugger {

namespace {

constexpr uint64_t PageSize = 4096;

std::string byteEscape(uint32_t byte) {
    const char* digits = "0123456789abcdef";
    return {'\\', 'x', digits[byte >> 4 & 0xF], digits[byte & 0xF]};
}

/// The letter after the backslash, or 0.
char escapeLetter(uint32_t codePoint) {
    switch (codePoint) {
    case '\n': return 'n';
    case '\t': return 't';
    case '\r': return 'r';
    case '\0': return '0';
    case '"': return '"';
    case '\\': return '\\';
    default: return 0;
    }
}

/// The bytes at `at` begin a character, and end before it does.
bool beginsCharacter(const char* at, const char* end) {
    auto lead = static_cast<unsigned char>(*at);
    long length = lead >= 0xF0 && lead < 0xF5 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
    if (lead >= 0xF5 || length == 0 || end - at >= length) return false;
    if (end - at > 1) { // the first byte after the lead tells overlong forms, surrogates and what lies beyond 10FFFF
        auto next = static_cast<unsigned char>(at[1]);
        unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (next < low || next > high) return false;
    }
    return std::all_of(at + 1, end, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; });
}

} // namespace

std::string quoted(llvm::StringRef text, bool isCut) {
    std::string out = "\"";
    const char* end = text.end();
    for (const char* at = text.begin(); at < end;) {
        Utf8Char c = decodeUtf8(at, end);
        if (!c.valid) {
            if (isCut && beginsCharacter(at, end)) break;
            out += byteEscape(static_cast<unsigned char>(*at++));
            continue;
        }
        if (char letter = escapeLetter(c.codePoint)) out += {'\\', letter};
        else if (c.codePoint < 0x20 || (c.codePoint >= 0x7F && c.codePoint <= 0x9F)) out += byteEscape(c.codePoint);
        else out.append(at, c.length);
        at += c.length;
    }
    return out + '"';
}

std::string Reader::textAt(uint64_t address, int64_t length) {
    std::string problem = spanProblem(address, length, 1, "text");
    if (!problem.empty()) return problem;
    uint64_t limit = options_.clipboard ? WholeTextLimit : TextLimit;
    std::string bytes(std::min<uint64_t>(static_cast<uint64_t>(length), limit), '\0');
    if (!readAt(address, {reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()}))
        return "<text of length " + std::to_string(length) + " at " + hexText(address) + " cannot be read>";
    bool isCut = static_cast<uint64_t>(length) > limit;
    return quoted(bytes, isCut) + (isCut ? "… (" + std::to_string(length) + " bytes)" : "");
}

View Reader::string(const Datum& datum) {
    std::optional<uint64_t> address = word(datum, 0), length = word(datum, 8);
    if (!address || !length) return unreadable(datum);
    View v = View::of(textAt(*address, static_cast<int64_t>(*length)));
    if (*address != 0) v.target = *address;
    return v;
}

View Reader::cstring(const Datum& datum) {
    std::optional<uint64_t> address = word(datum);
    if (!address) return unreadable(datum);
    if (*address == 0) return View::of("null");
    uint64_t limit = options_.clipboard ? WholeTextLimit : TextLimit;
    std::string bytes;
    View v;
    v.target = *address;
    while (bytes.size() <= limit) { // by pages: the next one need not be there
        uint64_t at = *address + bytes.size(), begin = bytes.size();
        bytes.resize(begin + std::min(PageSize - at % PageSize, limit + 1 - begin));
        size_t wanted = bytes.size() - begin;
        size_t read = memory_.read(at, {reinterpret_cast<uint8_t*>(bytes.data()) + begin, wanted});
        bytes.resize(begin + std::min(read, wanted));
        if (size_t end = bytes.find('\0', begin); end != std::string::npos) {
            v.text = quoted({bytes.data(), end});
            return v;
        }
        if (read < wanted) {
            v.text = "<text at " + hexText(*address) + " cannot be read>";
            return v;
        }
    }
    v.text = quoted({bytes.data(), limit}, /*isCut=*/true) + "…";
    return v;
}

} // namespace sx::debugger
