// Code that deals with an error.
#pragma once

#include "sx/trace/codes.hpp"
#include "sx/trace/record.hpp"

namespace sx {

// Declared by SX_CATCH. While it lives, the error can be shown (sx_trace_print). When it goes, the trace of the error
// is dropped; unless another error leaves the block, which is then tied to the handled one as its cause.
class handler {
public:
    SXI_IN_PLACE explicit handler(const sx_frame& frame) { sx_trace_cold_enter(&state, detail::address(frame)); }
    SXI_IN_PLACE ~handler() { sx_trace_cold_leave(&state); }
    handler(const handler&) = delete;
    handler& operator=(const handler&) = delete;

    // The error goes on. What SX_PASS calls.
    SXI_IN_PLACE void pass(const sx_frame& frame) { sx_trace_cold_pass(&state, detail::address(frame)); }

private:
    sx_trace_handler state;
};

namespace detail {

// The hop makes sure that what is dropped is this error: the newest chain may be one that is being handled around it.
SXI_IN_PLACE constexpr void absorb(const sx_frame& frame) {
    if (std::is_constant_evaluated()) return;
    hop(frame);
    sx_trace_cold_absorb();
}

// What turns into what where it is returned: each into its own type, a signed number into those of other widths, and a
// pointer into those that it converts to. (Not every number into every other: a result that holds numbers could then be
// made in two ways, from the value or from the error.)
template <typename V, typename T>
concept ReturnedAs = std::same_as<V, T> ||(std::signed_integral<V>&& std::signed_integral<T>) ||
                     (std::is_pointer_v<V> && std::is_pointer_v<T> && std::convertible_to<V, T>);

// A number, a pointer or an enumeration that is returned as it is, or is the error of a result.
template <typename V> class Scalar {
public:
    constexpr explicit Scalar(V from) : value(from) {}

    template <typename T>
    requires ReturnedAs<V, T>
    constexpr operator T() && { return static_cast<T>(value); }

    template <typename R>
    requires MadeFrom<R, V>
    constexpr operator R() && { return failure<V>(value); }

private:
    V value;
};

// What SX_PASS gives: of a failing result its error, of a number or the like that value, of another error itself.
template <typename V> SXI_IN_PLACE auto passed(handler& handler, const sx_frame& frame, V&& value) {
    handler.pass(frame);
    if constexpr (result<V>) {
        return passedOn(std::forward<V>(value));
    } else if constexpr (std::is_null_pointer_v<std::remove_cvref_t<V>>) {
        return Null();
    } else if constexpr (std::is_scalar_v<std::remove_cvref_t<V>>) {
        return Scalar<std::remove_cvref_t<V>>(value);
    } else {
        return failed(std::forward<V>(value));
    }
}

template <result R, typename Fallback>
SXI_IN_PLACE constexpr auto valueOr(R&& r, const sx_frame& frame, Fallback fallback)
    -> std::decay_t<decltype(TraitsOf<R>::value(std::forward<R>(r)))> {
    if (TraitsOf<R>::ok(r)) [[likely]]
        return TraitsOf<R>::value(std::forward<R>(r));
    absorb(frame);
    return fallback();
}

template <result R> SXI_IN_PLACE constexpr void ignore(R&& r, const sx_frame& frame) {
    if (!TraitsOf<R>::ok(r)) [[unlikely]]
        absorb(frame);
}

} // namespace detail

} // namespace sx
