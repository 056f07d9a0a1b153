// Errors that leave the thread, or wait.
#pragma once

#include <string>

#include "sx/trace/record.hpp"

namespace sx {

// An error with its trace, to be stored or handed to another thread. SX_CAPTURE makes one, and SX_RESUME lets its error
// travel on. It holds a snapshot of about 900 bytes: keep it where errors wait, not in every result.
template <typename E> class captured {
public:
    // Takes the error's trace off this thread, after a last hop. What SX_CAPTURE calls.
    captured(E error, const sx_frame& frame) : value(std::move(error)) {
        detail::hopOf(frame, value);
        sx_trace_capture_newest(&snapshot);
        sx_trace_absorb();
    }

    const E& error() const& { return value; }
    E&& error() && { return std::move(value); }

    // For sx_trace_render, sx_trace_format and trace_text.
    const sx_trace_snapshot& trace() const { return snapshot; }

    // Puts the trace on top of this thread's, with a hop: from here on, the error is on its way again. May be done more
    // than once, for each that waits for the error. What SX_RESUME calls.
    void resume(const sx_frame& frame) const {
        sx_trace_resume(&snapshot);
        sx_trace_push(detail::address(frame));
    }

private:
    E value;
    sx_trace_snapshot snapshot;
};

namespace detail {

template <typename E> captured<std::decay_t<E>> capture(const sx_frame& frame, E&& error) {
    return captured<std::decay_t<E>>(std::forward<E>(error), frame);
}

template <typename C> auto resumed(const sx_frame& frame, C&& capture) {
    capture.resume(frame);
    return failed(std::forward<C>(capture).error());
}

} // namespace detail

// A trace as text: of a snapshot, or of what is in flight in this thread.
inline std::string trace_text(const sx_trace_snapshot* snapshot = nullptr, uint32_t style = SX_TRACE_STYLE_ENV) {
    sx_trace_options options = {};
    options.style = style;
    std::string text(sx_trace_format(nullptr, 0, snapshot, &options), '\0');
    sx_trace_format(text.data(), text.size() + 1, snapshot, &options);
    return text;
}

// The trace of something that runs in turn with others in a thread: a fiber, or a coroutine. It is in the thread while
// an `on_fiber` for it lives.
//
//     void Task::step() {
//         sx::on_fiber running(trace);     the errors of this task are the thread's
//         handle.resume();
//     }                                    and here those of the caller again
class fiber_trace {
public:
    // Lets the error that the fiber ended with travel on in this thread. False when it ended without.
    bool join() {
        sx_trace_snapshot snapshot;
        sx_trace_swap(&state);
        sx_trace_capture(&snapshot);
        sx_trace_swap(&state);
        state = {};
        return sx_trace_resume(&snapshot);
    }

private:
    friend class on_fiber;
    sx_trace_state state = {};
};

class on_fiber {
public:
    explicit on_fiber(fiber_trace& entered) : fiber(entered) { sx_trace_swap(&fiber.state); }
    ~on_fiber() { sx_trace_swap(&fiber.state); }
    on_fiber(const on_fiber&) = delete;
    on_fiber& operator=(const on_fiber&) = delete;

private:
    fiber_trace& fiber;
};

} // namespace sx
