// Decoding of one UTF-8 sequence.
#pragma once

#include <cstdint>

namespace sx {

struct Utf8Char {
    uint32_t codePoint = 0;
    uint32_t length = 1; ///< bytes; 1 for a byte that starts no well-formed sequence
    bool valid = false;
};

/// Decodes at `at` < `end`. Overlong forms, surrogates and values above 10FFFF are not valid.
inline Utf8Char decodeUtf8(const char* at, const char* end) {
    const auto lead = static_cast<unsigned char>(*at);
    if (lead < 0x80) return {lead, 1, true};
    const uint32_t length = lead >= 0xF0 && lead < 0xF5   ? 4
                            : lead >= 0xE0 && lead < 0xF0 ? 3
                            : lead >= 0xC2 && lead < 0xE0 ? 2
                                                          : 0;
    if (length == 0 || end - at < static_cast<long>(length)) return {};
    uint32_t value = lead & (0x7Fu >> length);
    for (uint32_t i = 1; i < length; ++i) {
        const auto byte = static_cast<unsigned char>(at[i]);
        if ((byte & 0xC0) != 0x80) return {};
        value = value << 6 | (byte & 0x3Fu);
    }
    const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
    if (overlong || (value >= 0xD800 && value <= 0xDFFF) || value > 0x10FFFF) return {};
    return {value, length, true};
}

} // namespace sx
