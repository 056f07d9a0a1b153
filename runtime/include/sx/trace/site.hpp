// Frames as constants: where a macro of sx/trace.hpp stands, in read-only data that the compiler lays down.
//
// A macro hands over a lambda without captures, whose type is the place's own. Called at compile time, it says where it
// is; `Stored` is a template over its type, so each place (and each instance of a template around it) has one frame,
// which needs no code, and can be named in a constexpr function.
//
// All of this is done anew for every place, so there is little of it: the text and the file are the literals as they
// are, and only the function's name is looked for and copied.
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

// What a place says of itself. `function` is as the compiler spells the lambda's, `text` as the macro was written,
// after the '\n' that marks an excerpt.
struct Site {
    const char* path;
    const char* name;
    const char* function;
    const char* text;
#if !defined(__clang__)
    std::source_location where;
#endif
};

struct Position {
    int32_t line, column;
};

#if defined(__clang__)
// The number that ends before `end`, which is moved to what stands before the number.
constexpr int32_t numberBefore(const char*& end) {
    int32_t number = 0;
    for (int32_t scale = 1; end[-1] >= '0' && end[-1] <= '9'; --end, scale *= 10) number += (end[-1] - '0') * scale;
    --end;
    return number;
}

// Only the name that clang gives a lambda's type tells where a macro begins: "(lambda at FILE:LINE:COLUMN)".
template <typename Lambda> constexpr Position positionOf(const Site&) {
    const char* end = __PRETTY_FUNCTION__ + sizeof __PRETTY_FUNCTION__ - 1;
    while (*end != ')') --end;
    int32_t column = numberBefore(end);
    return {numberBefore(end), column};
}
#define SXI_WHERE
#else
template <typename Lambda> constexpr Position positionOf(const Site& site) {
    return {static_cast<int32_t>(site.where.line()), static_cast<int32_t>(site.where.column())};
}
#define SXI_WHERE , std::source_location::current()
#endif

// How many bytes of a text a frame holds, and what stands at a cut end (sx_trace_line_window does the same).
inline constexpr size_t windowColumns = 199;
inline constexpr std::string_view ellipsis = "\xE2\x80\xA6";

constexpr bool isContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// A text that is longer, with its mark.
struct CutText {
    char text[windowColumns + 4] = {};
    size_t length = 0;

    constexpr explicit CutText(const char* from) {
        size_t end = windowColumns;
        while (isContinuation(from[end])) --end;
        while (length < end) put(from[length]);
        for (char byte : ellipsis) put(byte);
    }
    constexpr void put(char byte) { text[length++] = byte; }
};

// A frame with its function's name. (The array has a byte more than it needs, for none may be empty.) The frame comes
// first: gcc and clang spell functions in two ways, so where both compile a place, one's code finds the frame in what
// the other laid down, whose name has another length.
template <size_t length> struct StoredFrame {
    sx_frame frame;
    char function[length + 1] = {};

    constexpr StoredFrame(const Site& site, Position position, sx_string text, const char* name) : frame() {
        for (size_t i = 0; i < length; ++i) function[i] = name[i];
        // Never an absolute path. Where the compiler was given one, only the file's name is left.
        const char* file = site.path[0] == '/' ? site.name : site.path;
        frame.file = {file, static_cast<int64_t>(__builtin_strlen(file))};
        frame.line = position.line;
        frame.col = position.column;
        frame.func = {function, length};
        frame.line_text = text;
    }
    StoredFrame(const StoredFrame&) = delete;
    StoredFrame& operator=(const StoredFrame&) = delete;
};

template <typename Lambda> struct CutTextOf { static constexpr CutText value{Lambda()().text}; };

// The text as it is shown. Where the line begins with the macro, it is no excerpt; where there is none, none is shown.
template <typename Lambda> constexpr sx_string textOf(const Site& site) {
    constexpr size_t length = __builtin_strlen(Lambda()().text);
    if constexpr (length > windowColumns + 1) {
        return {CutTextOf<Lambda>::value.text, static_cast<int64_t>(CutTextOf<Lambda>::value.length)};
    } else {
        size_t skipped = length == 1 || positionOf<Lambda>(site).column == 1 ? 1 : 0;
        return {site.text + skipped, static_cast<int64_t>(length - skipped)};
    }
}

// A name that has to be made.
template <typename Lambda> struct MadeName {
    static constexpr NameBuffer<__builtin_strlen(Lambda()().function) + 1> value{Lambda()().function};
};

template <typename Lambda, size_t plain> constexpr size_t nameLength() {
    if constexpr (plain > 0) return plain;
    else return MadeName<Lambda>::value.length;
}

template <typename Lambda, size_t plain> constexpr const char* nameOf(const Site& site) {
    if constexpr (plain > 0) return site.function + nameBegin;
    else return MadeName<Lambda>::value.text;
}

template <typename Lambda> struct Stored {
    static constexpr size_t plain = plainName(Lambda()().function);
    static constexpr StoredFrame<nameLength<Lambda, plain>()> value{
        Lambda()(), positionOf<Lambda>(Lambda()()), textOf<Lambda>(Lambda()()), nameOf<Lambda, plain>(Lambda()())};
};

template <typename Lambda> constexpr const sx_frame& frameOf(Lambda) { return Stored<Lambda>::value.frame; }

inline uint64_t address(const sx_frame& frame) { return reinterpret_cast<uintptr_t>(&frame); }

} // namespace sx::detail

// The frame of this place, a `const sx_frame&` that is a constant expression; `text` is a string literal.
#define SX_TRACE_FRAME(text) \
    ::sx::detail::frameOf([] { \
        return ::sx::detail::Site{__FILE__, __FILE_NAME__, __PRETTY_FUNCTION__, "\n" text SXI_WHERE}; \
    })
