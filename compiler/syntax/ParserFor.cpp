// The `for` loop (5.5, 8.6 h).
#include "syntax/Grammar.h"

namespace sx {

using namespace ast;

/// At `for`.
Expr* parseFor(Parser& p, bool isInline) {
    const Nested nested(p);
    if (!nested.ok()) return p.missingExpr();
    const SourcePos begin = isInline ? p.previous().begin : p.here();
    Height height(p);
    p.advance();
    auto* node = p.make<For>({begin, begin});
    node->isInline = isInline;
    SmallVector<ForIter, 4> iters;
    SmallVector<ForCapture, 4> captures;
    parseForHeader(p, iters, captures);
    height.add();
    if (!p.failed) checkForHeader(p, iters, captures);
    node->iters = p.keep(iters);
    node->captures = p.keep(captures);
    node->body = parseForBody(p, isInline);
    height.add();
    node->span = p.from(begin);
    return node;
}

/// `for i in range(a, b) { … }` reads as captures behind a test for membership.
static bool isRangeCall(Parser& p, const ForIter& iter, ArrayRef<ForCapture> captures) {
    const auto* test = llvm::dyn_cast<Binary>(iter.value);
    if (!test || test->op != BinaryOp::In || p.sources.textOf(test->rhs->span) != "range" || captures.size() > 2)
        return false;
    const auto text = [&](Span at) { return std::string(p.sources.textOf(at)); };
    const std::string from = captures.size() == 2 ? text(captures[0].name.span) : "0";
    p.error(iter.span, "`in` tests for membership and yields no values to loop over")
        .help("write `for " + from + ".." + text(captures.back().name.span) + " (" + text(test->lhs->span) +
              ") { … }`");
    return true;
}

void parseForHeader(Parser& p, SmallVectorImpl<ForIter>& iters, SmallVectorImpl<ForCapture>& captures) {
    const Restore mode(p.mode);
    p.mode.header = Header::For;
    p.mode.noTrailingBlock = true;
    Height height(p);
    do {
        iters.push_back(parseIter(p));
        height.add();
    } while (p.accept(K::Comma));
    if (p.at(K::Colon)) {
        p.error(p.cur().span(), "no colon stands before the captures of a `for`").help("write `for VALUES (x) { … }`");
        p.advance();
    }
    if (isPipedCaptures(p, p.pos)) {
        const uint32_t close = closingPipe(p, p.pos);
        const std::string names(p.textBetween(p.cur().end, p.tokens[close].begin));
        p.error(p.cur().span(), "the captures of a `for` stand in parentheses")
            .help("write `for VALUES (" + names + ") { … }`");
        if (p.failed) return;
        p.pos = close + 1;
        captures.clear();
        iters.resize(1);
    } else if (p.at(K::LParen)) {
        parseCaptures(p, captures);
        if (!p.failed && isRangeCall(p, iters.back(), captures)) captures.clear();
    } else if (!p.failed) checkForeignLoop(p, iters);
}

/// expr [ range_op [ expr ] ]
ForIter parseIter(Parser& p) {
    const SourcePos begin = p.here();
    ForIter iter;
    Height height(p);
    iter.value = parseExpr(p);
    height.add();
    if (const RangeOp range = rangeOp(p.cur().kind); range.isRange) {
        p.advance();
        iter.isRange = true;
        iter.startExclusive = range.startExclusive;
        iter.endInclusive = range.endInclusive;
        iter.end = parseRangeEnd(p, range, atOpenRangeEnd(p));
        height.add();
    }
    iter.span = p.from(begin);
    return iter;
}

/// The `|` that ends a list of names; the token itself if there is none.
uint32_t closingPipe(const Parser& p, uint32_t token) {
    uint32_t i = token + 1;
    while (i < p.eof && (isIdentLike(p.tokens[i].kind) || p.tokens[i].kind == K::Comma || p.tokens[i].kind == K::Star))
        ++i;
    return i > token + 1 && p.tokens[i].kind == K::Pipe ? i : token;
}

/// `|i| {`: captures as other languages write them, with the body after them. A block may also be an operand of `|`;
/// then something of the header comes after it.
bool isPipedCaptures(const Parser& p, uint32_t token) {
    if (p.tokens[token].kind != K::Pipe) return false;
    const uint32_t close = closingPipe(p, token);
    if (close == token || p.tokens[close + 1].kind != K::LBrace) return false;
    const K behind = p.tokens[p.afterGroup(close + 1)].kind;
    return behind != K::LBrace && behind != K::LParen && behind != K::FatArrow && behind != K::Comma;
}

bool atOpenRangeEnd(const Parser& p) {
    switch (p.cur().kind) {
    case K::Comma:
    case K::LBrace:
    case K::FatArrow:
    case K::Colon: return true;
    case K::Pipe: return isPipedCaptures(p, p.pos);
    case K::LParen: return isCaptureGroup(p, p.pos);
    default: return false;
    }
}

/// `( ['*'] NAME , … )`
void parseCaptures(Parser& p, SmallVectorImpl<ForCapture>& captures) {
    constexpr const char* rule =
        "the group before the body of a `for` holds the captures: put a call without captures in parentheses";
    const uint32_t open = p.pos;
    p.advance();
    do {
        if (!captures.empty() && p.at(K::RParen)) break;
        ForCapture capture;
        capture.byRef = p.accept(K::Star);
        if (!p.atIdent()) {
            if (Diagnostic& made = p.failExpected("the name of a capture"); made.notes.empty()) made.help(rule);
            return;
        }
        capture.name = takeIdent(p);
        captures.push_back(capture);
    } while (p.accept(K::Comma));
    if (!p.at(K::RParen)) {
        if (Diagnostic& made = p.failExpected("`,` or `)` after the capture"); made.notes.empty()) made.help(rule);
        return;
    }
    p.expectClosing(open, "`)`");
}

/// `for x in xs { … }` reads as a loop over the answer to "is x in xs".
void checkForeignLoop(Parser& p, ArrayRef<ForIter> iters) {
    const ForIter& iter = iters.back();
    const auto* test = llvm::dyn_cast<Binary>(iter.value);
    if (!test || test->op != BinaryOp::In || !llvm::isa<NameRef>(test->lhs)) return;
    const std::string name(p.sources.textOf(test->lhs->span));
    std::string values(p.sources.textOf({test->rhs->span.begin, iter.span.end})), captures = name;
    if (iters.size() == 2 && !iters[0].isRange &&
        llvm::isa<NameRef>(iters[0].value)) { // the index comes first elsewhere
        values += ", 0..";
        captures += ", " + std::string(p.sources.textOf(iters[0].value->span));
    }
    p.error(iter.span, "`in` tests for membership and yields no values to loop over")
        .help("write `for " + values + " (" + captures + ") { … }`");
}

/// What can only be judged when the whole header is known, at the token after it.
void checkForHeader(Parser& p, ArrayRef<ForIter> iters, ArrayRef<ForCapture> captures) {
    const Span body = p.cur().span();
    if (iters[0].isRange && !iters[0].end) {
        p.error(body, "the first range of a `for` decides how often it runs and needs an end")
            .note(iters[0].span, "this range is open");
        return;
    }
    if (captures.empty()) return;
    if (captures.size() != iters.size()) {
        p.error(body, "this `for` has " + std::to_string(iters.size()) +
                          (iters.size() == 1 ? " iterable" : " iterables") + " but " + std::to_string(captures.size()) +
                          (captures.size() == 1 ? " capture" : " captures"))
            .help("list one capture for each, or none; `_` skips one");
        return;
    }
    for (size_t i = 0; i < captures.size(); ++i) {
        if (!captures[i].byRef || !iters[i].isRange) continue;
        p.error(body, "the numbers of a range cannot be captured by reference")
            .note(captures[i].name.span, "capture this one without `*`");
        return;
    }
}

/// A block, or `=>` and one statement.
BlockExpr* parseForBody(Parser& p, bool isInline) {
    const Restore function(p.function);
    if (!isInline) ++p.function.loops;
    if (p.at(K::LBrace)) return parseBlock(p);
    if (!p.accept(K::FatArrow)) {
        const bool hasCaptures = p.previous().kind == K::RParen;
        Diagnostic& made = p.failExpected(hasCaptures ? "`{` or `=>`" : "captures, `{` or `=>`");
        if (hasCaptures && made.notes.empty()) made.help("a body without braces stands behind `=>`");
        return parseBlock(p);
    }
    const Restore mode(p.mode);
    p.mode.header = Header::None;
    p.mode.noTrailingBlock = false;
    return parseStmtAsBlock(p);
}

} // namespace sx
