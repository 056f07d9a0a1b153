#include "debugger/terminal/screen/Text.h"

#include "debugger/protocol/Message.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"

#include <algorithm>

namespace sx::terminal {

namespace {

/// The bytes of the character that begins here.
size_t lengthAt(std::string_view text, size_t at) {
    size_t length = llvm::getNumBytesForUTF8(static_cast<llvm::UTF8>(text[at]));
    return std::min(length, text.size() - at);
}

size_t widthOf(std::string_view character) {
    if (character.size() == 1) return 1;
    int width = llvm::sys::unicode::columnWidthUTF8({character.data(), character.size()});
    return width < 0 ? 1 : static_cast<size_t>(width);
}

} // namespace

std::string printable(std::string_view raw) {
    std::string out, text = debugger::asUtf8(raw);
    size_t column = 0;
    for (size_t at = 0; at < text.size();) {
        size_t length = lengthAt(text, at);
        std::string_view character(text.data() + at, length);
        auto c = static_cast<unsigned char>(character[0]);
        at += length;
        if (c == '\t') {
            size_t spaces = 8 - column % 8;
            out.append(spaces, ' ');
            column += spaces;
        } else if (c < 0x20 || c == 0x7f) {
            out += {'^', static_cast<char>(c ^ 0x40)};
            column += 2;
        } else if (length == 2 && c == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0) {
            out += '?'; // control characters of the second half
            ++column;
        } else {
            out += character;
            column += widthOf(character);
        }
    }
    return out;
}

size_t columnsOf(std::string_view text) {
    size_t columns = 0;
    for (size_t at = 0; at < text.size();) {
        size_t length = lengthAt(text, at);
        columns += widthOf(text.substr(at, length));
        at += length;
    }
    return columns;
}

std::string cut(std::string_view text, size_t from, size_t columns) {
    std::string out;
    size_t column = 0, end = from + columns;
    for (size_t at = 0; at < text.size() && column <= end;) {
        size_t length = lengthAt(text, at);
        std::string_view character = text.substr(at, length);
        size_t width = widthOf(character), next = column + width;
        if (column >= from && next <= end && !(width == 0 && column == from && from > 0)) out += character;
        else if (next > from && column < end) out.append(std::min(next, end) - std::max(column, from), ' ');
        column = next;
        at += length;
    }
    return out;
}

std::string fit(std::string_view text, size_t columns) {
    size_t width = columnsOf(text);
    if (width <= columns) return std::string(text) + std::string(columns - width, ' ');
    if (columns == 0) return "";
    return cut(text, 0, columns - 1) + "…";
}

size_t before(std::string_view text, size_t at) {
    if (at == 0) return 0;
    do --at;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80);
    return at;
}

size_t after(std::string_view text, size_t at) { return at >= text.size() ? text.size() : at + lengthAt(text, at); }

} // namespace sx::terminal
