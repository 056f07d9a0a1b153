#include "format/Nesting.h"

#include <algorithm>

namespace sx::format {

using K = TokenKind;

bool startsArm(const Pieces& p, uint32_t i) {
    if (p[i].is(K::KwElse)) {
        uint32_t next = i + 1;
        while (p[next].isComment) ++next;
        return p[next].is(K::Colon);
    }
    return p[i].is(K::KwCase) && p[i].has(Statement);
}

bool Nesting::startsItem(uint32_t i) const {
    const Piece& p = pieces_[i];
    return p.has(ItemStart) || p.is(K::Eof) || startsArm(pieces_, i);
}

uint32_t Nesting::continuation() const {
    const Frame& f = frames_.back();
    return f.item >= f.content && (f.hasItem || frames_.size() > 1) ? f.item + indentStep : f.content;
}

/// A comment belongs to what follows. Before a `case` and before the end of a match it may also belong to the arm
/// before; then it stood deeper.
uint32_t Nesting::commentIndent(uint32_t i) const {
    uint32_t next = i;
    while (pieces_[next].isComment) ++next;
    const Piece& p = pieces_[next];
    const Frame& f = frames_.back();
    if (p.isCloser() && frames_.size() > 1) {
        const bool inArm = pieces_[i].column > p.column + indentStep && p.newlines > 0;
        return inArm && f.hasItem && f.item > f.content ? f.item : f.content;
    }
    if (startsArm(pieces_, next) && p.newlines > 0 && pieces_[i].column > p.column && f.hasItem)
        return f.content + indentStep;
    return indentOf(next);
}

uint32_t Nesting::indentOf(uint32_t i) const {
    const Piece& p = pieces_[i];
    const Frame& f = frames_.back();
    if (p.isComment) return commentIndent(i);
    if (p.has(ModuleItem)) return 0;
    if (p.isCloser() && frames_.size() > 1) return f.closing;
    if (startsItem(i)) return f.content + (p.has(ArmBody) ? indentStep : 0);
    const bool elseOfBlock = p.is(K::KwElse) && i > 0 && pieces_[i - 1].is(K::RBrace);
    if (elseOfBlock || isBlockBrace(pieces_, i)) return f.item;
    return continuation();
}

void Nesting::pass(uint32_t i, uint32_t lineIndent) {
    const Piece& p = pieces_[i];
    if (p.isComment) return;
    if (p.has(ModuleItem)) frames_.resize(1);
    if (startsItem(i)) {
        frames_.back().item = lineIndent;
        frames_.back().hasItem = true;
    }
    if (p.isOpener()) {
        const uint32_t base = isBlockBrace(pieces_, i) && frames_.back().hasItem ? frames_.back().item : lineIndent;
        frames_.push_back({base, base + indentStep, base, false});
    } else if (p.isCloser() && frames_.size() > 1) {
        frames_.pop_back();
    }
}

} // namespace sx::format
