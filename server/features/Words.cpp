#include "server/features/Words.h"

#include "syntax/Brackets.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

namespace sx::server {

namespace {

using K = TokenKind;

/// What a brace, or the file itself, holds.
enum class Inside : uint8_t { Module, Code, Match, Struct, Names, Literal, CImport, Asm };

class Reader {
public:
    Reader(const Syntax& s, uint32_t offset) : s_(s), offset_(offset) {
        while (next_ < s.tokens.size() && s.offset(s.tokens[next_].begin) < offset && kind(next_) != K::Eof) {
            if (isOpener(kind(next_))) open_.push_back(next_);
            else if (isCloser(kind(next_)) && !open_.empty()) open_.pop_back();
            ++next_;
        }
    }

    Words run() {
        Words words = anything();
        if (offset_ >= s_.text().size() || s_.text()[offset_] != '#') return words;
        std::erase_if(words.keywords, [](std::string_view word) { return word.front() != '#'; });
        words.names = false;
        return words;
    }

private:
    Words anything() {
        if (isInText()) return {{}, false, false, false, true};
        if (next_ == 0) return begin(Inside::Module, K::Eof);
        K before = kind(next_ - 1);
        switch (before) {
        case K::Semicolon:
        case K::LBrace: return begin(inside(), before);
        case K::RBrace: return isLiteralEnd(next_ - 1) ? behindOperand() : begin(inside(), before);
        case K::RParen:
            if (std::optional<Words> words = behindBinding()) return *words;
            break;
        case K::Colon: return behindColon(next_ - 1);
        case K::ColonColon: return declaration();
        case K::Arrow: return type();
        case K::KwRaise: return {{"error"}, true, true, false, false};
        case K::KwTry:
        case K::KwXx: return {};
        case K::KwElse: return merged({"if"}, expressionWords());
        case K::KwInline: return {{"if", "for", "while"}, true, false, false, false};
        case K::KwCase: return {{"error", "true", "false", "null"}, false, true, false, false};
        case K::KwCatch:
        case K::KwBreak:
        case K::KwContinue:
        case K::KwImpl:
        case K::Dollar: return {{}, false, before == K::KwImpl, before == K::KwImpl, false};
        case K::KwPrivate: return {{}, false, false, false, false};
        default: break;
        }
        if (isTypeBefore(next_)) return type();
        return endsOperand(next_ - 1) ? behindOperand() : Words{expressionWords(), false, true, false, false};
    }

    using List = std::vector<std::string_view>;

    K kind(size_t i) const { return s_.tokens[i].kind; }

    static Words merged(List first, const List& rest) {
        for (std::string_view word : rest)
            if (std::find(first.begin(), first.end(), word) == first.end()) first.push_back(word);
        return {std::move(first), false, true, false, false};
    }
    static List expressionWords() {
        return {"true", "false", "null", "if", "try", "error", "xx", "context", "#run", "#caller_location", "inline"};
    }
    static Words type() { return {{"Type", "Self", "struct", "enum", "union"}, false, true, true, false}; }

    /// In a string, in a comment, or in a string that has no end yet.
    bool isInText() const {
        uint32_t from = 0;
        if (next_ > 0) {
            const Token& t = s_.tokens[next_ - 1];
            bool isText = t.kind == K::String || t.kind == K::Char || t.kind == K::Heredoc;
            if (isText && s_.offset(t.end) > offset_) return true;
            if (t.error == LexError::UnterminatedString || t.error == LexError::UnterminatedHeredoc) return true;
            from = std::min(s_.offset(t.end), offset_);
        }
        std::string_view gap = s_.text().substr(from, offset_ - from);
        size_t comment = gap.rfind("//");
        return comment != std::string_view::npos && gap.find('\n', comment) == std::string_view::npos;
    }

    bool isLiteralEnd(size_t closer) const {
        uint32_t opener = s_.tokens[closer].value;
        return opener != noMatch && opener > 0 && kind(opener - 1) == K::Dot;
    }

    /// The first token of the statement, member or item that goes on before token `end`, within its brackets.
    size_t head(size_t end) const {
        size_t i = end;
        while (i > 0) {
            K k = kind(i - 1);
            if (k == K::Semicolon || isOpener(k)) break;
            if (k == K::RBrace && !isLiteralEnd(i - 1)) break;
            size_t opener = isCloser(k) ? s_.tokens[i - 1].value : noMatch;
            i = opener < i ? opener : i - 1;
        }
        return i;
    }

    bool has(size_t from, size_t to, std::initializer_list<K> kinds) const {
        for (size_t i = from; i < to; ++i)
            if (std::find(kinds.begin(), kinds.end(), kind(i)) != kinds.end()) return true;
        return false;
    }

    Inside ofBrace(size_t brace) const {
        if (kind(brace) != K::LBrace) return Inside::Literal;
        K before = brace > 0 ? kind(brace - 1) : K::Eof;
        if (before == K::Dot) return Inside::Literal;
        if (before == K::EqualEqual) return Inside::Match;
        size_t from = head(brace);
        if (has(from, brace, {K::KwAsm})) return Inside::Asm;
        if (has(from, brace, {K::DirImport})) return Inside::CImport;
        if (kind(from) == K::KwImpl || before == K::KwStruct || before == K::KwUnion) return Inside::Struct;
        for (size_t i = from; i + 1 < brace; ++i) {
            if (kind(i) != K::ColonColon) continue;
            K declared = kind(i + 1);
            if (declared == K::KwStruct || declared == K::KwUnion || declared == K::KwProtocol) return Inside::Struct;
            if (declared == K::KwEnum || declared == K::KwError) return Inside::Names;
        }
        return before == K::KwEnum ? Inside::Names : Inside::Code;
    }
    Inside inside() const { return open_.empty() ? Inside::Module : ofBrace(open_.back()); }

    /// Whether a loop is open around the place, in the same function.
    bool isInLoop() const {
        for (auto brace = open_.rbegin(); brace != open_.rend(); ++brace) {
            size_t from = head(*brace);
            if (has(from, *brace, {K::KwFor, K::KwWhile})) return true;
            if (has(from, *brace, {K::ColonColon, K::Arrow})) return false;
        }
        return false;
    }

    List statementWords() const {
        List words{"return", "if", "for", "while", "try", "raise", "defer", "onfail"};
        if (isInLoop()) words.insert(words.end(), {"break", "continue"});
        words.insert(words.end(), {"push", "inline", "#insert", "#run", "#import", "#error", "true", "false", "null",
                                   "xx", "error", "context"});
        return words;
    }

    /// Where a statement, member or item begins.
    Words begin(Inside place, K before) const {
        bool behindBlock = before == K::RBrace && has(head(openerOf(next_ - 1)), openerOf(next_ - 1), {K::KwIf});
        switch (place) {
        case Inside::Module:
            return {{"#import", "#run", "impl", "private", "inline", "#context_extend", "#error", "#framework", "asm"}};
        case Inside::Struct: return {{"#using"}};
        case Inside::Names: return {};
        case Inside::CImport: return {{"#include", "#source", "#define", "#flags"}, true, false, false, false};
        case Inside::Match:
            if (before == K::LBrace) return {{"case", "else"}, true, false, false, false};
            return merged({"case", "else"}, statementWords());
        case Inside::Code: return behindBlock ? merged({"else"}, statementWords()) : merged({}, statementWords());
        case Inside::Literal:
        case Inside::Asm: break;
        }
        return {expressionWords()};
    }

    size_t openerOf(size_t closer) const {
        uint32_t opener = s_.tokens[closer].value;
        return opener < closer ? opener : closer;
    }

    /// Behind the `(e)` of a `catch` or `onfail`, or of an arm.
    std::optional<Words> behindBinding() const {
        size_t opener = openerOf(next_ - 1);
        K before = opener > 0 && opener < next_ - 1 ? kind(opener - 1) : K::Eof;
        if (before == K::KwCatch || before == K::KwOnFail) return Words{expressionWords()};
        if (before == K::Colon && !behindColon(opener - 1).isType) return behindColon(opener - 1);
        return std::nullopt;
    }

    /// Of an arm the statements follow, of a declaration its type, or behind that its value.
    Words behindColon(size_t colon) const {
        size_t from = head(colon);
        K first = kind(from);
        if (first == K::KwCase || first == K::KwElse) return merged(statementWords(), {"case", "else"});
        for (size_t i = from; i < colon; ++i)
            if (kind(i) == K::Comma) from = i + 1;
        if (has(from, colon, {K::Colon})) return {expressionWords()};
        return type();
    }

    Words declaration() const {
        return merged({"struct", "enum", "error", "union", "protocol", "#import", "#library", "ufcs", "#run"},
                      expressionWords());
    }

    /// Behind the prefixes of a type: `: *`, `-> []`, `(i64, !`.
    bool isTypeBefore(size_t i) const {
        while (i > 0) {
            K k = kind(i - 1);
            if (k == K::Arrow) return true;
            if (k == K::Colon) return behindColon(i - 1).isType;
            if (k == K::Comma || k == K::LParen) return isResultList(i - 1);
            size_t opener = k == K::RBracket ? s_.tokens[i - 1].value : noMatch;
            if (opener < i) i = opener;
            else if (k == K::Star || k == K::Question || k == K::Bang) --i;
            else return false;
        }
        return false;
    }
    /// Whether a comma or parenthesis stands in the list behind an arrow.
    bool isResultList(size_t i) const {
        size_t open = kind(i) == K::LParen ? i : open_.empty() ? 0 : open_.back();
        return open > 0 && kind(open) == K::LParen && kind(open - 1) == K::Arrow;
    }

    bool endsOperand(size_t i) const {
        switch (kind(i)) {
        case K::Int:
        case K::Float:
        case K::Char:
        case K::String:
        case K::Heredoc:
        case K::RParen:
        case K::RBracket:
        case K::RBrace:
        case K::KwTrue:
        case K::KwFalse:
        case K::KwNull:
        case K::KwSelf:
        case K::KwType:
        case K::KwF32:
        case K::KwF64:
        case K::DashDashDash: return true;
        case K::Bang:
        case K::Star: return i > 0 && (kind(i - 1) == K::Dot || endsOperand(i - 1)) && !isBinaryStar(i);
        default: return isIdentLike(kind(i));
        }
    }
    /// `a * b`, where `p.*` and `x!` are operands.
    bool isBinaryStar(size_t i) const { return kind(i) == K::Star && kind(i - 1) != K::Dot; }

    Words behindOperand() const {
        size_t from = head(next_);
        Words words{{"or", "and", "catch", "in"}, false, false, false, false};
        size_t condition = next_;
        for (size_t i = from; i < next_; ++i)
            if (kind(i) == K::KwIf) condition = i;
        if (condition < next_) {
            bool hasThen = has(condition, next_, {K::KwThen}), hasElse = has(condition, next_, {K::KwElse});
            if (!hasThen) words.keywords.insert(words.keywords.begin(), {"then", "return", "raise"});
            if (!hasThen && isInLoop()) words.keywords.insert(words.keywords.end(), {"break", "continue"});
            if (hasThen && !hasElse) words.keywords.insert(words.keywords.begin(), "else");
        }
        bool isHead = from + 1 < next_ && kind(from + 1) == K::ColonColon && has(from, next_, {K::RParen});
        if (isHead) words.keywords = {"extern", "export", "abi", "intrinsic"};
        // At the beginning of a line the `;` before it may be missing.
        uint32_t end = s_.offset(s_.tokens[next_ - 1].end);
        if (s_.text().substr(end, offset_ - end).find('\n') != std::string_view::npos)
            return merged(std::move(words.keywords), begin(inside(), K::Semicolon).keywords);
        return words;
    }

    const Syntax& s_;
    uint32_t offset_;
    size_t next_ = 0;          ///< the first token that does not begin before the place
    std::vector<size_t> open_; ///< the brackets around the place
};

} // namespace

Words wordsAt(const Syntax& s, uint32_t offset) { return Reader(s, offset).run(); }

} // namespace sx::server
