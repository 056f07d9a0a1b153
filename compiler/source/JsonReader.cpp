#include "source/JsonReader.h"

#include "source/JsonDepth.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sx {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

void append(std::string& out, uint32_t codePoint) {
    auto put = [&](uint32_t byte) { out += static_cast<char>(byte); };
    auto rest = [&](unsigned shift) { put(0x80 | (codePoint >> shift & 0x3F)); };
    if (codePoint < 0x80) put(codePoint);
    else if (codePoint < 0x800) put(0xC0 | codePoint >> 6), rest(0);
    else if (codePoint < 0x10000) put(0xE0 | codePoint >> 12), rest(6), rest(0);
    else put(0xF0 | codePoint >> 18), rest(12), rest(6), rest(0);
}

/// Four hexadecimal digits at `at`, which is moved behind them.
std::optional<uint32_t> fourDigits(std::string_view text, size_t& at, size_t end) {
    uint32_t value = 0;
    if (end - at < 4) return std::nullopt;
    auto [stop, error] = std::from_chars(text.data() + at, text.data() + at + 4, value, 16);
    if (error != std::errc() || stop != text.data() + at + 4) return std::nullopt;
    at += 4;
    return value;
}

} // namespace

// What fails leaves the reader at the end of the text, where nothing can be read.
void JsonReader::fail(const char* what) {
    if (isBroken()) return;
    std::string_view before = text_.substr(0, at_);
    size_t line = static_cast<size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    size_t column = at_ - (before.rfind('\n') + 1) + 1; // npos + 1 is 0
    problem_ = "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + what;
    at_ = text_.size();
}

void JsonReader::skipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
        ++at_;
}

bool JsonReader::open(char bracket) {
    skipSpace();
    if (peek() != bracket) {
        skip();
        return false;
    }
    if (++depth_ > MaxJsonDepth) {
        isTooDeep_ = !isBroken();
        fail("it is nested too deeply");
        return false;
    }
    ++at_;
    return !isBroken();
}

/// Goes to the next member or element, if there is one; else behind the bracket.
bool JsonReader::next(char bracket, bool isFirst) {
    if (isBroken()) return false;
    skipSpace();
    if (peek() == bracket) {
        ++at_, --depth_;
        return false;
    }
    if (isFirst) return true;
    if (peek() != ',') {
        fail(bracket == '}' ? "`,` or `}` is expected" : "`,` or `]` is expected");
        return false;
    }
    ++at_;
    skipSpace();
    return true;
}

std::string_view JsonReader::memberName() {
    if (peek() != '"') {
        fail("the name of a member is expected");
        return {};
    }
    std::string_view name = stringToken();
    skipSpace();
    if (peek() != ':') {
        fail("`:` is expected");
        return {};
    }
    ++at_;
    skipSpace();
    return name;
}

/// At the quote that begins it.
std::string_view JsonReader::stringToken() {
    const size_t begin = at_ + 1;
    bool hasEscapes = false, isAscii = true;
    size_t end = begin;
    auto reject = [&](size_t at, const char* why) {
        at_ = std::min(at, text_.size());
        fail(why);
        return std::string_view();
    };
    for (; end < text_.size() && text_[end] != '"'; ++end) {
        auto byte = static_cast<unsigned char>(text_[end]);
        isAscii &= byte < 0x80;
        if (byte < 0x20) return reject(end, "a control character is in a string");
        if (byte == '\\') hasEscapes = true, ++end;
    }
    if (end >= text_.size()) return reject(end, "a string does not end");
    std::string_view raw = text_.substr(begin, end - begin);
    if (!isAscii && !llvm::json::isUTF8({raw.data(), raw.size()})) return reject(begin, "a string is no UTF-8");
    at_ = end + 1;
    if (!hasEscapes) return raw;
    decode(begin, end);
    return decoded_;
}

void JsonReader::decode(size_t begin, size_t end) {
    decoded_.clear();
    for (size_t at = begin; at < end;) {
        if (text_[at] != '\\') decoded_ += text_[at++];
        else if (!decodeEscape(++at, end)) return at_ = at, fail("this is no escape");
    }
}

/// At the character behind the backslash. Half of a surrogate pair is U+FFFD.
bool JsonReader::decodeEscape(size_t& at, size_t end) {
    constexpr std::string_view Names = "\"\\/bfnrt", Values = "\"\\/\b\f\n\r\t";
    char name = text_[at++];
    if (size_t simple = Names.find(name); simple != std::string_view::npos) {
        decoded_ += Values[simple];
        return true;
    }
    std::optional<uint32_t> first = name == 'u' ? fourDigits(text_, at, end) : std::nullopt;
    if (!first) return false;
    uint32_t codePoint = *first;
    if (codePoint >= 0xD800 && codePoint < 0xE000) {
        size_t behind = at + 2;
        bool isHigh = codePoint < 0xDC00 && behind <= end && text_[at] == '\\' && text_[at + 1] == 'u';
        std::optional<uint32_t> second = isHigh ? fourDigits(text_, behind, end) : std::nullopt;
        bool isPair = second && *second >= 0xDC00 && *second < 0xE000;
        if (isPair) at = behind;
        codePoint = isPair ? 0x10000 + ((codePoint - 0xD800) << 10) + (*second - 0xDC00) : 0xFFFD;
    }
    append(decoded_, codePoint);
    return true;
}

std::string_view JsonReader::numberToken() {
    size_t begin = at_;
    auto digits = [&] {
        if (!isDigit(peek())) return false;
        while (isDigit(peek())) ++at_;
        return true;
    };
    if (peek() == '-') ++at_;
    bool isZero = peek() == '0';
    bool isGood = digits() && (!isZero || at_ == begin + 1 + (text_[begin] == '-'));
    if (isGood && peek() == '.') ++at_, isGood = digits();
    if (isGood && (peek() == 'e' || peek() == 'E')) {
        ++at_;
        if (peek() == '+' || peek() == '-') ++at_;
        isGood = digits();
    }
    if (isGood) return text_.substr(begin, at_ - begin);
    at_ = begin;
    return fail("this is no number"), std::string_view();
}

bool JsonReader::word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
}

std::optional<std::string_view> JsonReader::string() {
    skipSpace();
    if (peek() != '"') return skip(), std::nullopt;
    std::string_view text = stringToken();
    return isBroken() ? std::nullopt : std::optional(text);
}

std::optional<int64_t> JsonReader::integer() {
    skipSpace();
    if (peek() != '-' && !isDigit(peek())) return skip(), std::nullopt;
    std::string_view token = numberToken();
    int64_t value = 0;
    auto [stop, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (error == std::errc() && stop == token.data() + token.size()) return value;
    double number = 0; // `1e3`, `2.0`
    if (token.empty() || token.find_first_of(".eE") == std::string_view::npos) return std::nullopt;
    std::from_chars(token.data(), token.data() + token.size(), number);
    if (number != std::trunc(number) || std::abs(number) > 9007199254740992.0) return std::nullopt;
    return static_cast<int64_t>(number);
}

std::optional<bool> JsonReader::boolean() {
    skipSpace();
    if (word("true")) return true;
    if (word("false")) return false;
    skip();
    return std::nullopt;
}

void JsonReader::skip() {
    llvm::SmallVector<char, MaxJsonDepth> closing; // of what is open, innermost last
    do {
        skipSpace();
        char c = peek();
        bool isOpened = false;
        if (c == '{' || c == '[') isOpened = open(c), closing.push_back(c == '{' ? '}' : ']');
        else if (c == '"') stringToken();
        else if (c == '-' || isDigit(c)) numberToken();
        else if (!word("true") && !word("false") && !word("null")) fail("a value is expected");
        while (!closing.empty() && !next(closing.back(), isOpened) && !isBroken()) closing.pop_back(), isOpened = false;
        if (!closing.empty() && closing.back() == '}') memberName();
    } while (!closing.empty() && !isBroken());
}

void JsonReader::end() {
    skipSpace();
    if (at_ < text_.size()) fail("something follows the value");
}

} // namespace sx
