// Going on after a syntax error.
//
// The broken construct is left by its brackets: groups that were opened in it and still hold the place of the
// failure are skipped whole. After that the next `;`, the end of a `{…}` that ends its line, or a line that
// starts with something that can begin a new construct is taken as the end of the damage.
#include "syntax/ParserImpl.h"

namespace sx {

namespace {

using K = TokenKind;

bool isOpener(K kind) { return kind == K::LParen || kind == K::LBracket || kind == K::LBrace; }

} // namespace

/// The place of the failure, or the token behind the outermost group since `start` that holds it. A group in
/// which a `;` came unexpectedly, and which is closed only in a later line, lost its closer: its partner
/// belongs to something else, so it does not count.
uint32_t Parser::outOfBrokenGroups(uint32_t start) const {
    const bool atSemicolon = tokens_[failedAt_].kind == K::Semicolon;
    uint32_t i = start;
    while (i < failedAt_) {
        const Token& token = tokens_[i];
        if (isOpener(token.kind) && token.value != noMatch) {
            const bool isBlock = token.kind == K::LBrace && !(i > 0 && tokens_[i - 1].kind == K::Dot);
            const bool holdsFailure = token.value >= failedAt_;
            const bool lostItsCloser =
                holdsFailure && atSemicolon && !isBlock && !sameLine(token.begin, tokens_[token.value].begin);
            if (!lostItsCloser) i = token.value;
        }
        ++i;
    }
    return i;
}

bool Parser::recover(uint32_t start, uint32_t limit, StartTest startsAnother) {
    if (gaveUp_) return false;
    failed_ = false;

    uint32_t i = std::max(outOfBrokenGroups(start), endOfBlockComment(failedAt_));
    if (const CLoop loop = foreignLoop(failedAt_); loop.isOne) i = std::max(i, loop.body);
    while (i < limit) {
        const Token& token = tokens_[i];
        if (i > start && token.lineStart && (this->*startsAnother)(i)) break;
        if (token.kind == K::Semicolon) {
            ++i;
            break;
        }
        if (isOpener(token.kind) && token.value != noMatch && token.value < limit) {
            i = token.value + 1;
            if (token.kind == K::LBrace && i < limit && tokens_[i].lineStart) break;
            continue;
        }
        ++i;
    }
    pos_ = std::min(std::max(i, start), limit);
    return true;
}

/// For a failure at the `/` of `/*` or `*/`: the token behind the comment. Else 0.
uint32_t Parser::endOfBlockComment(uint32_t token) const {
    if (tokens_[token].kind != K::Slash) return 0;
    if (token > 0 && tokens_[token - 1].kind == K::Star && adjacent(token - 1)) return token + 1;
    if (!adjacent(token) || tokens_[token + 1].kind != K::Star) return 0;
    for (uint32_t i = token + 2; i + 1 < eof_; ++i)
        if (tokens_[i].kind == K::Star && adjacent(i) && tokens_[i + 1].kind == K::Slash) return i + 2;
    return 0;
}

bool Parser::startsStatement(uint32_t i) const {
    const K kind = tokens_[i].kind;
    if (isIdentLike(kind)) return true;
    switch (kind) {
    case K::KwIf:
    case K::KwWhile:
    case K::KwFor:
    case K::KwBreak:
    case K::KwContinue:
    case K::KwReturn:
    case K::KwDefer:
    case K::KwPush:
    case K::KwInline:
    case K::KwRaise:
    case K::KwTry:
    case K::KwOnFail:
    case K::DirInsert:
    case K::DirRun:
    case K::DirError: return true;
    default: return false;
    }
}

bool Parser::startsArm(uint32_t i) const {
    const K kind = tokens_[i].kind;
    return kind == K::KwCase || (kind == K::KwElse && tokens_[i + 1].kind == K::Colon);
}

bool Parser::startsArmOrStatement(uint32_t i) const { return startsArm(i) || startsStatement(i); }

bool Parser::startsMember(uint32_t i) const {
    const K kind = tokens_[i].kind;
    return kind == K::Ident || isKeyword(kind) || kind == K::DirUsing;
}

/// A declaration head, a directive, or a keyword that only an item begins with.
bool Parser::startsItem(uint32_t i) const {
    const K kind = tokens_[i].kind;
    if (isIdentLike(kind) && i < eof_) {
        const K next = tokens_[i + 1].kind;
        if (next == K::ColonColon || next == K::ColonEqual || next == K::Colon) return true;
    }
    switch (kind) {
    case K::KwPrivate:
    case K::KwImpl:
    case K::DirImport:
    case K::DirRun:
    case K::DirFramework:
    case K::DirContextExtend: return true;
    default: return false;
    }
}

/// To the next arm of a match; statements of the broken arm are not read.
bool Parser::recoverArm(uint32_t start, uint32_t limit) {
    if (!recover(start, limit, &Parser::startsArm)) return false;
    while (pos_ < limit && !startsArm(pos_)) {
        const uint32_t from = failedAt_ = pos_;
        recover(from, limit, &Parser::startsArm);
    }
    return true;
}

/// The token after the next `}` that closes nothing, if it comes before the next item at the left margin:
/// then a block was closed too early, and what stands before that `}` is the rest of a body. Else `from`.
uint32_t Parser::afterSpareBrace(uint32_t from, uint32_t limit) const {
    const std::string_view text = sources_.text(file_);
    const uint32_t base = sources_.start(file_).raw;
    for (uint32_t i = from; i < limit; ++i) {
        if (tokens_[i].kind == K::RBrace && tokens_[i].value == noMatch) return i + 1;
        const uint32_t offset = tokens_[i].begin.raw - base;
        if (offset > 0 && text[offset - 1] == '\n' && startsItem(i)) break;
    }
    return from;
}

/// The next item. An item begins a line, and not further right than the broken one.
bool Parser::recoverItem(uint32_t start, uint32_t limit) {
    if (gaveUp_) return false;
    const uint32_t startColumn = sources_.resolve(tokens_[start].begin).col;
    const uint32_t skipped = afterSpareBrace(failedAt_, limit);
    if (skipped != failedAt_) start = failedAt_ = skipped - 1;
    for (;;) {
        if (!recover(start, limit, &Parser::startsItem)) return false;
        if (pos_ >= limit) return true;
        if (tokens_[pos_].lineStart && startsItem(pos_) && sources_.resolve(here()).col <= startColumn) return true;
        start = failedAt_ = pos_;
    }
}

} // namespace sx
