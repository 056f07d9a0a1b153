// Help lines for phrases of other languages that show only in the statement, the brackets or the header around the
// place where the parser failed. None of them decides whether there is an error.
#include "syntax/Brackets.h"
#include "syntax/Grammar.h"

namespace sx {
namespace {

using K = TokenKind;

constexpr const char* resultRule = "the result type of a function stands behind `->`";

bool endsPhrase(K kind) { return kind == K::Semicolon || kind == K::LBrace || kind == K::RBrace; }

/// The first token of the statement or item around a token, as far as its brackets reach.
uint32_t phraseBegin(const Parser& p, uint32_t token) {
    uint32_t i = token;
    while (i > 0 && !endsPhrase(p.tokens[i - 1].kind)) --i;
    return i;
}

/// The keyword that begins the header in which a token stands: `if`, `while` or `for`; `noMatch`: it stands in none.
uint32_t headerAround(const Parser& p, uint32_t token) {
    for (uint32_t i = token; i > 0 && !endsPhrase(p.tokens[i - 1].kind); --i) {
        const K kind = p.tokens[i - 1].kind;
        if (kind == K::KwIf || kind == K::KwWhile || kind == K::KwFor) return i - 1;
    }
    return noMatch;
}

bool isWord(const Parser& p, uint32_t token, std::string_view word) {
    return p.tokens[token].kind == K::Ident && p.text(p.tokens[token]) == word;
}

/// Text of the program as part of a help; "…" if it is long.
std::string written(const Parser& p, uint32_t first, uint32_t end) {
    if (first >= end) return "…";
    const std::string_view text = p.textBetween(p.tokens[first].begin, p.tokens[end - 1].end);
    return text.size() > 60 || text.find('\n') != std::string_view::npos ? "…" : std::string(text);
}

bool help(Diagnostic& made, std::string text) {
    made.help(std::move(text));
    return true;
}

// ---- types

/// The token after `<…>` at a token, if that can be the arguments of a type; else 0.
uint32_t afterAngles(const Parser& p, uint32_t open) {
    int depth = 0;
    for (uint32_t i = open; i < p.eof && p.sameLine(p.tokens[open].begin, p.tokens[i].begin); ++i) {
        switch (p.tokens[i].kind) {
        case K::Less: ++depth; break;
        case K::Greater: --depth; break;
        case K::GreaterGreater: depth -= 2; break;
        case K::Ident:
        case K::KwF32:
        case K::KwF64:
        case K::Int:
        case K::Comma:
        case K::Dot:
        case K::Star:
        case K::Question:
        case K::LBracket:
        case K::RBracket: break;
        default: return 0;
        }
        if (depth <= 0) return i + 1;
    }
    return 0;
}

/// `-> HashMap<string, i64> {`, `List<i64>.{}`: the failure shows behind the comma, or at the next item.
bool addAnglesHelp(Parser& p, Diagnostic& made, uint32_t i) {
    for (uint32_t k = i; k > 1 && !endsPhrase(p.tokens[k].kind) && i - k < 24; --k) {
        const Token& name = p.tokens[k - 1];
        if (p.tokens[k].kind != K::Less || name.kind != K::Ident || !p.adjacent(k - 1)) continue;
        const bool isType = isAfterTypeMark(p, k - 1) || isTypeLike(p.text(name));
        const uint32_t end = isType ? afterAngles(p, k) : 0;
        if (end == 0) continue;
        std::string type(p.textBetween(name.begin, p.tokens[end - 1].end));
        for (char& c : type) c = c == '<' ? '(' : c == '>' ? ')' : c;
        made.span = p.tokens[k].span();
        made.message = "type arguments do not stand between `<` and `>`";
        if (const std::string_view other = foreignType(p.text(name)); !other.empty())
            return help(made, std::string(other));
        return help(made, "type arguments stand in parentheses: " + code(type));
    }
    return false;
}

/// `-> List<i64> { … }` is read to its end as comparisons: the block before the failure is what tells.
bool addLateAnglesHelp(Parser& p, Diagnostic& made, uint32_t i) {
    if (i == 0 || p.tokens[i - 1].kind != K::RBrace || p.tokens[i - 1].value == noMatch) return false;
    return p.tokens[i - 1].value > 0 && addAnglesHelp(p, made, p.tokens[i - 1].value - 1);
}

/// `i64 | null`, `x?: i64`.
bool addOptionalTypeHelp(Parser& p, Diagnostic& made, uint32_t i) {
    if (i == 0 || i >= p.eof) return false;
    const Token& before = p.tokens[i - 1];
    if (p.tokens[i].kind == K::Pipe && isIdentLike(before.kind) && isAfterTypeMark(p, i - 1) &&
        (p.tokens[i + 1].kind == K::KwNull || isWord(p, i + 1, "None") || isWord(p, i + 1, "undefined")))
        return help(made, "an optional type is written `?" + std::string(p.text(before)) + "`");
    if (p.tokens[i].kind == K::Question && p.tokens[i + 1].kind == K::Colon && isIdentLike(before.kind) &&
        i + 2 < p.eof)
        return help(made, "an optional type is written `?T`: `" + std::string(p.text(before)) + ": ?" +
                              std::string(p.text(p.tokens[i + 2])) + "`");
    return false;
}

// ---- functions

/// `f :: (x: i64) i64 { … }`, `f :: () : i64`, `f :: () throws`: the failure shows inside the parameters.
bool addResultHelp(Parser& p, Diagnostic& made, uint32_t i) {
    uint32_t open = noMatch;
    if (p.tokens[i].kind == K::Colon && i >= 3) open = i - 2;
    else if (p.tokens[i].kind == K::RParen && i >= 2) open = i - 1;
    if (open == noMatch || open == 0 || p.tokens[open].kind != K::LParen || p.tokens[open - 1].kind != K::ColonColon)
        return false;
    const uint32_t after = p.afterGroup(open);
    if (after >= p.eof || p.tokens[after].lineStart) return false;
    switch (p.tokens[after].kind) {
    case K::Ident:
    case K::KwF32:
    case K::KwF64:
    case K::Colon:
    case K::LBracket:
    case K::Star:
    case K::Question:
    case K::Bang: break;
    default: return false;
    }
    made.span = p.tokens[after].span();
    made.message = "expected `->` or the body of the function, found " + p.describe(p.tokens[after]);
    if (isWord(p, after, "throws"))
        return help(made, "a function that may fail says so in its result: `-> (T, !)`, `-> !`");
    return help(made, resultRule);
}

/// `f : () -> i64 { … }`, `main { … }`, `extern int f(int);`, `inline int f() { … }`.
bool addFunctionHelp(Parser& p, Diagnostic& made, uint32_t i) {
    const Token& token = p.tokens[i];
    if (token.kind == K::KwExtern)
        return help(made, "a C function is declared with `NAME :: (PARAMETER: TYPE) -> RESULT extern;`");
    if (token.kind == K::Ident && i > 0 && p.tokens[i - 1].kind == K::KwInline && !token.lineStart)
        return help(made, "a function is declared with `NAME :: (PARAMETER: TYPE) -> RESULT { … }`");
    if (token.kind != K::LBrace || i == 0) return false;
    const uint32_t begin = phraseBegin(p, i);
    const std::string name(p.text(p.tokens[begin]));
    if (begin + 3 < i && p.tokens[begin].kind == K::Ident && p.tokens[begin + 1].kind == K::Colon &&
        p.tokens[begin + 2].kind == K::LParen)
        return help(made,
                    "a function is declared with `::`: " + code(name + " :: " + written(p, begin + 2, i) + " { … }"));
    if (name == "main" && i == begin + 1) return help(made, "a function is declared with `main :: () { … }`");
    return false;
}

/// `*args`, `args...`, `...args`, `b = 3` among parameters; `f(ref x)` is a word of its own.
bool addParameterHelp(Parser& p, Diagnostic& made, uint32_t i) {
    const uint32_t open = p.openerAround(i);
    if (open == noMatch || open == 0 || p.tokens[open].kind != K::LParen || p.tokens[open - 1].kind != K::ColonColon)
        return false;
    const Token &token = p.tokens[i], &before = p.tokens[i - 1];
    const K next = p.tokens[std::min(i + 1, p.eof)].kind;
    const bool isPack = (token.kind == K::Star && (before.kind == K::LParen || before.kind == K::Comma)) ||
                        (token.kind == K::DotDot && next == K::Dot) ||
                        (token.kind == K::Dot && before.kind == K::DotDot);
    if (isPack) return help(made, "a parameter for any number of arguments is written `..NAME: TYPE`");
    if (token.kind != K::Equal || !isIdentLike(before.kind)) return false;
    std::string type = "TYPE";
    if (next == K::Int) type = "i64";
    else if (next == K::Float) type = "f64";
    else if (next == K::String) type = "string";
    else if (next == K::KwTrue || next == K::KwFalse) type = "bool";
    return help(made, "a parameter with a default has its type in front: " +
                          code(std::string(p.text(before)) + ": " + type + " = " + written(p, i + 1, i + 2)));
}

// ---- loops and conditions

/// `for x in xs {`, `for (String s : xs)`, `foreach (var x in xs)`, `for i in range(10)`: by the failure in it.
bool addLoopHelp(Parser& p, Diagnostic& made, uint32_t i) {
    uint32_t head = i;
    while (head > 0 && p.tokens[head].kind != K::KwFor && !isWord(p, head, "foreach") &&
           !endsPhrase(p.tokens[head].kind))
        --head;
    if (p.tokens[head].kind != K::KwFor && !isWord(p, head, "foreach")) return false;
    const bool isGroup = p.tokens[head + 1].kind == K::LParen;
    uint32_t name = head + 1 + isGroup;
    if (name >= p.eof) return false;
    const uint32_t limit = name + 3;
    auto isMark = [&](uint32_t at) {
        return p.tokens[at].kind == K::KwIn || p.tokens[at].kind == K::Colon || p.tokens[at].kind == K::Equal ||
               isWord(p, at, "of");
    };
    while (name < limit && name < p.eof && !isMark(name + 1)) ++name; // `var x`, `const x`, `String s`
    if (name >= limit || name + 2 >= p.eof || !isIdentLike(p.tokens[name].kind)) return false;
    const uint32_t first = name + 2;
    uint32_t end = first;
    const uint32_t close = isGroup ? p.closerOf(head + 1) : p.eof;
    while (end < close && p.tokens[end].kind != K::LBrace && !p.tokens[end].lineStart) ++end;
    std::string values = written(p, first, end);
    if (isWord(p, first, "range") && p.tokens[first + 1].kind == K::LParen) {
        const uint32_t rangeEnd = p.closerOf(first + 1);
        const bool isPair = rangeEnd == first + 5 && p.tokens[first + 3].kind == K::Comma;
        if (rangeEnd == first + 3) values = "0.." + written(p, first + 2, first + 3);
        else if (isPair) values = written(p, first + 2, first + 3) + ".." + written(p, first + 4, first + 5);
        else return help(made, "a loop over numbers is written `for 0..n (i) { … }`");
    }
    return help(made,
                "a loop is written " + code("for " + values + " (" + std::string(p.text(p.tokens[name])) + ") { … }"));
}

/// `for 0..3 (i) print("x");`, `for (i) 0..3 { … }`.
bool addLoopBodyHelp(Parser& p, Diagnostic& made, uint32_t i) {
    if (i < 4 || p.tokens[i - 1].kind != K::RParen || p.tokens[i - 1].value == noMatch) return false;
    const uint32_t open = p.tokens[i - 1].value;
    if (open == 0 || headerAround(p, open) == noMatch || p.tokens[headerAround(p, open)].kind != K::KwFor) return false;
    const std::string captures = written(p, open, i);
    if (p.tokens[open - 1].kind != K::KwFor)
        return help(made, "a body of one statement stands in braces or behind `=>`: " +
                              code(written(p, headerAround(p, open), i) + " { … }"));
    uint32_t end = i;
    while (end < p.eof && !endsPhrase(p.tokens[end].kind) && !p.tokens[end].lineStart) ++end;
    return help(made, "the captures stand behind the values: " +
                          code("for " + written(p, i, end) + " " + captures + " { … }"));
}

/// `if (o) |v| {`, `if err := f(); err != nil {`.
bool addBindingHelp(Parser& p, Diagnostic& made, uint32_t i) {
    const uint32_t begin = phraseBegin(p, i);
    if (p.tokens[i].kind == K::Semicolon && p.tokens[begin].kind == K::KwIf)
        return help(made, "a statement stands in front of the `if`, not in its header");
    // The body was read as an operand of `|`: the failure shows behind it.
    uint32_t body = noMatch;
    if (i > 0 && p.tokens[i - 1].kind == K::RBrace) body = p.tokens[i - 1].value;
    else if (p.tokens[i].kind == K::RBrace && i > 1 && p.tokens[i - 1].kind == K::RBrace) body = p.tokens[i - 1].value;
    if (body == noMatch || body < 4 || p.tokens[body - 1].kind != K::Pipe || p.tokens[body - 3].kind != K::Pipe ||
        !isIdentLike(p.tokens[body - 2].kind))
        return false;
    const uint32_t head = headerAround(p, body);
    if (head == noMatch || p.tokens[head].kind == K::KwFor) return false;
    uint32_t first = head + 1, end = body - 3;
    if (p.tokens[first].kind == K::LParen && p.tokens[first].value + 1 == end) ++first, --end;
    made.span = p.tokens[body - 3].span();
    made.message = "what an optional holds is not bound between `|` and `|`";
    return help(made,
                "write " + code(std::string(spelling(p.tokens[head].kind)) + " " +
                                std::string(p.text(p.tokens[body - 2])) + " := " + written(p, first, end) + " { … }"));
}

/// An arm as other languages write it: `case .a => …`, `1 => …` in a `switch`.
bool addArmHelp(Parser& p, Diagnostic& made, uint32_t i) {
    const Token& token = p.tokens[i];
    if ((isWord(p, i, "switch") || isWord(p, i, "match")) && i < p.eof && p.tokens[i + 1].kind == K::LBrace)
        return help(made, std::string(otherWord(p.text(token))));
    if (token.kind != K::FatArrow && token.kind != K::Arrow && token.kind != K::Comma && token.kind != K::Colon)
        return false;
    for (uint32_t k = i; k > 0 && i - k < 12 && !endsPhrase(p.tokens[k - 1].kind); --k)
        if (p.tokens[k - 1].kind == K::KwCase && token.kind != K::Comma)
            return help(made, "an arm is written " + code(written(p, k - 1, i) + ": …"));
    const uint32_t open = p.openerAround(i);
    if (open == noMatch || open == 0 || p.tokens[open].kind != K::LBrace) return false;
    uint32_t word = open - 1;
    if (p.tokens[word].kind == K::RParen && p.tokens[word].value != noMatch && p.tokens[word].value > 0)
        word = p.tokens[word].value - 1;
    const bool isMatch = isWord(p, word, "switch") || isWord(p, word, "match") || isWord(p, word, "when");
    return isMatch && help(made, std::string(otherWord("switch")));
}

// ---- assignments and literals

/// A `=` where none can stand.
bool addEqualHelp(Parser& p, Diagnostic& made, uint32_t i) {
    if (p.tokens[i].kind != K::Equal || i == 0) return false;
    const Token& before = p.tokens[i - 1];
    if (p.adjacent(i - 1) && before.kind == K::EqualEqual) return help(made, "values are compared with `==`");
    if (p.adjacent(i - 1) && before.kind == K::BangEqual) return help(made, "values are compared with `!=`");
    const uint32_t open = p.openerAround(i);
    if (before.kind == K::QuestionQuestion && p.adjacent(i - 1)) {
        const std::string name = operandBefore(p, i - 1);
        return help(made, "there is no `?\?=`: write " + code(name + " = " + name + " ?? …;"));
    }
    const bool inLiteral =
        open != noMatch && open > 0 && p.tokens[open].kind == K::LBrace && p.tokens[open - 1].kind == K::Dot;
    if (inLiteral && i >= 2 && p.tokens[i - 2].kind == K::Dot && isIdentLike(before.kind))
        return help(made, "a field is given by its name alone: " + code(std::string(p.text(before)) + " = …"));
    for (uint32_t k = i - 1; k > 0 && !endsPhrase(p.tokens[k].kind); --k) {
        if (isCloser(p.tokens[k].kind) && p.tokens[k].value != noMatch) k = p.tokens[k].value;
        else if (isOpener(p.tokens[k].kind)) break;
        else if (p.tokens[k].kind == K::Equal || p.tokens[k].kind == K::ColonEqual)
            return help(made, "an assignment is a statement and yields no value: assign one after the other");
    }
    const bool inCondition = headerAround(p, i) != noMatch || (open != noMatch && p.tokens[open].kind == K::LParen);
    return inCondition && help(made, "`==` compares; `=` assigns and is a statement of its own");
}

/// `[]i64{1, 2}`, `{ a: 1 }`, `{"a": 1}`, `[0; 10]`, `[x for x in xs]`, `[a, b] = …`.
bool addBracketHelp(Parser& p, Diagnostic& made, uint32_t i) {
    if (i == 0) return false;
    const Token &token = p.tokens[i], &before = p.tokens[i - 1];
    if (token.kind == K::LBrace && i >= 2 && isIdentLike(before.kind) && p.tokens[i - 2].kind == K::RBracket)
        return help(made, "an array literal is written `.[ … ]`");
    const uint32_t open = p.openerAround(i);
    if (open == noMatch || open == 0) return false;
    const K head = p.tokens[open - 1].kind;
    const bool isValue = head == K::ColonEqual || head == K::Equal || head == K::LParen || head == K::Comma;
    if (p.tokens[open].kind == K::LBrace && isValue) {
        if (before.kind == K::Colon && i == open + 3 && isIdentLike(p.tokens[i - 2].kind))
            return help(made, "a struct literal is written `.{ … }`, with `=` behind the names: " +
                                  code(".{ " + std::string(p.text(p.tokens[i - 2])) + " = … }"));
        if (token.kind == K::Colon && i == open + 2)
            return help(
                made, "there are no literals of maps: declare `m : HashMap(K, V) = .{};` and fill it with `m.put(…)`");
        return false;
    }
    if (p.tokens[open].kind != K::LBracket) return false;
    const uint32_t close = p.closerOf(open);
    if (token.kind == K::Comma && open == phraseBegin(p, open) && close < p.eof && p.tokens[close + 1].kind == K::Equal)
        return help(made, "several targets stand without brackets: " + code(written(p, open + 1, close) + " = …, …;"));
    if (token.kind == K::Colon && (isIdentLike(head) || head == K::RParen || head == K::RBracket))
        return help(made, "a part is taken with a range: " +
                              code(operandBefore(p, open) + "[" + (i == open + 1 ? "" : written(p, open + 1, i)) +
                                   ".." + (i + 1 == close ? "" : written(p, i + 1, close)) + "]"));
    if (!isValue) return false;
    if (token.kind == K::Semicolon) return help(made, "an array of zeros is declared with `NAME : [N]TYPE = .{};`");
    if (token.kind == K::KwFor) return help(made, "a list is filled in a loop: `for VALUES (x) { list.append(…); }`");
    return false;
}

// ---- operators

/// Operators that other languages have. `o.?`, `0...10`, `<-ch`, `^^`, `$"…"`, `"a" ++ "b"`.
bool addForeignOperatorHelp(Parser& p, Diagnostic& made, uint32_t i) {
    if (i == 0) return false;
    const Token &token = p.tokens[i], &before = p.tokens[i - 1];
    const Token& next = p.tokens[std::min(i + 1, p.eof)];
    const bool joined = p.adjacent(i - 1);
    if (token.kind == K::Question && before.kind == K::Dot && joined)
        return help(made, "an optional is unwrapped with " + code(operandBefore(p, i - 1) + "!"));
    if (before.kind == K::Dot && joined && i >= 2 && p.tokens[i - 2].kind == K::DotDot)
        return help(made, "a range is written `a..b`, with its end in it `a..=b`");
    if (token.kind == K::Less && next.kind == K::Minus && p.adjacent(i) && i + 2 < p.eof)
        return help(made, "a value is received with " + code(std::string(p.text(p.tokens[i + 2])) + ".recv()"));
    if (token.kind == K::Caret && before.kind == K::Caret && joined)
        return help(made, "that one of two conditions holds is written `a != b`");
    if (token.kind == K::String && before.kind == K::Dollar && joined)
        return help(made, "text with values in it is made with `format(\"… {} …\", x)`");
    const bool isJoin =
        token.kind == K::Plus && before.kind == K::Plus && joined && startsExpr(next) && !next.lineStart;
    if (isJoin)
        return help(made, "strings are joined with " +
                              code("concat(" + operandBefore(p, i - 1) + ", " + written(p, i + 1, i + 2) + ")"));
    return false;
}

/// `async () => 5`, `blk: { … }`.
bool addWordBehindHelp(Parser& p, Diagnostic& made, uint32_t i) {
    if (i < 2) return false;
    const Token &token = p.tokens[i], &before = p.tokens[i - 1];
    if (token.kind == K::FatArrow && before.kind == K::RParen && before.value != noMatch && before.value > 0 &&
        isWord(p, before.value - 1, "async"))
        return help(made, std::string(otherWord("async")));
    const K head = p.tokens[i - 2].kind;
    if (token.kind == K::Colon && before.kind == K::Ident && (head == K::ColonEqual || head == K::Equal) && i < p.eof &&
        p.tokens[i + 1].kind == K::LBrace)
        return help(made, "a block has no label: its last expression is its value");
    return false;
}

} // namespace

bool addPhraseHelp(Parser& p, Diagnostic& made, uint32_t i) {
    return addAnglesHelp(p, made, i) || addLateAnglesHelp(p, made, i) || addOptionalTypeHelp(p, made, i) ||
           addResultHelp(p, made, i) || addFunctionHelp(p, made, i) || addParameterHelp(p, made, i) ||
           addBindingHelp(p, made, i) || addArmHelp(p, made, i) || addLoopBodyHelp(p, made, i) ||
           addBracketHelp(p, made, i) || addLoopHelp(p, made, i) || addEqualHelp(p, made, i) ||
           addForeignOperatorHelp(p, made, i) || addWordBehindHelp(p, made, i);
}

/// The statement before the cursor is complete, and what follows may be another one: only a `;` is missing between.
bool isMissingSemicolon(const Parser& p) {
    if (p.cur().lineStart || p.at(K::RBrace) || p.at(K::Eof)) return true;
    if (isKeyword(p.cur().kind)) return startsStatement(p, p.pos);
    return p.atIdent() && !isIdentLike(p.previous().kind);
}

} // namespace sx
