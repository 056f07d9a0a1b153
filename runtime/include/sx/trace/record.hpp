// What the macros of sx/trace.hpp do where something fails. Nothing is recorded in constant evaluation.
#pragma once

#include "sx/trace/result.hpp"
#include "sx/trace/site.hpp"
#include "sx/trace_calls.h"

// The calls say which registers they keep; so they have to stand in the function itself.
#define SXI_IN_PLACE __attribute__((always_inline, artificial)) inline

namespace sx::detail {

SXI_IN_PLACE constexpr void raise(const sx_frame& frame) {
    if (!std::is_constant_evaluated()) sx_trace_cold_raise(address(frame));
}

SXI_IN_PLACE constexpr void raiseFrom(const sx_frame& frame) {
    if (std::is_constant_evaluated()) return;
    sx_trace_cold_raise(address(frame));
    sx_trace_cold_link(SX_TRACE_CAUSE);
}

SXI_IN_PLACE constexpr void hop(const sx_frame& frame) {
    if (!std::is_constant_evaluated()) sx_trace_cold_push(address(frame));
}

template <typename R>
concept FailsWithUnexpected = ExpectedLike<R> && std::same_as < ErrorOf<R>,
typename R::unexpected_type > ;

// What follows "return" where a failing result is passed on. The error may have to become that of another form of
// result.
template <result R> SXI_IN_PLACE constexpr auto passedOn(R&& r) {
    using Plain = std::remove_cvref_t<R>;
    if constexpr (FailsWithUnexpected<Plain>) {
        return failure<typename Plain::error_type>(std::forward<R>(r).error());
    } else if constexpr (std::same_as<ErrorOf<R>, Plain>) {
        return failure<Plain>(TraitsOf<R>::error(std::forward<R>(r)));
    } else {
        return TraitsOf<R>::error(std::forward<R>(r));
    }
}

// An error value, to be returned as whatever the function around returns.
template <typename E> SXI_IN_PLACE constexpr auto failed(E&& error) {
    return failure<std::decay_t<E>>(std::forward<E>(error));
}

// These two are not constexpr. Where a `const` number is made from one, compilers first try constant evaluation, and
// what is recorded there would be lost.
template <typename V> SXI_IN_PLACE std::decay_t<V> raised(const sx_frame& frame, V&& value) {
    raise(frame);
    return std::forward<V>(value);
}

template <typename V> SXI_IN_PLACE std::decay_t<V> hopped(const sx_frame& frame, V&& value) {
    hop(frame);
    return std::forward<V>(value);
}

template <typename E> SXI_IN_PLACE constexpr auto raisedError(const sx_frame& frame, E&& error) {
    raise(frame);
    return failed(std::forward<E>(error));
}

template <typename E> SXI_IN_PLACE constexpr auto raisedErrorFrom(const sx_frame& frame, E&& error) {
    raiseFrom(frame);
    return failed(std::forward<E>(error));
}

} // namespace sx::detail
