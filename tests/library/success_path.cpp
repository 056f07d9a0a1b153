// Functions with every form of result that all succeed, compiled twice: with the macros, and with the branches that one
// writes by hand (HAND_WRITTEN). success_path.sh counts the instructions that each of them executes.
//
// An empty assembly statement keeps the branches apart: else `if (code != 0) return code; return 0;` is no branch at
// all.
#include <cstdio>
#include <cstdlib>
#include <expected>
#include <optional>
#include <string>
#include <system_error>

enum class Err { negative, odd };
template <typename T> using Result = std::expected<T, Err>;

#if defined(HAND_WRITTEN)
static inline __attribute__((always_inline)) void branch() { asm volatile(""); }
#define RAISE(e) (branch(), std::unexpected(e))
#define RAISE_CODE(e) (branch(), e)
#define NOTHING (branch(), std::nullopt)
#define FAIL(v) (branch(), v)
#define TRY(...) \
    __extension__({ \
        auto&& result = (__VA_ARGS__); \
        if (!result.has_value()) [[unlikely]] \
            return branch(), std::unexpected(std::move(result).error()); \
        *std::move(result); \
    })
#define TRY_OPTIONAL(...) \
    __extension__({ \
        auto&& result = (__VA_ARGS__); \
        if (!result.has_value()) [[unlikely]] \
            return branch(), std::nullopt; \
        *std::move(result); \
    })
#define TRY_ASSIGN(target, ...) \
    auto&& result_of_##target = (__VA_ARGS__); \
    if (!result_of_##target.has_value()) [[unlikely]] \
        return branch(), std::unexpected(std::move(result_of_##target).error()); \
    auto target = *std::move(result_of_##target)
#define TRY_CODE(...) \
    if (int code = (__VA_ARGS__); code != 0) [[unlikely]] \
    return branch(), code
#define TRY_ERROR_CODE(...) \
    if (std::error_code code = (__VA_ARGS__)) [[unlikely]] \
    return branch(), code
#else
#include "sx/trace.hpp"
#define RAISE(e) SX_RAISE(e)
#define RAISE_CODE(e) SX_RAISE(e)
#define NOTHING SX_RAISE(std::nullopt)
#define FAIL(v) SX_FAIL(v)
#define TRY(...) SX_TRY(__VA_ARGS__)
#define TRY_OPTIONAL(...) SX_TRY(__VA_ARGS__)
#define TRY_ASSIGN(target, ...) SX_TRY_ASSIGN(auto target, __VA_ARGS__)
#define TRY_CODE(...) SX_TRY(sx::nonzero(__VA_ARGS__))
#define TRY_ERROR_CODE(...) SX_TRY(__VA_ARGS__)
#endif

#define PATH extern "C++" __attribute__((noinline))

// A leaf that raises, with variables below the stack pointer.
PATH Result<long> pathLeaf(long n) {
    long table[8];
    for (long i = 0; i < 8; ++i) table[i] = n ^ i;
    asm volatile("" : : "r"(table) : "memory");
    if (table[n & 7] < 0) [[unlikely]]
        return RAISE(Err::negative);
    return table[(n + 1) & 7];
}

PATH Result<long> pathForward(long n) { return TRY(pathLeaf(n)) + 1; }

// Many values that are needed after the call.
PATH Result<long> pathCrowded(long a, long b, long c, long d, long e, long f) {
    long x = TRY(pathForward(a));
    long y = TRY(pathForward(b));
    if (x + y < c) [[unlikely]]
        return RAISE(Err::odd);
    return x * d + y * e + TRY(pathForward(f)) * c;
}

PATH Result<long> pathLoop(long n) {
    long sum = 0;
    for (long i = 0; i < 4; ++i) sum += TRY(pathForward(n + i)) * i;
    return sum;
}

PATH Result<std::string> pathText(long n) {
    if (n < 0) [[unlikely]]
        return RAISE(Err::negative);
    return std::string(static_cast<size_t>(n & 7), 'x');
}

PATH Result<std::string> pathTexts(long n) {
    TRY_ASSIGN(first, pathText(n));
    TRY_ASSIGN(second, pathText(n + 1));
    first += second;
    return first;
}

PATH Result<void> pathVoid(long n) {
    TRY(pathTexts(n));
    if (n < 0) [[unlikely]]
        return RAISE(Err::negative);
    return {};
}

PATH Result<double> pathFloat(double a, double b) {
    double c = static_cast<double>(TRY(pathLeaf(static_cast<long>(a))));
    return a * c + b;
}

PATH std::optional<int> pathFirst(long n) {
    if (n < 0) [[unlikely]]
        return NOTHING;
    return static_cast<int>(n);
}

PATH std::optional<int> pathOptional(long n) { return TRY_OPTIONAL(pathFirst(n)) + TRY_OPTIONAL(pathFirst(n + 1)); }

PATH int pathCode(long n) {
    if (n < 0) [[unlikely]]
        return FAIL(22);
    return 0;
}

PATH int pathCodes(long a, long b) {
    TRY_CODE(pathCode(a));
    TRY_CODE(pathCode(b));
    TRY_CODE(pathCode(a + b));
    return 0;
}

PATH std::error_code pathErrorLeaf(long n, const std::error_category& category) {
    if (n < 0) [[unlikely]]
        return RAISE_CODE(std::error_code(22, category));
    return std::error_code(0, category);
}

PATH std::error_code pathErrorCodes(long n, const std::error_category& category) {
    TRY_ERROR_CODE(pathErrorLeaf(n, category));
    TRY_ERROR_CODE(pathErrorLeaf(n + 1, category));
    return std::error_code(0, category);
}

int main(int, char** arguments) {
    long calls = std::atol(arguments[1]), sum = 0;
    for (long n = 0; n < calls; ++n) {
        sum += *pathCrowded(n, n + 1, 0, 2, 3, 4) + *pathLoop(n) + *pathOptional(n) + pathCodes(n, 1);
        sum += pathVoid(n).has_value() + static_cast<long>(*pathFloat(static_cast<double>(n), 0.5)) +
               !pathErrorCodes(n, std::generic_category());
    }
    std::printf("%ld\n", sum);
}
