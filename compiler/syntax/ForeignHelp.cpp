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
    return addTypeFormHelp(made, i) || addLiteralFormHelp(made, i) || addHeadHelp(made, i);
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
        while (close < eof_ && tokens_[close].kind != K::Greater && sameLine(tokens_[i].begin, tokens_[close].begin)) ++close;
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
    if (token.kind == K::LBrace && sameRow && (before.kind == K::Ident || before.kind == K::RParen) && text(before) != "do") {
        const std::string type = before.kind == K::Ident ? std::string(text(before)) : "TYPE(…)";
        return help("a literal is written with a dot: `" + type + ".{ … }`");
    }
    if (token.kind == K::RBrace) {
        const uint32_t open = token.value;
        if (open != noMatch && open > 0 && (tokens_[open - 1].kind == K::Equal || tokens_[open - 1].kind == K::ColonEqual))
            return help("a struct literal is written `.{ … }`, an array literal `.[ … ]`");
    }
    if (token.kind == K::String && before.kind == K::Ident && adjacent(i - 1))
        return help("text with values in it is made with `format(\"… {} …\", x)`");
    const bool afterNumber = (before.kind == K::Int || before.kind == K::Float) && adjacent(i - 1);
    if (token.kind == K::Ident && afterNumber && (text(token) == "e" || text(token) == "E"))
        return help("an exponent has digits: `" + std::string(text(before)) + "e5`, `" + std::string(text(before)) + "e-5`");
    if (token.kind == K::Ident && before.kind == K::Float && adjacent(i - 1))
        return help("numbers have no suffix: give the variable a type");
    if (token.kind == K::Ident && sameRow && text(token) == "as") return help("a conversion is written `x.(TYPE)`");
    if (token.kind == K::Ident && sameRow && text(token) == "is")
        return help("what an `any` or a protocol value holds is matched with `if x == { case TYPE: … }`");
    const bool isCast = i >= 3 && before.kind == K::RParen && isSingleNameGroup(i - 3) && isBuiltinTypeName(text(tokens_[i - 2]));
    if (isCast && sameRow && (isIdentLike(token.kind) || token.kind == K::Int || token.kind == K::Float))
        return help("a conversion is written `" + std::string(text(token)) + ".(" + std::string(text(tokens_[i - 2])) + ")`");
    if (isGroupEnd(token.kind) && token.value == noMatch)
        return help("this `" + std::string(spelling(token.kind)) + "` closes nothing: remove it");
    return false;
}

/// Heads of functions, loops, parameters and declarations.
bool Parser::addHeadHelp(Diagnostic& made, uint32_t i) {
    if (i == 0) return false;
    const Token &token = tokens_[i], &before = tokens_[i - 1];
    auto help = [&](std::string text) {
        made.help(std::move(text));
        return true;
    };
    if (token.kind == K::Plus && adjacent(i) && tokens_[i + 1].kind == K::Plus) return help("there is no `++`: write `x += 1;`");
    if (before.kind == K::KwImpl && isIdentLike(token.kind)) return help("an `impl` stands only at the top level");
    if (token.kind == K::ColonEqual && i >= 3 && tokens_[i - 2].kind == K::LParen && tokens_[i - 3].kind == K::KwFor)
        return help("a loop over numbers is written `for 0..n (" + std::string(text(before)) + ") { … }`");
    if (token.kind == K::Colon && i >= 3 && tokens_[i - 2].kind == K::LParen && tokens_[i - 3].kind == K::ColonColon) {
        const uint32_t after = afterGroup(i - 2);
        if (after < eof_ && (isIdentLike(tokens_[after].kind) || tokens_[after].kind == K::Colon || tokens_[after].kind == K::LBracket)) {
            made.note(tokens_[after].span(), "the result type of a function stands behind `->`");
            return true;
        }
    }
    if (token.kind == K::LParen && i >= 1 && before.kind == K::Ident && before.lineStart) {
        const uint32_t after = afterGroup(i);
        if (after < eof_ && (tokens_[after].kind == K::LBrace || tokens_[after].kind == K::Arrow))
            return help("a function is declared with `" + std::string(text(before)) + " :: (…) -> … { … }`");
    }
    if (token.kind == K::Ident && i >= 2 && i < eof_ && tokens_[i - 2].kind == K::Colon && tokens_[i + 1].kind == K::Colon &&
        before.kind != K::RParen) {
        made.help({before.end, before.end + 1}, "a `,` is missing here");
        return true;
    }
    if (token.kind == K::Ident && before.kind == K::Ident && !token.lineStart && isBuiltinTypeName(text(token)) &&
        !isBuiltinTypeName(text(before)))
        return help("the type stands behind a colon: `" + std::string(text(before)) + " : " + std::string(text(token)) + " = …;`");
    return false;
}

} // namespace sx
