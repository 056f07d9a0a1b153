// Results of what can fail for a reason that has no place in a source text: a file, the linker, a limit.
#pragma once

#include "source/Wording.h"

#include <string>
#include <utility>
#include <variant>

namespace sx {

/// Why something failed: a text for the user, without the leading `error: `.
struct Failure {
    std::string message;
};

/// A value, or why there is none. `return Failure{"…"};` fails.
template <typename T> class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::move(value)) {}
    Result(Failure failure) : content_(std::move(failure)) {}

    explicit operator bool() const { return content_.index() == 0; }
    T& operator*() { return std::get<0>(content_); }
    T* operator->() { return &std::get<0>(content_); }
    /// Of a failed one.
    const std::string& error() const { return std::get<1>(content_).message; }
    Failure failure() const { return std::get<1>(content_); }

private:
    std::variant<T, Failure> content_;
};

template <> class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Failure failure) : failure_(std::move(failure)), failed_(true) {}

    explicit operator bool() const { return !failed_; }
    const std::string& error() const { return failure_.message; }
    Failure failure() const { return failure_; }

private:
    Failure failure_;
    bool failed_ = false;
};

} // namespace sx
