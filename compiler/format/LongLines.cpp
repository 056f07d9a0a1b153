#include "format/LongLines.h"

#include "format/Nesting.h"
#include "format/Spacing.h"

#include <climits>

namespace sx::format {
namespace {

using K = TokenKind;

/// The looser, the sooner. One level of brackets weighs more than all kinds.
enum Rank : int {
    Level = 100,
    StatementRank = 5,
    ArmBodyRank = 7,
    BlockRank = 10,
    CommaRank = 20,
    ElseRank = 28,
    PipeRank = 29,
    OperatorRank = 30, ///< and the operator's level above it
    CatchRank = 45,
    ThenRank = 46,
    ChainRank = 50,
    ArrowRank = 60,
    OpenerRank = 70,
    LastResort = 1000 * Level, ///< after `=`, before `->`
};

/// Of the operator at `i`: how tightly it binds, 0 to 11.
int operatorLevel(const Piece& p) {
    // clang-format off
    switch (p.kind) {
#define BINARY_OP(name, token, level) case K::token: return level;
#include "syntax/Operators.def"
    default: return 0;
    }
    // clang-format on
}

bool isAssignment(K k) { return k == K::Equal || k == K::ColonEqual || (k >= K::PlusEqual && k <= K::PipeEqual); }

class LongLine {
public:
    LongLine(Pieces& pieces, uint32_t begin, uint32_t end, uint32_t indent, std::set<uint32_t>& begun)
        : p_(pieces), begin_(begin), end_(end), indent_(indent), begun_(begun) {
        if (end_ > begin_ && p_[end_ - 1].isComment) --end_;
    }

    bool breakUp() {
        const uint32_t over = firstTooLong();
        if (over >= end_) return false;
        if (!choose(begin_ + 1, over + 1)) {
            depth_ = 0; // of no importance: the first place is taken, whatever its depth
            for (uint32_t i = over + 1; i < end_ && best_ == 0; ++i) choose(i, i + 1);
        }
        if (best_ == 0) return false;
        apply();
        return true;
    }

private:
    /// The first piece that ends behind the limit; `end_` if none does.
    uint32_t firstTooLong() const {
        uint32_t column = indent_;
        for (uint32_t i = begin_; i < end_; ++i) {
            if (i > begin_) column += p_[i].blanks;
            if (column + p_[i].width > maxColumns) return i;
            column = p_[i].manyLines ? p_[i].lastWidth : column + p_[i].width;
        }
        return end_;
    }

    /// Looks for the best place before one of the pieces `from` to `to` (exclusive).
    bool choose(uint32_t from, uint32_t to) {
        for (uint32_t i = from; i < to && i < end_; ++i) {
            const Piece& before = p_[i - 1];
            if (before.isOpener()) ++depth_;
            if (before.isCloser()) --depth_;
            const int rank = rankAt(i);
            if (rank == INT_MAX || rank > bestRank_ || (rank == bestRank_ && isUnfoldable(i - 1))) continue;
            bestRank_ = rank;
            best_ = i;
        }
        return best_ != 0;
    }

    bool isUnfoldable(uint32_t brace) const {
        const uint32_t partner = p_[brace].partner;
        return isBlockBrace(p_, brace) && partner != noMatch && partner > brace + 1 && partner < end_;
    }

    int rankAt(uint32_t i) const {
        const Piece& before = p_[i - 1];
        const Piece& p = p_[i];
        const int base = depth_ * Level;
        if (isUnfoldable(i - 1)) return base - Level + BlockRank;
        if (startsStatement(i)) return base + StatementRank;
        if (startsArmBody(i)) return base + ArmBodyRank;
        if (p.isCloser() || isBlockBrace(p_, i)) return INT_MAX;
        if (before.is(K::Comma)) return base + CommaRank;
        if (p.is(K::KwElse)) return base + ElseRank;
        if (p.is(K::PipeGreater)) return base + PipeRank;
        if (isBinaryOperator(p_, i - 1) && !before.is(K::PipeGreater))
            return base + OperatorRank + operatorLevel(before);
        if (p.is(K::KwCatch) && !p_[i - 1].is(K::Dot) && !p_[i - 1].is(K::QuestionDot)) return base + CatchRank;
        if (p.is(K::KwThen)) return base + ThenRank;
        if (before.is(K::RParen) && isMemberDot(p_, i) && i + 2 < end_ && p_[i + 2].is(K::LParen))
            return base + ChainRank;
        if (before.is(K::FatArrow)) return base + ArrowRank;
        if (before.isOpener() && helpsAfterOpener(i)) return base + OpenerRank;
        if (isAssignment(before.kind) || p.is(K::Arrow)) return LastResort + base;
        return INT_MAX;
    }

    /// A piece too long for any line is not moved.
    bool helpsAfterOpener(uint32_t i) const { return indent_ + indentStep + p_[i].width <= maxColumns; }

    bool startsStatement(uint32_t i) const {
        if (p_[i - 1].is(K::Comma)) return false; // the `y` of `x, y: T`
        return (p_[i].has(Statement) && !p_[i].has(ArmBody)) || startsArm(p_, i);
    }
    bool startsArmBody(uint32_t i) const { return p_[i].has(ArmBody) && !isBlockBrace(p_, i); }

    void begin(uint32_t i) {
        if (p_[i].newlines == 0) p_[i].newlines = 1;
        p_[i].broken = true;
        begun_.insert(i);
    }

    void apply() {
        p_[begin_].broken = true;
        if (isUnfoldable(best_ - 1)) {
            uint32_t brace = best_ - 1;
            do {
                const uint32_t close = p_[brace].partner;
                unfold(brace);
                brace = close + 2;
            } while (brace < end_ && p_[brace - 1].is(K::KwElse) && isUnfoldable(brace));
        } else if (startsStatement(best_)) {
            eachAtDepth(best_, end_, [this](uint32_t i) { return startsStatement(i); });
        } else if (startsArmBody(best_)) {
            eachAtDepth(best_, armEnd(), [this](uint32_t i) { return p_[i].has(ArmBody) && p_[i].has(Statement); });
        } else {
            begin(best_);
        }
    }

    void unfold(uint32_t brace) {
        const uint32_t close = p_[brace].partner;
        begin(brace + 1);
        begin(close);
        eachAtDepth(brace + 1, close, [this](uint32_t i) { return startsStatement(i); });
    }

    /// Where the arm of `best_` ends on this line.
    uint32_t armEnd() const {
        int depth = 0;
        uint32_t i = best_;
        for (; i < end_ && depth >= 0; ++i) {
            if (depth == 0 && startsStatement(i)) return i;
            depth += skipBrackets(i, end_);
        }
        return i;
    }

    /// Begins a line with each piece of `from` to `to` that is one, in the same brackets as `from`.
    template <typename Predicate> void eachAtDepth(uint32_t from, uint32_t to, Predicate isOne) {
        int depth = 0;
        for (uint32_t i = from; i < to && depth >= 0; ++i) {
            if (depth == 0 && isOne(i)) begin(i);
            depth += skipBrackets(i, to);
        }
    }

    /// Moves from an opening bracket to its partner before `to`. Returns what the piece adds to the depth otherwise.
    int skipBrackets(uint32_t& i, uint32_t to) const {
        if (p_[i].isCloser()) return -1;
        if (!p_[i].isOpener()) return 0;
        const uint32_t partner = p_[i].partner;
        if (partner == noMatch || partner <= i || partner >= to) return 1;
        i = partner;
        return 0;
    }

    Pieces& p_;
    const uint32_t begin_;
    uint32_t end_;
    const uint32_t indent_;
    std::set<uint32_t>& begun_;
    int depth_ = 0; ///< brackets opened in the line before the piece that is looked at
    int bestRank_ = INT_MAX;
    uint32_t best_ = 0;
};

} // namespace

bool breakLine(Pieces& pieces, uint32_t begin, uint32_t end, uint32_t indent, std::set<uint32_t>& begun) {
    return LongLine(pieces, begin, end, indent, begun).breakUp();
}

} // namespace sx::format
