// Matches: `if x == { case … }`, also after `catch` (4.8, 8.4).
#include "syntax/Grammar.h"

namespace sx {

using namespace ast;

/// At the `{`.
Match* parseMatch(Parser& p, Expr* subject, SourcePos begin) {
    const Nested nested(p);
    const uint32_t open = p.pos;
    const Restore mode(p.mode);
    p.mode.header = Header::None;
    p.mode.noTrailingBlock = false;
    p.mode.constraints = false;
    Height height(p);
    SmallVector<MatchArm, 8> arms;
    p.advance();
    const uint32_t limit = p.closerOf(open);
    bool hasElse = false;
    while (p.at(K::KwCase) || p.at(K::KwElse)) {
        const uint32_t start = p.pos;
        if (hasElse) p.error(p.cur().span(), "`else` must be the last arm of a match");
        hasElse |= p.at(K::KwElse);
        const MatchArm arm = parseArm(p, limit);
        height.add();
        if (!p.failed) arms.push_back(arm);
        else if (!recoverArm(p, start, limit)) break;
    }
    const bool isBare = atExprStart(p) && p.peek().kind == K::Colon;
    if (isBare)
        p.fail("expected `case`, `else` or `}`, found " + p.describe(p.cur()))
            .help("an arm is written `case PATTERN: …`, the last one `else: …`");
    p.expectClosing(open, "`case`, `else` or `}`");
    auto* match = p.make<Match>(p.from(begin));
    match->subject = subject;
    match->arms = p.keep(arms);
    return match;
}

/// At `case` or `else`; up to the next arm.
MatchArm parseArm(Parser& p, uint32_t limit) {
    MatchArm arm;
    const SourcePos begin = p.here();
    Height height(p);
    arm.caseKeyword = p.cur().span();
    const bool isCase = p.at(K::KwCase);
    p.advance();
    if (isCase) {
        arm.pattern = parsePattern(p);
        height.add();
        if (p.at(K::Comma)) p.fail("a `case` has one pattern").help("write one `case` for each pattern");
        else if (p.at(K::LParen))
            p.failExpected("`:` after the pattern").help("the capture stands behind the colon: `case PATTERN: (x) …`");
        else if (rangeOp(p.cur().kind).isRange)
            p.fail("a pattern cannot be a range").help("match with `if` and comparisons");
    }
    p.expect(K::Colon, isCase ? "`:` after the pattern" : "`:` after `else`");
    if (isCase && isSingleNameGroup(p, p.pos)) {
        p.advance();
        arm.capture = takeIdent(p);
        p.advance();
    }
    if (!isCase && p.at(K::LParen) && isSingleNameGroup(p, p.pos) &&
        (p.peek(3).kind == K::LBrace || p.peek(3).kind == K::FatArrow)) {
        p.error({p.cur().begin, p.peek(2).end}, "`else` stands for any other value and has no capture");
        p.pos += 3;
        p.accept(K::FatArrow);
    }
    const SourcePos bodyBegin = p.here();
    if (isCase && p.at(K::KwBreak) && p.peek().kind == K::Semicolon) {
        arm.emptyBreak = true;
        p.advance();
        p.advance();
    } else {
        arm.arrow = isCase && p.at(K::FatArrow);
        ++p.function.arms;
        parseArmBody(p, arm, limit);
        --p.function.arms;
        height.add();
    }
    arm.bodySpan = p.from(bodyBegin);
    arm.span = p.from(begin);
    return arm;
}

void parseArmBody(Parser& p, MatchArm& arm, uint32_t limit) {
    SmallVector<Stmt*, 8> stmts;
    if (arm.arrow) {
        p.advance();
        Expr* value = parseExpr(p);
        if (isAssignOp(p.cur().kind))
            p.failExpected("`;` after this expression")
                .help("behind `=>` stands an expression; leave the arrow out before statements");
        Stmt* stmt = finishExprStmt(p, value);
        if (!p.failed) stmts.push_back(stmt);
    } else {
        parseStmtList(p, stmts, limit, true);
    }
    arm.body = p.keep(stmts);
}

/// 'struct' | 'enum' | 'union' | a literal, `.name`, or a type.
Expr* parsePattern(Parser& p) {
    switch (p.cur().kind) {
    case K::KwStruct:
    case K::KwEnum:
    case K::KwUnion:
        // Categories, unless an inline type follows.
        if (p.peek().kind == K::Colon) return parseName(p);
        return parseType(p);
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
    case K::LBracket: return parseType(p);
    case K::LParen:
        if (isFunctionType(p, p.pos)) return parseType(p);
        return parseParen(p);
    case K::Minus:
        p.failExpected("a pattern").help("negative numbers are no patterns: compare with `if`");
        return p.missingExpr();
    default: return parsePrimary(p);
    }
}

} // namespace sx
