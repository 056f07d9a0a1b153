#include "syntax/Brackets.h"

namespace sx {
namespace {

using K = TokenKind;

/// The open brackets. Every entry knows how many `(` and `[` stand open from the last `{` up to itself, so
/// that a closer which fits nothing is recognised without a search; any search pops what it passes.
class OpenBrackets {
public:
    explicit OpenBrackets(std::vector<Token>& tokens) : tokens_(tokens) {}

    void open(uint32_t index) {
        Entry entry{index, 0, 0};
        const K kind = tokens_[index].kind;
        if (kind == K::LBrace) {
            ++braces_;
        } else {
            if (!stack_.empty()) entry = {index, stack_.back().parens, stack_.back().squares};
            ++(kind == K::LParen ? entry.parens : entry.squares);
        }
        stack_.push_back(entry);
    }

    void close(uint32_t index, K opener) {
        if (!canReach(opener)) return;
        while (tokens_[stack_.back().index].kind != opener) stack_.pop_back();
        const uint32_t partner = stack_.back().index;
        stack_.pop_back();
        if (opener == K::LBrace) --braces_;
        tokens_[index].value = partner;
        tokens_[partner].value = index;
    }

private:
    struct Entry {
        uint32_t index;
        uint32_t parens, squares;
    };

    bool canReach(K opener) const {
        if (opener == K::LBrace) return braces_ != 0;
        if (stack_.empty()) return false;
        return (opener == K::LParen ? stack_.back().parens : stack_.back().squares) != 0;
    }

    std::vector<Token>& tokens_;
    std::vector<Entry> stack_;
    uint32_t braces_ = 0;
};

} // namespace

void matchBrackets(std::vector<Token>& tokens) {
    OpenBrackets open(tokens);
    for (uint32_t i = 0; i < tokens.size(); ++i) {
        Token& token = tokens[i];
        switch (token.kind) {
        case K::LParen:
        case K::LBracket:
        case K::LBrace:
            token.value = noMatch;
            open.open(i);
            break;
        case K::RParen:
            token.value = noMatch;
            open.close(i, K::LParen);
            break;
        case K::RBracket:
            token.value = noMatch;
            open.close(i, K::LBracket);
            break;
        case K::RBrace:
            token.value = noMatch;
            open.close(i, K::LBrace);
            break;
        default: break;
        }
    }
}

} // namespace sx
