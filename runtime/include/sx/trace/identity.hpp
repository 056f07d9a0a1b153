// Which error it is, as a number: hops find their error's trace by it (sx_trace_push_error).
//
// Numbers and enumerations count by their value, whatever their type, an std::error_code by its value and category, and
// other small types without padding by their bytes. Of everything else, as pointers and strings, it is not known: 0.
// The traits of a result (sx/trace/result.hpp) may say more.
#pragma once

#include <cstdint>
#include <string_view>
#include <system_error>
#include <type_traits>

// What runs where nothing fails stands in the function itself, without optimisation too.
#define SXI_IN_PLACE __attribute__((always_inline, artificial)) inline

// The calls of the failing path say which registers they keep, so optimized they have to stand there as well.
#if defined(__OPTIMIZE__)
#define SXI_COLD_PATH SXI_IN_PLACE
#else
#define SXI_COLD_PATH inline
#endif

namespace sx::detail {

template <typename E> inline constexpr bool isNumber = std::is_integral_v<E> || std::is_enum_v<E>;

// Small enough, and equal where all bytes are. Texts have an address, which says nothing.
template <typename E>
inline constexpr bool isBytes =
    std::is_class_v<E> && !std::is_empty_v<E> && sizeof(E) <= 16 && std::has_unique_object_representations_v<E> &&
    !std::is_convertible_v<const E&, std::string_view>;

template <typename E>
inline constexpr bool hasIdentity = isNumber<E> || std::is_same_v<E, std::error_code> || isBytes<E>;

inline constexpr uint64_t knownError = uint64_t(1) << 63;

SXI_COLD_PATH constexpr uint64_t mixed(uint64_t a, uint64_t b) {
    uint64_t sum = (a * 0x9E3779B97F4A7C15 ^ b) * 0xBF58476D1CE4E5B9;
    return (sum ^ sum >> 32) | knownError;
}

// Of most numbers one instruction: all but the low half of it is constant.
template <typename N> SXI_COLD_PATH constexpr uint64_t identityOfNumber(N number) {
    auto wide = static_cast<int64_t>(number);
    auto low = static_cast<uint32_t>(wide);
    if constexpr (sizeof(N) < 4 || (sizeof(N) == 4 && std::is_signed_v<N>)) {
        return ~static_cast<uint64_t>(low);
    } else {
        uint64_t high =
            static_cast<uint64_t>(wide) - static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(low)));
        return ~(low + high) | knownError;
    }
}

// 0 where it is not known.
template <typename E> SXI_COLD_PATH constexpr uint64_t identityOfError(const E& error) {
    if constexpr (std::is_enum_v<E>) {
        return identityOfNumber(static_cast<std::underlying_type_t<E>>(error));
    } else if constexpr (std::is_integral_v<E> && sizeof(E) <= 8) {
        return identityOfNumber(error);
    } else if constexpr (std::is_same_v<E, std::error_code>) {
        return mixed(static_cast<uint64_t>(error.value()), reinterpret_cast<uintptr_t>(&error.category()));
    } else if constexpr (isBytes<E>) {
        uint64_t words[2] = {0, 0};
        __builtin_memcpy(words, &error, sizeof error);
        return mixed(words[0], words[1]);
    } else {
        return 0;
    }
}

} // namespace sx::detail
