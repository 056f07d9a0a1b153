// Matches: `if x == { case … }`, also behind `catch` (4.8, 8.4).
#include "syntax/ParserImpl.h"

namespace sx {

using namespace ast;

/// At the `{`.
Match* Parser::parseMatch(Expr* subject, SourcePos begin) {
    const Nested nested(*this);
    const uint32_t open = pos_;
    const Restore mode(mode_);
    mode_.header = Header::None;
    mode_.noTrailingBlock = false;
    mode_.constraints = false;
    Height height(*this);
    SmallVector<MatchArm, 8> arms;
    advance();
    const uint32_t limit = closerOf(open);
    bool hasElse = false;
    while (at(K::KwCase) || at(K::KwElse)) {
        const uint32_t start = pos_;
        if (hasElse) error(cur().span(), "`else` must be the last arm of a match");
        hasElse |= at(K::KwElse);
        const MatchArm arm = parseArm(limit);
        height.add();
        if (!failed_) arms.push_back(arm);
        else if (!recoverArm(start, limit)) break;
    }
    const bool isBare = atExprStart() && peek().kind == K::Colon;
    if (isBare)
        fail("expected `case`, `else` or `}`, found " + describe(cur()))
            .help("an arm is written `case PATTERN: …`, the last one `else: …`");
    expectClosing(open, "`case`, `else` or `}`");
    auto* match = make<Match>(from(begin));
    match->subject = subject;
    match->arms = keep(arms);
    return match;
}

/// At `case` or `else`; up to the next arm.
MatchArm Parser::parseArm(uint32_t limit) {
    MatchArm arm;
    const SourcePos begin = here();
    Height height(*this);
    arm.caseKeyword = cur().span();
    const bool isCase = at(K::KwCase);
    advance();
    if (isCase) {
        arm.pattern = parsePattern();
        height.add();
        if (at(K::Comma)) fail("a `case` has one pattern").help("write one `case` for each pattern");
        else if (at(K::LParen))
            failExpected("`:` after the pattern").help("the capture stands behind the colon: `case PATTERN: (x) …`");
        else if (rangeOp(cur().kind).isRange)
            fail("a pattern cannot be a range").help("match with `if` and comparisons");
    }
    expect(K::Colon, isCase ? "`:` after the pattern" : "`:` after `else`");
    if (isCase && isSingleNameGroup(pos_)) {
        advance();
        arm.capture = takeIdent();
        advance();
    }
    if (!isCase && at(K::LParen) && isSingleNameGroup(pos_) &&
        (peek(3).kind == K::LBrace || peek(3).kind == K::FatArrow)) {
        error({cur().begin, peek(2).end}, "`else` stands for any other value and has no capture");
        pos_ += 3;
        accept(K::FatArrow);
    }
    const SourcePos bodyBegin = here();
    if (isCase && at(K::KwBreak) && peek().kind == K::Semicolon) {
        arm.emptyBreak = true;
        advance();
        advance();
    } else {
        arm.arrow = isCase && at(K::FatArrow);
        parseArmBody(arm, limit);
        height.add();
    }
    arm.bodySpan = from(bodyBegin);
    arm.span = from(begin);
    return arm;
}

void Parser::parseArmBody(MatchArm& arm, uint32_t limit) {
    SmallVector<Stmt*, 8> stmts;
    if (arm.arrow) {
        advance();
        Expr* value = parseExpr();
        if (isAssignOp(cur().kind))
            failExpected("`;` after this expression")
                .help("behind `=>` stands an expression; leave the arrow out before statements");
        Stmt* stmt = finishExprStmt(value);
        if (!failed_) stmts.push_back(stmt);
    } else {
        parseStmtList(stmts, limit, true);
    }
    arm.body = keep(stmts);
}

/// 'struct' | 'enum' | 'union' | a literal, `.name`, or a type.
Expr* Parser::parsePattern() {
    switch (cur().kind) {
    case K::KwStruct:
    case K::KwEnum:
    case K::KwUnion:
        // Categories, unless an inline type follows.
        if (peek().kind == K::Colon) return parseName();
        return parseType();
    case K::Ident:
    case K::KwProtocol:
    case K::KwImpl:
    case K::KwUfcs:
    case K::KwF32:
    case K::KwF64:
    case K::KwType:
    case K::KwSelf:
    case K::Star:
    case K::Question:
    case K::LBracket: return parseType();
    case K::LParen:
        if (isFunctionType(pos_)) return parseType();
        return parseParen();
    case K::Minus:
        failExpected("a pattern").help("negative numbers are no patterns: compare with `if`");
        return missingExpr();
    default: return parsePrimary();
    }
}

} // namespace sx
