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
// Macros that are given a result or an error look for the trace of that error: it need not be the newest one
// (sx/trace/identity.hpp tells how errors are told apart).
//
// A comma of an argument has to be in round brackets, except in the last argument of a macro (SX_OR and SX_TRY_ELSE
// have none such). The targets of SX_TRY_ASSIGN and SX_CO_TRY_ASSIGN can have none at all.
#pragma once

#if !defined(__GNUC__)
#error "sx/trace.hpp needs gcc (12 or later) or clang (14 or later)."
#elif __cplusplus < 202002L
#error "sx/trace.hpp needs C++20: compile with -std=c++20 or later (CMake: target_compile_features, cxx_std_20)."
#else

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

// A statement: an error begins here, of which nothing else is known.
#define SX_TRACE_RAISE() ::sx::detail::raise(SX_TRACE_FRAME(""))

// ---- An error is passed on. ----

// The value of a result. Where it failed, its error is returned from the function around, with a hop. An expression (of
// gcc and clang); it is best used alone on the right of a definition, an assignment, or a statement, for a value that
// is computed in the same expression may be left behind. The value is moved out of the result. Of a variable, and of a
// result that holds a reference, it is a reference: `int& v = SX_TRY(found);`.
#define SX_TRY(...) SXI_TRY(SXI_UNIQUE, "SX_TRY(" #__VA_ARGS__ ")", SXI_RETURN, , __VA_ARGS__)

// SX_TRY in a coroutine. The operand must not await (SX_CO_TRY_ASSIGN's may).
#define SX_CO_TRY(...) SXI_TRY(SXI_UNIQUE, "SX_CO_TRY(" #__VA_ARGS__ ")", SXI_CO_RETURN, , __VA_ARGS__)

// The same with a value of one's own to be returned: `SX_TRY_ELSE(run(arguments), EXIT_FAILURE);`.
#define SX_TRY_ELSE(expression, otherwise) \
    SXI_TRY(SXI_UNIQUE, "SX_TRY_ELSE(" #expression ", " #otherwise ")", return ::sx::detail::hoppedInstead, \
            .with(otherwise), expression)

// The same with another error: `SX_TRY_AS(ConfigError, number(text))` returns `ConfigError(error)`. In place of the
// type may stand a function that makes the error.
#define SX_TRY_AS(type, ...) SXI_TRY_AS(SXI_UNIQUE, "SX_TRY_AS(" #type ", " #__VA_ARGS__ ")", type, __VA_ARGS__)

// The same with a note at the hop: `SX_TRY_NOTE(read(path), "reading %s", path.c_str())`; see SX_NOTE.
#define SX_TRY_NOTE(expression, ...) \
    SXI_TRY_NOTE(SXI_UNIQUE, "SX_TRY_NOTE(" #expression ", " #__VA_ARGS__ ")", expression, __VA_ARGS__)

// SX_TRY as a statement of standard C++. It makes variables of the block: `SX_TRY_ASSIGN(auto head, digit(text[0]));`.
// With `auto&&` a large value stays in the result, and nothing is moved.
#define SX_TRY_ASSIGN(target, ...) \
    SXI_TRY_ASSIGN(SXI_UNIQUE, "SX_TRY_ASSIGN(" #target ", " #__VA_ARGS__ ")", SXI_RETURN, target, __VA_ARGS__)

// The same for a result without a value, or one that is not needed.
#define SX_TRY_VOID(...) SXI_TRY_VOID(SXI_UNIQUE, "SX_TRY_VOID(" #__VA_ARGS__ ")", SXI_RETURN, __VA_ARGS__)

// SX_TRY_ASSIGN in a coroutine.
#define SX_CO_TRY_ASSIGN(target, ...) \
    SXI_TRY_ASSIGN(SXI_UNIQUE, "SX_CO_TRY_ASSIGN(" #target ", " #__VA_ARGS__ ")", SXI_CO_RETURN, target, __VA_ARGS__)

// SX_TRY_VOID in a coroutine.
#define SX_CO_TRY_VOID(...) SXI_TRY_VOID(SXI_UNIQUE, "SX_CO_TRY_VOID(" #__VA_ARGS__ ")", SXI_CO_RETURN, __VA_ARGS__)

// A statement: returns a result as it is, with a hop where it failed. In place of `return store->get(key);`.
#define SX_RETURN(...) SXI_RETURN_RESULT(SXI_UNIQUE, "SX_RETURN(" #__VA_ARGS__ ")", return, __VA_ARGS__)

// The same in a coroutine.
#define SX_CO_RETURN(...) SXI_RETURN_RESULT(SXI_UNIQUE, "SX_CO_RETURN(" #__VA_ARGS__ ")", co_return, __VA_ARGS__)

// The value as it is, with a hop: `if (SX_FAILED((rc = f()) != 0)) return SX_HOP(rc);`. A variable is the error that
// failed. A number that is none, as in `return SX_HOP(-1);`, is what the newest error becomes here.
#define SX_HOP(...) ::sx::detail::hopped(SX_TRACE_FRAME("SX_HOP(" #__VA_ARGS__ ")"), __VA_ARGS__)

// SX_HOP where the newest error becomes this value, whatever it is: `return SX_HOP_AS(translated);`.
#define SX_HOP_AS(...) ::sx::detail::hoppedAs(SX_TRACE_FRAME("SX_HOP_AS(" #__VA_ARGS__ ")"), __VA_ARGS__)

// True when the condition is. Tells the compiler that it is unlikely.
#define SX_FAILED(condition) __builtin_expect(!!(condition), 0)

// A statement: the newest error is passed on here.
#define SX_TRACE_HOP() ::sx::detail::hop(SX_TRACE_FRAME(""))

// ---- An error is handled. ----

// Declares an sx::handler that lasts to the end of the block: the first statement of a block that deals with an error,
// `SX_CATCH(handling);` with the newest one, `SX_CATCH(handling, result);` with that of a failed result.
#define SX_CATCH(name, ...) \
    [[maybe_unused]] ::sx::handler name(SX_TRACE_FRAME("SX_CATCH(" #name __VA_OPT__(", ") #__VA_ARGS__ ")") \
                                            __VA_OPT__(, ) __VA_ARGS__)

// Passes the error of a handler on: `return SX_PASS(handler, result);`, or with an error instead of the failed result.
// Numbers, pointers and enumerations are returned as they are.
#define SX_PASS(name, ...) \
    ::sx::detail::passed(name, SX_TRACE_FRAME("SX_PASS(" #name ", " #__VA_ARGS__ ")"), __VA_ARGS__)

// The value of a result, or the fallback, which is only evaluated where the result failed: `SX_OR(port(text), 8080)`.
#define SX_OR(expression, fallback) \
    ::sx::detail::valueOr(expression, SX_TRACE_FRAME("SX_OR(" #expression ", " #fallback ")"), \
                          [&]() -> decltype(auto) { return (fallback); })

// Whether a result is a success: `if (SX_OK(files.exists(path)))`. The trace of an error ends here.
#define SX_OK(...) ::sx::detail::succeeds(__VA_ARGS__, SX_TRACE_FRAME("SX_OK(" #__VA_ARGS__ ")"))

// Evaluates a result and is content with either. (A failed result that nobody looks at leaves its trace in flight.)
#define SX_IGNORE(...) \
    static_cast<void>(::sx::detail::succeeds(__VA_ARGS__, SX_TRACE_FRAME("SX_IGNORE(" #__VA_ARGS__ ")")))

// ---- An error is kept, and goes on later or elsewhere. ----

// The value of a result; where it failed a value by default, and the variable `kept`, a result that was a success,
// takes the error. Of further errors the traces end here. For the first error of several steps that are all to be done,
// and for constructors: `Server(int port) : socket(SX_KEEP_FIRST(status, listen(port))) {}`, where `status` is a member
// declared before. Later `SX_RETURN(status);`.
#define SX_KEEP_FIRST(kept, ...) \
    ::sx::detail::keepFirst(kept, __VA_ARGS__, SX_TRACE_FRAME("SX_KEEP_FIRST(" #kept ", " #__VA_ARGS__ ")"))

// An sx::captured of the error, with its trace, which leaves this thread: `promise.set_value(SX_CAPTURE(r.error()))`.
#define SX_CAPTURE(...) ::sx::detail::capture(SX_TRACE_FRAME("SX_CAPTURE(" #__VA_ARGS__ ")"), __VA_ARGS__)

// The error of a result, whose trace goes on here: `return SX_RESUME(captured);`.
#define SX_RESUME(...) ::sx::detail::resumed(SX_TRACE_FRAME("SX_RESUME(" #__VA_ARGS__ ")"), __VA_ARGS__)

// ---- What the error was about. ----

// A note at the newest frame of the newest error, as printf makes it, of a format that is a literal with nothing but
// %s %.*s %c %d %i %u %x %p %% (and h l ll z): `SX_NOTE("key %s", key);`. Nothing is evaluated where no error is in
// flight.
#define SX_NOTE(...) (sx_trace_chains() > 0 ? sx_trace_note_format("" __VA_ARGS__) : static_cast<void>(0))

// How the statements are made; `leave` is followed by the frame and the failed result in brackets, then by `after`.

#define SXI_RETURN return ::sx::detail::hoppedOn
#define SXI_CO_RETURN co_return ::sx::detail::hoppedOn

#define SXI_FORWARD(name) static_cast<decltype(name)&&>(name)

#define SXI_TRY(name, ...) SXI_TRY_EXPANDED(name, __VA_ARGS__)
#define SXI_TRY_EXPANDED(name, text, leave, after, ...) \
    (::sx::detail::Taken(), __extension__({ \
         auto&& name = (__VA_ARGS__); \
         if (::sx::detail::isFailed(name)) [[unlikely]] \
             leave(SX_TRACE_FRAME(text), SXI_FORWARD(name)) after; \
         ::sx::detail::take(SXI_FORWARD(name)); \
     }))

#define SXI_TRY_AS(name, ...) SXI_TRY_AS_EXPANDED(name, __VA_ARGS__)
#define SXI_TRY_AS_EXPANDED(name, text, type, ...) \
    (::sx::detail::Taken(), __extension__({ \
         auto&& name = (__VA_ARGS__); \
         if (::sx::detail::isFailed(name)) [[unlikely]] \
             return ::sx::detail::failedAs(type(::sx::detail::hoppedError(SX_TRACE_FRAME(text), SXI_FORWARD(name)))); \
         ::sx::detail::take(SXI_FORWARD(name)); \
     }))

#define SXI_TRY_NOTE(name, ...) SXI_TRY_NOTE_EXPANDED(name, __VA_ARGS__)
#define SXI_TRY_NOTE_EXPANDED(name, text, expression, ...) \
    (::sx::detail::Taken(), __extension__({ \
         auto&& name = (expression); \
         if (::sx::detail::isFailed(name)) [[unlikely]] { \
             ::sx::detail::hopOf(SX_TRACE_FRAME(text), name); \
             SX_NOTE(__VA_ARGS__); \
             return ::sx::detail::passedOn(SXI_FORWARD(name)); \
         } \
         ::sx::detail::take(SXI_FORWARD(name)); \
     }))

#define SXI_TRY_ASSIGN(name, ...) SXI_TRY_ASSIGN_EXPANDED(name, __VA_ARGS__)
#define SXI_TRY_ASSIGN_EXPANDED(name, text, leave, target, ...) \
    auto&& name = (__VA_ARGS__); \
    if (::sx::detail::isFailed(name)) [[unlikely]] \
        leave(SX_TRACE_FRAME(text), SXI_FORWARD(name)); \
    target = ::sx::detail::TraitsOf<decltype(name)>::value(SXI_FORWARD(name))

#define SXI_TRY_VOID(name, ...) SXI_TRY_VOID_EXPANDED(name, __VA_ARGS__)
#define SXI_TRY_VOID_EXPANDED(name, text, leave, ...) \
    do { \
        auto&& name = (__VA_ARGS__); \
        if (::sx::detail::isFailed(name)) [[unlikely]] \
            leave(SX_TRACE_FRAME(text), SXI_FORWARD(name)); \
    } while (0)

#define SXI_RETURN_RESULT(name, ...) SXI_RETURN_RESULT_EXPANDED(name, __VA_ARGS__)
#define SXI_RETURN_RESULT_EXPANDED(name, text, leave, ...) \
    do { \
        auto name = (__VA_ARGS__); \
        if (::sx::detail::isFailed(name)) [[unlikely]] \
            ::sx::detail::hopOf(SX_TRACE_FRAME(text), name); \
        leave name; \
    } while (0)

#define SXI_UNIQUE SXI_JOIN(sxi_result_, __COUNTER__)
#define SXI_JOIN(a, b) SXI_JOIN_EXPANDED(a, b)
#define SXI_JOIN_EXPANDED(a, b) a##b

#endif
