// Positions as the protocol has them: a line, and a character that counts units of an encoding.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace sx::server {

/// What a `character` counts. Negotiated when a client connects.
enum class Encoding : uint8_t { Utf8, Utf16, Utf32 };

/// Both are 0-based.
struct Position {
    uint32_t line = 0;
    uint32_t character = 0;
    friend auto operator<=>(const Position&, const Position&) = default;
};

struct Range {
    Position start, end;
    friend bool operator==(const Range&, const Range&) = default;
};

/// How many units of an encoding the bytes are. A byte that is no UTF-8 counts as one.
uint32_t unitsIn(std::string_view bytes, Encoding);

/// Where the lines of a text begin. Lines end with `\n`, `\r\n` or `\r`.
class LineTable {
public:
    /// `text` has to live as long.
    LineTable(std::string_view text, Encoding);

    /// What lies beyond the end of a line is its end, what lies beyond the text is its end.
    uint32_t offset(Position) const;
    Position position(uint32_t offset) const;
    uint32_t lineOf(uint32_t offset) const;
    Range range(uint32_t begin, uint32_t end) const { return {position(begin), position(end)}; }
    uint32_t lineCount() const { return static_cast<uint32_t>(starts_.size()); }
    /// The bytes of a line without its end.
    std::string_view line(uint32_t number) const;
    uint32_t lineStart(uint32_t number) const { return starts_[number]; }

private:
    std::string_view text_;
    Encoding encoding_;
    std::vector<uint32_t> starts_;
};

} // namespace sx::server
