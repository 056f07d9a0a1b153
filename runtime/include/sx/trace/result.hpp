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
// function returns that passes the failure on: something from which its own result can be made.
#pragma once

#include <concepts>
#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>

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

} // namespace detail

template <detail::ExpectedLike R> struct result_traits<R> {
    static constexpr bool ok(const R& r) { return r.has_value(); }
    static constexpr decltype(auto) value(auto&& r) {
        if constexpr (!std::is_void_v<typename R::value_type>) return *std::forward<decltype(r)>(r);
    }
    static constexpr auto error(auto&& r) { return typename R::unexpected_type(std::forward<decltype(r)>(r).error()); }
};

template <typename T> struct result_traits<std::optional<T>> {
    static constexpr bool ok(const std::optional<T>& r) { return r.has_value(); }
    static constexpr decltype(auto) value(auto&& r) { return *std::forward<decltype(r)>(r); }
    static constexpr std::nullopt_t error(auto&&) { return std::nullopt; }
};

template <> struct result_traits<std::error_code> {
    static bool ok(const std::error_code& r) { return !r; }
    static void value(auto&&) {}
    static std::error_code error(auto&& r) { return r; }
};

template <detail::StatusLike R> struct result_traits<R> {
    static constexpr bool ok(const R& r) { return r.ok(); }
    static constexpr void value(auto&&) {}
    static constexpr R error(auto&& r) { return std::forward<decltype(r)>(r); }
};

template <detail::StatusOrLike R> struct result_traits<R> {
    static constexpr bool ok(const R& r) { return r.ok(); }
    static constexpr decltype(auto) value(auto&& r) { return *std::forward<decltype(r)>(r); }
    static constexpr auto error(auto&& r) { return std::forward<decltype(r)>(r).status(); }
};

namespace detail {

template <typename R> using TraitsOf = result_traits<std::remove_cvref_t<R>>;

// What a function returns that fails with an R.
template <result R> using ErrorOf = decltype(TraitsOf<R>::error(std::declval<R>()));

template <typename R, typename E>
concept MadeFrom = result<R> && std::constructible_from<ErrorOf<R>, E> && std::constructible_from<R, ErrorOf<R>>;

} // namespace detail

// An error on its way out of a function, whatever that returns: it turns into any class of results whose errors can be
// made from an E. (It never turns into a number: which number would be an error?)
template <typename E> class failure {
public:
    constexpr explicit failure(E from) : error(std::move(from)) {}

    template <typename R>
    requires detail::MadeFrom<R, E>
    constexpr operator R() && { return R(detail::ErrorOf<R>(std::move(error))); }

private:
    E error;
};

} // namespace sx
