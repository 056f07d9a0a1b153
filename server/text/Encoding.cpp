#include "server/text/Encoding.h"

#include <algorithm>

namespace sx::server {

namespace {

/// Bytes of the character that begins at the front; 1 for what is no UTF-8.
uint32_t bytesOfCharacter(std::string_view text) {
    auto lead = static_cast<unsigned char>(text.front());
    uint32_t length = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1;
    if (length > text.size()) return 1;
    for (uint32_t i = 1; i < length; ++i)
        if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 1;
    return length;
}

uint32_t unitsOf(uint32_t bytes, Encoding encoding) {
    if (encoding == Encoding::Utf8) return bytes;
    return encoding == Encoding::Utf16 && bytes == 4 ? 2 : 1;
}

} // namespace

uint32_t unitsIn(std::string_view bytes, Encoding encoding) {
    if (encoding == Encoding::Utf8) return static_cast<uint32_t>(bytes.size());
    uint32_t units = 0;
    while (!bytes.empty()) {
        uint32_t length = bytesOfCharacter(bytes);
        units += unitsOf(length, encoding);
        bytes.remove_prefix(length);
    }
    return units;
}

LineTable::LineTable(std::string_view text, Encoding encoding) : text_(text), encoding_(encoding), starts_{0} {
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\n' && text[i] != '\r') continue;
        if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
        starts_.push_back(static_cast<uint32_t>(i + 1));
    }
}

std::string_view LineTable::line(uint32_t number) const {
    uint32_t begin = starts_[number];
    uint32_t end = number + 1 < starts_.size() ? starts_[number + 1] : static_cast<uint32_t>(text_.size());
    while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
    return text_.substr(begin, end - begin);
}

uint32_t LineTable::offset(Position at) const {
    if (at.line >= starts_.size()) return static_cast<uint32_t>(text_.size());
    std::string_view rest = line(at.line);
    uint32_t offset = starts_[at.line], units = 0;
    while (!rest.empty() && units < at.character) {
        uint32_t length = bytesOfCharacter(rest);
        if (encoding_ == Encoding::Utf8 && units + length > at.character) break; // within a character: its start
        units += unitsOf(length, encoding_);
        if (units > at.character) break;
        offset += length;
        rest.remove_prefix(length);
    }
    return offset;
}

uint32_t LineTable::lineOf(uint32_t offset) const {
    auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
    return static_cast<uint32_t>(after - starts_.begin() - 1);
}

Position LineTable::position(uint32_t offset) const {
    offset = std::min(offset, static_cast<uint32_t>(text_.size()));
    uint32_t number = lineOf(offset);
    std::string_view bytes = line(number).substr(0, offset - starts_[number]);
    return {number, unitsIn(bytes, encoding_)};
}

} // namespace sx::server
