// What the macros of sx/trace.hpp do where something fails. Nothing is recorded in constant evaluation.
#pragma once

#include "sx/trace/result.hpp"
#include "sx/trace/site.hpp"
#include "sx/trace_calls.h"

namespace sx::detail {

SXI_COLD_PATH constexpr void raise(const sx_frame& frame) {
    if (!std::is_constant_evaluated()) sx_trace_cold_raise(address(frame));
}

// Whether it can be known which error a V is, or holds.
template <typename V>
inline constexpr bool isTold = Identifiable<V> || (!result<V> && hasIdentity<V>) ||
                               (!result<V> && requires(const V& value) { value.error(); });

// An error that is `value` begins.
template <typename V> SXI_COLD_PATH constexpr void raiseOf(const sx_frame& frame, const V& value) {
    if (std::is_constant_evaluated()) return;
    if constexpr (isTold<V>) {
        sx_trace_cold_raise_error(address(frame), identityOf(value));
    } else {
        sx_trace_cold_raise(address(frame));
    }
}

// A hop of the newest error, and of the one that `value` is or holds.
SXI_COLD_PATH constexpr void hop(const sx_frame& frame) {
    if (!std::is_constant_evaluated()) sx_trace_cold_push(address(frame));
}

template <typename V> SXI_COLD_PATH constexpr void rename(const V& value);

template <typename V> SXI_COLD_PATH constexpr void hopOf(const sx_frame& frame, const V& value) {
    if (std::is_constant_evaluated()) return;
    if constexpr (isTold<V>) {
        sx_trace_cold_push_error(address(frame), identityOf(value));
    } else {
        sx_trace_cold_push(address(frame));
    }
    if constexpr (requires { TraitsOf<V>::becomes(value); }) rename(TraitsOf<V>::becomes(value));
}

// The newest error has become this value.
template <typename V> SXI_COLD_PATH constexpr void rename(const V& value) {
    if (!std::is_constant_evaluated()) sx_trace_cold_rename(identityOf(value));
}

template <typename R>
concept FailsWithUnexpected = ExpectedLike<R> && std::same_as < ErrorOf<R>,
typename R::unexpected_type > ;

// What follows "return" where a failing result is passed on. The error may have to become that of another form of
// result.
template <result R> SXI_COLD_PATH constexpr auto passedOn(R&& r) {
    using Plain = std::remove_cvref_t<R>;
    if constexpr (FailsWithUnexpected<Plain>) {
        return failure<typename Plain::error_type>(std::forward<R>(r).error());
    } else if constexpr (std::same_as<ErrorOf<R>, Plain>) {
        return failure<Plain>(TraitsOf<R>::error(std::forward<R>(r)));
    } else {
        return TraitsOf<R>::error(std::forward<R>(r));
    }
}

// The two forms of which there are most are asked directly: without optimisation a call less costs a few instructions
// less.
template <typename R>
concept IsDirect = TraitsOf<R>::has_value_and_star;

template <result R> SXI_IN_PLACE constexpr bool isFailed(const R& r) {
    if constexpr (IsDirect<R>) return !r.has_value();
    else return !TraitsOf<R>::ok(r);
}

// The same after a hop: what SX_TRY returns.
template <result R> SXI_COLD_PATH constexpr auto hoppedOn(const sx_frame& frame, R&& r) {
    hopOf(frame, r);
    return passedOn(std::forward<R>(r));
}

// For a result of one's own to be returned in place of the failed one.
struct Instead {
    template <typename V> SXI_COLD_PATH constexpr std::decay_t<V> with(V&& value) {
        if constexpr (!requires { static_cast<V&&>(value).take(); }) rename<std::decay_t<V>>(value);
        return static_cast<V&&>(value);
    }
};

template <result R> SXI_COLD_PATH constexpr Instead hoppedInstead(const sx_frame& frame, R&& r) {
    hopOf(frame, r);
    return {};
}

// The error that a failing result holds, by itself.
template <result R> SXI_COLD_PATH constexpr auto errorIn(R&& r) {
    if constexpr (requires { passedOn(std::forward<R>(r)).take(); }) {
        return passedOn(std::forward<R>(r)).take();
    } else {
        return passedOn(std::forward<R>(r));
    }
}

template <result R> SXI_COLD_PATH constexpr auto hoppedError(const sx_frame& frame, R&& r) {
    hopOf(frame, r);
    return errorIn(std::forward<R>(r));
}

// An error value, to be returned as whatever the function around returns.
template <typename E> SXI_COLD_PATH constexpr auto failed(E&& error) {
    return failure<std::decay_t<E>>(std::forward<E>(error));
}

// The same for the newest error, which has become this value.
template <typename E> SXI_COLD_PATH constexpr auto failedAs(E&& error) {
    rename(error);
    return failed(std::forward<E>(error));
}

// These are not constexpr. Where a `const` number is made from one, compilers first try constant evaluation, and what
// is recorded there would be lost.
template <typename V> SXI_COLD_PATH std::decay_t<V> raised(const sx_frame& frame, V&& value) {
    raiseOf<std::decay_t<V>>(frame, value);
    return std::forward<V>(value);
}

// A number that is no variable's, as in SX_HOP(-1), is not what failed but what becomes of it.
template <typename V> SXI_COLD_PATH std::decay_t<V> hopped(const sx_frame& frame, V&& value) {
    if constexpr (std::is_scalar_v<V>) {
        hop(frame);
        rename(value);
    } else {
        hopOf<std::decay_t<V>>(frame, value);
    }
    return std::forward<V>(value);
}

template <typename V> SXI_COLD_PATH std::decay_t<V> hoppedAs(const sx_frame& frame, V&& value) {
    hop(frame);
    rename<std::decay_t<V>>(value);
    return std::forward<V>(value);
}

template <typename E> SXI_COLD_PATH constexpr auto raisedError(const sx_frame& frame, E&& error) {
    raiseOf<std::decay_t<E>>(frame, error);
    return failed(std::forward<E>(error));
}

template <typename E> SXI_COLD_PATH constexpr auto raisedErrorFrom(const sx_frame& frame, E&& error) {
    raiseOf<std::decay_t<E>>(frame, error);
    if (!std::is_constant_evaluated()) sx_trace_cold_link(SX_TRACE_CAUSE);
    return failed(std::forward<E>(error));
}

// ---- The value of an expression that may return. A reference is carried out of it by address. ----

template <typename T> struct Reference { T* to; };

struct Taken {};

SXI_IN_PLACE constexpr Taken taken() { return {}; }

template <typename T> SXI_IN_PLACE constexpr T& operator,(Taken, Reference<T> reference) { return *reference.to; }

template <typename R>
concept HoldsReference = requires {
    requires std::is_lvalue_reference_v<typename std::remove_cvref_t<R>::value_type>;
};

// A reference where the result is a variable, or holds one; else the value.
template <typename R> SXI_IN_PLACE constexpr decltype(auto) take(R&& r) {
    using Value = decltype(TraitsOf<R>::value(static_cast<R&&>(r)));
    if constexpr (std::is_lvalue_reference_v<Value> && (std::is_lvalue_reference_v<R> || HoldsReference<R>)) {
        return Reference<std::remove_reference_t<Value>>{__builtin_addressof(TraitsOf<R>::value(static_cast<R&&>(r)))};
    } else if constexpr (std::is_void_v<Value>) {
        return;
    } else if constexpr (IsDirect<R> && std::is_trivially_copy_constructible_v<std::remove_cvref_t<Value>>) {
        return *r;
    } else if constexpr (IsDirect<R>) {
        return *static_cast<R&&>(r);
    } else {
        return TraitsOf<R>::value(static_cast<R&&>(r));
    }
}

} // namespace sx::detail
