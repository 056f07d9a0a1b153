// `if`, `while`, `push` and blocks (8.4).
#include "syntax/Grammar.h"

namespace sx {

using namespace ast;

BlockExpr* parseBlock(Parser& p) {
    const Nested nested(p);
    const uint32_t open = p.pos;
    const Restore mode(p.mode);
    p.mode.header = Header::None;
    p.mode.noTrailingBlock = false;
    p.mode.constraints = false;
    Height height(p);
    SmallVector<Stmt*, 16> stmts;
    if (p.at(K::LBrace) && startsArm(p, p.pos + 1)) {
        repairMatch(p);
    } else if (nested.ok() && p.expect(K::LBrace)) {
        p.height = 0;
        parseStmtList(p, stmts, p.closerOf(open), false);
        height.add();
        p.expectClosing(open, "`}`");
    }
    auto* block = p.make<BlockExpr>(p.from(p.tokens[open].begin));
    block->stmts = p.keep(stmts);
    return block;
}

/// At the `{` of a block that holds the arms of a match: it is read as one.
void repairMatch(Parser& p) {
    const K before = p.previous().kind;
    const uint32_t last = p.pos == 0 ? 0 : p.pos - 1;
    const uint32_t word = before == K::RParen && p.previous().value != noMatch ? p.previous().value : last;
    const std::string_view other =
        word > 0 ? otherWord(p.text(p.tokens[word - 1])) : std::string_view(); // `switch (x) {`
    const bool isHandler = before == K::KwCatch || (word > 0 && p.tokens[word - 1].kind == K::KwCatch);
    Diagnostic& made =
        p.error(p.peek().span(), code(spelling(p.peek().kind)) + " stands only in a match: `if VALUE == { case … }`");
    if (isHandler) made.help("write `catch (e) == { case … else: … }`");
    else if (!other.empty()) made.help(std::string(other));
    else made.help({p.previous().end, p.previous().end + 1}, "`==` is missing here");
    const Restore function(p.function);
    ++p.function.loops; // a `break` that ends an arm there
    if (!p.failed) parseMatch(p, p.missingExpr(), p.here());
}

/// Statements up to `}`, in a match arm also up to the next arm. `limit` is the token of that `}`.
void parseStmtList(Parser& p, SmallVectorImpl<Stmt*>& stmts, uint32_t limit, bool inArm) {
    const StartTest startsAnother = inArm ? startsArmOrStatement : startsStatement;
    Height height(p);
    while (!p.at(K::RBrace) && !p.at(K::Eof) && !(inArm && (p.at(K::KwCase) || p.at(K::KwElse)))) {
        const uint32_t start = p.pos;
        Stmt* stmt = parseStmt(p);
        height.add();
        if (!p.failed) stmts.push_back(stmt);
        else if (!p.recover(start, limit, startsAnother)) return;
    }
}

BlockExpr* parseBodyBlock(Parser& p, std::string_view header) {
    if (!p.at(K::LBrace) && !p.failed) return parseBareBody(p, "`{` after the " + std::string(header));
    return parseBlock(p);
}

/// `inline if`, `inline for`
Expr* parseInline(Parser& p, bool isStmt) {
    p.advance();
    if (p.at(K::KwIf)) return parseIf(p, isStmt, true);
    if (p.at(K::KwFor)) return parseFor(p, true);
    p.failExpected("`if` or `for` after `inline`");
    return p.missingExpr();
}

// ---- if

/// At `if`. A chain of `else if` is read in a loop, whatever its length.
Expr* parseIf(Parser& p, bool isStmt, bool isInline) {
    const Nested nested(p);
    if (!nested.ok()) return p.missingExpr();
    const SourcePos begin = isInline ? p.previous().begin : p.here();
    Expr* const first = parseIfLink(p, isStmt, isInline, begin, false);
    SmallVector<If*, 4> chain;
    uint32_t highest = p.height;
    for (auto* link = llvm::dyn_cast<If>(first); link && !link->thenForm && !link->guardForm && atElse(p);) {
        chain.push_back(link);
        p.advance();
        const bool isBare = p.textBetween(link->then->span.begin, link->then->span.begin + 1) != "{";
        if (!p.at(K::KwIf)) {
            link->otherwise = isBare && !p.at(K::LBrace) ? parseBareBody(p, "`{` after the `else`", true)
                                                         : parseBodyBlock(p, "`else`");
            highest = std::max(highest, p.height);
            break;
        }
        const uint32_t token = p.pos;
        link->otherwise = parseIfLink(p, isStmt, isInline, p.here(), isBare);
        link = llvm::dyn_cast<If>(link->otherwise);
        highest = std::max(highest, p.height);
        p.height = highest + static_cast<uint32_t>(chain.size());
        p.checkHeight(token);
    }
    for (If* link : chain) link->span = p.from(link->span);
    p.height = highest + static_cast<uint32_t>(chain.size());
    return first;
}

/// One `if` of a chain, without the `else` of a block form. `isReported`: that bodies lack their braces.
Expr* parseIfLink(Parser& p, bool isStmt, bool isInline, SourcePos begin, bool isReported) {
    Height height(p);
    p.advance();
    auto* node = p.make<If>({begin, begin});
    node->isInline = isInline;
    bool isMatch = false;
    if (p.atIdent() && p.peek().kind == K::ColonEqual) {
        node->cond = parseIfBinding(p, node);
        height.add();
        node->then = parseBodyBlock(p, "condition");
    } else {
        node->cond = parseCondition(p, isMatch);
        height.add();
        if (isMatch) {
            p.advance();
            Match* match = parseMatch(p, node->cond, begin);
            match->isInline = isInline;
            height.add();
            return match;
        }
        parseIfBody(p, node, isStmt, isReported);
    }
    height.add();
    node->span = p.from(begin);
    return node;
}

/// `if name := e`, up to the block.
Expr* parseIfBinding(Parser& p, If* node) {
    const Restore mode(p.mode);
    p.mode.header = Header::If;
    p.mode.ifCondition = true;
    node->binding = takeIdent(p);
    p.advance();
    return parseExpr(p);
}

/// A condition, up to level `or`. A `{` after the first `==` makes a match (8.6 f): the cursor then stands at
/// that `==`, and what was read is the subject.
Expr* parseCondition(Parser& p, bool& isMatch) {
    const Restore mode(p.mode);
    p.mode.header = Header::If;
    p.mode.ifCondition = true;
    Expr* first = parseBinary(p, levelShift);
    if (p.at(K::EqualEqual) && p.peek().kind == K::LBrace) {
        isMatch = true;
        return first;
    }
    Expr* cond = repairAssignment(p, parseBinaryRest(p, first, levelOr));
    if (p.at(K::QuestionQuestion) || p.at(K::PipeGreater))
        p.fail(code(spelling(p.cur().kind)) + " stands in a condition only inside parentheses");
    return cond;
}

/// `if a = b {`: read on as if `==` stood there.
Expr* repairAssignment(Parser& p, Expr* condition) {
    if (!p.at(K::Equal)) return condition;
    const Span op = p.cur().span();
    const Location at = p.sources.resolve(op.begin);
    std::string line(p.sources.lineText(at.file, at.line));
    line.insert(at.col - 1, "=");
    p.error(op, "`=` assigns and cannot stand in a condition")
        .help({op.begin, op.end + 1}, "to compare, write", std::move(line));
    p.advance();
    return makeBinary(p, BinaryOp::Eq, op, condition, parseBinary(p, levelOr));
}

/// Behind the condition: `then …`, a guard, or a block.
void parseIfBody(Parser& p, If* node, bool isStmt, bool isReported) {
    if (p.accept(K::KwThen)) return parseThen(p, node, isStmt);
    if (isStmt && atJump(p)) {
        node->guardForm = true;
        node->then = parseGuardBody(p);
        if (p.at(K::KwElse) && atElse(p))
            p.fail("an `if` without braces takes no `else`").help("put its statement in braces");
        return;
    }
    if (!p.at(K::LBrace)) {
        node->then = parseBareBody(p, "`{` or `then` after the condition", isReported);
        return;
    }
    node->then = parseBlock(p);
}

/// A body without braces: reported, unless that of the branch before was, and read as one if it is a statement of one
/// line. An `else` after it is read on by the caller.
BlockExpr* parseBareBody(Parser& p, std::string_view expected, bool isReported) {
    uint32_t end = p.pos;
    while (end < p.eof && p.tokens[end].kind != K::Semicolon && p.tokens[end].kind != K::LBrace &&
           p.tokens[end].kind != K::RBrace && (end == p.pos || !p.tokens[end].lineStart))
        ++end;
    const bool isStatement = (p.atIdent() || p.at(K::KwReturn) || p.at(K::KwBreak) || p.at(K::KwContinue) ||
                              p.at(K::KwRaise) || p.at(K::KwTry)) &&
                             p.tokens[end].kind == K::Semicolon;
    if (!isStatement || p.failed) {
        const bool isColon = p.at(K::Colon);
        Diagnostic& made = p.failExpected(expected);
        if (isColon && made.notes.empty()) made.help("a body stands in braces: `{ … }`");
        return p.make<BlockExpr>({p.here(), p.here()});
    }
    const bool isNamed = !isKeyword(p.cur().kind);
    std::string written(p.textBetween(p.here(), p.tokens[end].end));
    if (written.size() > 40) written = "…";
    if (!isReported) {
        Diagnostic& made =
            p.error(p.cur().span(), "expected " + std::string(expected) + ", found " + p.describe(p.cur()));
        if (!isNamed || !addWordHelp(p, made, p.pos)) made.help("a body stands in braces: `{ " + written + " }`");
    }
    return parseStmtAsBlock(p);
}

BlockExpr* parseStmtAsBlock(Parser& p) {
    SmallVector<Stmt*, 1> only;
    const SourcePos begin = p.here();
    if (Stmt* stmt = parseStmt(p); !p.failed) only.push_back(stmt);
    auto* block = p.make<BlockExpr>(p.from(begin));
    block->stmts = p.keep(only);
    return block;
}

/// Behind `then`.
void parseThen(Parser& p, If* node, bool isStmt) {
    if (isStmt && p.at(K::KwRaise)) {
        node->guardForm = true;
        node->then = parseGuardBody(p);
        return;
    }
    node->thenForm = true;
    Height height(p);
    if (isStmt && p.at(K::KwReturn)) {
        // As a statement it may return several values.
        checkJump(p, p.cur());
        const SourcePos begin = p.here();
        p.advance();
        const ArrayRef<ReturnElem> elems = atExprStart(p) ? parseReturnElems(p) : ArrayRef<ReturnElem>();
        auto* jump = p.make<ReturnExpr>(p.from(begin));
        jump->elems = elems;
        node->then = jump;
    } else {
        node->then = parseExpr(p);
    }
    height.add();
    if (!atElse(p)) return;
    p.advance();
    node->otherwise = parseExpr(p);
    height.add();
}

bool atJump(const Parser& p) {
    return p.at(K::KwRaise) || p.at(K::KwReturn) || p.at(K::KwBreak) || p.at(K::KwContinue);
}

/// An `else` of an `if`: that of a match arm has a colon after it.
bool atElse(const Parser& p) { return p.at(K::KwElse) && p.peek().kind != K::Colon; }

/// The one jump statement of a guard, as a block.
Expr* parseGuardBody(Parser& p) {
    Stmt* jump = parseStmt(p);
    if (p.failed) return p.missingExpr();
    SmallVector<Stmt*, 1> only{jump};
    auto* block = p.make<BlockExpr>(jump->span);
    block->stmts = p.keep(only);
    return block;
}

// ---- while, push

Expr* parseWhile(Parser& p) {
    const Nested nested(p);
    if (!nested.ok()) return p.missingExpr();
    const SourcePos begin = p.here();
    Height height(p);
    p.advance();
    auto* node = p.make<While>({begin, begin});
    {
        const Restore mode(p.mode);
        p.mode.header = Header::While;
        p.mode.noTrailingBlock = true;
        if (p.atIdent() && p.peek().kind == K::ColonEqual) {
            node->binding = takeIdent(p);
            p.advance();
            node->cond = parseExpr(p);
        } else {
            node->cond = repairAssignment(p, parseExpr(p));
        }
        height.add();
    }
    const Restore function(p.function);
    ++p.function.loops;
    node->body = parseBodyBlock(p, "condition");
    height.add();
    node->span = p.from(begin);
    return node;
}

Expr* parsePush(Parser& p) {
    const Nested nested(p);
    if (!nested.ok()) return p.missingExpr();
    const SourcePos begin = p.here();
    Height height(p);
    p.advance();
    auto* node = p.make<Push>({begin, begin});
    {
        const Restore mode(p.mode);
        p.mode.header = Header::Push;
        p.mode.noTrailingBlock = true;
        node->context = parseExpr(p);
        height.add();
    }
    node->body = parseBodyBlock(p, "context");
    height.add();
    node->span = p.from(begin);
    return node;
}

} // namespace sx
