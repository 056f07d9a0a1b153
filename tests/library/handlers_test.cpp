// What becomes of a trace where an error is handled.
#include "sx/trace.hpp"

#include <string_view>

#include "check.hpp"
#include "expected.hpp"

namespace {

enum class Err { bad, worse };
template <typename T> using Result = Expected<T, Err>;

Result<int> number(std::string_view s) {
    if (s != "7") return SX_RAISE(Err::bad);
    return 7;
}

// A function of somebody who does not use traces.
Result<int> untraced(bool fails) {
    if (fails) return Unexpected<Err>(Err::bad);
    return 1;
}

enum Way {
    fallsOff,
    returnsValue,
    passesResult,
    passesError,
    raises,
    raisesFrom,
    tries,
    triesUntraced,
    nests,
    ignores
};

Result<int> handle(std::string_view s, Way way) {
    Result<int> r = number(s);
    if (!r) {
        SX_CATCH(handling);
        CHECK_EQUAL(flight(), "number handle");
        switch (way) {
        case fallsOff: break;
        case returnsValue: return 1;
        case passesResult: return SX_PASS(handling, r);
        case passesError: return SX_PASS(handling, r.error());
        case raises: return SX_RAISE(Err::worse);
        case raisesFrom: return SX_RAISE_FROM(Err::worse);
        case tries: return SX_TRY(number("8"));
        case triesUntraced: return SX_TRY(untraced(true));
        case nests:
            if (Result<int> second = number("9"); !second) {
                SX_CATCH(inner);
                return SX_PASS(inner, second);
            }
            break;
        case ignores: (void)number("10"); return SX_PASS(handling, std::move(r));
        }
    }
    return 0;
}

Result<int> caller(Way way) { return SX_TRY(handle("1", way)); }

std::string after(Way way) {
    (void)caller(way);
    return landed();
}

void testHandlers() {
    CHECK_EQUAL(after(fallsOff), "");
    CHECK_EQUAL(after(returnsValue), "");
    CHECK_EQUAL(after(passesResult), "number handle handle caller");
    CHECK_EQUAL(after(passesError), "number handle handle caller");
    CHECK_EQUAL(after(raises), "number handle => handle caller");
    CHECK_EQUAL(after(raisesFrom), "number handle => handle caller");
    CHECK_EQUAL(after(tries), "number handle => number handle caller");
    CHECK_EQUAL(after(triesUntraced), "number handle => handle caller");
    CHECK_EQUAL(after(nests), "number handle => number handle handle caller");
    CHECK_EQUAL(after(ignores), "number handle handle caller");
}

// Without a guard: the error that is in flight becomes the cause.
Result<int> replaced() {
    if (!number("x")) return SX_RAISE_FROM(Err::worse);
    return 0;
}

void testReplaced() {
    CHECK(replaced().error() == Err::worse);
    CHECK_EQUAL(flight(), "number => replaced");
    sx_trace_absorb();
    CHECK_EQUAL(landed(), "");
}

// What is handled around stays as it is, also where the errors inside have no trace of their own.
void testSmallHandlers() {
    (void)number("x");
    SX_CATCH(outer);
    CHECK(SX_OR(number("8"), 3) == 3);
    CHECK(SX_OR(number("7"), 3) == 7);
    CHECK(SX_OR(untraced(true), -1) == -1);
    SX_IGNORE(number("8"));
    SX_IGNORE(number("7"));
    SX_IGNORE(untraced(true));
    CHECK_EQUAL(flight(), "number testSmallHandlers");
}

// The fallback is evaluated only where it is needed, with nothing in flight.
void testFallback() {
    int evaluated = 0;
    std::string before = "unset";
    auto fallback = [&] {
        before = flight();
        return ++evaluated;
    };
    CHECK(SX_OR(number("7"), fallback()) == 7 && evaluated == 0);
    CHECK(SX_OR(number("8"), fallback()) == 1 && evaluated == 1);
    CHECK_EQUAL(before, "");
    std::optional<std::string> nothing;
    CHECK(SX_OR(nothing, "text") == "text");
}

int code(int n) { return n == 0 ? 0 : SX_FAIL(n); }

int passCode(int n) {
    if (int rc; SX_FAILED((rc = code(n)) != 0)) {
        SX_CATCH(handling);
        if (n == 1) return SX_PASS(handling, rc);
        if (n == 2) return SX_FAIL(20);
    }
    return 0;
}

// Values of every kind, as functions without a class of results return them.
enum class Status { good, bad };
enum OldStatus { oldGood, oldBad };
struct Base {
    int number;
};
struct Derived : Base {};

template <typename Returned, typename Value> Returned passValue(Value value) {
    SX_TRACE_RAISE();
    SX_CATCH(handling);
    return SX_PASS(handling, value);
}

template <typename Returned, typename Value> bool passes(Value value, Returned expected) {
    bool same = passValue<Returned>(value) == expected;
    sx_trace_chain chain = {};
    sx_trace_chain_at(0, &chain);
    bool whole = sx_trace_chains() == 1 && chain.surviving == 3;
    sx_trace_clear();
    return same && whole;
}

Result<int> passEnumeration() {
    SX_TRACE_RAISE();
    SX_CATCH(handling);
    return SX_PASS(handling, Err::worse);
}

void testPassedValues() {
    static Derived derived;
    const char* words = "words";
    CHECK(passes<Status>(Status::bad, Status::bad));
    CHECK(passes<OldStatus>(oldBad, oldBad));
    CHECK(passes<long>(-5, -5L));
    CHECK(passes<int>(-5L, -5));
    CHECK(passes<unsigned>(5U, 5U));
    CHECK(passes<bool>(true, true));
    CHECK(passes<double>(0.5, 0.5));
    CHECK(passes<const char*>(words, words));
    CHECK(passes<const char*>(nullptr, static_cast<const char*>(nullptr)));
    CHECK(passes<const Base*>(&derived, static_cast<const Base*>(&derived)));
    CHECK(passEnumeration().error() == Err::worse);
    CHECK_EQUAL(landed(), "passEnumeration passEnumeration passEnumeration");
}

// The initialiser of a `const` number is no place where a trace gets lost.
constexpr int constantCode(int n) {
    if (n != 0) return SX_FAIL(n);
    return 0;
}
static_assert(constantCode(0) == 0);

void testConstants() {
    const int number = SX_FAIL(3);
    CHECK(number == 3);
    CHECK_EQUAL(landed(), "testConstants");
    const Status status = SX_HOP(Status::bad);
    CHECK(status == Status::bad);
    CHECK_EQUAL(landed(), "testConstants");
    const int fromCall = constantCode(4);
    CHECK(fromCall == 4);
    CHECK_EQUAL(landed(), "constantCode");
}

void testCodes() {
    CHECK(passCode(1) == 1);
    CHECK_EQUAL(landed(), "code passCode passCode");
    CHECK(passCode(2) == 20);
    CHECK_EQUAL(landed(), "code passCode => passCode");
    CHECK(passCode(3) == 0);
    CHECK_EQUAL(landed(), "");
}

#ifdef __cpp_exceptions
Result<int> throwing(bool another) {
    Result<int> r = number("8");
    if (!r) {
        SX_CATCH(handling);
        if (another && !number("9")) throw 1; // the second error is in flight as well
        throw 2;
    }
    return r;
}

// An exception that leaves a handler takes the traces of the errors in it, and leaves those around it alone.
void testExceptions() {
    for (bool another : {false, true}) {
        Result<int> outer = number("6");
        try {
            (void)throwing(another);
            CHECK(false);
        } catch (int) {}
        CHECK_EQUAL(flight(), "number");
        SX_IGNORE(std::move(outer));
        CHECK_EQUAL(flight(), "");
    }
}
#else
void testExceptions() {}
#endif

void testStatements() {
    SX_TRACE_RAISE();
    SX_TRACE_HOP();
    CHECK_EQUAL(flight(), "testStatements testStatements");
    CHECK(frameAt(0).line_text.len <= 1);
    sx_trace_clear();
}

} // namespace

int main() {
    testHandlers();
    testReplaced();
    testSmallHandlers();
    CHECK_EQUAL(landed(), "");
    testFallback();
    testCodes();
    testPassedValues();
    testConstants();
    testExceptions();
    testStatements();
    return failures == 0 ? 0 : 1;
}
