// `if`, `while`, `push` and blocks (8.4).
#include "syntax/ParserImpl.h"

namespace sx {

using namespace ast;

BlockExpr* Parser::parseBlock() {
    const Nested nested(*this);
    const uint32_t open = pos_;
    const Restore mode(mode_);
    mode_.header = Header::None;
    mode_.noTrailingBlock = false;
    mode_.constraints = false;
    Height height(*this);
    SmallVector<Stmt*, 16> stmts;
    if (at(K::LBrace) && startsArm(pos_ + 1)) {
        repairMatch();
    } else if (nested.ok() && expect(K::LBrace)) {
        height_ = 0;
        parseStmtList(stmts, closerOf(open), false);
        height.add();
        expectClosing(open, "`}`");
    }
    auto* block = make<BlockExpr>(from(tokens_[open].begin));
    block->stmts = keep(stmts);
    return block;
}

/// At the `{` of a block that holds the arms of a match: it is read as one.
void Parser::repairMatch() {
    const K before = previous().kind;
    const uint32_t last = pos_ == 0 ? 0 : pos_ - 1;
    const uint32_t word = before == K::RParen && previous().value != noMatch ? previous().value : last;
    const std::string_view other = word > 0 ? otherWord(text(tokens_[word - 1])) : std::string_view(); // `switch (x) {`
    const bool isHandler = before == K::KwCatch || (word > 0 && tokens_[word - 1].kind == K::KwCatch);
    Diagnostic& made = error(peek().span(), "`" + std::string(spelling(peek().kind)) +
                                                "` stands only in a match: `if VALUE == { case … }`");
    if (isHandler) made.help("write `catch (e) == { case … else: … }`");
    else if (!other.empty()) made.help(std::string(other));
    else made.help({previous().end, previous().end + 1}, "`==` is missing here");
    const Restore function(function_);
    ++function_.loops; // a `break` that ends an arm there
    if (!failed_) parseMatch(missingExpr(), here());
}

/// Statements up to `}`, in a match arm also up to the next arm. `limit` is the token of that `}`.
void Parser::parseStmtList(SmallVectorImpl<Stmt*>& stmts, uint32_t limit, bool inArm) {
    const StartTest startsAnother = inArm ? &Parser::startsArmOrStatement : &Parser::startsStatement;
    Height height(*this);
    while (!at(K::RBrace) && !at(K::Eof) && !(inArm && (at(K::KwCase) || at(K::KwElse)))) {
        const uint32_t start = pos_;
        Stmt* stmt = parseStmt();
        height.add();
        if (!failed_) stmts.push_back(stmt);
        else if (!recover(start, limit, startsAnother)) return;
    }
}

BlockExpr* Parser::parseBodyBlock(std::string_view header) {
    if (!at(K::LBrace) && !failed_) return parseBareBody("`{` after the " + std::string(header));
    return parseBlock();
}

/// `inline if`, `inline for`
Expr* Parser::parseInline(bool isStmt) {
    advance();
    if (at(K::KwIf)) return parseIf(isStmt, true);
    if (at(K::KwFor)) return parseFor(true);
    failExpected("`if` or `for` after `inline`");
    return missingExpr();
}

// ---- if

/// At `if`. A chain of `else if` is read in a loop, whatever its length.
Expr* Parser::parseIf(bool isStmt, bool isInline) {
    const Nested nested(*this);
    if (!nested.ok()) return missingExpr();
    const SourcePos begin = isInline ? previous().begin : here();
    Expr* const first = parseIfLink(isStmt, isInline, begin, false);
    SmallVector<If*, 4> chain;
    uint32_t highest = height_;
    for (auto* link = llvm::dyn_cast<If>(first); link && !link->thenForm && !link->guardForm && atElse();) {
        chain.push_back(link);
        advance();
        const bool isBare = textBetween(link->then->span.begin, link->then->span.begin + 1) != "{";
        if (!at(K::KwIf)) {
            link->otherwise =
                isBare && !at(K::LBrace) ? parseBareBody("`{` after the `else`", true) : parseBodyBlock("`else`");
            highest = std::max(highest, height_);
            break;
        }
        const uint32_t token = pos_;
        link->otherwise = parseIfLink(isStmt, isInline, here(), isBare);
        link = llvm::dyn_cast<If>(link->otherwise);
        highest = std::max(highest, height_);
        height_ = highest + static_cast<uint32_t>(chain.size());
        checkHeight(token);
    }
    for (If* link : chain) link->span = from(link->span);
    height_ = highest + static_cast<uint32_t>(chain.size());
    return first;
}

/// One `if` of a chain, without the `else` of a block form. `isReported`: that bodies lack their braces.
Expr* Parser::parseIfLink(bool isStmt, bool isInline, SourcePos begin, bool isReported) {
    Height height(*this);
    advance();
    auto* node = make<If>({begin, begin});
    node->isInline = isInline;
    bool isMatch = false;
    if (atIdent() && peek().kind == K::ColonEqual) {
        node->cond = parseIfBinding(node);
        height.add();
        node->then = parseBodyBlock("condition");
    } else {
        node->cond = parseCondition(isMatch);
        height.add();
        if (isMatch) {
            advance();
            Match* match = parseMatch(node->cond, begin);
            match->isInline = isInline;
            height.add();
            return match;
        }
        parseIfBody(node, isStmt, isReported);
    }
    height.add();
    node->span = from(begin);
    return node;
}

/// `if name := e`, up to the block.
Expr* Parser::parseIfBinding(If* node) {
    const Restore mode(mode_);
    mode_.header = Header::If;
    mode_.ifCondition = true;
    node->binding = takeIdent();
    advance();
    return parseExpr();
}

/// A condition, up to level `or`. A `{` behind the first `==` makes a match (8.6 f): the cursor then stands at
/// that `==`, and what was read is the subject.
Expr* Parser::parseCondition(bool& isMatch) {
    const Restore mode(mode_);
    mode_.header = Header::If;
    mode_.ifCondition = true;
    Expr* first = parseBinary(levelShift);
    if (at(K::EqualEqual) && peek().kind == K::LBrace) {
        isMatch = true;
        return first;
    }
    Expr* cond = repairAssignment(parseBinaryRest(first, levelOr));
    if (at(K::QuestionQuestion) || at(K::PipeGreater))
        fail("`" + std::string(spelling(cur().kind)) + "` stands in a condition only inside parentheses");
    return cond;
}

/// `if a = b {`: read on as if `==` stood there.
Expr* Parser::repairAssignment(Expr* condition) {
    if (!at(K::Equal)) return condition;
    const Span op = cur().span();
    const Location at = sources_.resolve(op.begin);
    std::string line(sources_.lineText(at.file, at.line));
    line.insert(at.col - 1, "=");
    error(op, "`=` assigns and cannot stand in a condition")
        .help({op.begin, op.end + 1}, "to compare, write", std::move(line));
    advance();
    return makeBinary(BinaryOp::Eq, op, condition, parseBinary(levelOr));
}

/// Behind the condition: `then …`, a guard, or a block.
void Parser::parseIfBody(If* node, bool isStmt, bool isReported) {
    if (accept(K::KwThen)) return parseThen(node, isStmt);
    if (isStmt && atJump()) {
        node->guardForm = true;
        node->then = parseGuardBody();
        if (at(K::KwElse) && atElse())
            fail("an `if` without braces takes no `else`").help("put its statement in braces");
        return;
    }
    if (!at(K::LBrace)) {
        node->then = parseBareBody("`{` or `then` after the condition", isReported);
        return;
    }
    node->then = parseBlock();
}

/// A body without braces: reported, unless that of the branch before was, and read as one if it is a statement of one
/// line. An `else` behind it is read on by the caller.
BlockExpr* Parser::parseBareBody(std::string_view expected, bool isReported) {
    uint32_t end = pos_;
    while (end < eof_ && tokens_[end].kind != K::Semicolon && tokens_[end].kind != K::LBrace &&
           tokens_[end].kind != K::RBrace && (end == pos_ || !tokens_[end].lineStart))
        ++end;
    const bool isStatement =
        (atIdent() || at(K::KwReturn) || at(K::KwBreak) || at(K::KwContinue) || at(K::KwRaise) || at(K::KwTry)) &&
        tokens_[end].kind == K::Semicolon;
    if (!isStatement || failed_) {
        const bool isColon = at(K::Colon);
        Diagnostic& made = failExpected(expected);
        if (isColon && made.notes.empty()) made.help("a body stands in braces: `{ … }`");
        return make<BlockExpr>({here(), here()});
    }
    const bool isNamed = !isKeyword(cur().kind);
    std::string written(textBetween(here(), tokens_[end].end));
    if (written.size() > 40) written = "…";
    if (!isReported) {
        Diagnostic& made = error(cur().span(), "expected " + std::string(expected) + ", found " + describe(cur()));
        if (!isNamed || !addWordHelp(made, pos_)) made.help("a body stands in braces: `{ " + written + " }`");
    }
    return parseStmtAsBlock();
}

BlockExpr* Parser::parseStmtAsBlock() {
    SmallVector<Stmt*, 1> only;
    const SourcePos begin = here();
    if (Stmt* stmt = parseStmt(); !failed_) only.push_back(stmt);
    auto* block = make<BlockExpr>(from(begin));
    block->stmts = keep(only);
    return block;
}

/// Behind `then`.
void Parser::parseThen(If* node, bool isStmt) {
    if (isStmt && at(K::KwRaise)) {
        node->guardForm = true;
        node->then = parseGuardBody();
        return;
    }
    node->thenForm = true;
    Height height(*this);
    if (isStmt && at(K::KwReturn)) {
        // As a statement it may return several values.
        checkJump(cur());
        const SourcePos begin = here();
        advance();
        const ArrayRef<ReturnElem> elems = atExprStart() ? parseReturnElems() : ArrayRef<ReturnElem>();
        auto* jump = make<ReturnExpr>(from(begin));
        jump->elems = elems;
        node->then = jump;
    } else {
        node->then = parseExpr();
    }
    height.add();
    if (!atElse()) return;
    advance();
    node->otherwise = parseExpr();
    height.add();
}

bool Parser::atJump() const { return at(K::KwRaise) || at(K::KwReturn) || at(K::KwBreak) || at(K::KwContinue); }

/// An `else` of an `if`: that of a match arm has a colon behind it.
bool Parser::atElse() const { return at(K::KwElse) && peek().kind != K::Colon; }

/// The one jump statement of a guard, as a block.
Expr* Parser::parseGuardBody() {
    Stmt* jump = parseStmt();
    if (failed_) return missingExpr();
    SmallVector<Stmt*, 1> only{jump};
    auto* block = make<BlockExpr>(jump->span);
    block->stmts = keep(only);
    return block;
}

// ---- while, push

Expr* Parser::parseWhile() {
    const Nested nested(*this);
    if (!nested.ok()) return missingExpr();
    const SourcePos begin = here();
    Height height(*this);
    advance();
    auto* node = make<While>({begin, begin});
    {
        const Restore mode(mode_);
        mode_.header = Header::While;
        mode_.noTrailingBlock = true;
        if (atIdent() && peek().kind == K::ColonEqual) {
            node->binding = takeIdent();
            advance();
            node->cond = parseExpr();
        } else {
            node->cond = repairAssignment(parseExpr());
        }
        height.add();
    }
    const Restore function(function_);
    ++function_.loops;
    node->body = parseBodyBlock("condition");
    height.add();
    node->span = from(begin);
    return node;
}

Expr* Parser::parsePush() {
    const Nested nested(*this);
    if (!nested.ok()) return missingExpr();
    const SourcePos begin = here();
    Height height(*this);
    advance();
    auto* node = make<Push>({begin, begin});
    {
        const Restore mode(mode_);
        mode_.header = Header::Push;
        mode_.noTrailingBlock = true;
        node->context = parseExpr();
        height.add();
    }
    node->body = parseBodyBlock("context");
    height.add();
    node->span = from(begin);
    return node;
}

} // namespace sx
