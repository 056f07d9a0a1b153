// Spellings and descriptions of tokens, for messages and dumps.
#include "syntax/Grammar.h"
#include "syntax/Lexer.h"
#include "syntax/Utf8.h"

namespace sx {

std::string_view spelling(TokenKind kind) {
    // clang-format off
    switch (kind) {
#define TOKEN(name, description) case TokenKind::name: return description;
#define PUNCT(name, text) case TokenKind::name: return text;
#define KEYWORD(name, text) case TokenKind::Kw##name: return text;
#define DIRECTIVE(name, text) case TokenKind::Dir##name: return text;
#include "syntax/Tokens.def"
    }
    // clang-format on
    return {};
}

bool hasFixedSpelling(TokenKind kind) { return kind > TokenKind::Heredoc; }

namespace {

std::string hexByte(unsigned char byte) {
    constexpr const char* digits = "0123456789ABCDEF";
    return {'0', 'x', digits[byte >> 4], digits[byte & 15]};
}

std::string unexpectedByte(std::string_view text) {
    const auto byte = static_cast<unsigned char>(text.empty() ? 0 : text[0]);
    if (byte < 0x20 || byte == 0x7F) return "the control byte " + hexByte(byte) + " has no meaning here";
    return "the character " + code(text) + " has no meaning in sx";
}

} // namespace

std::string Parser::describe(const Token& token) const {
    switch (token.kind) {
    case K::Eof:
    case K::String:
    case K::Heredoc: return std::string(spelling(token.kind));
    case K::Ident: return code(context.names.text(token.name()));
    case K::Int:
    case K::Float: return "the number " + code(text(token));
    case K::Char: return "the character " + std::string(text(token));
    case K::Invalid: return lexErrorMessage(*this, token);
    default: break;
    }
    if (isKeyword(token.kind)) return "the keyword " + code(spelling(token.kind));
    return code(spelling(token.kind));
}

std::string lexErrorMessage(const Parser& p, const Token& token) {
    const std::string_view word = p.text(token);
    switch (token.error) {
    case LexError::None: return "invalid token";
    case LexError::UnexpectedByte: return unexpectedByte(word);
    case LexError::NulByte: return "a NUL byte: this is not a text file";
    case LexError::NonAscii:
        return code(word) +
               " may only stand in comments, strings and character literals: names and operators are ASCII";
    case LexError::InvalidUtf8:
        if (token.kind == K::Char) return "a character literal must hold valid UTF-8";
        return "the byte " + hexByte(static_cast<unsigned char>(word.empty() ? 0 : word[0])) + " is not text";
    case LexError::LoneBacktick: return "a backtick must stand directly before a name";
    case LexError::UnknownDirective:
        return word == "#" ? "`#` must be followed by the name of a directive" : "unknown directive " + code(word);
    case LexError::UnterminatedString: return "this string has no closing `\"`";
    case LexError::UnterminatedChar: return "this character literal has no closing `'` on its line";
    case LexError::UnterminatedHeredoc:
        return "no later line starts with " + code(word.substr(word.find_last_of(" \t") + 1)) +
               ", which would end this text";
    case LexError::HeredocWithoutWord: return "`#string` needs a word that marks the end of the text";
    case LexError::EmptyChar: return "a character literal must hold a character";
    case LexError::LongChar: return "a character literal holds exactly one character";
    case LexError::UnknownCharEscape:
        return "unknown escape in a character literal: there are `\\n \\t \\r \\\\ \\' \\0 \\xNN \\u{…}`";
    case LexError::BadHexEscape: return "`\\x` takes one or two hexadecimal digits";
    case LexError::BadUnicodeEscape: return "`\\u{…}` takes one to six hexadecimal digits of a Unicode scalar value";
    }
    return {};
}

void dumpTokens(const SourceManager& sources, FileId file, llvm::raw_ostream& out) {
    NameTable names(knownNames());
    for (const Token& token : lexFile(sources, file, names)) {
        const Location begin = sources.resolve(token.begin);
        const Location end = sources.resolve(token.end);
        out << begin.line << ':' << begin.col << '-' << end.line << ':' << end.col << ' ';
        if (isKeyword(token.kind)) out << "keyword ";
        if (token.kind == TokenKind::Eof) {
            out << "end\n";
            continue;
        }
        if (!hasFixedSpelling(token.kind)) {
            std::string_view kind = spelling(token.kind);
            kind.remove_prefix(kind.find(' ') + 1); // without the article
            out << (token.raw ? "raw " : "") << llvm::StringRef(kind.data(), kind.size()) << ' ';
        }
        const std::string_view text = sources.textOf(token.span());
        out.write_escaped(llvm::StringRef(text.data(), text.size())) << '\n';
    }
}

} // namespace sx
