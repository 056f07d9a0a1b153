// Code that deals with an error.
#pragma once

#include "sx/trace/codes.hpp"
#include "sx/trace/record.hpp"

#ifdef __cpp_exceptions
#include <exception>
#endif

namespace sx {

// Declared by SX_CATCH. While it lives, the error can be shown (sx_trace_print). When it goes, the trace of the error
// is dropped; unless another error leaves the block, which is then tied to the handled one as its cause. An exception
// that leaves the block takes all of these traces with it.
class handler {
public:
    SXI_COLD_PATH explicit handler(const sx_frame& frame) { sx_trace_cold_enter(&state, detail::address(frame)); }

    // For the error of a failed result, or for an error, which may be another one than the newest.
    template <typename V> SXI_COLD_PATH handler(const sx_frame& frame, const V& failed) {
        sx_trace_cold_enter_error(&state, detail::address(frame), detail::identityOf(failed));
    }
    SXI_COLD_PATH ~handler() {
        if (thrown() > thrownBefore) sx_trace_cold_unwind(&state);
        else sx_trace_cold_leave(&state);
    }
    handler(const handler&) = delete;
    handler& operator=(const handler&) = delete;

    // The error goes on. What SX_PASS calls.
    SXI_COLD_PATH void pass(const sx_frame& frame) { sx_trace_cold_pass(&state, detail::address(frame)); }

private:
    static int thrown() {
#ifdef __cpp_exceptions
        return std::uncaught_exceptions();
#else
        return 0;
#endif
    }

    sx_trace_handler state;
    int thrownBefore = thrown();
};

namespace detail {

// The hop makes sure that what is dropped is this error: the newest chain may be one that is being handled around it.
template <result R> SXI_COLD_PATH constexpr void absorb(const sx_frame& frame, const R& r) {
    if (std::is_constant_evaluated()) return;
    hopOf(frame, r);
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
template <typename V> SXI_COLD_PATH auto passed(handler& handler, const sx_frame& frame, V&& value) {
    using Plain = std::remove_cvref_t<V>;
    handler.pass(frame);
    if constexpr (isTold<Plain>) rename<Plain>(value);
    if constexpr (result<V>) {
        return passedOn(std::forward<V>(value));
    } else if constexpr (std::is_null_pointer_v<Plain>) {
        return Null();
    } else if constexpr (std::is_scalar_v<Plain>) {
        return Scalar<Plain>(value);
    } else {
        return failed(std::forward<V>(value));
    }
}

template <result R, typename Fallback>
SXI_IN_PLACE constexpr auto valueOr(R&& r, const sx_frame& frame, Fallback fallback)
    -> std::decay_t<decltype(TraitsOf<R>::value(std::forward<R>(r)))> {
    if (TraitsOf<R>::ok(r)) [[likely]]
        return TraitsOf<R>::value(std::forward<R>(r));
    absorb(frame, r);
    return fallback();
}

template <result R> SXI_IN_PLACE constexpr bool succeeds(const R& r, const sx_frame& frame) {
    if (TraitsOf<R>::ok(r)) [[likely]]
        return true;
    absorb(frame, r);
    return false;
}

// The value, or a value by default where `r` failed. Then `kept` takes the error, unless it has one already.
template <result R, result K>
SXI_IN_PLACE constexpr auto keepFirst(K& kept, R&& r, const sx_frame& frame)
    -> std::decay_t<decltype(TraitsOf<R>::value(std::forward<R>(r)))> {
    using Value = std::decay_t<decltype(TraitsOf<R>::value(std::forward<R>(r)))>;
    if (TraitsOf<R>::ok(r)) [[likely]]
        return TraitsOf<R>::value(std::forward<R>(r));
    hopOf(frame, r);
    if (TraitsOf<K>::ok(kept)) {
        K first = passedOn(std::forward<R>(r));
        kept = std::move(first);
    } else if (!std::is_constant_evaluated()) {
        sx_trace_cold_absorb();
    }
    return Value();
}

} // namespace detail

} // namespace sx
