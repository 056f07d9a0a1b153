// The lexer walks the text once with a pointer. A NUL byte ends the text of every file (std::string
// guarantees it), so no test for the end is needed inside a token.
#include "syntax/Lexer.h"

#include "syntax/BodyFinder.h"
#include "syntax/Brackets.h"
#include "syntax/CharLiteral.h"
#include "syntax/KnownNames.h"
#include "syntax/Utf8.h"

#include <array>
#include <cstring>
#include <utility>

namespace sx {
namespace {

using K = TokenKind;

enum CharClass : uint8_t {
    identStart = 1,
    digit = 2,
    hexDigit = 4,
    identPart = 8,
    braceOrText = 16, ///< a brace, what may begin a text or a comment that holds one, or NUL
};

constexpr std::array<uint8_t, 256> makeCharClasses() {
    std::array<uint8_t, 256> table{};
    for (int c = 'a'; c <= 'z'; ++c) table[static_cast<size_t>(c)] |= identStart | identPart;
    for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<size_t>(c)] |= identStart | identPart;
    table['_'] |= identStart | identPart;
    for (int c = '0'; c <= '9'; ++c) table[static_cast<size_t>(c)] |= digit | hexDigit | identPart;
    for (int c = 'a'; c <= 'f'; ++c) table[static_cast<size_t>(c)] |= hexDigit;
    for (int c = 'A'; c <= 'F'; ++c) table[static_cast<size_t>(c)] |= hexDigit;
    for (unsigned char c : {'{', '}', '"', '\'', '/', '#', '\0'}) table[c] |= braceOrText;
    return table;
}

constexpr std::array<uint8_t, 256> charClasses = makeCharClasses();

bool is(char c, uint8_t classes) { return (charClasses[static_cast<unsigned char>(c)] & classes) != 0; }

K directiveKind(std::string_view word) {
#define DIRECTIVE(name, spelling) \
    if (word == spelling) return K::Dir##name;
#include "syntax/Tokens.def"
    return K::Invalid;
}

class Lexer {
public:
    /// What stands behind `text` in memory ends every token that would go on.
    Lexer(std::string_view text, SourcePos start, NameTable& names)
        : begin_(text.data()), end_(text.data() + text.size()), at_(text.data()), start_(start), names_(names) {
        tokens_.reserve(text.size() / 2 + 16); // pages that stay unused cost nothing
    }

    std::vector<Token> run(bool defersBodies = false) {
        if (end_ - begin_ >= 3 && std::memcmp(begin_, "\xEF\xBB\xBF", 3) == 0) at_ += 3; // byte order mark
        for (;;) {
            skipBlanks();
            tokenBegin_ = at_;
            if (at_ >= end_) break; // blanks behind a block are none of it
            lexToken();
            lineStart_ = false;
            if (defersBodies && finder_.beginsBody(tokens_.back().kind)) passBody();
        }
        at_ = tokenBegin_ = end_;
        push(K::Eof);
        matchBrackets(tokens_);
        return std::move(tokens_);
    }

private:
    // ---- bodies that are read later

    /// Behind the `{` of a body. One that is never closed is read as any other text.
    void passBody() {
        const char* const end = endOfBlock();
        if (!end) return;
        at_ = end;
        tokens_.back().kind = K::DeferredBody;
        tokens_.back().end = positionOf(at_);
    }

    /// The end of the block in which the lexer stands, null if it has none. Of its tokens only those are made that may
    /// hold a brace, and dropped.
    const char* endOfBlock() {
        const char* const first = at_;
        const size_t tokens = tokens_.size();
        for (uint32_t open = 1; open != 0 && at_ < end_;) {
            while (!is(*at_, braceOrText)) ++at_;
            switch (*at_) {
            case '{': ++open, ++at_; break;
            case '}': --open, ++at_; break;
            case '/': at_[1] == '/' ? skipLine() : void(++at_); break;
            case '"':
            case '\'':
            case '#':
                tokenBegin_ = at_;
                lexToken();
                break;
            default: ++at_;
            }
            if (open == 0) {
                tokens_.resize(tokens);
                return std::exchange(at_, first);
            }
        }
        tokens_.resize(tokens);
        at_ = first;
        return nullptr;
    }

    // ---- output

    Token& push(K kind, uint32_t value = 0) {
        return tokens_.emplace_back(
            Token{kind, LexError::None, false, lineStart_, positionOf(tokenBegin_), positionOf(at_), value});
    }

    void pushInvalid(LexError error) { push(K::Invalid).error = error; }

    void punct(K kind, int length) {
        at_ += length;
        push(kind);
    }

    SourcePos positionOf(const char* p) const { return start_ + static_cast<uint32_t>(p - begin_); }

    // ---- blanks

    void skipBlanks() {
        for (;;) {
            switch (*at_) {
            case '\n': lineStart_ = true; [[fallthrough]];
            case ' ':
            case '\t':
            case '\r': ++at_; continue;
            case '/':
                if (at_[1] != '/') return;
                skipLine();
                continue;
            default: return;
            }
        }
    }

    void skipLine() {
        const void* newline = std::memchr(at_, '\n', static_cast<size_t>(end_ - at_));
        at_ = newline ? static_cast<const char*>(newline) : end_;
    }

    // ---- tokens

    void lexToken() {
        const char c = *at_;
        if (is(c, identStart)) return lexName();
        if (is(c, digit)) return lexNumber();
        switch (c) {
        case '(': return punct(K::LParen, 1);
        case ')': return punct(K::RParen, 1);
        case '[': return punct(K::LBracket, 1);
        case ']': return punct(K::RBracket, 1);
        case '{': return punct(K::LBrace, 1);
        case '}': return punct(K::RBrace, 1);
        case ',': return punct(K::Comma, 1);
        case ';': return punct(K::Semicolon, 1);
        case '~': return punct(K::Tilde, 1);
        case '$': return punct(K::Dollar, 1);
        case '"': return lexString();
        case '\'': return lexChar();
        case '`': return lexRawName();
        case '#': return lexDirective();
        case ':': return lexColon();
        case '.': return lexDot();
        case '?': return lexQuestion();
        case '<': return lexLess();
        case '>': return lexGreater();
        case '=': return lexEqual();
        case '-': return lexMinus();
        case '|': return lexPipe();
        case '!': return withEqual(K::Bang, K::BangEqual);
        case '+': return withEqual(K::Plus, K::PlusEqual);
        case '*': return withEqual(K::Star, K::StarEqual);
        case '/': return withEqual(K::Slash, K::SlashEqual);
        case '%': return withEqual(K::Percent, K::PercentEqual);
        case '&': return withEqual(K::Amp, K::AmpEqual);
        case '^': return withEqual(K::Caret, K::CaretEqual);
        default: return lexUnexpected();
        }
    }

    void lexName() {
        const char* p = at_ + 1;
        while (is(*p, identPart)) ++p;
        const Name name = names_.intern(std::string_view(at_, static_cast<size_t>(p - at_)));
        at_ = p;
        push(keywordOf(name), static_cast<uint32_t>(name));
    }

    void lexRawName() {
        ++at_;
        if (!is(*at_, identStart)) return pushInvalid(LexError::LoneBacktick);
        tokenBegin_ = at_;
        while (is(*at_, identPart)) ++at_;
        const Name name = names_.intern(std::string_view(tokenBegin_, static_cast<size_t>(at_ - tokenBegin_)));
        push(K::Ident, static_cast<uint32_t>(name)).raw = true;
    }

    void lexNumber() {
        if (*at_ == '0' && lexPrefixedInteger()) return;
        skipDigits(digit);
        const bool hasFraction = at_[0] == '.' && is(at_[1], digit);
        if (hasFraction) {
            ++at_;
            skipDigits(digit);
        }
        const bool hasExponent = skipExponent();
        push(hasFraction || hasExponent ? K::Float : K::Int);
    }

    /// `e`, perhaps a sign, digits. Without a digit the `e` begins a name.
    bool skipExponent() {
        if (*at_ != 'e' && *at_ != 'E') return false;
        const char* const digits = at_ + (at_[1] == '+' || at_[1] == '-' ? 2 : 1);
        if (!is(*digits, digit)) return false;
        at_ = digits;
        skipDigits(digit);
        return true;
    }

    bool lexPrefixedInteger() {
        switch (at_[1]) {
        case 'x':
        case 'X':
            at_ += 2;
            skipDigits(hexDigit);
            break;
        case 'o':
        case 'O':
            at_ += 2;
            while ((*at_ >= '0' && *at_ <= '7') || *at_ == '_') ++at_;
            break;
        case 'b':
        case 'B':
            at_ += 2;
            while (*at_ == '0' || *at_ == '1' || *at_ == '_') ++at_;
            break;
        default: return false;
        }
        push(K::Int);
        return true;
    }

    void skipDigits(uint8_t classes) {
        while (is(*at_, classes) || *at_ == '_') ++at_;
    }

    void lexString() {
        for (++at_;; ++at_) {
            if (*at_ == '"') {
                ++at_;
                push(K::String);
                return;
            }
            if (*at_ == '\\' && at_ + 1 < end_) ++at_;
            else if (*at_ == '\0' && at_ >= end_) break;
        }
        // No quote comes any more: the one that is missing belongs into the first line.
        at_ = tokenBegin_;
        skipLine();
        pushInvalid(LexError::UnterminatedString);
    }

    void lexChar() {
        const CharLiteral literal = scanCharLiteral(at_, end_);
        at_ += literal.length;
        if (literal.error == LexError::UnterminatedChar) return pushInvalid(literal.error);
        push(K::Char, literal.value).error = literal.error;
    }

    void lexDirective() {
        ++at_;
        while (is(*at_, identPart)) ++at_;
        const std::string_view word(tokenBegin_, static_cast<size_t>(at_ - tokenBegin_));
        if (word == "#string") return lexHeredoc();
        const K kind = directiveKind(word);
        if (kind == K::Invalid) return pushInvalid(LexError::UnknownDirective);
        push(kind);
    }

    /// `#string WORD`, the rest of the line ignored, then raw lines up to one that starts with WORD.
    void lexHeredoc() {
        while (*at_ == ' ' || *at_ == '\t') ++at_;
        if (!is(*at_, identStart)) return pushInvalid(LexError::HeredocWithoutWord);
        const char* const wordBegin = at_;
        while (is(*at_, identPart)) ++at_;
        const auto wordLength = static_cast<size_t>(at_ - wordBegin);
        const char* const wordEnd = at_;
        for (skipLine(); at_ < end_; skipLine()) {
            ++at_;
            if (static_cast<size_t>(end_ - at_) >= wordLength && std::memcmp(at_, wordBegin, wordLength) == 0 &&
                !is(at_[wordLength], identPart)) {
                at_ += wordLength;
                push(K::Heredoc);
                return;
            }
        }
        at_ = wordEnd; // as for strings
        pushInvalid(LexError::UnterminatedHeredoc);
        at_ = end_;
    }

    void lexColon() {
        if (at_[1] == ':') return punct(K::ColonColon, 2);
        if (at_[1] == '=') return punct(K::ColonEqual, 2);
        punct(K::Colon, 1);
    }

    void lexDot() {
        if (at_[1] != '.') return punct(K::Dot, 1);
        rangeOperator(0, K::DotDot, K::DotDotEqual, K::DotDotLess);
    }

    void lexQuestion() {
        if (at_[1] == '?') return punct(K::QuestionQuestion, 2);
        if (at_[1] == '.') return punct(K::QuestionDot, 2);
        punct(K::Question, 1);
    }

    void lexLess() {
        if (at_[1] == '.' && at_[2] == '.')
            return rangeOperator(1, K::LessDotDot, K::LessDotDotEqual, K::LessDotDotLess);
        if (at_[1] == '<') return at_[2] == '=' ? punct(K::LessLessEqual, 3) : punct(K::LessLess, 2);
        withEqual(K::Less, K::LessEqual);
    }

    void lexGreater() {
        if (at_[1] == '>') return at_[2] == '=' ? punct(K::GreaterGreaterEqual, 3) : punct(K::GreaterGreater, 2);
        withEqual(K::Greater, K::GreaterEqual);
    }

    void lexEqual() {
        if (at_[1] == '.' && at_[2] == '.')
            return rangeOperator(1, K::EqualDotDot, K::EqualDotDotEqual, K::EqualDotDotLess);
        if (at_[1] == '>') return punct(K::FatArrow, 2);
        withEqual(K::Equal, K::EqualEqual);
    }

    void lexMinus() {
        if (at_[1] == '-' && at_[2] == '-') return punct(K::DashDashDash, 3);
        if (at_[1] == '>') return punct(K::Arrow, 2);
        withEqual(K::Minus, K::MinusEqual);
    }

    void lexPipe() {
        if (at_[1] == '>') return punct(K::PipeGreater, 2);
        withEqual(K::Pipe, K::PipeEqual);
    }

    void withEqual(K alone, K equal) { at_[1] == '=' ? punct(equal, 2) : punct(alone, 1); }

    /// The `..` starts at `at_[prefix]`.
    void rangeOperator(int prefix, K open, K inclusive, K exclusive) {
        const char after = at_[prefix + 2];
        if (after == '=') return punct(inclusive, prefix + 3);
        if (after == '<') return punct(exclusive, prefix + 3);
        punct(open, prefix + 2);
    }

    void lexUnexpected() {
        const auto byte = static_cast<unsigned char>(*at_);
        if (byte < 0x80) {
            ++at_;
            return pushInvalid(byte == 0 ? LexError::NulByte : LexError::UnexpectedByte);
        }
        const Utf8Char decoded = decodeUtf8(at_, end_);
        at_ += decoded.length;
        pushInvalid(decoded.valid ? LexError::NonAscii : LexError::InvalidUtf8);
    }

    const char* const begin_;
    const char* const end_;
    const char* at_;
    const char* tokenBegin_ = nullptr;
    const SourcePos start_;
    NameTable& names_;
    std::vector<Token> tokens_;
    bool lineStart_ = true;
    BodyFinder finder_;
};

} // namespace

std::vector<Token> lexFile(const SourceManager& sources, FileId file, NameTable& names) {
    return Lexer(sources.text(file), sources.start(file), names).run();
}

std::vector<Token> lexOutline(const SourceManager& sources, FileId file, NameTable& names) {
    return Lexer(sources.text(file), sources.start(file), names).run(true);
}

std::vector<Token> lexBlock(const SourceManager& sources, Span block, NameTable& names) {
    return Lexer(sources.textOf(block), block.begin, names).run();
}

} // namespace sx
