// Settings that are looked up and checked: before.cpp with traces. Each function shows one idiom of adoption.
//
//     g++ -std=c++23 -O2 after.cpp $(pkg-config --cflags --libs sxtrace) -o after
//     ./after raise        (or pass, return, translate, old, exists, ignore, fallback, first, keep)
#include <cstdio>
#include <expected>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <sx/trace.hpp>

enum class Error { notFound, notANumber, readOnly };
enum class ExitCode { settings = 3 };
template <typename T> using Result = std::expected<T, Error>;

static const std::map<std::string, std::string, std::less<>> settings = {
    {"port", "80"}, {"host", "a"}, {"limit", "1x"}};

// 1. An error begins.
static Result<std::string> find(std::string_view key) {
    auto at = settings.find(key);
    if (at == settings.end()) return SX_RAISE(Error::notFound);
    return at->second;
}

// 2. An error is passed on.
static Result<int> number(std::string_view key) {
    std::string text = SX_TRY(find(key));
    int value = 0;
    for (char c : text) {
        if (c < '0' || c > '9') return SX_RAISE(Error::notANumber);
        value = value * 10 + (c - '0');
    }
    return value;
}

// 3. A result is returned as it is.
static Result<int> limit() { SX_RETURN(number("limit")); }

// 4. An error becomes one of another type.
static ExitCode toExitCode(Error) { return ExitCode::settings; }
static std::expected<int, ExitCode> translated() { return SX_TRY_AS(toExitCode, limit()); }

// 5. An error becomes a number, as in C.
static int old() {
    SX_TRY_ELSE(limit(), -1);
    return 0;
}

// 6. An error is an answer.
static bool exists(std::string_view key) { return SX_OK(find(key)); }

// 7. Either is fine.
static Result<void> store(std::string_view) { return SX_RAISE(Error::readOnly); }
static Result<int> ignoring() {
    SX_IGNORE(store("port"));
    SX_RETURN(limit());
}

// 8. A value in place of an error.
static Result<int> falling() {
    int port = SX_OR(number("missing"), 8080);
    return port + SX_TRY(limit());
}

// 9. The first error of several steps that are all done.
static Result<void> all() {
    Result<void> first;
    for (std::string_view key : {"port", "limit", "missing"}) SX_KEEP_FIRST(first, number(key));
    SX_RETURN(first);
}

// 10. An error waits until somebody asks.
class Worker {
public:
    void run() {
        auto done = limit();
        if (!done) failed = std::make_unique<sx::captured<Error>>(SX_CAPTURE(done.error()));
    }
    Result<int> ask() const {
        if (failed) return SX_RESUME(*failed);
        return 0;
    }

private:
    std::unique_ptr<sx::captured<Error>> failed;
};

static int report(bool failed, const char* what) {
    if (!failed) return 0;
    std::fprintf(stderr, "error: %s failed\n", what);
    sx_trace_print(2);
    return 1;
}

int main(int argc, char** argv) {
    std::string_view idiom = argc > 1 ? argv[1] : "";
    if (idiom == "raise") return report(!find("missing"), argv[1]);
    if (idiom == "pass") return report(!number("missing"), argv[1]);
    if (idiom == "return") return report(!limit(), argv[1]);
    if (idiom == "translate") return report(!translated(), argv[1]);
    if (idiom == "old") return report(old() < 0, argv[1]);
    if (idiom == "exists") return report(exists("missing") || !limit(), argv[1]);
    if (idiom == "ignore") return report(!ignoring(), argv[1]);
    if (idiom == "fallback") return report(!falling(), argv[1]);
    if (idiom == "first") return report(!all(), argv[1]);
    if (idiom != "keep") return 2;
    Worker worker;
    worker.run();
    return report(!worker.ask(), argv[1]);
}
