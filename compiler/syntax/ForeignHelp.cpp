// Help lines for phrases of other languages, found by the tokens around the place where the parser failed. None of
// them decides whether there is an error.
#include "syntax/Grammar.h"

namespace sx {
namespace {

using K = TokenKind;

bool isGroupEnd(K kind) { return kind == K::RParen || kind == K::RBracket; }

} // namespace

/// The token stands where a type does: directly after the `:` of a declaration or an arrow.
bool isAfterTypeMark(const Parser& p, uint32_t token) {
    if (token == 0) return false;
    const K before = p.tokens[token - 1].kind;
    return before == K::Colon || before == K::Arrow;
}

bool addForeignHelp(Parser& p, Diagnostic& made, uint32_t i) {
    return addTypeFormHelp(p, made, i) || addFallbackHelp(p, made, i) || addLiteralFormHelp(p, made, i) ||
           addHeadHelp(p, made, i);
}

/// The call or the name that ends before a token, as it is written; "…" if it is long.
std::string operandBefore(const Parser& p, uint32_t token) {
    uint32_t first = token;
    while (first > 0) {
        const Token& before = p.tokens[first - 1];
        const bool isGroup = isGroupEnd(before.kind) && before.value != noMatch;
        const bool isPart = isIdentLike(before.kind) || before.kind == K::Dot;
        if (!isGroup && !isPart) break;
        if (isPart && first < token && isIdentLike(before.kind) && isIdentLike(p.tokens[first].kind)) break;
        first = isGroup ? before.value : first - 1;
    }
    const K last = token == 0 ? K::Eof : p.tokens[token - 1].kind;
    if (last == K::String || last == K::Char || last == K::Int || last == K::Float) first = token - 1;
    if (first == token) return "…";
    const std::string_view written = p.textBetween(p.tokens[first].begin, p.tokens[token - 1].end);
    return written.size() > 40 || written.find('\n') != std::string_view::npos ? "…" : std::string(written);
}

/// `f()?`, `f() else 3`: what other languages write after a call that may fail.
bool addFallbackHelp(Parser& p, Diagnostic& made, uint32_t i) {
    if (i == 0 || p.tokens[i].lineStart) return false;
    const K before = p.tokens[i - 1].kind;
    if (before != K::RParen && before != K::Ident) return false;
    if (p.tokens[i].kind == K::Question && i < p.eof && !startsExpr(p.tokens[i + 1])) {
        made.help("an error is passed on with `try " + operandBefore(p, i) + "`");
        return true;
    }
    if (p.tokens[i].kind == K::KwElse && before == K::RParen && i < p.eof) {
        const std::string value = p.tokens[i + 1].kind == K::LBrace ? "{ … }" : std::string(p.text(p.tokens[i + 1]));
        made.help("a value for the case of an error is written `" + operandBefore(p, i) + " or " + value +
                  "`, for an absent value `?? " + value + "`");
        return true;
    }
    return false;
}

/// `|a, b| a + b`, `x => x + 1`, `lambda x: x + 1`.
bool addLambdaHelp(Parser& p, Diagnostic& made, uint32_t i) {
    auto help = [&](std::string params, uint32_t body) {
        uint32_t end = body;
        while (end < p.eof && p.sameLine(p.tokens[body].begin, p.tokens[end].begin) &&
               p.tokens[end].kind != K::Semicolon && p.tokens[end].kind != K::Comma &&
               (p.tokens[end].kind != K::RParen || p.tokens[end].value > body) && p.tokens[end].kind != K::RBrace &&
               p.tokens[end].kind != K::LBrace)
            ++end;
        const bool isBlock = p.tokens[body].kind == K::LBrace || p.tokens[body].kind == K::Arrow;
        const std::string value =
            end == body ? "…" : std::string(p.textBetween(p.tokens[body].begin, p.tokens[end - 1].end));
        const bool hasResult = p.tokens[body].kind == K::Arrow; // `|x: i64| -> i64 { … }`
        const std::string head = hasResult ? "(" + params + ") " + value + " " : "(" + params + ") ";
        made.help("a lambda is written `" + head + (isBlock ? "{ … }" : "=> " + value) + "`");
        return true;
    };
    const bool startsOperand = i > 0 && p.tokens[i - 1].kind != K::KwCatch && !isIdentLike(p.tokens[i - 1].kind) &&
                               !isGroupEnd(p.tokens[i - 1].kind) && p.tokens[i - 1].kind != K::Pipe;
    if (p.tokens[i].kind == K::Pipe && startsOperand && i < p.eof) {
        uint32_t close = i + 1;
        while (close < p.eof && p.tokens[close].kind != K::Pipe && p.sameLine(p.tokens[i].begin, p.tokens[close].begin))
            ++close;
        return p.tokens[close].kind == K::Pipe &&
               help(std::string(p.textBetween(p.tokens[i].end, p.tokens[close].begin)), close + 1);
    }
    if (i == 0 || p.tokens[i - 1].kind != K::Ident) return false;
    if (p.tokens[i].kind == K::FatArrow && (i < 2 || p.tokens[i - 2].kind != K::KwFor))
        return help(std::string(p.text(p.tokens[i - 1])), i + 1);
    if (p.text(p.tokens[i - 1]) == "lambda" && isIdentLike(p.tokens[i].kind) && p.tokens[i + 1].kind == K::Colon)
        return help(std::string(p.text(p.tokens[i])), std::min(i + 2, p.eof));
    return false;
}

/// `i64[3]`, `i64*`, `i64?`, `List<i64>`: what is written around a type elsewhere.
bool addTypeFormHelp(Parser& p, Diagnostic& made, uint32_t i) {
    const bool isBracketed = i >= 3 && p.tokens[i - 1].kind == K::RBracket && p.tokens[i - 3].kind == K::LBracket;
    if (isBracketed && isIdentLike(p.tokens[i - 2].kind) && isAfterTypeMark(p, i - 3)) {
        const std::string type(p.text(p.tokens[i - 2]));
        made.help("a slice type is written `[]" + type + "`, an array type `[N]" + type + "`");
        return true;
    }
    if (i == 0 || !isIdentLike(p.tokens[i - 1].kind) || !isAfterTypeMark(p, i - 1)) return false;
    const std::string type(p.text(p.tokens[i - 1]));
    switch (p.tokens[i].kind) {
    case K::LBracket: {
        const uint32_t close = p.closerOf(i);
        const std::string inside(p.textBetween(p.tokens[i].end, p.tokens[close].begin));
        const bool isLength = close == i + 1 || p.tokens[i + 1].kind == K::Int;
        if (isLength) made.help("the length stands in front: `[" + inside + "]" + type + "`");
        else if (const std::string_view other = foreignType(type); !other.empty()) made.help(std::string(other));
        else made.help("type arguments stand in parentheses: `" + type + "(" + inside + ")`");
        return true;
    }
    case K::Star:
    case K::StarEqual: made.help("the `*` of a pointer type stands in front: `*" + type + "`"); return true;
    case K::Question: made.help("the `?` of an optional type stands in front: `?" + type + "`"); return true;
    case K::Less: {
        uint32_t close = i + 1;
        while (close < p.eof && p.tokens[close].kind != K::Greater &&
               p.sameLine(p.tokens[i].begin, p.tokens[close].begin))
            ++close;
        const bool isClosed = p.tokens[close].kind == K::Greater;
        const std::string inside = isClosed ? std::string(p.textBetween(p.tokens[i].end, p.tokens[close].begin)) : "…";
        made.help("type arguments stand in parentheses: `" + type + "(" + inside + ")`");
        return true;
    }
    default: return false;
    }
}

/// What stands where sx has another form: `&T`, `...`, `impl S {`, `A if C else B`, `x is null`, `f<T>`.
bool addHabitHelp(Parser& p, Diagnostic& made, uint32_t i) {
    if (i == 0) return false;
    const Token &token = p.tokens[i], &before = p.tokens[i - 1];
    const K next = i < p.eof ? p.tokens[i + 1].kind : K::Eof;
    auto help = [&](std::string text) {
        made.help(std::move(text));
        return true;
    };
    if (token.kind == K::Amp && isAfterTypeMark(p, i)) return help("a pointer type is written `*T`");
    if (token.kind == K::DotDot && isAfterTypeMark(p, i) && (next == K::Dot || next == K::DotDot))
        return help("a parameter for any number of arguments is written `..NAME: TYPE`");
    if (before.kind == K::DirImport) return help("the path stands in double quotes: `#import \"PATH\";`");
    if (token.kind == K::Equal && before.kind == K::Colon) return help("write `:=` without a blank");
    if (token.kind == K::RBrace && before.kind == K::KwReturn) return help("a `;` is missing: write `return;`");
    if (token.kind == K::Comma && before.kind != K::RParen && i >= 2 && p.tokens[i - 2].kind == K::Arrow)
        return help("several results stand in parentheses: `-> (A, B)`");
    if (token.kind == K::ColonEqual && isForHead(p, i))
        return help(
            "a loop over values is written `for VALUES (x) { … }`, with the index `for VALUES, 0.. (x, i) { … }`");
    if (token.lineStart) return false;
    if (token.kind == K::String && before.kind == K::Ident && p.text(before) == "print")
        return help("a call has parentheses: `print(\"…\")`");
    if (token.kind == K::LBrace && i >= 2 && p.tokens[i - 2].kind == K::KwImpl)
        return help("methods stand in the type itself; `impl PROTOCOL for " + std::string(p.text(before)) +
                    " { … }` has those of a protocol");
    const bool isOperand = isIdentLike(before.kind) || isGroupEnd(before.kind) || before.kind == K::Int ||
                           before.kind == K::Float || before.kind == K::String;
    if (token.kind == K::KwIf && isOperand)
        return help("a choice between two values is written `if CONDITION then A else B`");
    if (token.kind == K::Ident && p.text(token) == "is") {
        const std::string_view what = p.text(p.tokens[std::min(i + 1, p.eof)]);
        if (what == "not") return help("a value that is there is tested with `x != null`");
        if (what == "null" || what == "None" || what == "nil")
            return help("an absent value is tested with `x == null`");
    }
    if (token.kind == K::Less && before.kind == K::Ident && before.lineStart) {
        uint32_t close = i + 1;
        while (close < p.eof && p.tokens[close].kind != K::Greater && !p.tokens[close].lineStart) ++close;
        if (close < p.eof && p.tokens[close + 1].kind == K::ColonColon)
            return help("a type parameter is introduced where it is used first: `(x: $T) -> T`");
        return help("type arguments stand in parentheses: `" + std::string(p.text(before)) + "(T)`");
    }
    return false;
}

/// `S{ … }`, `= { … }`, `f"…"`, `1.5f`, `(u8)n`, `n as u8`.
bool addLiteralFormHelp(Parser& p, Diagnostic& made, uint32_t i) {
    if (i == 0) return false;
    const Token &token = p.tokens[i], &before = p.tokens[i - 1];
    auto help = [&](std::string text) {
        made.help(std::move(text));
        return true;
    };
    const bool sameRow = !token.lineStart;
    if (token.kind == K::LBrace && sameRow && i >= 2 && p.tokens[i - 2].kind == K::FatArrow)
        return help("the result type of a function stands behind `->`; `=>` comes before an expression");
    if (token.kind == K::LBrace && sameRow && before.kind == K::Ident && i >= 2 && p.tokens[i - 2].kind == K::Dot &&
        !isTypeLike(p.text(before)))
        return help("a block as an argument stands behind parentheses: `" + operandBefore(p, i) + "() { … }`");
    if (token.kind == K::LBrace && sameRow && before.kind == K::Ident && isTypeLike(p.text(before)))
        return help("a literal is written with a dot: `" + std::string(p.text(before)) + ".{ … }`");
    const uint32_t args = token.kind == K::LBrace && before.kind == K::RParen ? before.value : noMatch;
    if (sameRow && args != noMatch && args > 0 && isTypeLike(p.text(p.tokens[args - 1])))
        return help("a literal is written with a dot: `TYPE(…).{ … }`");
    if (token.kind == K::RBrace) {
        const uint32_t open = token.value;
        if (open != noMatch && open > 0 &&
            (p.tokens[open - 1].kind == K::Equal || p.tokens[open - 1].kind == K::ColonEqual))
            return help("a struct literal is written `.{ … }`, an array literal `.[ … ]`");
    }
    if (token.kind == K::String && p.adjacent(i - 1) && (p.text(before) == "r" || before.kind == K::String))
        return help(
            "text over several lines and without escapes is written `#string WORD`, with `WORD` alone behind it");
    const bool isPrefix = token.kind == K::String && before.kind == K::Ident && p.adjacent(i - 1);
    if (isPrefix && p.text(before) != "f") return help("a string has no prefix: leave it out");
    if (isPrefix) return help("text with values in it is made with `format(\"… {} …\", x)`");
    const bool afterNumber = (before.kind == K::Int || before.kind == K::Float) && p.adjacent(i - 1);
    if (token.kind == K::Ident && afterNumber && (p.text(token) == "e" || p.text(token) == "E"))
        return help("an exponent has digits: `" + std::string(p.text(before)) + "e5`, `" + std::string(p.text(before)) +
                    "e-5`");
    if (token.kind == K::Ident && before.kind == K::Float && p.adjacent(i - 1))
        return help("numbers have no suffix: give the variable a type");
    if (token.kind == K::Ident && sameRow && p.text(token) == "as") return help("a conversion is written `x.(TYPE)`");
    if (token.kind == K::Ident && sameRow && p.tokens[i + 1].kind != K::LParen &&
        (p.text(token) == "is" || p.text(token) == "instanceof"))
        return help("what an `any` or a protocol value holds is matched with `if x == { case TYPE: … }`");
    const bool isGroup = i >= 3 && before.kind == K::RParen && p.tokens[i - 3].kind == K::LParen;
    const bool isCall = i >= 4 && (isIdentLike(p.tokens[i - 4].kind) || isGroupEnd(p.tokens[i - 4].kind));
    const bool isCast =
        isGroup && (isTypeWord(p.text(p.tokens[i - 2])) || (isIdentLike(p.tokens[i - 2].kind) && !isCall));
    if (isCast && sameRow && (isIdentLike(token.kind) || token.kind == K::Int || token.kind == K::Float)) {
        if (i >= 4 && p.tokens[i - 4].kind == K::KwOnFail)
            return help("a cleanup for errors only is written `onfail (e) { … }`");
        const std::string_view type = p.text(p.tokens[i - 2]), other = foreignType(type);
        made.help("a conversion is written `" + std::string(p.text(token)) + ".(" +
                  (other.empty() ? std::string(type) : "TYPE") + ")`");
        if (!other.empty()) made.help(std::string(other));
        return true;
    }
    if (isGroupEnd(token.kind) && token.value == noMatch)
        return help("this " + code(spelling(token.kind)) + " closes nothing: remove it");
    return false;
}

/// The token stands in the parentheses after a `for`, or directly in its header.
bool isForHead(const Parser& p, uint32_t token) {
    for (uint32_t i = token; i > 0; --i) {
        const K kind = p.tokens[i - 1].kind;
        if (kind == K::KwFor) return true;
        if (kind == K::LBrace || kind == K::RBrace || kind == K::Semicolon) return false;
    }
    return false;
}

/// `for i := 0; i < n; i += 1 { … }`: what is written here, at the token where the header cannot go on.
bool addCLoopHelp(Parser& p, Diagnostic& made, uint32_t i) {
    const CLoop loop = foreignLoop(p, i);
    if (!loop.isOne) return false;
    if (loop.from.empty() || loop.to.empty()) {
        made.help("a loop over numbers is written `for 0..n (i) { … }`, one with a condition `while CONDITION { … }`");
        return true;
    }
    made.help("a loop over numbers is written `for " + loop.from + (loop.isInclusive ? "..=" : "..") + loop.to + " (" +
              loop.name + ") { … }`");
    return true;
}

/// The header of a loop with two `;`, as C writes it, in which a token stands.
CLoop foreignLoop(const Parser& p, uint32_t token) {
    CLoop loop;
    uint32_t head = token;
    while (head > 0 && p.tokens[head].kind != K::KwFor && token - head < 8) --head;
    if (p.tokens[head].kind != K::KwFor) return loop;
    SmallVector<uint32_t, 2> marks;
    uint32_t i = head + 1;
    for (; i < p.eof && p.tokens[i].kind != K::LBrace && p.sameLine(p.tokens[head].begin, p.tokens[i].begin); ++i)
        if (p.tokens[i].kind == K::Semicolon) marks.push_back(i);
    if (marks.size() != 2 || token > i) return loop;
    loop.isOne = true;
    loop.body = i;
    uint32_t assign = head + 1;
    while (assign < marks[0] && p.tokens[assign].kind != K::ColonEqual && p.tokens[assign].kind != K::Equal) ++assign;
    if (assign == marks[0] || !isIdentLike(p.tokens[assign - 1].kind)) return loop;
    const uint32_t test = marks[0] + 2;
    const bool isRising = p.tokens[test].kind == K::Less || p.tokens[test].kind == K::LessEqual;
    if (!isRising || p.text(p.tokens[test - 1]) != p.text(p.tokens[assign - 1])) return loop;
    loop.name = p.text(p.tokens[assign - 1]);
    loop.from = p.textBetween(p.tokens[assign].end, p.tokens[marks[0]].begin).trim().str();
    loop.to = p.textBetween(p.tokens[test].end, p.tokens[marks[1]].begin).trim().str();
    loop.isInclusive = p.tokens[test].kind == K::LessEqual;
    return loop;
}

/// Heads of functions, loops, parameters and declarations.
bool addHeadHelp(Parser& p, Diagnostic& made, uint32_t i) {
    if (i == 0) return false;
    const Token &token = p.tokens[i], &before = p.tokens[i - 1];
    auto help = [&](std::string text) {
        made.help(std::move(text));
        return true;
    };
    if (token.kind == K::Less && (before.kind == K::KwStruct || before.kind == K::ColonColon))
        return help(before.kind == K::KwStruct
                        ? "type parameters stand in parentheses: `struct ($T: Type) { … }`"
                        : "a type parameter is introduced where it is used first: `(x: $T) -> T`");
    if (token.kind == K::ColonEqual && before.kind != K::RParen && i >= 2 && isAfterTypeMark(p, i - 1))
        return help("with a type the value stands behind `=`: `NAME : " + std::string(p.text(before)) + " = VALUE;`");
    if (token.kind == K::DotDot && before.kind == K::String) return help("strings are joined with `concat(a, b)`");
    if (token.kind == K::ColonColon && before.kind == K::Ident && i < p.eof && isIdentLike(p.tokens[i + 1].kind))
        return help("a member, also of a type or a module, is reached with a dot: `" + std::string(p.text(before)) +
                    "." + std::string(p.text(p.tokens[i + 1])) + "`");
    if (token.kind == K::Plus && p.adjacent(i) && p.tokens[i + 1].kind == K::Plus)
        return help("there is no `++`: write `x += 1;`");
    if (before.kind == K::KwImpl && isIdentLike(token.kind)) return help("an `impl` stands only at the top level");
    if (token.kind == K::LParen && i >= 1 && before.kind == K::Ident && before.lineStart) {
        const uint32_t after = p.afterGroup(i);
        if (after < p.eof && p.tokens[after].kind == K::Semicolon)
            return help("statements stand in functions: is there a `}` too many above?");
        if (after < p.eof && (p.tokens[after].kind == K::LBrace || p.tokens[after].kind == K::Arrow))
            return help("a function is declared with `" + std::string(p.text(before)) + " :: (…) -> … { … }`");
    }
    if (token.kind == K::Ident && i >= 2 && i < p.eof && p.tokens[i - 2].kind == K::Colon &&
        p.tokens[i + 1].kind == K::Colon && before.kind != K::RParen) {
        made.help({before.end, before.end + 1}, "a `,` is missing here");
        return true;
    }
    if (token.kind == K::Ident && before.kind == K::Ident && !token.lineStart && isTypeWord(p.text(token)) &&
        !isTypeWord(p.text(before))) {
        const uint32_t open = p.openerAround(i);
        const bool isParam =
            open != noMatch && open > 0 && p.tokens[open].kind == K::LParen && p.tokens[open - 1].kind == K::ColonColon;
        const std::string name(p.text(before)), type(p.text(token));
        if (isParam) return help("the type stands behind a colon: `" + name + ": " + type + "`");
        const bool begins = before.lineStart || i < 2 || p.tokens[i - 2].kind == K::Semicolon ||
                            p.tokens[i - 2].kind == K::LBrace || p.tokens[i - 2].kind == K::RBrace;
        if (begins) return help("the type stands behind a colon: `" + name + " : " + type + " = …;`");
    }
    return false;
}

} // namespace sx
