#include "syntax/Lexer.h"
#include "syntax/Parser.h"

#include <catch2/catch.hpp>

using namespace sx;

namespace {

struct Lexed {
    SourceManager sources;
    NameTable names{knownNames()};
    std::vector<Token> tokens;

    explicit Lexed(std::string text) {
        const FileId file = sources.addFile("t.sx", "t.sx", std::move(text));
        tokens = lexFile(sources, file, names);
    }
    std::string_view text(size_t i) const { return sources.textOf(tokens[i].span()); }
};

/// The tokens' texts, separated by blanks; invalid ones in `<…>`.
std::string texts(const std::string& text) {
    const Lexed lexed(text);
    std::string out;
    for (size_t i = 0; i + 1 < lexed.tokens.size(); ++i) {
        if (i > 0) out += ' ';
        const std::string token(lexed.text(i));
        out += lexed.tokens[i].kind == TokenKind::Invalid ? "<" + token + ">" : token;
    }
    return out;
}

LexError errorOf(const std::string& text) {
    for (const Token& token : Lexed(text).tokens)
        if (token.error != LexError::None) return token.error;
    return LexError::None;
}

} // namespace

TEST_CASE("the longest operator wins") {
    CHECK(texts("a<..b") == "a <.. b");
    CHECK(texts("a<b") == "a < b");
    CHECK(texts("<..<<..=<..") == "<..< <..= <..");
    CHECK(texts("=..<=..==..") == "=..< =..= =..");
    CHECK(texts("..<..=..") == "..< ..= ..");
    CHECK(texts("1..<2") == "1 ..< 2");
    CHECK(texts("---x --y") == "--- x - - y");
    CHECK(texts("->=>-=") == "-> => -=");
    CHECK(texts("a|>b| >c|=d") == "a |> b | > c |= d");
    CHECK(texts("::= := ::") == ":: = := ::");
    CHECK(texts("a??b?.c?d") == "a ?? b ?. c ? d");
    CHECK(texts("<<=<<<=<>>=>>>=>") == "<<= << <= < >>= >> >= >");
    CHECK(texts("!= ! == = x!=y") == "!= ! == = x != y");
    CHECK(texts("+= + *= * /= / %= % &= & ^= ^ ~ $") == "+= + *= * /= / %= % &= & ^= ^ ~ $");
}

TEST_CASE("numbers") {
    CHECK(texts("1_000 0xFF_ff 0X1 0o17 0b1010_ 1_.5_0") == "1_000 0xFF_ff 0X1 0o17 0b1010_ 1_.5_0");
    CHECK(texts("1.foo 0..5 1. t.0.1") == "1 . foo 0 .. 5 1 . t . 0.1");
    CHECK(texts("56.(i8)") == "56 . ( i8 )");
    CHECK(texts("0x_F") == "0x_F");
    CHECK(texts("1e5 1.5E-3 2e+1_0 1e5e5 0..1e3 1e 1e+ 1e_5") == "1e5 1.5E-3 2e+1_0 1e5 e5 0 .. 1e3 1 e 1 e + 1 e_5");
    CHECK(texts("0b12 0xFF.max") == "0b1 2 0xFF . max");
}

TEST_CASE("names, keywords and raw names") {
    const Lexed lexed("if `if iffy _x9 `i32 protocol");
    CHECK(lexed.tokens[0].kind == TokenKind::KwIf);
    CHECK(lexed.tokens[1].kind == TokenKind::Ident);
    CHECK(lexed.tokens[1].raw);
    CHECK(lexed.text(1) == "if"); // the span excludes the backtick
    CHECK(lexed.tokens[0].name() == lexed.tokens[1].name());
    CHECK(lexed.tokens[2].kind == TokenKind::Ident);
    CHECK(lexed.names.text(lexed.tokens[3].name()) == "_x9");
    CHECK(lexed.tokens[4].raw);
    CHECK(isIdentLike(lexed.tokens[5].kind));
}

TEST_CASE("every keyword and directive is recognised") {
#define KEYWORD(name, spelling) \
    CHECK(Lexed(spelling).tokens[0].kind == TokenKind::Kw##name); \
    CHECK(Lexed(spelling "x").tokens[0].kind == TokenKind::Ident);
#define DIRECTIVE(name, spelling) \
    CHECK(Lexed(spelling).tokens[0].kind == TokenKind::Dir##name); \
    CHECK(Lexed(spelling "x").tokens[0].kind == TokenKind::Invalid);
#define PUNCT(name, spelling) CHECK(Lexed(spelling).tokens[0].kind == TokenKind::name);
#include "syntax/Tokens.def"
}

TEST_CASE("comments and lines") {
    const Lexed lexed("a // x \"\n  b\tc // end");
    REQUIRE(lexed.tokens.size() == 4);
    CHECK(lexed.tokens[0].lineStart);
    CHECK(lexed.tokens[1].lineStart);
    CHECK_FALSE(lexed.tokens[2].lineStart);
    CHECK(Lexed("").tokens.size() == 1);
    CHECK(Lexed("// only").tokens.size() == 1);
    CHECK(texts("\xEF\xBB\xBF"
                "a") == "a"); // byte order mark
}

TEST_CASE("strings may span lines") {
    CHECK(texts("\"a\nb\" c") == "\"a\nb\" c");
    CHECK(texts("\"q \\\" r\"") == "\"q \\\" r\"");
    CHECK(texts("\"\\\\\" x") == "\"\\\\\" x");
    CHECK(errorOf("\"open") == LexError::UnterminatedString);
    CHECK(errorOf("\"open\\") == LexError::UnterminatedString);
    CHECK(errorOf("\"open\\\"") == LexError::UnterminatedString);
    const Lexed lexed("x \"open\nmore");
    CHECK(lexed.text(1) == "\"open"); // it ends at its line
    CHECK(lexed.text(2) == "more");
    CHECK(lexed.tokens.size() == 4);
}

TEST_CASE("heredocs") {
    CHECK(texts("#string END ignored\ntext\n ENDX\nENDX\nEND;") == "#string END ignored\ntext\n ENDX\nENDX\nEND ;");
    CHECK(texts("#string E\nE+") == "#string E\nE +");
    CHECK(errorOf("#string E\ntext") == LexError::UnterminatedHeredoc);
    CHECK(errorOf("#string E") == LexError::UnterminatedHeredoc);
    CHECK(errorOf("#string 5") == LexError::HeredocWithoutWord);
}

TEST_CASE("invalid tokens") {
    CHECK(errorOf("a @ b") == LexError::UnexpectedByte);
    CHECK(errorOf("\\") == LexError::UnexpectedByte);
    CHECK(errorOf("\x01") == LexError::UnexpectedByte);
    CHECK(errorOf(std::string("a\0b", 3)) == LexError::NulByte);
    CHECK(errorOf("\xC3\xA9") == LexError::NonAscii);
    CHECK(errorOf("\xFF") == LexError::InvalidUtf8);
    CHECK(errorOf("\xC0\x80") == LexError::InvalidUtf8);
    CHECK(errorOf("\xED\xA0\x80") == LexError::InvalidUtf8);
    CHECK(errorOf("` x") == LexError::LoneBacktick);
    CHECK(errorOf("`") == LexError::LoneBacktick);
    CHECK(errorOf("#nope") == LexError::UnknownDirective);
    CHECK(errorOf("#") == LexError::UnknownDirective);
    CHECK(errorOf("#runx") == LexError::UnknownDirective);
    CHECK(errorOf("// \xC3\xA9 \xFF\n \"\xC3\xA9 \xFF\"") == LexError::None);
    CHECK(Lexed("a\xC3\xA9"
                "b")
              .text(1) == "\xC3\xA9"); // a whole character is one token
}

TEST_CASE("characters") {
    const auto value = [](const std::string& text) { return Lexed(text).tokens[0].value; };
    CHECK(value("'a'") == 'a');
    CHECK(value("'\xC3\xA9'") == 233);
    CHECK(value("'\xF0\x9F\x98\x80'") == 0x1F600);
    CHECK(value("'\\n'") == 10);
    CHECK(value("'\\t'") == 9);
    CHECK(value("'\\r'") == 13);
    CHECK(value("'\\0'") == 0);
    CHECK(value("'\\\\'") == 92);
    CHECK(value("'\\''") == 39);
    CHECK(value("'\"'") == 34);
    CHECK(value("'\\x7'") == 7);
    CHECK(value("'\\x41'") == 0x41);
    CHECK(value("'\\u{1F600}'") == 0x1F600);
    CHECK(errorOf("''") == LexError::EmptyChar);
    CHECK(errorOf("'ab'") == LexError::LongChar);
    CHECK(errorOf("'\\nn'") == LexError::LongChar);
    CHECK(errorOf("'\\\"'") == LexError::UnknownCharEscape);
    CHECK(errorOf("'\\q'") == LexError::UnknownCharEscape);
    CHECK(errorOf("'\\x'") == LexError::BadHexEscape);
    CHECK(errorOf("'\\x123'") == LexError::BadHexEscape);
    CHECK(errorOf("'\\xg1'") == LexError::BadHexEscape);
    CHECK(errorOf("'\\u{}'") == LexError::BadUnicodeEscape);
    CHECK(errorOf("'\\u{1234567}'") == LexError::BadUnicodeEscape);
    CHECK(errorOf("'\\u{110000}'") == LexError::BadUnicodeEscape);
    CHECK(errorOf("'\\u{D800}'") == LexError::BadUnicodeEscape);
    CHECK(errorOf("'\\u41'") == LexError::BadUnicodeEscape);
    CHECK(errorOf("'\\u'") == LexError::BadUnicodeEscape);
    CHECK(errorOf("'\xFF'") == LexError::InvalidUtf8);
    CHECK(errorOf("'a") == LexError::UnterminatedChar);
    CHECK(errorOf("'\n'") == LexError::UnterminatedChar);
    CHECK(errorOf("'") == LexError::UnterminatedChar);
}

TEST_CASE("brackets know their partners") {
    const auto partner = [](const std::string& text, size_t i) { return Lexed(text).tokens[i].value; };
    CHECK(partner("( [ { } ] )", 0) == 5);
    CHECK(partner("( [ { } ] )", 3) == 2);
    CHECK(partner("( { ) }", 1) == 3); // `)` does not reach out of a brace
    CHECK(partner("( { ) }", 2) == noMatch);
    CHECK(partner("( { ) }", 0) == noMatch);
    CHECK(partner("{ ( [ }", 0) == 3); // `}` closes over what is open inside
    CHECK(partner("{ ( [ }", 1) == noMatch);
    CHECK(partner(") ]", 0) == noMatch);
    CHECK(partner("( [ )", 0) == 2);
    CHECK(partner("( [ )", 1) == noMatch);
}

TEST_CASE("the text form of the tokens") {
    SourceManager sources;
    const FileId file = sources.addFile("t.sx", "t.sx", "x :: 'a' + `if;\nreturn \"s\\n\"");
    std::string out;
    llvm::raw_string_ostream stream(out);
    dumpTokens(sources, file, stream);
    stream.flush();
    CHECK(out == "1:1-1:2 name x\n"
                 "1:3-1:5 ::\n"
                 "1:6-1:9 character literal 'a'\n"
                 "1:10-1:11 +\n"
                 "1:13-1:15 raw name if\n"
                 "1:15-1:16 ;\n"
                 "2:1-2:7 keyword return\n"
                 "2:8-2:13 string \\\"s\\\\n\\\"\n"
                 "2:13-2:13 end\n");
}
