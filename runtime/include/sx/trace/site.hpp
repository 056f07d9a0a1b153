// Frames as constants: where a macro of sx/trace.hpp stands, in read-only data that the compiler lays down.
//
// A macro hands over a lambda without captures, whose type is the place's own. Called at compile time, it says where it
// is; `Stored` is a template over its type, so each place (and each instance of a template around it) has one frame,
// which needs no code, and can be named in a constexpr function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#if !defined(__clang__)
#include <source_location>
#endif

#include "sx/trace.h"
#include "sx/trace/function_name.hpp"

namespace sx::detail {

// What a place says of itself. `function` is as the compiler spells the lambda's, `text` as the macro was written.
struct Site {
    std::string_view file;
    std::string_view function;
    std::string_view text;
    int32_t line;
    int32_t column; // 1-based, in bytes; 0 = not known
};

// How many columns of a line a frame holds, and what stands at a cut end (sx_trace_line_window does the same).
inline constexpr size_t windowColumns = 200;
inline constexpr std::string_view ellipsis = "\xE2\x80\xA6";

constexpr bool isContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// The macro's text, marked as an excerpt unless the line begins with it. (A column is at least a byte.)
template <typename Put> constexpr void putLine(const Site& site, Put put) {
    size_t room = windowColumns;
    if (site.column != 1) {
        put('\n');
        --room; // an ellipsis is shown for it
    }
    bool isWhole = site.text.size() <= room;
    size_t end = isWhole ? site.text.size() : room - 1;
    while (!isWhole && end > 0 && isContinuation(site.text[end])) --end;
    for (size_t i = 0; i < end; ++i) put(site.text[i]);
    if (!isWhole) {
        for (char byte : ellipsis) put(byte);
    }
}

constexpr size_t lineLength(const Site& site) {
    size_t length = 0;
    putLine(site, [&](char) { ++length; });
    return length;
}

// A frame with its texts. (Each array has a byte more than it needs, for none may be empty.) The frame comes first: gcc
// and clang spell functions in two ways, so where both compile a place, one's code finds the frame in what the other
// laid down, whose texts have other lengths.
template <size_t functionLength, size_t lineLength> struct StoredFrame {
    sx_frame frame;
    char function[functionLength + 1] = {};
    char line[lineLength + 1] = {};

    constexpr explicit StoredFrame(const Site& site) : frame() {
        char* out = function;
        putFunctionName(site.function, [&](char byte) { *out++ = byte; });
        out = line;
        putLine(site, [&](char byte) { *out++ = byte; });
        frame.file = {site.file.data(), static_cast<int64_t>(site.file.size())};
        frame.line = site.line;
        frame.col = site.column;
        frame.func = {function, functionLength};
        frame.line_text = {line, lineLength};
    }
    StoredFrame(const StoredFrame&) = delete;
    StoredFrame& operator=(const StoredFrame&) = delete;
};

// Never an absolute path. Where the compiler was given one, only the file's name is left.
constexpr std::string_view shownFile(const char* path, const char* name) { return path[0] == '/' ? name : path; }

#if defined(__clang__)
// Only the name that clang gives a lambda's type tells where a macro begins: "(lambda at FILE:LINE:COLUMN)".
struct Position {
    int32_t line, column;
};

constexpr int32_t numberBefore(std::string_view text, size_t end) {
    int32_t number = 0, scale = 1;
    for (size_t i = end; i > 0 && text[i - 1] >= '0' && text[i - 1] <= '9'; --i, scale *= 10) {
        number += (text[i - 1] - '0') * scale;
    }
    return number;
}

template <typename Lambda> constexpr Position positionOf() {
    std::string_view text = __PRETTY_FUNCTION__;
    size_t close = text.rfind(')'), colon = text.rfind(':', close);
    return {numberBefore(text, colon), numberBefore(text, close)};
}

template <typename Lambda> constexpr Site siteOf() {
    Site site = Lambda()();
    auto [line, column] = positionOf<Lambda>();
    site.line = line;
    site.column = column;
    return site;
}
#define SXI_LINE_AND_COLUMN 0, 0
#else
template <typename Lambda> constexpr Site siteOf() { return Lambda()(); }
#define SXI_LINE_AND_COLUMN \
    static_cast<int32_t>(std::source_location::current().line()), \
        static_cast<int32_t>(std::source_location::current().column())
#endif

template <typename Lambda> struct Stored {
    static constexpr Site site = siteOf<Lambda>();
    static constexpr StoredFrame<functionNameLength(site.function), lineLength(site)> value{site};
};

template <typename Lambda> constexpr const sx_frame& frameOf(Lambda) { return Stored<Lambda>::value.frame; }

inline uint64_t address(const sx_frame& frame) { return reinterpret_cast<uintptr_t>(&frame); }

} // namespace sx::detail

// The frame of this place, a `const sx_frame&` that is a constant expression; `text` is a string literal.
#define SX_TRACE_FRAME(text) \
    ::sx::detail::frameOf([] { \
        return ::sx::detail::Site{::sx::detail::shownFile(__FILE__, __FILE_NAME__), __PRETTY_FUNCTION__, text, \
                                  SXI_LINE_AND_COLUMN}; \
    })
