// Settings that are looked up and checked: a small program that returns its errors as values, as it was before it used
// the trace library. after.cpp is the same with traces. Each function shows one idiom.
//
//     g++ -std=c++23 -O2 before.cpp -o before
//     ./before raise        (or pass, return, translate, old, exists, ignore, fallback, first, keep)
#include <cstdio>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>

enum class Error { notFound, notANumber, readOnly };
enum class ExitCode { settings = 3 };
template <typename T> using Result = std::expected<T, Error>;

static const std::map<std::string, std::string, std::less<>> settings = {
    {"port", "80"}, {"host", "a"}, {"limit", "1x"}};

// 1. An error begins.
static Result<std::string> find(std::string_view key) {
    auto at = settings.find(key);
    if (at == settings.end()) return std::unexpected(Error::notFound);
    return at->second;
}

// 2. An error is passed on.
static Result<int> number(std::string_view key) {
    auto text = find(key);
    if (!text) return std::unexpected(text.error());
    int value = 0;
    for (char c : *text) {
        if (c < '0' || c > '9') return std::unexpected(Error::notANumber);
        value = value * 10 + (c - '0');
    }
    return value;
}

// 3. A result is returned as it is.
static Result<int> limit() { return number("limit"); }

// 4. An error becomes one of another type.
static std::expected<int, ExitCode> translated() {
    auto value = limit();
    if (!value) return std::unexpected(ExitCode::settings);
    return *value;
}

// 5. An error becomes a number, as in C.
static int old() {
    if (!limit()) return -1;
    return 0;
}

// 6. An error is an answer.
static bool exists(std::string_view key) { return find(key).has_value(); }

// 7. Either is fine.
static Result<void> store(std::string_view) { return std::unexpected(Error::readOnly); }
static Result<int> ignoring() {
    (void)store("port");
    return limit();
}

// 8. A value in place of an error.
static Result<int> falling() {
    int port = number("missing").value_or(8080);
    auto most = limit();
    if (!most) return most;
    return port + *most;
}

// 9. The first error of several steps that are all done.
static Result<void> all() {
    Result<void> first;
    for (std::string_view key : {"port", "limit", "missing"}) {
        auto value = number(key);
        if (!value && first) first = std::unexpected(value.error());
    }
    return first;
}

// 10. An error waits until somebody asks.
class Worker {
public:
    void run() {
        auto done = limit();
        if (!done) failed = done.error();
    }
    Result<int> ask() const {
        if (failed) return std::unexpected(*failed);
        return 0;
    }

private:
    std::optional<Error> failed;
};

static int report(bool failed, const char* what) {
    if (!failed) return 0;
    std::fprintf(stderr, "error: %s failed\n", what);
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
