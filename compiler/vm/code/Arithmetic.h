// Operations whose C++ counterpart is undefined for some operands.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace sx::vm {

inline uint64_t shiftLeft(uint64_t a, uint64_t n) { return a << (n & 63); }
inline uint64_t shiftRight(uint64_t a, uint64_t n) { return a >> (n & 63); }
inline uint64_t shiftRightSigned(uint64_t a, uint64_t n) {
    return static_cast<uint64_t>(static_cast<int64_t>(a) >> (n & 63));
}
inline uint64_t signExtend32(uint64_t v) {
    return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(v)));
}

inline double asDouble(uint64_t bits) { return std::bit_cast<double>(bits); }
inline float asFloat(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
inline uint64_t bitsOf(double v) { return std::bit_cast<uint64_t>(v); }
inline uint64_t bitsOf(float v) { return std::bit_cast<uint32_t>(v); }

/// Toward zero. Out of range and for NaN: the value that x86 gives.
inline uint64_t toSigned(double v) {
    constexpr double Limit = 9223372036854775808.0;
    if (v >= -Limit && v < Limit) return static_cast<uint64_t>(static_cast<int64_t>(v));
    return uint64_t{1} << 63;
}
/// Also takes negative numbers, of which it keeps the low bits.
inline uint64_t toUnsigned(double v) {
    constexpr double Limit = 9223372036854775808.0;
    if (v < Limit) return toSigned(v);
    return v < 2 * Limit ? static_cast<uint64_t>(v) : uint64_t{1} << 63;
}

} // namespace sx::vm
