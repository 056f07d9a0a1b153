// The `for` loop (5.5, 8.6 h).
#include "syntax/ParserImpl.h"

namespace sx {

using namespace ast;

/// At `for`.
Expr* Parser::parseFor(bool isInline) {
    const Nested nested(*this);
    if (!nested.ok()) return missingExpr();
    const SourcePos begin = isInline ? previous().begin : here();
    Height height(*this);
    advance();
    auto* node = make<For>({begin, begin});
    node->isInline = isInline;
    SmallVector<ForIter, 4> iters;
    SmallVector<ForCapture, 4> captures;
    parseForHeader(iters, captures);
    height.add();
    if (!failed_) checkForHeader(iters, captures);
    node->iters = keep(iters);
    node->captures = keep(captures);
    node->body = parseForBody(isInline);
    height.add();
    node->span = from(begin);
    return node;
}

void Parser::parseForHeader(SmallVectorImpl<ForIter>& iters, SmallVectorImpl<ForCapture>& captures) {
    const Restore mode(mode_);
    mode_.header = Header::For;
    mode_.noTrailingBlock = true;
    Height height(*this);
    do {
        iters.push_back(parseIter());
        height.add();
    } while (accept(K::Comma));
    if (at(K::Colon)) {
        error(cur().span(), "no colon stands before the captures of a `for`").help("write `for VALUES (x) { … }`");
        advance();
    }
    if (isPipedCaptures(pos_)) {
        const uint32_t close = closingPipe(pos_);
        const std::string names(textBetween(cur().end, tokens_[close].begin));
        error(cur().span(), "the captures of a `for` stand in parentheses")
            .help("write `for VALUES (" + names + ") { … }`");
        if (failed_) return;
        pos_ = close + 1;
        captures.clear();
        iters.resize(1);
    } else if (at(K::LParen)) parseCaptures(captures);
    else if (!failed_) checkForeignLoop(iters);
}

/// expr [ range_op [ expr ] ]
ForIter Parser::parseIter() {
    const SourcePos begin = here();
    ForIter iter;
    Height height(*this);
    iter.value = parseExpr();
    height.add();
    if (const RangeOp range = rangeOp(cur().kind); range.isRange) {
        advance();
        iter.isRange = true;
        iter.startExclusive = range.startExclusive;
        iter.endInclusive = range.endInclusive;
        iter.end = parseRangeEnd(range, atOpenRangeEnd());
        height.add();
    }
    iter.span = from(begin);
    return iter;
}

/// The `|` that ends a list of names; the token itself if there is none.
uint32_t Parser::closingPipe(uint32_t token) const {
    uint32_t i = token + 1;
    while (i < eof_ && (isIdentLike(tokens_[i].kind) || tokens_[i].kind == K::Comma || tokens_[i].kind == K::Star)) ++i;
    return i > token + 1 && tokens_[i].kind == K::Pipe ? i : token;
}

/// `|i| {`: captures as other languages write them, with the body behind. A block may also be an operand of `|`; then
/// something of the header comes behind it.
bool Parser::isPipedCaptures(uint32_t token) const {
    if (tokens_[token].kind != K::Pipe) return false;
    const uint32_t close = closingPipe(token);
    if (close == token || tokens_[close + 1].kind != K::LBrace) return false;
    const K behind = tokens_[afterGroup(close + 1)].kind;
    return behind != K::LBrace && behind != K::LParen && behind != K::FatArrow && behind != K::Comma;
}

bool Parser::atOpenRangeEnd() const {
    switch (cur().kind) {
    case K::Comma:
    case K::LBrace:
    case K::FatArrow:
    case K::Colon: return true;
    case K::Pipe: return isPipedCaptures(pos_);
    case K::LParen: return isCaptureGroup(pos_);
    default: return false;
    }
}

/// `( ['*'] NAME , … )`
void Parser::parseCaptures(SmallVectorImpl<ForCapture>& captures) {
    constexpr const char* rule =
        "the group before the body of a `for` holds the captures: put a call without captures in parentheses";
    const uint32_t open = pos_;
    advance();
    do {
        if (!captures.empty() && at(K::RParen)) break;
        ForCapture capture;
        capture.byRef = accept(K::Star);
        if (!atIdent()) {
            failExpected("the name of a capture").help(rule);
            return;
        }
        capture.name = takeIdent();
        captures.push_back(capture);
    } while (accept(K::Comma));
    if (!at(K::RParen)) {
        failExpected("`,` or `)` after the capture").help(rule);
        return;
    }
    expectClosing(open, "`)`");
}

/// `for x in xs { … }` reads as a loop over the answer to "is x in xs".
void Parser::checkForeignLoop(ArrayRef<ForIter> iters) {
    const ForIter& iter = iters.back();
    const auto* test = llvm::dyn_cast<Binary>(iter.value);
    if (!test || test->op != BinaryOp::In || !llvm::isa<NameRef>(test->lhs)) return;
    const std::string name(sources_.textOf(test->lhs->span));
    std::string values(sources_.textOf({test->rhs->span.begin, iter.span.end})), captures = name;
    if (iters.size() == 2 && !iters[0].isRange &&
        llvm::isa<NameRef>(iters[0].value)) { // the index comes first elsewhere
        values += ", 0..";
        captures += ", " + std::string(sources_.textOf(iters[0].value->span));
    }
    error(iter.span, "`in` tests for membership and yields no values to loop over")
        .help("write `for " + values + " (" + captures + ") { … }`");
}

/// What can only be judged when the whole header is known, at the token behind it.
void Parser::checkForHeader(ArrayRef<ForIter> iters, ArrayRef<ForCapture> captures) {
    const Span body = cur().span();
    if (iters[0].isRange && !iters[0].end) {
        error(body, "the first range of a `for` decides how often it runs and needs an end")
            .note(iters[0].span, "this range is open");
        return;
    }
    if (captures.empty()) return;
    if (captures.size() != iters.size()) {
        error(body, "this `for` has " + std::to_string(iters.size()) +
                        (iters.size() == 1 ? " iterable" : " iterables") + " but " + std::to_string(captures.size()) +
                        (captures.size() == 1 ? " capture" : " captures"))
            .help("list one capture for each, or none; `_` skips one");
        return;
    }
    for (size_t i = 0; i < captures.size(); ++i) {
        if (!captures[i].byRef || !iters[i].isRange) continue;
        error(body, "the numbers of a range cannot be captured by reference")
            .note(captures[i].name.span, "capture this one without `*`");
        return;
    }
}

/// A block, or `=>` and one statement.
BlockExpr* Parser::parseForBody(bool isInline) {
    const Restore function(function_);
    if (!isInline) ++function_.loops;
    if (at(K::LBrace)) return parseBlock();
    if (!accept(K::FatArrow)) {
        const bool hasCaptures = previous().kind == K::RParen;
        Diagnostic& made = failExpected(hasCaptures ? "`{` or `=>`" : "captures, `{` or `=>`");
        if (hasCaptures && made.notes.empty()) made.help("a body without braces stands behind `=>`");
        return parseBlock();
    }
    const Restore mode(mode_);
    mode_.header = Header::None;
    mode_.noTrailingBlock = false;
    return parseStmtAsBlock();
}

} // namespace sx
