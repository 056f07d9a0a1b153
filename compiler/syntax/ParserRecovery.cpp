// Going on after a syntax error.
//
// The broken construct is left by its brackets: groups that were opened in it and still hold the place of the
// failure are skipped whole. After that the next `;`, the end of a `{…}` that ends its line, or a line that
// starts with something that can begin a new construct is taken as the end of the damage.
#include "syntax/Brackets.h"
#include "syntax/Grammar.h"

namespace sx {

/// The place of the failure, or the token after the outermost group since `start` that holds it. A group in
/// which a `;` came unexpectedly, and which is closed only in a later line, lost its closer: its partner
/// belongs to something else, so it does not count.
uint32_t outOfBrokenGroups(const Parser& p, uint32_t start) {
    const bool atSemicolon = p.tokens[p.failedAt].kind == K::Semicolon;
    uint32_t i = start;
    while (i < p.failedAt) {
        const Token& token = p.tokens[i];
        if (isOpener(token.kind) && token.value != noMatch) {
            const bool isBlock = token.kind == K::LBrace && !(i > 0 && p.tokens[i - 1].kind == K::Dot);
            const bool holdsFailure = token.value >= p.failedAt;
            const bool lostItsCloser =
                holdsFailure && atSemicolon && !isBlock && !p.sameLine(token.begin, p.tokens[token.value].begin);
            if (!lostItsCloser) i = token.value;
        }
        ++i;
    }
    return i;
}

bool Parser::recover(uint32_t start, uint32_t limit, StartTest startsAnother) {
    if (gaveUp) return false;
    failed = false;

    uint32_t i = std::max(outOfBrokenGroups(*this, start), endOfBlockComment(*this, failedAt));
    if (tokens[failedAt].kind == K::Semicolon && tokens[start].kind == K::KwIf) { // `if a := f(); a > 3 {`
        uint32_t body = failedAt;
        while (body < limit && tokens[body].kind != K::LBrace && sameLine(tokens[start].begin, tokens[body].begin))
            ++body;
        if (tokens[body].kind == K::LBrace) i = std::max(i, body);
    }
    if (const CLoop loop = foreignLoop(*this, failedAt); loop.isOne) i = std::max(i, loop.body);
    while (i < limit) {
        const Token& token = tokens[i];
        if (i > start && token.lineStart && startsAnother(*this, i)) break;
        if (token.kind == K::Semicolon) {
            ++i;
            break;
        }
        if (isOpener(token.kind) && token.value != noMatch && token.value < limit) {
            i = token.value + 1;
            if (token.kind == K::LBrace && i < limit && tokens[i].lineStart) break;
            continue;
        }
        ++i;
    }
    pos = std::min(std::max(i, start), limit);
    return true;
}

/// For a failure at the `/` of `/*` or `*/`: the token after the comment. Else 0.
uint32_t endOfBlockComment(const Parser& p, uint32_t token) {
    if (p.tokens[token].kind != K::Slash) return 0;
    if (token > 0 && p.tokens[token - 1].kind == K::Star && p.adjacent(token - 1)) return token + 1;
    if (!p.adjacent(token) || p.tokens[token + 1].kind != K::Star) return 0;
    for (uint32_t i = token + 2; i + 1 < p.eof; ++i)
        if (p.tokens[i].kind == K::Star && p.adjacent(i) && p.tokens[i + 1].kind == K::Slash) return i + 2;
    return 0;
}

bool startsArm(const Parser& p, uint32_t i) {
    const K kind = p.tokens[i].kind;
    return kind == K::KwCase || (kind == K::KwElse && p.tokens[i + 1].kind == K::Colon);
}

bool startsArmOrStatement(const Parser& p, uint32_t i) { return startsArm(p, i) || startsStatement(p, i); }

bool startsMember(const Parser& p, uint32_t i) {
    const K kind = p.tokens[i].kind;
    return kind == K::Ident || isKeyword(kind) || kind == K::DirUsing;
}

/// A declaration head, a directive, or a keyword that only an item begins with.
bool startsItem(const Parser& p, uint32_t i) {
    const K kind = p.tokens[i].kind;
    if (isIdentLike(kind) && i < p.eof) {
        const K next = p.tokens[i + 1].kind;
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
bool recoverArm(Parser& p, uint32_t start, uint32_t limit) {
    if (!p.recover(start, limit, startsArm)) return false;
    while (p.pos < limit && !startsArm(p, p.pos)) {
        const uint32_t from = p.failedAt = p.pos;
        p.recover(from, limit, startsArm);
    }
    return true;
}

/// The token after the next `}` that closes nothing, if it comes before the next item at the left margin:
/// then a block was closed too early, and what stands before that `}` is the rest of a body. Else `from`.
uint32_t afterSpareBrace(const Parser& p, uint32_t from, uint32_t limit) {
    const std::string_view text = p.sources.text(p.file);
    const uint32_t base = p.sources.start(p.file).raw;
    for (uint32_t i = from; i < limit; ++i) {
        if (p.tokens[i].kind == K::RBrace && p.tokens[i].value == noMatch) return i + 1;
        const uint32_t offset = p.tokens[i].begin.raw - base;
        if (offset > 0 && text[offset - 1] == '\n' && startsItem(p, i)) break;
    }
    return from;
}

/// The next item. An item begins a line, and not further right than the broken one.
bool recoverItem(Parser& p, uint32_t start, uint32_t limit) {
    if (p.gaveUp) return false;
    const uint32_t startColumn = p.sources.resolve(p.tokens[start].begin).col;
    const uint32_t skipped = afterSpareBrace(p, p.failedAt, limit);
    if (skipped != p.failedAt) start = p.failedAt = skipped - 1;
    for (;;) {
        if (!p.recover(start, limit, startsItem)) return false;
        if (p.pos >= limit) return true;
        if (p.tokens[p.pos].lineStart && startsItem(p, p.pos) && p.sources.resolve(p.here()).col <= startColumn)
            return true;
        start = p.failedAt = p.pos;
    }
}

} // namespace sx
