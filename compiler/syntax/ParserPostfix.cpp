// Suffixes: calls, indexing, members, casts, literals behind a type, `!`, `catch` (8.3).
#include "syntax/ParserImpl.h"

namespace sx {

using namespace ast;

Expr* Parser::parsePostfix() {
    Expr* base = parsePrimary();
    return parseSuffixes(base);
}

Expr* Parser::parseSuffixes(Expr* base) {
    bool ends = false;
    for (;;) {
        switch (cur().kind) {
        case K::LParen:
            if (mode_.header == Header::For && isCaptureGroup(pos_)) return base;
            [[fallthrough]];
        case K::LBracket:
        case K::Dot:
        case K::QuestionDot:
        case K::Bang:
        case K::KwCatch: break;
        default: return base;
        }
        const uint32_t token = pos_;
        const uint32_t baseHeight = height_;
        base = parseSuffix(base, ends);
        height_ = std::max(height_, baseHeight) + 1;
        checkHeight(token);
        if (ends || failed_) return base;
    }
}

Expr* Parser::parseSuffix(Expr* base, bool& ends) {
    switch (cur().kind) {
    case K::LParen: return parseCall(base, ends);
    case K::LBracket: return parseIndex(base);
    case K::Dot: return parseDotSuffix(base);
    case K::QuestionDot: return parseOptionalDot(base);
    case K::Bang: {
        auto* unwrap = make<Unwrap>({base->span.begin, cur().end});
        unwrap->base = base;
        unwrap->bang = cur().span();
        advance();
        return unwrap;
    }
    default: return parseCatch(base);
    }
}

/// At the `(`. A `{` behind the `)` on the same line is a trailing block, which ends the chain of suffixes.
Expr* Parser::parseCall(Expr* callee, bool& ends) {
    const uint32_t open = pos_;
    auto* call = make<Call>(callee->span);
    call->callee = callee;
    call->args = parseArgs(open);
    call->rparen = previous().span();
    if (at(K::LBrace) && !mode_.noTrailingBlock && !mode_.ifCondition && !cur().lineStart) {
        call->trailingBlock = parseTrailingBlock();
        ends = true;
        if (at(K::Dot))
            fail("a call with a trailing block cannot be followed by `.`").help("keep its result in a variable first");
    }
    call->span = from(callee->span);
    return call;
}

ArrayRef<Arg> Parser::parseArgs(uint32_t open) {
    const Nested nested(*this);
    const Restore mode(mode_);
    mode_.header = Header::None;
    mode_.noTrailingBlock = false;
    mode_.constraints = false;
    advance();
    SmallVector<Arg, 8> args;
    Height height(*this);
    while (!at(K::RParen) && !at(K::Eof)) {
        args.push_back(parseArg());
        height.add();
        if (!accept(K::Comma)) break;
    }
    if (at(K::Colon) && isIdentLike(previous().kind)) failColonInCall(open);
    expectClosing(open, args.empty() ? "an argument or `)`" : "`,` or `)`");
    return keep(args);
}

/// `f(b: 1)`, or the head of a function as other languages write it: `fn(b: i64)`.
void Parser::failColonInCall(uint32_t open) {
    const std::string_view callee = open > 0 ? otherWord(text(tokens_[open - 1])) : std::string_view();
    const std::string help = callee.empty()
                                 ? "an argument is named with `=`: `" + std::string(text(previous())) + " = …`"
                                 : std::string(callee);
    fail("expected `,` or `)`, found `:`").help(help);
}

/// '..' expr | NAME '=' expr | expr
Arg Parser::parseArg() {
    Arg arg;
    const SourcePos begin = here();
    arg.spread = accept(K::DotDot);
    if (!arg.spread && atNamedArg()) {
        arg.name = takeIdent();
        advance();
    }
    arg.value = parseExpr();
    arg.span = from(begin);
    return arg;
}

Parser::RangeOp Parser::rangeOp(K kind) {
    switch (kind) {
    case K::DotDot:
    case K::EqualDotDot: return {true, false, false, false};
    case K::DotDotEqual:
    case K::EqualDotDotEqual: return {true, false, true, true};
    case K::DotDotLess:
    case K::EqualDotDotLess: return {true, false, false, true};
    case K::LessDotDot: return {true, true, false, false};
    case K::LessDotDotEqual: return {true, true, true, true};
    case K::LessDotDotLess: return {true, true, false, true};
    default: return {};
    }
}

/// Behind the operator; null for an open range. `absent`: the next token shows that no end is written.
Expr* Parser::parseRangeEnd(const RangeOp& range, bool absent) {
    if (!absent) return parseExpr();
    if (range.needsEnd) failExpected("the end of the range, which `" + std::string(text(previous())) + "` needs");
    return nullptr;
}

/// `a[i]`, `a[lo..hi]`
Expr* Parser::parseIndex(Expr* base) {
    const Nested nested(*this);
    const uint32_t open = pos_;
    const Restore mode(mode_);
    mode_.header = Header::None;
    mode_.constraints = false;
    Height height(*this);
    advance();
    Expr* first = rangeOp(cur().kind).isRange ? nullptr : parseExpr();
    height.add();
    const RangeOp range = rangeOp(cur().kind);
    if (!range.isRange) {
        auto* index = make<Index>(base->span);
        index->base = base;
        index->index = first;
        expectClosing(open, "`]` or a range");
        index->bracket = from(tokens_[open].begin);
        index->span = from(base->span);
        return index;
    }
    advance();
    auto* slice = make<SliceExpr>(base->span);
    slice->base = base;
    slice->lo = first;
    slice->loExclusive = range.startExclusive;
    slice->hiInclusive = range.endInclusive;
    slice->hi = parseRangeEnd(range, at(K::RBracket));
    height.add();
    expectClosing(open, "`]`");
    slice->bracket = from(tokens_[open].begin);
    slice->span = from(base->span);
    return slice;
}

/// At the `.`: a member, `.*`, a cast, or a literal of the type before.
Expr* Parser::parseDotSuffix(Expr* base) {
    switch (peek().kind) {
    case K::Star: {
        const Span dot = cur().span();
        advance();
        auto* deref = make<Deref>({base->span.begin, cur().end});
        deref->base = base;
        deref->dot = dot;
        advance();
        return deref;
    }
    case K::LParen: advance(); return parseCastTail(base, false);
    case K::LBrace: return parseStructLit(base, base->span.begin);
    case K::LBracket: return parseArrayLit(base, base->span.begin);
    default: advance(); return parseMemberName(base, false);
    }
}

/// At the `?.`
Expr* Parser::parseOptionalDot(Expr* base) {
    advance();
    return at(K::LParen) ? parseCastTail(base, true) : parseMemberName(base, true);
}

Expr* Parser::parseMemberName(Expr* base, bool optional) {
    auto* member = make<Member>(base->span);
    member->base = base;
    member->optional = optional;
    member->dot = {previous().begin + (optional ? 1u : 0u), previous().end};
    if (at(K::Int)) {
        member->isIndex = true;
        member->name = {context_.names.intern(text(cur())), cur().span(), false};
        advance();
    } else if (at(K::Float)) {
        const std::string digits(text(cur()));
        Diagnostic& made = fail("`" + digits + "` is read as one number");
        if (const size_t dot = digits.find('.'); dot != std::string::npos)
            made.help("put the first step in parentheses: `(t." + digits.substr(0, dot) + ")" + digits.substr(dot) +
                      "`");
    } else {
        member->name = expectDotName();
    }
    member->span = from(base->span);
    return member;
}

/// At the `(` of `.(T)`, `.(T, allocator)`, `?.(T)`
Expr* Parser::parseCastTail(Expr* base, bool optional) {
    const Nested nested(*this);
    const uint32_t open = pos_;
    const Restore mode(mode_);
    mode_.header = Header::None;
    mode_.noTrailingBlock = false;
    advance();
    Height height(*this);
    auto* cast = make<Cast>(base->span);
    cast->base = base;
    cast->optional = optional;
    cast->type = parseType();
    height.add();
    if (!optional && accept(K::Comma)) {
        cast->allocator = parseExpr();
        height.add();
    }
    expectClosing(open, optional ? "`)`" : "`,` or `)`");
    cast->span = from(base->span);
    return cast;
}

// ---- catch

Expr* Parser::parseCatch(Expr* operand) {
    const Nested nested(*this);
    auto* node = make<Catch>(operand->span);
    node->operand = operand;
    node->keyword = cur().span();
    advance();
    Height height(*this);
    node->body = parseCatchBody(node);
    height.add();
    node->span = from(operand->span);
    return node;
}

/// Behind `catch` (8.6 l).
Expr* Parser::parseCatchBody(Catch* node) {
    if (at(K::LBrace)) return parseBlock();
    if (at(K::LParen) && isSingleNameGroup(pos_)) {
        advance();
        node->binding = takeIdent();
        advance();
    } else if (atIdent() && atOldCatchBinding()) {
        node->binding = takeIdent();
    } else {
        failExpected("`{` or a binding `(e)` after `catch`")
            .help("write `catch { … }`, or `catch (e) …` to bind the error");
        return missingExpr();
    }
    if (at(K::LBrace)) return parseBlock();
    if (at(K::EqualEqual) && peek().kind == K::LBrace) {
        const SourcePos begin = here();
        auto* subject = make<NameRef>(node->binding.span);
        subject->id = node->binding;
        advance();
        return parseMatch(subject, begin);
    }
    return parseExpr();
}

/// The older spelling: is the name at the cursor a binding?
bool Parser::atOldCatchBinding() const {
    const Token& next = peek();
    if (next.kind == K::LBrace) return true;
    if (next.kind == K::EqualEqual && peek(2).kind == K::LBrace) return true;
    return !next.lineStart && startsExpr(next);
}

} // namespace sx
