// What counts as a result: `result_traits` says how to take one apart, and which of them are known.
//
// A type of one's own becomes a result with three lines:
//
//     template <typename T, typename E> struct sx::result_traits<my::Result<T, E>> {
//         static constexpr bool ok(const auto& r) { return r.isOk(); }
//         static constexpr decltype(auto) value(auto&& r) { return std::forward<decltype(r)>(r).unwrap(); }
//         static constexpr auto error(auto&& r) { return my::Err<E>(std::forward<decltype(r)>(r).error()); }
//     };
//
// `ok` is true for a success. `value` is what SX_TRY gives on success, void where there is none. `error` is what a
// function returns that passes the failure on: something from which its own result can be made. A fourth may say which
// error it is, by a number with bit 63 set, or 0 where that is not known:
//
//         static uint64_t identity(const auto& r) { return (uint64_t(1) << 63) | r.number(); }
#pragma once

#include <concepts>
#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>

#include "sx/trace/identity.hpp"
#include "sx/trace_calls.h"

namespace sx {

template <typename R> struct result_traits;

template <typename R>
concept result = requires(const std::remove_cvref_t<R>& r) {
    { result_traits<std::remove_cvref_t<R>>::ok(r) } -> std::convertible_to<bool>;
};

namespace detail {

// std::expected and what has its shape.
template <typename R>
concept ExpectedLike = requires(R& r) {
    typename R::value_type;
    typename R::error_type;
    typename R::unexpected_type;
    { r.has_value() } -> std::convertible_to<bool>;
    r.error();
};

// A status is its own error: `ok()`, and nothing to take out.
template <typename R>
concept StatusLike = std::copyable<R> && requires(const R& r) {
    { r.ok() } -> std::same_as<bool>;
} && !requires(R & r) { r.status(); }
&&!requires(R & r) { *r; };

// A value, or the status that tells why there is none.
template <typename R>
concept StatusOrLike = requires(R& r) {
    { r.ok() } -> std::same_as<bool>;
    r.status();
    *r;
};

// Which error a result of the first form holds; it is only looked at where that says something.
template <typename E> SXI_COLD_PATH constexpr uint64_t identityIn(const auto& r) {
    if constexpr (hasIdentity<E>) return identityOfError(static_cast<const E&>(r.error()));
    else return 0;
}

} // namespace detail

template <detail::ExpectedLike R> struct result_traits<R> {
    static constexpr bool has_value_and_star = true; // see detail::take
    SXI_IN_PLACE static constexpr bool ok(const R& r) { return r.has_value(); }
    SXI_IN_PLACE static constexpr decltype(auto) value(auto&& r) {
        if constexpr (!std::is_void_v<typename R::value_type>) return *static_cast<decltype(r)>(r);
    }
    static constexpr auto error(auto&& r) { return typename R::unexpected_type(std::forward<decltype(r)>(r).error()); }
    SXI_COLD_PATH static constexpr uint64_t identity(const R& r) {
        return detail::identityIn<typename R::error_type>(r);
    }
};

template <typename T> struct result_traits<std::optional<T>> {
    static constexpr bool has_value_and_star = true;
    SXI_IN_PLACE static constexpr bool ok(const std::optional<T>& r) { return r.has_value(); }
    SXI_IN_PLACE static constexpr decltype(auto) value(auto&& r) { return *static_cast<decltype(r)>(r); }
    static constexpr std::nullopt_t error(auto&&) { return std::nullopt; }
};

template <> struct result_traits<std::error_code> {
    SXI_IN_PLACE static bool ok(const std::error_code& r) { return !r; }
    SXI_IN_PLACE static void value(auto&&) {}
    static std::error_code error(auto&& r) { return r; }
    SXI_COLD_PATH static uint64_t identity(const std::error_code& r) { return detail::identityOfError(r); }
};

template <detail::StatusLike R> struct result_traits<R> {
    SXI_IN_PLACE static constexpr bool ok(const R& r) { return r.ok(); }
    SXI_IN_PLACE static constexpr void value(auto&&) {}
    static constexpr R error(auto&& r) { return std::forward<decltype(r)>(r); }
    SXI_COLD_PATH static constexpr uint64_t identity(const R& r) { return detail::identityOfError(r); }
};

template <detail::StatusOrLike R> struct result_traits<R> {
    SXI_IN_PLACE static constexpr bool ok(const R& r) { return r.ok(); }
    SXI_IN_PLACE static constexpr decltype(auto) value(auto&& r) { return *static_cast<decltype(r)>(r); }
    static constexpr auto error(auto&& r) { return std::forward<decltype(r)>(r).status(); }
    SXI_COLD_PATH static constexpr uint64_t identity(const R& r) {
        using Status = std::remove_cvref_t<decltype(r.status())>;
        if constexpr (!detail::hasIdentity<Status>) return 0;
        else return detail::identityOfError(static_cast<const Status&>(r.status()));
    }
};

namespace detail {

template <typename R> using TraitsOf = result_traits<std::remove_cvref_t<R>>;

// What a function returns that fails with an R.
template <result R> using ErrorOf = decltype(TraitsOf<R>::error(std::declval<R>()));

template <typename R, typename E>
concept MadeFrom = result<R> && std::constructible_from<ErrorOf<R>, E> && std::constructible_from<R, ErrorOf<R>>;

template <typename R>
concept Identifiable = requires(const std::remove_cvref_t<R>& r) {
    TraitsOf<R>::identity(r);
};

// Which error a failed result, or an error by itself, is.
template <typename V> SXI_COLD_PATH constexpr uint64_t identityOf(const V& value) {
    if constexpr (Identifiable<V>) {
        return TraitsOf<V>::identity(value);
    } else if constexpr (result<V>) {
        return 0;
    } else if constexpr (requires { value.error(); }) {
        return identityOf(value.error()); // std::unexpected
    } else {
        return identityOfError(value);
    }
}

// The type of the error that a result holds.
template <typename R> struct ErrorTypeOf { using type = std::remove_cvref_t<ErrorOf<R>>; };
template <ExpectedLike R> struct ErrorTypeOf<R> { using type = typename R::error_type; };

// An error that becomes one of another type is another number.
template <typename R, typename E>
inline constexpr bool isRenamed =
    !std::is_same_v<typename ErrorTypeOf<R>::type, E> &&
    (hasIdentity<E> || hasIdentity<typename ErrorTypeOf<R>::type> || (Identifiable<R> && !ExpectedLike<R>));

} // namespace detail

// An error on its way out of a function, whatever that returns: it turns into any class of results whose errors can be
// made from an E. (It never turns into a number: which number would be an error?)
template <typename E> class failure {
public:
    constexpr explicit failure(E from) : error(std::move(from)) {}

    template <typename R>
    requires detail::MadeFrom<R, E>
    constexpr operator R() && {
        if constexpr (detail::isRenamed<R, E>) {
            R made(detail::ErrorOf<R>(std::move(error)));
            if (!std::is_constant_evaluated()) sx_trace_cold_rename(detail::identityOf(made));
            return made;
        } else {
            return R(detail::ErrorOf<R>(std::move(error)));
        }
    }

    // For what an error is made of.
    constexpr E&& take() && { return std::move(error); }

private:
    E error;
};

} // namespace sx
