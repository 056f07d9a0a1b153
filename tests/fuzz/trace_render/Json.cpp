#include "Json.h"

#include <cstdint>

namespace {

class Judge {
public:
    explicit Judge(const std::string& text) : text_(text) {}

    bool line() { return object() && take('\n') && at_ == text_.size(); }

private:
    char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    bool take(char c) {
        if (next() != c) return false;
        ++at_;
        return true;
    }

    bool word(const char* wanted) {
        for (; *wanted != '\0'; ++wanted) {
            if (!take(*wanted)) return false;
        }
        return true;
    }

    bool value() {
        if (next() == '{') return object();
        if (next() == '[') return array();
        if (next() == '"') return string();
        return next() == 'n' ? word("null") : number();
    }

    bool number() {
        std::size_t start = at_;
        while (next() >= '0' && next() <= '9') ++at_;
        return at_ > start && (text_[start] != '0' || at_ == start + 1);
    }

    bool object() {
        if (!take('{')) return false;
        do {
            if (!string() || !take(':') || !value()) return false;
        } while (take(','));
        return take('}');
    }

    bool array() {
        if (!take('[')) return false;
        if (take(']')) return true;
        do {
            if (!value()) return false;
        } while (take(','));
        return take(']');
    }

    bool string() {
        if (!take('"')) return false;
        while (next() != '"') {
            if (!(next() == '\\' ? escape() : character())) return false;
        }
        return take('"');
    }

    bool escape() {
        ++at_;
        if (take('"') || take('\\')) return true;
        if (!take('u')) return false;
        for (int i = 0; i < 4; ++i, ++at_) {
            char c = next();
            if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
        }
        return true;
    }

    // By the table of well-formed byte sequences in the Unicode standard: what the second byte may be depends on the
    // first.
    bool character() {
        auto byte = [this] { return at_ < text_.size() ? static_cast<uint8_t>(text_[at_]) : 0; };
        uint8_t lead = byte();
        if (lead < 0x20 || lead == 0x7F) return false;
        ++at_;
        if (lead < 0x80) return true;
        int following = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
        if (lead < 0xC2 || lead > 0xF4) return false;
        uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        // C1 controls have to be escaped.
        if (lead == 0xC2) low = 0xA0;
        for (; following > 0; --following, ++at_, low = 0x80, high = 0xBF) {
            if (byte() < low || byte() > high) return false;
        }
        return true;
    }

    const std::string& text_;
    std::size_t at_ = 0;
};

} // namespace

bool isJsonLine(const std::string& text) { return Judge(text).line(); }
