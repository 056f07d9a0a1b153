// Help lines for slips that people make who come from other languages. Each test looks at the tokens around
// the place where the parser failed; none of them decides whether there is an error.
#include "syntax/Grammar.h"
#include "syntax/WordTable.h"

#include "llvm/ADT/StringExtras.h"

#include <initializer_list>

namespace sx {
namespace {

using K = TokenKind;

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
    for (std::string_view candidate : words)
        if (word == candidate) return true;
    return false;
}

} // namespace

std::string_view otherWord(std::string_view word) {
    static constexpr KnownWord table[] = {
#define FOREIGN_WORD(word, help) {word, help},
#include "syntax/ForeignWords.def"
    };
    return helpFor(word, table);
}

/// Directly before the next token, without a blank.
bool Parser::adjacent(uint32_t token) const { return token < eof && tokens[token].end == tokens[token + 1].begin; }

void addHelp(Parser& p, Diagnostic& made, uint32_t token) {
    if (addCLoopHelp(p, made, token) || addPhraseHelp(p, made, token) || addLambdaHelp(p, made, token) ||
        addWordHelp(p, made, token) || addHabitHelp(p, made, token) || addKeywordHelp(p, made, token) ||
        addForeignHelp(p, made, token) || addOperatorHelp(p, made, token) || addStatementHelp(p, made, token))
        return;
}

/// The line of a token with another text in its place.
static std::string correctedLine(const Parser& p, Span at, std::string_view text) {
    const Location place = p.sources.resolve(at.begin);
    std::string line(p.sources.lineText(place.file, place.line));
    return line.replace(place.col - 1, at.end.raw - at.begin.raw, text);
}

/// A word that is nearly a keyword, where one may stand: `retrun 5;`, `S :: strct {`, `f() cach { }`.
bool addKeywordHelp(Parser& p, Diagnostic& made, uint32_t i) {
    if (i == 0) return false;
    auto isNear = [&](uint32_t at, const std::vector<std::string_view>& words) {
        const Token& token = p.tokens[at];
        const std::string_view word = p.text(token);
        const bool isLower = word.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string_view::npos;
        if (token.kind != K::Ident || token.raw || word.size() < 3 || !isLower) return false;
        const std::string_view near = nearestName(word, words, 1);
        if (!near.empty()) made.help(token.span(), "did you mean this?", correctedLine(p, token.span(), near));
        return !near.empty();
    };
    auto beginsPhrase = [&](uint32_t at) {
        if (at == 0 || p.tokens[at].lineStart) return true;
        switch (p.tokens[at - 1].kind) {
        case K::LBrace:
        case K::RBrace:
        case K::RParen:
        case K::Semicolon:
        case K::Equal:
        case K::ColonEqual:
        case K::ColonColon: return true;
        default: return false;
        }
    };
    if (!p.tokens[i].lineStart && beginsPhrase(i - 1) && isNear(i - 1, keywords())) return true;
    // Behind a word stands the name of what is declared, or a keyword that goes on.
    const K before = p.tokens[i - 1].kind;
    return !p.tokens[i].lineStart && (isIdentLike(before) || before == K::RParen || before == K::RBracket) &&
           isNear(i, {"and", "catch", "else", "export", "extern", "then"});
}

/// Behind a word that begins a phrase elsewhere, or at one that continues it.
bool addWordHelp(Parser& p, Diagnostic& made, uint32_t i) {
    if (i == 0 || p.tokens[i].lineStart) return false;
    const Token &token = p.tokens[i], &before = p.tokens[i - 1];
    auto help = [&](std::string text) {
        made.help(std::move(text));
        return true;
    };
    if (token.kind == K::Ident && p.text(token) == "orelse")
        return help("a value for an absent one is written `x ?? VALUE`");
    if (before.kind != K::Ident || before.raw) return false;
    const std::string_view word = p.text(before);
    const bool isBinding = word == "let" || word == "var" || word == "auto" || word == "const" || word == "val";
    if (i >= 2 && isBinding && token.kind == K::Ident) {
        const K head = p.tokens[p.tokens[i - 2].kind == K::LParen && i >= 3 ? i - 3 : i - 2].kind;
        const bool isPattern = i + 3 < p.eof && p.tokens[i + 1].kind == K::LParen &&
                               isIdentLike(p.tokens[i + 2].kind) && p.tokens[i + 3].kind == K::RParen; // `let Some(x)`
        if (head == K::KwIf || head == K::KwWhile)
            return help("what an optional holds is bound with `" + std::string(spelling(head)) + " " +
                        std::string(p.text(p.tokens[isPattern ? i + 2 : i])) + " := OPTIONAL { … }`");
        if (head == K::KwFor) return false;
    }
    std::string_view other = otherWord(word);
    const uint32_t around = p.openerAround(i);
    const K owner = around == noMatch || around < 2 ? K::Eof : p.tokens[around - 1].kind;
    if (isBinding && (owner == K::KwStruct || owner == K::KwUnion)) other = "a field is declared with `NAME: TYPE;`";
    if (word == "do" && token.kind == K::LBrace && token.value != noMatch &&
        p.tokens[token.value + 1].kind == K::KwCatch)
        other = "an error is handled where it arises: `f() catch (e) { … }`";
    if (word == "repeat" && token.kind == K::LBrace && token.value != noMatch) {
        const Token& end = p.tokens[token.value + 1];
        if (end.kind == K::KwWhile) other = otherWord("do");
        else if (p.text(end) != "until") other = otherWord("loop");
    } else if (word == "repeat") other = "a loop over numbers is written `for 0..n (i) { … }`";
    const bool isPhrase = isIdentLike(token.kind) || token.kind == K::LBrace || startsExpr(token);
    return !other.empty() && isPhrase && help(std::string(other));
}

bool addOperatorHelp(Parser& p, Diagnostic& made, uint32_t i) {
    const K kind = p.tokens[i].kind;
    const K before = i > 0 ? p.tokens[i - 1].kind : K::Eof;
    const bool joined = i > 0 && p.adjacent(i - 1);
    auto help = [&](const char* text) {
        made.help(text);
        return true;
    };
    if (kind == K::Slash &&
        ((i < p.eof && p.adjacent(i) && p.tokens[i + 1].kind == K::Star) || (joined && before == K::Star)))
        return help("there are no block comments: start each line with `//`");
    if (kind == K::Plus && joined && before == K::Plus) return help("there is no `++`: write `x += 1;`");
    if (i >= 2 && before == K::Minus && p.tokens[i - 2].kind == K::Minus && p.adjacent(i - 2))
        return help("there is no `--`: write `x -= 1;`");
    if (kind == K::Amp)
        return help(joined && before == K::Amp ? "the logical operators are `and` and `or`"
                                               : "the address of `x` is written `*x`");
    if (kind == K::Pipe && joined && before == K::Pipe) return help("the logical operators are `and` and `or`");
    if (kind == K::Question) {
        uint32_t other = i + 1;
        while (other < p.eof && p.tokens[other].kind != K::Colon && p.tokens[other].kind != K::Semicolon) ++other;
        return p.tokens[std::min(other, p.eof)].kind == K::Colon &&
               help("a choice between two values is written `if CONDITION then A else B`");
    }
    if (kind == K::QuestionQuestion) return help("a nested optional type is written `?(?T)`");
    if (kind == K::Arrow && joined && i < p.eof && p.adjacent(i))
        return help("a member is reached with `.`, also through a pointer");
    if (kind == K::Arrow && before == K::RParen)
        return help("the type of a function is written `(A) -> B`, of a closure `Closure(A) -> B`");
    if (isForHead(p, i) && (kind == K::DotDot || kind == K::DotDotEqual || kind == K::DotDotLess))
        return help("a range stands without parentheses: `for 0..n (i) { … }`");
    if (kind == K::Greater && joined && before == K::Less) return help("values are compared with `!=`");
    return false;
}

bool addStatementHelp(Parser& p, Diagnostic& made, uint32_t i) {
    if (i == 0) return addItemHelp(p, made, i);
    const Token& token = p.tokens[i];
    const Token& before = p.tokens[i - 1];
    if (before.kind == K::Int && token.kind == K::Ident && p.adjacent(i - 1)) {
        made.help(p.text(token)[0] == 'e' ? "numbers have no exponent form"
                                          : "numbers have no suffix: give the variable a type");
        return true;
    }
    if (before.kind == K::KwError || before.kind == K::KwProtocol) {
        if (token.kind != K::Ident) return false;
        made.help("a type is declared with `NAME :: " + std::string(spelling(before.kind)) + " { … }`");
        return true;
    }
    if (before.kind != K::Ident || before.raw || token.lineStart) return addItemHelp(p, made, i);
    const std::string_view word = p.text(before);
    const K next = p.tokens[std::min(i + 1, p.eof)].kind;
    const bool isType = isTypeWord(word) || ((next == K::Equal || next == K::Semicolon) && isTypeLike(word));
    if (token.kind == K::Ident && isType) {
        // `unsigned int q`, `long long q`: the name is the last word
        const bool isTwoWords = isTypeWord(p.text(token)) && next == K::Ident;
        const std::string name(p.text(isTwoWords ? p.tokens[i + 1] : token)),
            type(word == "int" && next == K::LParen ? "i32" : word);
        if (next == K::LParen)
            made.help("a function is declared with `" + name + " :: (PARAMETER: TYPE) -> " + type + " { … }`");
        else {
            const std::string_view other = foreignType(word); // no type of sx: which one is, says the second help
            made.help("the name comes first: `" + name + " : " + (next == K::LBracket ? "[N]" : "") +
                      (other.empty() ? type : "TYPE") + " = …;`");
            if (!other.empty()) made.help(std::string(other));
        }
        return true;
    }
    return addItemHelp(p, made, i);
}

bool addItemHelp(Parser& p, Diagnostic& made, uint32_t i) {
    switch (p.tokens[i].kind) {
    case K::KwStruct:
    case K::KwEnum:
    case K::KwUnion:
    case K::KwError:
        if (i < p.eof && p.tokens[i + 1].kind == K::Ident) {
            made.help("a type is declared with `NAME :: " + std::string(spelling(p.tokens[i].kind)) + " { … }`");
            return true;
        }
        return false;
    case K::KwExport:
        made.help("`export` stands behind the signature: `NAME :: (PARAMETER: TYPE) -> RESULT export { … }`");
        return true;
    case K::DirDefine: made.help("a constant is declared with `NAME :: VALUE;`"); return true;
    case K::Minus:
        if (!p.adjacent(i) || p.tokens[i + 1].kind != K::Minus) return false;
        made.help("comments start with `//`");
        return true;
    case K::DirInclude: made.help("C headers are included with `#import c { #include \"PATH\"; };`"); return true;
    default: return false;
    }
}

/// `@sizeOf(T)`, `@Override`, `@x`.
static void addAtHelp(Parser& p, Diagnostic& made, const Token& at) {
    const StringRef behind = StringRef(p.textBetween(at.end, p.tokens[p.eof].begin));
    const StringRef word = behind.take_while([](char c) { return c == '_' || llvm::isAlnum(c); });
    const bool isCall = behind.drop_front(word.size()).starts_with("(");
    if (isOneOf(word, {"as", "intCast", "truncate", "floatCast", "intFromFloat", "floatFromInt", "ptrCast"}))
        made.help("a conversion is written `x.(TYPE)`");
    else if (isOneOf(word, {"sizeOf", "alignOf", "typeOf", "TypeOf"})) {
        made.help(word == "sizeOf"    ? "the size of a type is `size_of(T)`"
                  : word == "alignOf" ? "the alignment of a type is `align_of(T)`"
                                      : "the type of a value is `type_of(x)`");
    } else if (!isCall && isTypeLike(word)) made.help("there are no annotations: leave it out");
    else if (!isCall) made.help("the address of `x` is written `*x`, what a pointer points to `p.*`");
}

void addLexHelp(Parser& p, Diagnostic& made, const Token& token) {
    const std::string_view word = p.text(token);
    switch (token.error) {
    case LexError::UnknownDirective: {
        if (word == "#") {
            made.help("comments start with `//`");
            return;
        }
        if (isOneOf(word, {"#if", "#ifdef", "#ifndef", "#elif", "#else", "#endif"})) {
            made.help("code for some targets only is written `inline if OS == { case .linux: … else: … }`");
            return;
        }
        std::vector<std::string_view> known{"#string"};
#define DIRECTIVE(name, spelling) known.push_back(spelling);
#include "syntax/Tokens.def"
        const std::string_view near = nearestName(word, known);
        if (!near.empty()) made.help(token.span(), "did you mean this?", correctedLine(p, token.span(), near));
        return;
    }
    case LexError::NonAscii:
        if (isOneOf(word, {"“", "”", "„", "«", "»"})) made.help("strings stand in plain double quotes: `\"`");
        else if (isOneOf(word, {"‘", "’", "´"})) made.help("character literals stand in plain single quotes: `'`");
        else if (isOneOf(word, {"–", "—", "−"})) made.help("use the plain hyphen-minus: `-`");
        else if (word == "\xC2\xA0") made.help("this is a no-break space: use a plain space");
        return;
    case LexError::UnterminatedChar: {
        const std::string_view before = p.textBetween(p.tokens[0].begin, token.begin);
        const bool isSeparator = !before.empty() && llvm::isAlnum(before.back()); // `1'000`
        made.help(isSeparator ? "digits are grouped with `_`: `1_000`" : "strings stand in double quotes");
        return;
    }
    case LexError::UnexpectedByte:
        if (word == "@" && llvm::StringRef(p.textBetween(token.end, p.tokens[p.eof].begin)).starts_with("import"))
            made.help("a file is imported with `#import \"PATH\";` or `NAME :: #import \"PATH\";`");
        else if (word == "@") addAtHelp(p, made, token);
        else if (word == "\\") made.help("a statement may simply go on in the next line");
        return;
    case LexError::LoneBacktick:
        made.help("a backtick makes a name of a keyword; strings stand in double quotes");
        return;
    case LexError::NulByte:
    case LexError::InvalidUtf8:
    case LexError::UnterminatedString:
    case LexError::UnterminatedHeredoc:
    case LexError::HeredocWithoutWord:
    case LexError::EmptyChar:
    case LexError::LongChar:
    case LexError::UnknownCharEscape:
    case LexError::BadHexEscape:
    case LexError::BadUnicodeEscape:
    case LexError::None: return;
    }
}

void noteUnclosed(Parser& p, Diagnostic& made, uint32_t open) {
    uint32_t culprit = open;
    if (p.tokens[open].kind == K::LBrace) culprit = suspiciousBrace(p, open);
    made.note(p.tokens[culprit].span(), "this `" + std::string(spelling(p.tokens[open].kind)) +
                                            (culprit == open ? "` is never closed" : "` seems to have no partner"));
}

/// A block that is closed by a brace further left than its own line lost its own brace; the brace that is
/// missing at the end of the file belongs to the innermost such block.
uint32_t suspiciousBrace(const Parser& p, uint32_t open) {
    auto indentation = [&](SourcePos pos) {
        const Location at = p.sources.resolve(pos);
        const std::string_view line = p.sources.lineText(at.file, at.line);
        return std::min(line.find_first_not_of(" \t"), line.size());
    };
    for (uint32_t i = open + 1; i < p.eof; ++i) {
        if (p.tokens[i].kind != K::LBrace || p.tokens[i].value == noMatch) continue;
        const Token& closer = p.tokens[p.tokens[i].value];
        if (closer.lineStart && indentation(closer.begin) < indentation(p.tokens[i].begin)) return i;
    }
    return open;
}

} // namespace sx
