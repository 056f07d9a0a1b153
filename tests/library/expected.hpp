// std::expected, or something of its shape where the library has none (C++20).
#pragma once

#include <version>

#if defined(__cpp_lib_expected)
#include <expected>

template <typename T, typename E> using Expected = std::expected<T, E>;
template <typename E> using Unexpected = std::unexpected<E>;

#else
#include <concepts>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

template <typename E> class Unexpected {
public:
    template <typename G = E>
    requires std::constructible_from<E, G> &&
        (!std::same_as<std::remove_cvref_t<G>, Unexpected>)constexpr explicit Unexpected(G&& from)
        : value(std::forward<G>(from)) {}

    constexpr const E& error() const& { return value; }
    constexpr E&& error() && { return std::move(value); }

private:
    E value;
};

template <typename T> inline constexpr bool isUnexpected = false;
template <typename E> inline constexpr bool isUnexpected<Unexpected<E>> = true;

template <typename T, typename E> class Expected {
public:
    using value_type = T;
    using error_type = E;
    using unexpected_type = Unexpected<E>;

    constexpr Expected() requires std::default_initializable<T> : content(std::in_place), failure(std::nullopt) {}

    template <typename U = T>
    requires(!std::same_as<std::remove_cvref_t<U>, Expected> && !isUnexpected<std::remove_cvref_t<U>> &&
             std::is_constructible_v<T, U>) constexpr Expected(U&& from)
        : content(std::forward<U>(from)), failure(std::nullopt) {}

    template <typename G>
    requires std::constructible_from<E, const G&>
    constexpr Expected(const Unexpected<G>& from) : failure(from.error()) {}
    template <typename G>
    requires std::constructible_from<E, G>
    constexpr Expected(Unexpected<G>&& from) : failure(std::move(from).error()) {}

    constexpr bool has_value() const { return content.has_value(); }
    constexpr explicit operator bool() const { return has_value(); }
    constexpr T& operator*() & { return *content; }
    constexpr const T& operator*() const& { return *content; }
    constexpr T&& operator*() && { return *std::move(content); }
    constexpr T* operator->() { return &*content; }
    constexpr const T& value() const { return *content; }
    constexpr E& error() & { return *failure; }
    constexpr const E& error() const& { return *failure; }
    constexpr E&& error() && { return *std::move(failure); }

private:
    std::optional<T> content;
    std::optional<E> failure;
};

template <typename E> class Expected<void, E> {
public:
    using value_type = void;
    using error_type = E;
    using unexpected_type = Unexpected<E>;

    constexpr Expected() = default;
    template <typename G> constexpr Expected(Unexpected<G> from) : failure(std::move(from).error()) {}

    constexpr bool has_value() const { return !failure.has_value(); }
    constexpr explicit operator bool() const { return has_value(); }
    constexpr void operator*() const {}
    constexpr E& error() & { return *failure; }
    constexpr const E& error() const& { return *failure; }
    constexpr E&& error() && { return *std::move(failure); }

private:
    std::optional<E> failure;
};

#endif
