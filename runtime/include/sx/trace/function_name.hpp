// A function's name as a programmer writes it, from what the compiler calls a lambda inside of it.
//
// gcc says      ns::Parser<int>::next(const char*) const::<lambda()>
// clang says    auto ns::Parser<int>::next(const char *)::(anonymous class)::operator()() const [T = int]
// frames show   ns::Parser<int>::next
//
// A lambda of the program's own shows as "lambda", as in main::lambda. Unnamed namespaces and parameters are left out.
#pragma once

#include <cstddef>
#include <string_view>

namespace sx::detail {

// The spelling up to the lambda that asks. What it is called follows the last "::" at its level.
constexpr std::string_view enclosingFunction(std::string_view spelling) {
    for (std::string_view own : {std::string_view("::(anonymous class)::operator()"), std::string_view("::(lambda"),
                                 std::string_view("::<lambda()>")}) {
        size_t at = spelling.rfind(own);
        if (at != std::string_view::npos) return spelling.substr(0, at);
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

// Reads a spelling from left to right.
class FunctionName {
public:
    constexpr explicit FunctionName(std::string_view spelling) : text(spelling) {}

    template <typename Put> constexpr void put(Put out) {
        if (follows("auto ")) at = 5; // what clang says a lambda returns
        while (at < text.size()) putNext(out);
    }

private:
    std::string_view text;
    size_t at = 0;

    constexpr bool begins() const { return at == 0 || text[at - 1] == ':' || text[at - 1] == ' '; }
    constexpr bool follows(std::string_view word) const { return text.substr(at, word.size()) == word; }

    constexpr bool isOperator() const {
        if (!begins() || !follows("operator") || at + 8 >= text.size()) return false;
        char next = text[at + 8];
        bool isWord =
            next == '_' || (next >= '0' && next <= '9') || (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
        return !isWord;
    }

    template <typename Put> constexpr void putText(Put& out, size_t count) {
        for (; count > 0 && at < text.size(); --count) out(text[at++]);
    }

    template <typename Put> constexpr void putNext(Put& out) {
        if (begins() && skipUnnamedNamespace()) return;
        if (begins() && putLambda(out)) return;
        if (isOperator()) return putOperator(out);
        switch (text[at]) {
        case '(':
            at = skipBrackets(text, at); // parameters, and what follows them
            skipToNextName();
            break;
        case '<': putText(out, skipBrackets(text, at) - at); break;
        case '[': at = text.size(); break; // clang: [T = int]
        case '{': at = skipBrackets(text, at); break;
        default: putText(out, 1);
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
        putText(out, 8);
        if (follows("()") || follows("[]")) return putText(out, 2);
        if (follows("<=>")) return putText(out, 3);
        if (follows("<<") || follows(">>") || follows("->")) putText(out, 2);
        while (at < text.size() && text[at] != '(' && text[at] != '[') {
            bool opens = text[at] == '<' && text[at - 1] != 'r' && text[at - 1] != '<';
            putText(out, opens ? skipBrackets(text, at) - at : 1);
        }
    }
};

template <typename Put> constexpr void putFunctionName(std::string_view lambda, Put put) {
    FunctionName(enclosingFunction(lambda)).put(put);
}

constexpr size_t functionNameLength(std::string_view lambda) {
    size_t length = 0;
    putFunctionName(lambda, [&](char) { ++length; });
    return length;
}

} // namespace sx::detail
