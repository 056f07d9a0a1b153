// Every form of result: that it fails with the right error, and leaves the path that the error took.
#include "sx/trace.hpp"

#include <fcntl.h>

#include <memory>
#include <string_view>

#include "check.hpp"
#include "expected.hpp"

namespace {

enum class Err { empty, badDigit, tooBig };
template <typename T> using Result = Expected<T, Err>;

// ---- std::expected and its like ----

Result<int> digit(char c) {
    if (c < '0' || c > '9') return SX_RAISE(Err::badDigit);
    return c - '0';
}

Result<int> number(std::string_view s) {
    if (s.empty()) return SX_RAISE(Err::empty);
    int value = 0;
    for (char c : s) value = value * 10 + SX_TRY(digit(c));
    return value;
}

Result<std::unique_ptr<int>> boxed(std::string_view s) {
    SX_TRY_ASSIGN(auto n, number(s));
    return std::make_unique<int>(n);
}

Result<void> limited(std::string_view s) {
    std::unique_ptr<int> box = SX_TRY(boxed(s));
    if (*box > 100) return SX_RAISE(Err::tooBig);
    return {};
}

Result<int> sum(std::string_view a, std::string_view b) {
    SX_TRY(limited(a));
    SX_TRY_VOID(limited(b));
    int left, right;
    SX_TRY_ASSIGN(left, number(a));
    SX_TRY_ASSIGN(right, number(b));
    return left + right;
}

void testExpected() {
    CHECK(*sum("12", "30") == 42);
    CHECK_EQUAL(landed(), "");
    CHECK(sum("1x", "2").error() == Err::badDigit);
    CHECK_EQUAL(landed(), "digit number boxed limited sum");
    CHECK(sum("1", "200").error() == Err::tooBig);
    CHECK_EQUAL(landed(), "limited sum");
    CHECK(sum("", "200").error() == Err::empty);
    CHECK_EQUAL(landed(), "number boxed limited sum");
}

// The operand may be a variable, which stays usable on success.
Result<std::string> twice(Result<std::string>& kept) {
    std::string first = SX_TRY(kept);
    return first + SX_TRY(kept);
}

void testLvalues() {
    Result<std::string> good("ab"), bad = Unexpected<Err>(Err::empty);
    CHECK(*twice(good) == "abab");
    CHECK(twice(bad).error() == Err::empty);
    CHECK_EQUAL(landed(), "twice");
}

// Errors that the value could be made from, too.
Expected<std::string, std::string> named(int n) {
    if (n == 1) return SX_RAISE(std::string("one"));
    if (n == 2) return SX_RAISE("two");
    return "fine";
}
Expected<double, int> numbered(int n) {
    if (n != 0) return SX_RAISE(n);
    return 0.5;
}
Expected<int, int> both(int n) {
    if (n == 1) return SX_RAISE(7);
    return static_cast<int>(SX_TRY(numbered(n)));
}
struct Detail {
    int line;
    std::string what;
};
Expected<int, Detail> detailed() { return SX_RAISE(Detail{3, "no, never"}); }
Expected<int, std::unique_ptr<Detail>> owned() { return SX_RAISE(std::make_unique<Detail>(Detail{4, "moved"})); }
Expected<std::string, std::unique_ptr<Detail>> ownedOn() {
    int n = SX_TRY(owned());
    return std::to_string(n);
}

void testErrorTypes() {
    CHECK(*named(0) == "fine");
    CHECK(named(1).error() == "one");
    CHECK(named(2).error() == "two");
    CHECK(numbered(3).error() == 3);
    CHECK(both(1).error() == 7);
    CHECK(both(2).error() == 2);
    CHECK(detailed().error().what == "no, never");
    CHECK(ownedOn().error()->line == 4);
    sx_trace_clear();
}

// ---- std::optional ----

std::optional<int> position(std::string_view s, char c) {
    size_t at = s.find(c);
    if (at == std::string_view::npos) return SX_RAISE(std::nullopt);
    return static_cast<int>(at);
}
std::optional<std::string> tail(std::string_view s) {
    int at = SX_TRY(position(s, ':'));
    return std::string(s.substr(static_cast<size_t>(at) + 1));
}
std::optional<int> tailNumber(std::string_view s) {
    std::string t = SX_TRY(tail(s));
    return SX_TRY_ELSE(number(t), std::nullopt);
}

void testOptional() {
    CHECK(*tailNumber("a:17") == 17);
    CHECK(!tailNumber("abc"));
    CHECK_EQUAL(landed(), "position tail tailNumber");
    CHECK(!tailNumber("a:1b"));
    CHECK_EQUAL(landed(), "digit number tailNumber");
}

// ---- std::error_code, errno, numbers, pointers ----

std::error_code checked(int n) {
    if (n < 0) return SX_RAISE(std::make_error_code(std::errc::invalid_argument));
    return {};
}
std::error_code checkedTwice(int n) {
    SX_TRY(checked(n));
    SX_TRY(checked(n - 1));
    return {};
}
Expected<int, std::error_code> opened(int n, const char* path) {
    SX_TRY(checkedTwice(n));
    return SX_TRY(sx::posix(open(path, O_RDONLY | O_CLOEXEC)));
}
std::error_code openedCode(const char* path) {
    SX_TRY(opened(5, path));
    return {};
}

void testErrorCodes() {
    CHECK(!checkedTwice(1));
    CHECK(opened(0, "/").error() == std::errc::invalid_argument);
    CHECK_EQUAL(landed(), "checked checkedTwice opened");
    CHECK(openedCode("/nothing/here") == std::errc::no_such_file_or_directory);
    CHECK_EQUAL(landed(), "opened openedCode");
}

int codeOf(int n) {
    if (n > 3) return SX_FAIL(n);
    return 0;
}
int codes(int n) {
    SX_TRY(sx::nonzero(codeOf(n)));
    int rc;
    if (SX_FAILED((rc = codeOf(n * 2)) != 0)) return SX_HOP(rc);
    return 0;
}
Expected<std::string, int> codesExpected(int n) {
    SX_TRY(sx::nonzero(codes(n)));
    return "fine";
}
long bytes(long n) {
    if (n > 100) return SX_FAIL(-5L);
    return n;
}
long moreBytes(long n) {
    long first = SX_TRY(sx::negative(bytes(n)));
    return first + SX_TRY(sx::negative(bytes(first * 10)));
}
const char* nextWord(const char* s) {
    while (*s != '\0' && *s != ' ') ++s;
    if (*s == '\0') return SX_FAIL(nullptr);
    return s + 1;
}
const char* thirdWord(const char* s) {
    const char* second = SX_TRY(sx::nonnull(nextWord(s)));
    return SX_TRY(sx::nonnull(nextWord(second)));
}
std::optional<char> thirdInitial(const char* s) { return *SX_TRY(sx::nonnull(thirdWord(s))); }

void testCodes() {
    CHECK(codes(1) == 0 && codesExpected(1).has_value());
    CHECK(codes(2) == 4);
    CHECK_EQUAL(landed(), "codeOf codes");
    CHECK(codesExpected(9).error() == 9);
    CHECK_EQUAL(landed(), "codeOf codes codesExpected");
    CHECK(moreBytes(2) == 22);
    CHECK(moreBytes(20) == -5);
    CHECK_EQUAL(landed(), "bytes moreBytes");
    CHECK(*thirdInitial("a bc d") == 'd');
    CHECK(!thirdInitial("a bc"));
    CHECK_EQUAL(landed(), "nextWord thirdWord thirdInitial");
}

// ---- Statuses ----

class Status {
public:
    Status() = default;
    explicit Status(std::string reason) : why(std::move(reason)) {}
    bool ok() const { return why.empty(); }
    const std::string& message() const { return why; }

private:
    std::string why;
};

template <typename T> class StatusOr {
public:
    StatusOr(Status why) : failed(std::move(why)) {}
    StatusOr(T good) : value(std::move(good)) {}
    bool ok() const { return value.has_value(); }
    const Status& status() const& { return failed; }
    Status status() && { return std::move(failed); }
    T& operator*() & { return *value; }
    T&& operator*() && { return *std::move(value); }

private:
    Status failed;
    std::optional<T> value;
};

Status even(int n) {
    if (n % 2 != 0) return SX_RAISE(Status("odd"));
    return Status();
}
StatusOr<int> half(int n) {
    SX_TRY(even(n));
    return n / 2;
}
StatusOr<std::string> quarter(int n) {
    int h = SX_TRY(half(n));
    if (h < 0) return SX_RAISE(Status("negative"));
    return std::to_string(SX_TRY(half(h)));
}
Status quarters(int n) {
    SX_TRY(quarter(n));
    return Status();
}

void testStatuses() {
    CHECK(*quarter(12) == "3");
    CHECK(quarters(6).message() == "odd");
    CHECK_EQUAL(landed(), "even half quarter quarters");
    CHECK(quarters(-4).message() == "negative");
    CHECK_EQUAL(landed(), "quarter quarters");
}

// ---- A type of one's own ----

struct Failure {
    int code;
};

template <typename T> class Outcome {
public:
    Outcome(T good) : content(std::move(good)) {}
    Outcome(Failure failure) : why(failure) {}
    bool isOk() const { return content.has_value(); }
    T unwrap() && { return *std::move(content); }
    const T& unwrap() const& { return *content; }
    Failure reason() const { return why; }

private:
    std::optional<T> content;
    Failure why = {0};
};

} // namespace

template <typename T> struct sx::result_traits<Outcome<T>> {
    static constexpr bool ok(const auto& r) { return r.isOk(); }
    static constexpr decltype(auto) value(auto&& r) { return std::forward<decltype(r)>(r).unwrap(); }
    static constexpr auto error(auto&& r) { return r.reason(); }
};

namespace {

Outcome<int> small(int n) {
    if (n > 9) return SX_RAISE(Failure{n});
    return n;
}
Outcome<std::string> smallText(int n) { return std::to_string(SX_TRY(small(n))); }

void testOwnType() {
    CHECK(smallText(3).unwrap() == "3");
    CHECK(smallText(12).reason().code == 12);
    CHECK_EQUAL(landed(), "small smallText");
}

// ---- A leaf, whose variables may stand below the stack pointer, goes on after it has recorded something ----

__attribute__((noinline)) long leaf(long n) {
    long values[14];
    for (long i = 0; i < 14; ++i) values[i] = n + i;
    asm volatile("" : : "r"(values) : "memory");
    SX_TRACE_RAISE();
    SX_TRACE_HOP();
    asm volatile("" : : "r"(values) : "memory");
    long sum = 0;
    for (long value : values) sum = sum * 3 + value;
    return sum;
}

void testLeaf() {
    long expected = 0;
    for (long i = 0; i < 14; ++i) expected = expected * 3 + 70 + i;
    CHECK(leaf(70) == expected);
    CHECK_EQUAL(landed(), "leaf leaf");
}

// ---- Constant evaluation ----

constexpr Result<int> positive(int n) {
    if (n < 0) return SX_RAISE(Err::badDigit);
    return n;
}
constexpr Result<int> positiveTwice(int n) {
    SX_TRY_ASSIGN(int once, positive(n));
    return once * 2;
}
static_assert(*positiveTwice(4) == 8);
static_assert(!positiveTwice(-4).has_value());

// ---- What the operand of SX_TRY leaves behind ----

int alive = 0;
struct Counted {
    Counted() { ++alive; }
    Counted(const Counted&) { ++alive; }
    Counted(Counted&&) noexcept { ++alive; }
    ~Counted() { --alive; }
};
Result<Counted> counted(bool fails, const Counted&) {
    if (fails) return SX_RAISE(Err::empty);
    return Counted();
}
Result<int> countedOn(bool fails) {
    Counted before;
    Counted value = SX_TRY(counted(fails, Counted()));
    SX_TRY_ASSIGN(Counted again, counted(fails, value));
    SX_TRY_VOID(counted(fails, again));
    return alive;
}

void testLifetimes() {
    CHECK(*countedOn(false) == 4); // `again` is moved out of a result that lives on
    CHECK(alive == 0);
    CHECK(!countedOn(true));
    CHECK(alive == 0);
    CHECK_EQUAL(landed(), "counted countedOn");
}

} // namespace

int main() {
    testExpected();
    testLvalues();
    testErrorTypes();
    testOptional();
    testErrorCodes();
    testCodes();
    testStatuses();
    testOwnType();
    testLifetimes();
    testLeaf();
    if (*positiveTwice(failures) != 2 * failures) return 2;
    return failures == 0 ? 0 : 1;
}
