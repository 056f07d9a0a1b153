// Traces for C++ programs that return errors as values (C++20: g++ 12, clang 14, and later).
//
//     std::expected<int, Err> number(std::string_view text) {
//         if (text.empty()) return SX_RAISE(Err::empty);       // an error begins here
//         int value = 0;
//         for (char c : text) value = value * 10 + SX_TRY(digit(c));   // a failure is passed on, with a hop
//         return value;
//     }
//
// Everything that is recorded is read-only data: file, line, column, function, and the macro's text. Nothing runs
// unless something fails, and a function that succeeds has the instructions that it has with a branch written by hand.
// Works without exceptions and RTTI.
//
// Results are std::expected and what has its shape, std::optional, std::error_code, statuses (`ok()`, `status()`), what
// sx/trace/codes.hpp makes of numbers and pointers, and types of one's own (sx/trace/result.hpp tells how).
//
// A comma of an argument has to be in round brackets, except in the last argument of a macro (SX_OR and SX_TRY_ELSE
// have none such). The targets of SX_TRY_ASSIGN and SX_CO_TRY_ASSIGN can have none at all.
#pragma once

#include "sx/trace/captured.hpp"
#include "sx/trace/codes.hpp"
#include "sx/trace/handler.hpp"
#include "sx/trace/record.hpp"
#include "sx/trace/result.hpp"

// ---- An error begins. ----

// The error of a result, with a trace that begins here: `return SX_RAISE(Err::empty);`. It turns into whatever class of
// results the function returns. Where that is a number, a pointer or an enumeration, use SX_FAIL.
#define SX_RAISE(...) ::sx::detail::raisedError(SX_TRACE_FRAME("SX_RAISE(" #__VA_ARGS__ ")"), __VA_ARGS__)

// The same for an error that is raised because of another, which is still in flight: they are shown and dropped
// together. In a block with SX_CATCH that is so for every error that leaves it, and SX_RAISE does.
#define SX_RAISE_FROM(...) ::sx::detail::raisedErrorFrom(SX_TRACE_FRAME("SX_RAISE_FROM(" #__VA_ARGS__ ")"), __VA_ARGS__)

// The value as it is, with a trace that begins here: `return SX_FAIL(-1);`. No constant expression, nor is SX_HOP.
#define SX_FAIL(...) ::sx::detail::raised(SX_TRACE_FRAME("SX_FAIL(" #__VA_ARGS__ ")"), __VA_ARGS__)

// A statement.
#define SX_TRACE_RAISE() ::sx::detail::raise(SX_TRACE_FRAME(""))

// ---- An error is passed on. ----

// The value of a result. Where it failed, its error is returned from the function around, with a hop. An expression (of
// gcc and clang); it is best used alone on the right of a definition, an assignment, or a statement, for a value that
// is computed in the same expression may be left behind.
#define SX_TRY(...) SXI_TRY(SXI_UNIQUE, "SX_TRY(" #__VA_ARGS__ ")", SXI_RETURN, __VA_ARGS__)

// The same in a coroutine. The operand must not await (SX_CO_TRY_ASSIGN's may).
#define SX_CO_TRY(...) SXI_TRY(SXI_UNIQUE, "SX_CO_TRY(" #__VA_ARGS__ ")", SXI_CO_RETURN, __VA_ARGS__)

// The same with a value of one's own to be returned: `SX_TRY_ELSE(run(arguments), EXIT_FAILURE);`.
#define SX_TRY_ELSE(expression, otherwise) \
    SXI_TRY(SXI_UNIQUE, "SX_TRY_ELSE(" #expression ", " #otherwise ")", return (otherwise); (void), expression)

// The same as a statement of standard C++. It makes variables of the block: `SX_TRY_ASSIGN(auto head,
// digit(text[0]));`.
#define SX_TRY_ASSIGN(target, ...) \
    SXI_TRY_ASSIGN(SXI_UNIQUE, "SX_TRY_ASSIGN(" #target ", " #__VA_ARGS__ ")", SXI_RETURN, target, __VA_ARGS__)

// The same for a result without a value, or one that is not needed.
#define SX_TRY_VOID(...) SXI_TRY_VOID(SXI_UNIQUE, "SX_TRY_VOID(" #__VA_ARGS__ ")", SXI_RETURN, __VA_ARGS__)

// These two in a coroutine.
#define SX_CO_TRY_ASSIGN(target, ...) \
    SXI_TRY_ASSIGN(SXI_UNIQUE, "SX_CO_TRY_ASSIGN(" #target ", " #__VA_ARGS__ ")", SXI_CO_RETURN, target, __VA_ARGS__)

// See SX_CO_TRY_ASSIGN.
#define SX_CO_TRY_VOID(...) SXI_TRY_VOID(SXI_UNIQUE, "SX_CO_TRY_VOID(" #__VA_ARGS__ ")", SXI_CO_RETURN, __VA_ARGS__)

// The value as it is, with a hop: `if (SX_FAILED((rc = f()) != 0)) return SX_HOP(rc);`.
#define SX_HOP(...) ::sx::detail::hopped(SX_TRACE_FRAME("SX_HOP(" #__VA_ARGS__ ")"), __VA_ARGS__)
#define SX_FAILED(condition) __builtin_expect(!!(condition), 0)

// A statement.
#define SX_TRACE_HOP() ::sx::detail::hop(SX_TRACE_FRAME(""))

// ---- An error is handled. ----

// Declares an sx::handler that lasts to the end of the block: the first statement of a block that deals with an error.
#define SX_CATCH(name) [[maybe_unused]] ::sx::handler name(SX_TRACE_FRAME("SX_CATCH(" #name ")"))

// Passes the error of a handler on: `return SX_PASS(handler, result);`, or with an error instead of the failed result.
// Numbers, pointers and enumerations are returned as they are.
#define SX_PASS(name, ...) \
    ::sx::detail::passed(name, SX_TRACE_FRAME("SX_PASS(" #name ", " #__VA_ARGS__ ")"), __VA_ARGS__)

// The value of a result, or the fallback, which is only evaluated where the result failed: `SX_OR(port(text), 8080)`.
#define SX_OR(expression, fallback) \
    ::sx::detail::valueOr(expression, SX_TRACE_FRAME("SX_OR(" #expression ", " #fallback ")"), \
                          [&]() -> decltype(auto) { return (fallback); })

// Evaluates a result and is content with either. (A failed result that nobody looks at leaves its trace in flight.)
#define SX_IGNORE(...) ::sx::detail::ignore(__VA_ARGS__, SX_TRACE_FRAME("SX_IGNORE(" #__VA_ARGS__ ")"))

// ---- An error is kept, and goes on later or elsewhere. ----

// An sx::captured of the error, with its trace, which leaves this thread: `promise.set_value(SX_CAPTURE(r.error()))`.
#define SX_CAPTURE(...) ::sx::detail::capture(SX_TRACE_FRAME("SX_CAPTURE(" #__VA_ARGS__ ")"), __VA_ARGS__)

// The error of a result, whose trace goes on here: `return SX_RESUME(captured);`.
#define SX_RESUME(...) ::sx::detail::resumed(SX_TRACE_FRAME("SX_RESUME(" #__VA_ARGS__ ")"), __VA_ARGS__)

// How the statements are made; `leave` is followed by a failed result in brackets.

#define SXI_RETURN return ::sx::detail::passedOn
#define SXI_CO_RETURN co_return ::sx::detail::passedOn

#define SXI_IF_FAILED(name, text, leave) \
    if (!::sx::detail::TraitsOf<decltype(name)>::ok(name)) [[unlikely]] { \
        ::sx::detail::hop(SX_TRACE_FRAME(text)); \
        leave(std::forward<decltype(name)>(name)); \
    }

#define SXI_VALUE(name) ::sx::detail::TraitsOf<decltype(name)>::value(std::forward<decltype(name)>(name))

#define SXI_TRY(name, ...) SXI_TRY_EXPANDED(name, __VA_ARGS__)
#define SXI_TRY_EXPANDED(name, text, leave, ...) \
    __extension__({ \
        auto&& name = (__VA_ARGS__); \
        SXI_IF_FAILED(name, text, leave) \
        SXI_VALUE(name); \
    })

#define SXI_TRY_ASSIGN(name, ...) SXI_TRY_ASSIGN_EXPANDED(name, __VA_ARGS__)
#define SXI_TRY_ASSIGN_EXPANDED(name, text, leave, target, ...) \
    auto&& name = (__VA_ARGS__); \
    SXI_IF_FAILED(name, text, leave) \
    target = SXI_VALUE(name)

#define SXI_TRY_VOID(name, ...) SXI_TRY_VOID_EXPANDED(name, __VA_ARGS__)
#define SXI_TRY_VOID_EXPANDED(name, text, leave, ...) \
    do { \
        auto&& name = (__VA_ARGS__); \
        SXI_IF_FAILED(name, text, leave) \
    } while (0)

#define SXI_UNIQUE SXI_JOIN(sxi_result_, __COUNTER__)
#define SXI_JOIN(a, b) SXI_JOIN_EXPANDED(a, b)
#define SXI_JOIN_EXPANDED(a, b) a##b
