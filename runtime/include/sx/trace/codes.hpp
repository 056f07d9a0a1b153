// Results by convention: what a plain number or pointer says depends on the function that returned it. These say it.
//
//     SX_TRY(sx::nonzero(pthread_create(...)));            0 is success
//     int n = SX_TRY(sx::negative(driver_read(...)));      below 0 is failure, the number tells why
//     int fd = SX_TRY(sx::posix(open(path, O_RDONLY)));    -1 is failure, errno tells why
//     char* home = SX_TRY(sx::nonnull(getenv("HOME")));    null is failure
//
// A function that fails so may itself return the same number (`nonzero`, `negative`), any pointer (`nonnull`), or a
// class of results whose error can be made from the number, from an std::error_code (`posix`), or from nullopt
// (`nonnull`).
#pragma once

#include <cerrno>

#include "sx/trace/result.hpp"

namespace sx {

namespace detail {

// A failing number that may be returned as it is.
template <typename N> class Code {
public:
    constexpr explicit Code(N from) : number(from) {}

    template <std::same_as<N> Same> constexpr operator Same() && { return number; }

    template <typename R>
    requires MadeFrom<R, N>
    constexpr operator R() && { return failure<N>(number); }

    constexpr N take() && { return number; }

private:
    N number;
};

struct Null {
    template <typename T> constexpr operator T*() && { return nullptr; }

    template <typename R>
    requires MadeFrom<R, std::nullopt_t>
    constexpr operator R() && { return failure<std::nullopt_t>(std::nullopt); }
};

template <typename N> struct Nonzero { N number; };

template <typename N> struct Negative { N number; };

template <typename N> struct Posix { N number; };

template <typename T> struct Nonnull { T* pointer; };

} // namespace detail

template <typename N> constexpr detail::Nonzero<N> nonzero(N number) { return {number}; }

template <std::signed_integral N> constexpr detail::Negative<N> negative(N number) { return {number}; }

template <std::signed_integral N> constexpr detail::Posix<N> posix(N number) { return {number}; }

template <typename T> constexpr detail::Nonnull<T> nonnull(T* pointer) { return {pointer}; }

template <typename N> struct result_traits<detail::Nonzero<N>> {
    SXI_IN_PLACE static constexpr bool ok(detail::Nonzero<N> r) { return r.number == N(); }
    SXI_IN_PLACE static constexpr void value(detail::Nonzero<N>) {}
    static constexpr detail::Code<N> error(detail::Nonzero<N> r) { return detail::Code<N>(r.number); }
    SXI_COLD_PATH static constexpr uint64_t identity(detail::Nonzero<N> r) { return detail::identityOfError(r.number); }
};

template <typename N> struct result_traits<detail::Negative<N>> {
    SXI_IN_PLACE static constexpr bool ok(detail::Negative<N> r) { return r.number >= 0; }
    SXI_IN_PLACE static constexpr N value(detail::Negative<N> r) { return r.number; }
    static constexpr detail::Code<N> error(detail::Negative<N> r) { return detail::Code<N>(r.number); }
    SXI_COLD_PATH static constexpr uint64_t identity(detail::Negative<N> r) {
        return detail::identityOfError(r.number);
    }
};

template <typename N> struct result_traits<detail::Posix<N>> {
    SXI_IN_PLACE static constexpr bool ok(detail::Posix<N> r) { return r.number != -1; }
    SXI_IN_PLACE static constexpr N value(detail::Posix<N> r) { return r.number; }
    static failure<std::error_code> error(detail::Posix<N>) {
        return failure<std::error_code>(std::error_code(errno, std::generic_category()));
    }
    // It was -1, which a function with a trace may have raised, and becomes what errno tells.
    SXI_COLD_PATH static constexpr uint64_t identity(detail::Posix<N> r) { return detail::identityOfError(r.number); }
    static std::error_code becomes(detail::Posix<N>) { return std::error_code(errno, std::generic_category()); }
};

template <typename T> struct result_traits<detail::Nonnull<T>> {
    SXI_IN_PLACE static constexpr bool ok(detail::Nonnull<T> r) { return r.pointer != nullptr; }
    SXI_IN_PLACE static constexpr T* value(detail::Nonnull<T> r) { return r.pointer; }
    static constexpr detail::Null error(detail::Nonnull<T>) { return {}; }
};

} // namespace sx
