// Help lines for phrases of other languages, found by the tokens around the place where the parser failed. None of
// them decides whether there is an error.
#include "syntax/ParserImpl.h"

namespace sx {
namespace {

using K = TokenKind;

bool isGroupEnd(K kind) { return kind == K::RParen || kind == K::RBracket; }

} // namespace

/// The token stands where a type does: directly behind the `:` of a declaration or an arrow.
bool Parser::isAfterTypeMark(uint32_t token) const {
    if (token == 0) return false;
    const K before = tokens_[token - 1].kind;
    return before == K::Colon || before == K::Arrow;
}

bool Parser::addForeignHelp(Diagnostic& made, uint32_t i) {
    return addTypeFormHelp(made, i) || addFallbackHelp(made, i) || addLiteralFormHelp(made, i) || addHeadHelp(made, i);
}

/// The call or the name that ends before a token, as it is written; "…" if it is long.
std::string Parser::operandBefore(uint32_t token) const {
    uint32_t first = token;
    while (first > 0) {
        const Token& before = tokens_[first - 1];
        const bool isGroup = isGroupEnd(before.kind) && before.value != noMatch;
        const bool isPart = isIdentLike(before.kind) || before.kind == K::Dot;
        if (!isGroup && !isPart) break;
        if (isPart && first < token && isIdentLike(before.kind) && isIdentLike(tokens_[first].kind)) break;
        first = isGroup ? before.value : first - 1;
    }
    if (first == token) return "…";
    const std::string_view written = textBetween(tokens_[first].begin, tokens_[token - 1].end);
    return written.size() > 40 || written.find('\n') != std::string_view::npos ? "…" : std::string(written);
}

/// `f()?`, `f() else 3`: what other languages write behind a call that may fail.
bool Parser::addFallbackHelp(Diagnostic& made, uint32_t i) {
    if (i == 0 || tokens_[i].lineStart) return false;
    const K before = tokens_[i - 1].kind;
    if (before != K::RParen && before != K::Ident) return false;
    if (tokens_[i].kind == K::Question && i < eof_ && !startsExpr(tokens_[i + 1])) {
        made.help("an error is passed on with `try " + operandBefore(i) + "`");
        return true;
    }
    if (tokens_[i].kind == K::KwElse && before == K::RParen && i < eof_) {
        const std::string value = tokens_[i + 1].kind == K::LBrace ? "{ … }" : std::string(text(tokens_[i + 1]));
        made.help("a value for the case of an error is written `" + operandBefore(i) + " or " + value +
                  "`, for an absent value `?? " + value + "`");
        return true;
    }
    return false;
}

/// `|a, b| a + b`, `x => x + 1`, `lambda x: x + 1`.
bool Parser::addLambdaHelp(Diagnostic& made, uint32_t i) {
    auto help = [&](std::string params, uint32_t body) {
        uint32_t end = body;
        while (end < eof_ && sameLine(tokens_[body].begin, tokens_[end].begin) && tokens_[end].kind != K::Semicolon &&
               tokens_[end].kind != K::Comma && (tokens_[end].kind != K::RParen || tokens_[end].value > body) &&
               tokens_[end].kind != K::RBrace && tokens_[end].kind != K::LBrace)
            ++end;
        const bool isBlock = tokens_[body].kind == K::LBrace;
        const std::string value =
            end == body ? "…" : std::string(textBetween(tokens_[body].begin, tokens_[end - 1].end));
        made.help("a lambda is written `(" + params + ") " + (isBlock ? "{ … }" : "=> " + value) + "`");
        return true;
    };
    const bool startsOperand = i > 0 && !isIdentLike(tokens_[i - 1].kind) && !isGroupEnd(tokens_[i - 1].kind) &&
                               tokens_[i - 1].kind != K::Pipe;
    if (tokens_[i].kind == K::Pipe && startsOperand && i < eof_) {
        uint32_t close = i + 1;
        while (close < eof_ && tokens_[close].kind != K::Pipe && sameLine(tokens_[i].begin, tokens_[close].begin))
            ++close;
        return tokens_[close].kind == K::Pipe &&
               help(std::string(textBetween(tokens_[i].end, tokens_[close].begin)), close + 1);
    }
    if (i == 0 || tokens_[i - 1].kind != K::Ident) return false;
    if (tokens_[i].kind == K::FatArrow && (i < 2 || tokens_[i - 2].kind != K::KwFor))
        return help(std::string(text(tokens_[i - 1])), i + 1);
    if (text(tokens_[i - 1]) == "lambda" && isIdentLike(tokens_[i].kind) && tokens_[i + 1].kind == K::Colon)
        return help(std::string(text(tokens_[i])), std::min(i + 2, eof_));
    return false;
}

/// `i64[3]`, `i64*`, `i64?`, `List<i64>`: what is written around a type elsewhere.
bool Parser::addTypeFormHelp(Diagnostic& made, uint32_t i) {
    const bool isBracketed = i >= 3 && tokens_[i - 1].kind == K::RBracket && tokens_[i - 3].kind == K::LBracket;
    if (isBracketed && isIdentLike(tokens_[i - 2].kind) && isAfterTypeMark(i - 3)) {
        const std::string type(text(tokens_[i - 2]));
        made.help("a slice type is written `[]" + type + "`, an array type `[N]" + type + "`");
        return true;
    }
    if (i == 0 || !isIdentLike(tokens_[i - 1].kind) || !isAfterTypeMark(i - 1)) return false;
    const std::string type(text(tokens_[i - 1]));
    switch (tokens_[i].kind) {
    case K::LBracket: {
        const uint32_t close = closerOf(i);
        const std::string inside(textBetween(tokens_[i].end, tokens_[close].begin));
        const bool isLength = close == i + 1 || tokens_[i + 1].kind == K::Int;
        if (isLength) made.help("the length stands in front: `[" + inside + "]" + type + "`");
        else made.help("type arguments stand in parentheses: `" + type + "(" + inside + ")`");
        return true;
    }
    case K::Star:
    case K::StarEqual: made.help("the `*` of a pointer type stands in front: `*" + type + "`"); return true;
    case K::Question: made.help("the `?` of an optional type stands in front: `?" + type + "`"); return true;
    case K::Less: {
        uint32_t close = i + 1;
        while (close < eof_ && tokens_[close].kind != K::Greater && sameLine(tokens_[i].begin, tokens_[close].begin))
            ++close;
        const bool isClosed = tokens_[close].kind == K::Greater;
        const std::string inside = isClosed ? std::string(textBetween(tokens_[i].end, tokens_[close].begin)) : "…";
        made.help("type arguments stand in parentheses: `" + type + "(" + inside + ")`");
        return true;
    }
    default: return false;
    }
}

/// `S{ … }`, `= { … }`, `f"…"`, `1.5f`, `(u8)n`, `n as u8`.
bool Parser::addLiteralFormHelp(Diagnostic& made, uint32_t i) {
    if (i == 0) return false;
    const Token &token = tokens_[i], &before = tokens_[i - 1];
    auto help = [&](std::string text) {
        made.help(std::move(text));
        return true;
    };
    const bool sameRow = !token.lineStart;
    if (token.kind == K::LBrace && sameRow && i >= 2 && tokens_[i - 2].kind == K::FatArrow)
        return help("the result type of a function stands behind `->`; `=>` comes before an expression");
    if (token.kind == K::LBrace && sameRow && (before.kind == K::Ident || before.kind == K::RParen) &&
        text(before) != "do") {
        const std::string type = before.kind == K::Ident ? std::string(text(before)) : "TYPE(…)";
        return help("a literal is written with a dot: `" + type + ".{ … }`");
    }
    if (token.kind == K::RBrace) {
        const uint32_t open = token.value;
        if (open != noMatch && open > 0 &&
            (tokens_[open - 1].kind == K::Equal || tokens_[open - 1].kind == K::ColonEqual))
            return help("a struct literal is written `.{ … }`, an array literal `.[ … ]`");
    }
    if (token.kind == K::String && adjacent(i - 1) && (text(before) == "r" || before.kind == K::String))
        return help(
            "text over several lines and without escapes is written `#string WORD`, with `WORD` alone behind it");
    if (token.kind == K::String && before.kind == K::Ident && adjacent(i - 1))
        return help("text with values in it is made with `format(\"… {} …\", x)`");
    const bool afterNumber = (before.kind == K::Int || before.kind == K::Float) && adjacent(i - 1);
    if (token.kind == K::Ident && afterNumber && (text(token) == "e" || text(token) == "E"))
        return help("an exponent has digits: `" + std::string(text(before)) + "e5`, `" + std::string(text(before)) +
                    "e-5`");
    if (token.kind == K::Ident && before.kind == K::Float && adjacent(i - 1))
        return help("numbers have no suffix: give the variable a type");
    if (token.kind == K::Ident && sameRow && text(token) == "as") return help("a conversion is written `x.(TYPE)`");
    if (token.kind == K::Ident && sameRow && text(token) == "is")
        return help("what an `any` or a protocol value holds is matched with `if x == { case TYPE: … }`");
    const bool isGroup = i >= 3 && before.kind == K::RParen && tokens_[i - 3].kind == K::LParen;
    const bool isCall = i >= 4 && (isIdentLike(tokens_[i - 4].kind) || isGroupEnd(tokens_[i - 4].kind));
    const bool isCast =
        isGroup && (isBuiltinTypeName(text(tokens_[i - 2])) || (isIdentLike(tokens_[i - 2].kind) && !isCall));
    if (isCast && sameRow && (isIdentLike(token.kind) || token.kind == K::Int || token.kind == K::Float))
        return help("a conversion is written `" + std::string(text(token)) + ".(" + std::string(text(tokens_[i - 2])) +
                    ")`");
    if (isGroupEnd(token.kind) && token.value == noMatch)
        return help("this `" + std::string(spelling(token.kind)) + "` closes nothing: remove it");
    return false;
}

/// The token stands in the parentheses behind a `for`, or directly in its header.
bool Parser::isForHead(uint32_t token) const {
    for (uint32_t i = token; i > 0; --i) {
        const K kind = tokens_[i - 1].kind;
        if (kind == K::KwFor) return true;
        if (kind == K::LBrace || kind == K::RBrace || kind == K::Semicolon) return false;
    }
    return false;
}

/// `for i := 0; i < n; i += 1 { … }`: what is written here, at the token where the header cannot go on.
bool Parser::addCLoopHelp(Diagnostic& made, uint32_t i) {
    const CLoop loop = foreignLoop(i);
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
Parser::CLoop Parser::foreignLoop(uint32_t token) const {
    CLoop loop;
    uint32_t head = token;
    while (head > 0 && tokens_[head].kind != K::KwFor && token - head < 8) --head;
    if (tokens_[head].kind != K::KwFor) return loop;
    SmallVector<uint32_t, 2> marks;
    uint32_t i = head + 1;
    for (; i < eof_ && tokens_[i].kind != K::LBrace && sameLine(tokens_[head].begin, tokens_[i].begin); ++i)
        if (tokens_[i].kind == K::Semicolon) marks.push_back(i);
    if (marks.size() != 2 || token > i) return loop;
    loop.isOne = true;
    loop.body = i;
    uint32_t assign = head + 1;
    while (assign < marks[0] && tokens_[assign].kind != K::ColonEqual && tokens_[assign].kind != K::Equal) ++assign;
    if (assign == marks[0] || !isIdentLike(tokens_[assign - 1].kind)) return loop;
    const uint32_t test = marks[0] + 2;
    const bool isRising = tokens_[test].kind == K::Less || tokens_[test].kind == K::LessEqual;
    if (!isRising || text(tokens_[test - 1]) != text(tokens_[assign - 1])) return loop;
    loop.name = text(tokens_[assign - 1]);
    loop.from = textBetween(tokens_[assign].end, tokens_[marks[0]].begin).trim().str();
    loop.to = textBetween(tokens_[test].end, tokens_[marks[1]].begin).trim().str();
    loop.isInclusive = tokens_[test].kind == K::LessEqual;
    return loop;
}

/// Heads of functions, loops, parameters and declarations.
bool Parser::addHeadHelp(Diagnostic& made, uint32_t i) {
    if (i == 0) return false;
    const Token &token = tokens_[i], &before = tokens_[i - 1];
    auto help = [&](std::string text) {
        made.help(std::move(text));
        return true;
    };
    if (token.kind == K::Less && (before.kind == K::KwStruct || before.kind == K::ColonColon))
        return help(before.kind == K::KwStruct
                        ? "type parameters stand in parentheses: `struct ($T: Type) { … }`"
                        : "a type parameter is introduced where it is used first: `(x: $T) -> T`");
    if (token.kind == K::ColonEqual && before.kind != K::RParen && i >= 2 && isAfterTypeMark(i - 1))
        return help("with a type the value stands behind `=`: `NAME : " + std::string(text(before)) + " = VALUE;`");
    if (token.kind == K::DotDot && before.kind == K::String) return help("strings are joined with `concat(a, b)`");
    if (token.kind == K::ColonColon && before.kind == K::Ident && i < eof_ && isIdentLike(tokens_[i + 1].kind))
        return help("a member, also of a type or a module, is reached with a dot: `" + std::string(text(before)) + "." +
                    std::string(text(tokens_[i + 1])) + "`");
    if (token.kind == K::Plus && adjacent(i) && tokens_[i + 1].kind == K::Plus)
        return help("there is no `++`: write `x += 1;`");
    if (before.kind == K::KwImpl && isIdentLike(token.kind)) return help("an `impl` stands only at the top level");
    if (token.kind == K::Colon && i >= 3 && tokens_[i - 2].kind == K::LParen && tokens_[i - 3].kind == K::ColonColon) {
        const uint32_t after = afterGroup(i - 2);
        if (after < eof_ && (isIdentLike(tokens_[after].kind) || tokens_[after].kind == K::Colon ||
                             tokens_[after].kind == K::LBracket)) {
            made.note(tokens_[after].span(), "the result type of a function stands behind `->`");
            return true;
        }
    }
    if (token.kind == K::LParen && i >= 1 && before.kind == K::Ident && before.lineStart) {
        const uint32_t after = afterGroup(i);
        if (after < eof_ && tokens_[after].kind == K::Semicolon)
            return help("statements stand in functions: is there a `}` too many above?");
        if (after < eof_ && (tokens_[after].kind == K::LBrace || tokens_[after].kind == K::Arrow))
            return help("a function is declared with `" + std::string(text(before)) + " :: (…) -> … { … }`");
    }
    if (token.kind == K::Ident && i >= 2 && i < eof_ && tokens_[i - 2].kind == K::Colon &&
        tokens_[i + 1].kind == K::Colon && before.kind != K::RParen) {
        made.help({before.end, before.end + 1}, "a `,` is missing here");
        return true;
    }
    if (token.kind == K::Ident && before.kind == K::Ident && !token.lineStart && isBuiltinTypeName(text(token)) &&
        !isBuiltinTypeName(text(before)))
        return help("the type stands behind a colon: `" + std::string(text(before)) + " : " + std::string(text(token)) +
                    " = …;`");
    return false;
}

} // namespace sx
