// A function's name as a programmer writes it, from what the compiler calls a lambda inside of it.
//
// gcc says      ns::Parser<int>::next(const char*) const::<lambda()>
// clang says    auto ns::Parser<int>::next(const char *)::(anonymous class)::operator()() const [T = int]
// frames show   ns::Parser<int>::next
//
// A lambda of the program's own shows as "lambda", as in main::lambda. Unnamed namespaces and parameters are left out,
// and std::string is called so.
//
// Compilers evaluate this for every place, so most names must take few steps: `plainName` finds those of functions that
// are no templates, with functions of the compiler's own. `FunctionName` knows them all.
#pragma once

#include <cstddef>
#include <string_view>

namespace sx::detail {

constexpr bool hasAt(const char* text, std::string_view word) {
    return *text == word[0] && __builtin_strncmp(text, word.data(), word.size()) == 0;
}

#if defined(__clang__)
#define SXI_ASKING_LAMBDA "::(anonymous class)::operator()"
#define SXI_PLAIN_END SXI_ASKING_LAMBDA "() const"
inline constexpr size_t nameBegin = 5; // after "auto "

// How many characters stand before any of the four.
constexpr size_t countBefore(const char* text, const char* four) {
    const char* first = __builtin_strchr(text, four[0]);
    for (int i = 1; i < 4; ++i) {
        const char* found = __builtin_strchr(text, four[i]);
        if (found != nullptr && (first == nullptr || found < first)) first = found;
    }
    return first == nullptr ? __builtin_strlen(text) : static_cast<size_t>(first - text);
}
#else
#define SXI_ASKING_LAMBDA "::<lambda()>"
#define SXI_PLAIN_END SXI_ASKING_LAMBDA
inline constexpr size_t nameBegin = 0;

constexpr size_t countBefore(const char* text, const char* any) { return __builtin_strcspn(text, any); }
#endif

// The length of a name that stands in the spelling as it is to be shown, from `nameBegin` on; 0 where it takes more to
// find it.
constexpr size_t plainName(const char* spelling) {
    const char* name = spelling + nameBegin;
    size_t length = countBefore(name, "(< {");
    if (name[length] != '(') return 0;
    const char* parameters = name + length + 1;
    const char* close = parameters + countBefore(parameters, "()((");
    if (*close != ')') return 0;
    if (__builtin_strcmp(close, ")" SXI_PLAIN_END) != 0 && __builtin_strcmp(close, ") const" SXI_PLAIN_END) != 0)
        return 0;
    if (length >= 8 && __builtin_strncmp(parameters - 9, "operator", 8) == 0) return 0;
    return length;
}

// The spelling up to the lambda that asks. What it is called follows the last "::" at its level.
constexpr std::string_view enclosingFunction(std::string_view spelling) {
    for (std::string_view own : {std::string_view(SXI_ASKING_LAMBDA), std::string_view("::(lambda")}) {
        for (size_t at = spelling.size(); at-- > 0;) {
            if (spelling[at] == ':' && hasAt(spelling.data() + at, own)) return spelling.substr(0, at);
        }
    }
    return {};
}

// The end of the brackets that open at `at`. Of '<' and '>' inside of parentheses nothing is known.
constexpr size_t skipBrackets(std::string_view text, size_t at) {
    int round = 0, angle = 0;
    for (; at < text.size(); ++at) {
        char c = text[at];
        if (c == '(' || c == '[' || c == '{') ++round;
        if (c == ')' || c == ']' || c == '}') --round;
        bool isArrow = c == '>' && text[at - 1] == '-';
        if (round == 0 && c == '<') ++angle;
        if (round == 0 && c == '>' && !isArrow) --angle;
        if (round == 0 && angle == 0) return at + 1;
    }
    return at;
}

// What compilers call templates of the standard library that have shorter names.
struct ShortName {
    std::string_view spelled, shown;
};
inline constexpr ShortName shortNames[] = {
    {"std::__cxx11::basic_string<char>", "std::string"},
    {"std::basic_string<char>", "std::string"},
    {"std::__1::basic_string<char>", "std::string"},
    {"std::basic_string_view<char>", "std::string_view"},
    {"std::__1::basic_string_view<char>", "std::string_view"},
    {"std::__cxx11::", "std::"},
    {"std::__1::", "std::"},
};

// Reads a spelling from left to right.
class FunctionName {
public:
    constexpr explicit FunctionName(std::string_view spelling) : text(spelling) {}

    template <typename Put> constexpr void put(Put& out) {
        if (follows("auto ")) at = 5; // what clang says a lambda returns
        while (at < text.size()) putNext(out);
    }

private:
    std::string_view text;
    size_t at = 0;

    constexpr bool begins() const { return at == 0 || text[at - 1] == ':' || text[at - 1] == ' '; }
    constexpr bool follows(std::string_view word) const {
        return text.size() - at >= word.size() && hasAt(text.data() + at, word);
    }

    constexpr bool isOperator() const {
        if (text[at] != 'o' || !begins() || !follows("operator") || at + 8 >= text.size()) return false;
        char next = text[at + 8];
        bool isWord =
            next == '_' || (next >= '0' && next <= '9') || (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
        return !isWord;
    }

    template <typename Put> constexpr void putText(Put& out, size_t end) {
        while (at < end && at < text.size()) {
            if (text[at] == 's' && putShort(out)) continue;
            out(text[at++]);
        }
    }

    template <typename Put> constexpr bool putShort(Put& out) {
        if (!follows("std::")) return false;
        for (const ShortName& name : shortNames) {
            if (!follows(name.spelled)) continue;
            for (char c : name.shown) out(c);
            at += name.spelled.size();
            return true;
        }
        return false;
    }

    template <typename Put> constexpr void putNext(Put& out) {
        if (begins() && (skipUnnamedNamespace() || putLambda(out))) return;
        if (isOperator()) return putOperator(out);
        switch (text[at]) {
        case '(':
            at = skipBrackets(text, at); // parameters, and what follows them
            skipToNextName();
            break;
        case '<': putText(out, skipBrackets(text, at)); break;
        case '[': at = text.size(); break; // clang: [T = int]
        case '{': at = skipBrackets(text, at); break;
        default: putText(out, at + 1);
        }
    }

    constexpr void skipToNextName() {
        while (at < text.size() && !follows("::")) ++at;
    }

    constexpr bool skipUnnamedNamespace() {
        for (std::string_view name : {std::string_view("(anonymous namespace)::"), std::string_view("{anonymous}::")}) {
            if (!follows(name)) continue;
            at += name.size();
            return true;
        }
        return false;
    }

    template <typename Put> constexpr bool putLambda(Put& out) {
        if (!follows("<lambda") && !follows("(anonymous class)::operator()") && !follows("(lambda")) return false;
        for (char c : std::string_view("lambda")) out(c);
        at = skipBrackets(text, at);
        if (follows("::operator()")) {
            at += 12;
        } else {
            skipToNextName(); // gcc: <lambda(int)> mutable
        }
        return true;
    }

    // Up to the parameters. The brackets of operator(), operator[], operator< are a part of the name.
    template <typename Put> constexpr void putOperator(Put& out) {
        putText(out, at + 8);
        if (follows("()") || follows("[]")) return putText(out, at + 2);
        if (follows("<=>")) return putText(out, at + 3);
        if (follows("<<") || follows(">>") || follows("->")) putText(out, at + 2);
        while (at < text.size() && text[at] != '(' && text[at] != '[') {
            bool opens = text[at] == '<' && text[at - 1] != 'r' && text[at - 1] != '<';
            putText(out, opens ? skipBrackets(text, at) : at + 1);
        }
    }
};

// A name that is made while it is compiled.
template <size_t capacity> struct NameBuffer {
    char text[capacity] = {};
    size_t length = 0;

    constexpr NameBuffer(std::string_view spelling) { FunctionName(enclosingFunction(spelling)).put(*this); }
    constexpr void operator()(char c) { text[length++] = c; }
};

} // namespace sx::detail
