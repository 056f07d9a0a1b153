#include "server/program/Repair.h"

#include "syntax/KnownNames.h"
#include "syntax/Lexer.h"

#include <algorithm>
#include <set>

namespace sx::server {

namespace {

bool isSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

class Repairer {
public:
    explicit Repairer(std::string_view text) : text_(text) {
        file_ = sources_.addFile("text", "text", text_);
        tokens_ = lexFile(sources_, file_, names_);
        start_ = sources_.start(file_).raw;
        for (size_t i = 0; i < tokens_.size(); ++i)
            if (beginsItem(i)) items_.push_back(i);
    }

    void replaceDots();
    void blankStatement(uint32_t error);
    void blankItem(uint32_t error);
    void blankUnbalanced();
    void closeItems(const std::vector<uint32_t>& errors);
    void blankAll() { blank(0, static_cast<uint32_t>(text_.size())); }
    std::string take() { return std::move(text_); }

private:
    uint32_t begin(size_t token) const { return tokens_[token].begin.raw - start_; }
    uint32_t end(size_t token) const { return tokens_[token].end.raw - start_; }
    bool is(size_t token, TokenKind kind) const { return tokens_[token].kind == kind; }
    bool isBoundary(size_t token) const {
        return is(token, TokenKind::Semicolon) || is(token, TokenKind::LBrace) || is(token, TokenKind::RBrace);
    }

    /// Items of a module begin in the first column, as everybody writes them.
    bool beginsItem(size_t i) const {
        if (!tokens_[i].lineStart || is(i, TokenKind::Eof)) return false;
        uint32_t at = begin(i);
        if (at > 0 && text_[at - 1] != '\n' && !tokens_[i].raw) return false;
        return isIdentLike(tokens_[i].kind) || isDirective(tokens_[i].kind) || isKeyword(tokens_[i].kind);
    }

    void blank(uint32_t from, uint32_t to) {
        for (uint32_t i = from; i < to && i < text_.size(); ++i)
            if (text_[i] != '\n' && text_[i] != '\r') text_[i] = ' ';
    }
    /// The token at an offset, or the last one before it.
    size_t tokenAt(uint32_t offset) const {
        size_t i = 0;
        auto after = std::upper_bound(tokens_.begin(), tokens_.end(), offset + start_,
                                      [](uint32_t at, const Token& t) { return at < t.begin.raw; });
        if (after != tokens_.begin()) i = static_cast<size_t>(after - tokens_.begin() - 1);
        return i;
    }
    /// First token of the item around an offset, and the one behind it.
    std::pair<size_t, size_t> itemAround(size_t token) const {
        auto next = std::upper_bound(items_.begin(), items_.end(), token);
        size_t first = next == items_.begin() ? 0 : *(next - 1);
        size_t last = next == items_.end() ? tokens_.size() - 1 : *next;
        return {first, last};
    }
    bool endsOperand(size_t token) const {
        TokenKind k = tokens_[token].kind;
        bool isNamed = isIdentLike(k) || k == TokenKind::KwSelf;
        return isNamed || k == TokenKind::RParen || k == TokenKind::RBracket || k == TokenKind::RBrace ||
               k == TokenKind::String || k == TokenKind::Int || k == TokenKind::Bang;
    }
    bool isMissingName(size_t dot) const;
    void closeItem(size_t first, size_t last);
    int balance(size_t first, size_t last) const {
        int depth = 0;
        for (size_t i = first; i < last; ++i) depth += is(i, TokenKind::LBrace) ? 1 : is(i, TokenKind::RBrace) ? -1 : 0;
        return depth;
    }

    std::string text_;
    SourceManager sources_;
    NameTable names_{knownNames()};
    FileId file_{};
    std::vector<Token> tokens_;
    uint32_t start_ = 0;
    std::vector<size_t> items_;
};

/// No member name stands directly behind the dot.
bool Repairer::isMissingName(size_t dot) const {
    if (begin(dot + 1) != end(dot)) return true;
    switch (tokens_[dot + 1].kind) {
    case TokenKind::LBrace:
    case TokenKind::LBracket:
    case TokenKind::LParen:
    case TokenKind::Star:
    case TokenKind::Int: return false;
    default: return !isIdentLike(tokens_[dot + 1].kind) && !isKeyword(tokens_[dot + 1].kind);
    }
}

void Repairer::replaceDots() {
    int depth = 0; // of parentheses and brackets
    for (size_t i = 0; i + 1 < tokens_.size(); ++i) {
        TokenKind kind = tokens_[i].kind;
        if (kind == TokenKind::LParen || kind == TokenKind::LBracket) ++depth;
        else if (kind == TokenKind::RParen || kind == TokenKind::RBracket) --depth;
        else if (isBoundary(i)) depth = 0;
        bool isDot = kind == TokenKind::Dot || kind == TokenKind::QuestionDot;
        if (!isDot || !isMissingName(i)) continue;
        bool isMember = i > 0 && end(i - 1) == begin(i) && endsOperand(i - 1);
        bool before = i > 0 && (is(i - 1, TokenKind::KwError) || is(i - 1, TokenKind::KwCase));
        if (before || kind == TokenKind::QuestionDot) continue; // of these nothing reads the rest
        bool ends = depth <= 0 && (tokens_[i + 1].lineStart || is(i + 1, TokenKind::Eof));
        text_[begin(i)] = !isMember ? '_' : ends ? ';' : ' ';
        if (!isMember && ends && end(i) < text_.size()) text_[end(i)] = ';';
    }
}

void Repairer::blankStatement(uint32_t error) {
    size_t at = tokenAt(error);
    auto [first, last] = itemAround(at);
    if (is(at, TokenKind::LBrace) && tokens_[at].value == noMatch) return; // it is closed
    size_t from = at;
    // An error at a boundary belongs to what stands before it.
    if (from > first && isBoundary(from)) --from;
    while (from > first && !isBoundary(from - 1)) --from;
    // An item of the module goes as a whole, and so does what is written in braces.
    if (from == first && !is(first, TokenKind::Eof) && balance(first, std::min(at, last)) == 0) {
        blank(begin(first), last < tokens_.size() ? begin(last) : static_cast<uint32_t>(text_.size()));
        return;
    }
    size_t to = std::max(at, from);
    while (to < last) {
        if (is(to, TokenKind::LBrace) && tokens_[to].value != noMatch && tokens_[to].value < last) {
            to = tokens_[to].value + 1;
            continue;
        }
        if (is(to, TokenKind::RBrace)) break;
        if (is(to, TokenKind::Semicolon)) {
            ++to;
            break;
        }
        ++to;
    }
    if (to > from) blank(begin(from), end(to - 1));
}

void Repairer::blankItem(uint32_t error) {
    auto [first, last] = itemAround(tokenAt(error));
    blank(begin(first), begin(last));
}

/// Writes the braces that an item lacks at its end into the white space behind it, or over its last statement.
void Repairer::closeItem(size_t first, size_t last) {
    int missing = balance(first, last);
    if (missing <= 0 || last == 0) return;
    bool isLast = is(last, TokenKind::Eof);
    uint32_t from = end(last - 1), to = isLast ? static_cast<uint32_t>(text_.size()) : begin(last);
    auto room = [&] {
        return std::count_if(text_.begin() + from, text_.begin() + to, [](char c) { return isSpace(c); });
    };
    if (isLast && room() < missing) text_.append(static_cast<size_t>(missing), '}'), missing = 0;
    for (size_t i = last; i > first && room() < missing; --i) {
        if (i < last && isBoundary(i - 1)) break;
        from = begin(i - 1);
        blank(from, end(i - 1));
    }
    while (from < to && missing > 0) {
        char& c = text_[--to];
        if (isSpace(c)) {
            c = '}';
            --missing;
        }
    }
}

/// The items around errors are closed; where the text as a whole lacks braces, all: the error is at its end then.
void Repairer::closeItems(const std::vector<uint32_t>& errors) {
    bool all = balance(0, tokens_.size()) > 0;
    std::set<size_t> broken;
    for (uint32_t error : errors) broken.insert(itemAround(tokenAt(error)).first);
    for (size_t i = items_.size(); i > 0; --i)
        if (all || broken.count(items_[i - 1]))
            closeItem(items_[i - 1], i < items_.size() ? items_[i] : tokens_.size() - 1);
}

void Repairer::blankUnbalanced() {
    std::vector<size_t> starts = items_;
    starts.push_back(tokens_.size() - 1);
    if (!items_.empty()) blank(0, begin(items_.front()));
    for (size_t i = 0; i + 1 < starts.size(); ++i)
        if (balance(starts[i], starts[i + 1]) != 0) blank(begin(starts[i]), begin(starts[i + 1]));
}

} // namespace

std::string repaired(std::string_view text, const std::vector<uint32_t>& errors, RepairLevel level) {
    Repairer repairer(text);
    if (level == RepairLevel::Everything) repairer.blankAll();
    if (level == RepairLevel::Unbalanced) repairer.blankUnbalanced();
    if (level == RepairLevel::Dots) repairer.replaceDots();
    for (uint32_t error : errors) {
        if (level == RepairLevel::Dots) break;
        if (level == RepairLevel::Statements) {
            repairer.blankStatement(error);
        } else {
            repairer.blankItem(error);
        }
    }
    if (level == RepairLevel::Statements) repairer.closeItems(errors);
    return repairer.take();
}

} // namespace sx::server
