// What a frame says: where it is, the function's name as one writes it, and the macro's text.
#include "sx/trace.hpp"

#include <cstddef>
#include <string_view>

#include "check.hpp"

namespace {

const sx_frame* seen = nullptr;

int look(const sx_frame& frame) {
    seen = &frame;
    return 0;
}

#define HERE(...) look(SX_TRACE_FRAME("HERE(" #__VA_ARGS__ ")"))

} // namespace

// ---- Functions of every kind; each looks at its frame. ----

namespace outer {
namespace inner {

int function(const char* (*)(int), int) { return HERE(); }

template <typename T> struct Parser {
    Parser() { HERE(); }
    ~Parser() { HERE(); }
    T method(const std::string_view&) const& { return HERE(); }
    static T shared() { return HERE(); }
    bool operator()(int) { return HERE(); }
    bool operator[](int) { return HERE(); }
    bool operator<(const Parser&) const { return HERE(); }
    bool operator<<(int) const { return HERE(); }
    bool operator->*(int) const { return HERE(); }
    bool operator,(int) const { return HERE(); }
    explicit operator bool() const { return HERE(); }
    template <typename U> T convert(U) { return HERE(); }
    struct Nested {
        int deep() noexcept { return HERE(); }
    };
};

int operator""_km(unsigned long long) { return HERE(); }
int operatorLike() { return HERE(); }

} // namespace inner
} // namespace outer

namespace {
namespace hidden {
int function() { return HERE(); }
} // namespace hidden
} // namespace

auto deduced() -> decltype(sizeof(int)) { return static_cast<size_t>(HERE()); }
int (*returnsFunction(int))(int) {
    HERE();
    return nullptr;
}
static inline constexpr int constant() { return SX_TRACE_FRAME("").line; }
static const std::string atFileScope = (HERE(), text(seen->func));

std::string nameAfter(int) { return text(seen->func); }

void testNames() {
    CHECK_EQUAL(nameAfter(outer::inner::function(nullptr, 1)), "outer::inner::function");
    {
        outer::inner::Parser<int> p;
        CHECK_EQUAL(nameAfter(0), "outer::inner::Parser<int>::Parser");
        CHECK_EQUAL(nameAfter(p.method("")), "outer::inner::Parser<int>::method");
        CHECK_EQUAL(nameAfter(p.shared()), "outer::inner::Parser<int>::shared");
        CHECK_EQUAL(nameAfter(p(1)), "outer::inner::Parser<int>::operator()");
        CHECK_EQUAL(nameAfter(p[1]), "outer::inner::Parser<int>::operator[]");
        CHECK_EQUAL(nameAfter(p < p), "outer::inner::Parser<int>::operator<");
        CHECK_EQUAL(nameAfter(p << 1), "outer::inner::Parser<int>::operator<<");
        CHECK_EQUAL(nameAfter(p->*1), "outer::inner::Parser<int>::operator->*");
        CHECK_EQUAL(nameAfter((p, 1)), "outer::inner::Parser<int>::operator,");
        CHECK_EQUAL(nameAfter(static_cast<bool>(p)), "outer::inner::Parser<int>::operator bool");
        CHECK_EQUAL(nameAfter(outer::inner::Parser<char>::Nested().deep()), "outer::inner::Parser<char>::Nested::deep");
        p.convert(2.5);
        CHECK(nameAfter(0).find("outer::inner::Parser<int>::convert") == 0);
    }
    CHECK_EQUAL(nameAfter(0), "outer::inner::Parser<int>::~Parser");
    using namespace outer::inner;
    CHECK_EQUAL(nameAfter(5_km), "outer::inner::operator\"\"_km");
    CHECK_EQUAL(nameAfter(operatorLike()), "outer::inner::operatorLike");
    CHECK_EQUAL(nameAfter(hidden::function()), "hidden::function");
    CHECK_EQUAL(nameAfter(static_cast<int>(deduced())), "deduced");
    returnsFunction(1);
    CHECK_EQUAL(nameAfter(0), "returnsFunction");
    CHECK_EQUAL(atFileScope, "");
    struct Local {
        static int method(int) { return HERE(); }
    };
    CHECK_EQUAL(nameAfter(Local::method(1)), "testNames::Local::method");
    auto lambda = [&](int) mutable { return HERE(); };
    CHECK_EQUAL(nameAfter(lambda(1)), "testNames::lambda");
    auto generic = [](auto) { return [] { return HERE(); }(); };
    generic(1);
    CHECK(nameAfter(0).find("testNames::lambda") == 0 && nameAfter(0).rfind("::lambda") > 10);
}

// ---- Where ----

// The lines and columns are those of this file, blanks included.
// clang-format off

void testPositions() {
    HERE(1);
    CHECK(seen->line == __LINE__ - 1);
    CHECK(seen->col == 5);
    int column = HERE(  2  ,  "a b" ); // with blanks that the text leaves out
    CHECK(seen->line == __LINE__ - 1);
    CHECK(seen->col == 18);
    CHECK_EQUAL(text(seen->line_text), "\nHERE(2 , \"a b\")");
    CHECK(HERE(
              3
          ) == column);
    CHECK(seen->line == __LINE__ - 3);
    CHECK_EQUAL(text(seen->file), "frames_test.cpp");
}

// Two places are two frames, also in a line; two instances of a template are too; one place is one frame.
template <typename T>
const sx_frame* inTemplate() {
    HERE();
    return seen;
}

void testIdentity() {
    HERE(); const sx_frame* first = seen; HERE();
    CHECK(first != seen && first->line == seen->line && first->col != seen->col);
    CHECK(inTemplate<int>() != inTemplate<long>());
    CHECK(inTemplate<int>() == inTemplate<int>());
    constexpr const sx_frame& constantFrame = SX_TRACE_FRAME("constant");
    static_assert(constantFrame.line > 0 && constantFrame.line_text.len == 9);
    CHECK(constant() > 0);
}
// clang-format on

void testLongText() {
    HERE(12345678901234567890123456789012345678901234567890, 12345678901234567890123456789012345678901234567890,
         "\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4",
         12345678901234567890123456789012345678901234567890, 12345678901234567890123456789012345678901234567890);
    std::string line = text(seen->line_text);
    CHECK(line.size() <= 203 && line.substr(line.size() - 3) == "\xE2\x80\xA6");
    HERE("ääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääää");
    line = text(seen->line_text);
    CHECK(line.size() <= 203 && line.substr(line.size() - 5, 2) == "ä");
}

int main() {
    testNames();
    testPositions();
    testIdentity();
    testLongText();
    return failures == 0 ? 0 : 1;
}
