// Suffixes: calls, indexing, members, casts, literals after a type, `!`, `catch` (8.3).
#include "syntax/Grammar.h"

namespace sx {

using namespace ast;

Expr* parsePostfix(Parser& p) {
    Expr* base = parsePrimary(p);
    return parseSuffixes(p, base);
}

Expr* parseSuffixes(Parser& p, Expr* base) {
    bool ends = false;
    for (;;) {
        switch (p.cur().kind) {
        case K::LParen:
            if (p.mode.header == Header::For && isCaptureGroup(p, p.pos)) return base;
            [[fallthrough]];
        case K::LBracket:
        case K::Dot:
        case K::QuestionDot:
        case K::Bang:
        case K::KwCatch: break;
        default: return base;
        }
        const uint32_t token = p.pos;
        const uint32_t baseHeight = p.height;
        base = parseSuffix(p, base, ends);
        p.height = std::max(p.height, baseHeight) + 1;
        p.checkHeight(token);
        if (ends || p.failed) return base;
    }
}

Expr* parseSuffix(Parser& p, Expr* base, bool& ends) {
    switch (p.cur().kind) {
    case K::LParen: return parseCall(p, base, ends);
    case K::LBracket: return parseIndex(p, base);
    case K::Dot: return parseDotSuffix(p, base);
    case K::QuestionDot: return parseOptionalDot(p, base);
    case K::Bang: {
        auto* unwrap = p.make<Unwrap>({base->span.begin, p.cur().end});
        unwrap->base = base;
        unwrap->bang = p.cur().span();
        p.advance();
        return unwrap;
    }
    default: return parseCatch(p, base);
    }
}

/// At the `(`. A `{` after the `)` on the same line is a trailing block, which ends the chain of suffixes.
Expr* parseCall(Parser& p, Expr* callee, bool& ends) {
    const uint32_t open = p.pos;
    auto* call = p.make<Call>(callee->span);
    call->callee = callee;
    call->args = parseArgs(p, open);
    call->rparen = p.previous().span();
    if (p.at(K::LBrace) && !p.mode.noTrailingBlock && !p.mode.ifCondition && !p.cur().lineStart) {
        call->trailingBlock = parseTrailingBlock(p);
        ends = true;
        if (p.at(K::Dot))
            p.fail("a call with a trailing block cannot be followed by `.`")
                .help("keep its result in a variable first");
    }
    call->span = p.from(callee->span);
    return call;
}

ArrayRef<Arg> parseArgs(Parser& p, uint32_t open) {
    const Nested nested(p);
    const Restore mode(p.mode);
    p.mode.header = Header::None;
    p.mode.noTrailingBlock = false;
    p.mode.constraints = false;
    p.advance();
    SmallVector<Arg, 8> args;
    Height height(p);
    while (!p.at(K::RParen) && !p.at(K::Eof)) {
        args.push_back(parseArg(p));
        height.add();
        if (!p.accept(K::Comma)) break;
    }
    if (p.at(K::Colon) && isIdentLike(p.previous().kind)) failColonInCall(p, open);
    p.expectClosing(open, args.empty() ? "an argument or `)`" : "`,` or `)`");
    return p.keep(args);
}

/// `f(b: 1)`, or the head of a function as other languages write it: `fn(b: i64)`.
void failColonInCall(Parser& p, uint32_t open) {
    const std::string_view callee = open > 0 ? otherWord(p.text(p.tokens[open - 1])) : std::string_view();
    const std::string help = callee.empty()
                                 ? "an argument is named with `=`: `" + std::string(p.text(p.previous())) + " = …`"
                                 : std::string(callee);
    p.fail("expected `,` or `)`, found `:`").help(help);
}

/// '..' expr | NAME '=' expr | expr
Arg parseArg(Parser& p) {
    Arg arg;
    const SourcePos begin = p.here();
    arg.spread = p.accept(K::DotDot);
    if (!arg.spread && atNamedArg(p)) {
        arg.name = takeIdent(p);
        p.advance();
    }
    arg.value = parseExpr(p);
    arg.span = p.from(begin);
    return arg;
}

RangeOp rangeOp(K kind) {
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
Expr* parseRangeEnd(Parser& p, const RangeOp& range, bool absent) {
    if (!absent) return parseExpr(p);
    if (range.needsEnd) p.failExpected("the end of the range, which " + code(p.text(p.previous())) + " needs");
    return nullptr;
}

/// `a[i]`, `a[lo..hi]`
Expr* parseIndex(Parser& p, Expr* base) {
    const Nested nested(p);
    const uint32_t open = p.pos;
    const Restore mode(p.mode);
    p.mode.header = Header::None;
    p.mode.constraints = false;
    Height height(p);
    p.advance();
    Expr* first = rangeOp(p.cur().kind).isRange ? nullptr : parseExpr(p);
    height.add();
    const RangeOp range = rangeOp(p.cur().kind);
    if (!range.isRange) {
        auto* index = p.make<Index>(base->span);
        index->base = base;
        index->index = first;
        p.expectClosing(open, "`]` or a range");
        index->bracket = p.from(p.tokens[open].begin);
        index->span = p.from(base->span);
        return index;
    }
    p.advance();
    auto* slice = p.make<SliceExpr>(base->span);
    slice->base = base;
    slice->lo = first;
    slice->loExclusive = range.startExclusive;
    slice->hiInclusive = range.endInclusive;
    slice->hi = parseRangeEnd(p, range, p.at(K::RBracket));
    height.add();
    p.expectClosing(open, "`]`");
    slice->bracket = p.from(p.tokens[open].begin);
    slice->span = p.from(base->span);
    return slice;
}

/// At the `.`: a member, `.*`, a cast, or a literal of the type before.
Expr* parseDotSuffix(Parser& p, Expr* base) {
    switch (p.peek().kind) {
    case K::Star: {
        const Span dot = p.cur().span();
        p.advance();
        auto* deref = p.make<Deref>({base->span.begin, p.cur().end});
        deref->base = base;
        deref->dot = dot;
        p.advance();
        return deref;
    }
    case K::LParen: p.advance(); return parseCastTail(p, base, false);
    case K::LBrace: return parseStructLit(p, base, base->span.begin);
    case K::LBracket: return parseArrayLit(p, base, base->span.begin);
    default: p.advance(); return parseMemberName(p, base, false);
    }
}

/// At the `?.`
Expr* parseOptionalDot(Parser& p, Expr* base) {
    p.advance();
    return p.at(K::LParen) ? parseCastTail(p, base, true) : parseMemberName(p, base, true);
}

Expr* parseMemberName(Parser& p, Expr* base, bool optional) {
    auto* member = p.make<Member>(base->span);
    member->base = base;
    member->optional = optional;
    member->dot = {p.previous().begin + (optional ? 1u : 0u), p.previous().end};
    if (p.at(K::Int)) {
        member->isIndex = true;
        member->name = {p.context.names.intern(p.text(p.cur())), p.cur().span(), false};
        p.advance();
    } else if (p.at(K::Float)) {
        const std::string digits(p.text(p.cur()));
        Diagnostic& made = p.fail(code(digits) + " is read as one number");
        if (const size_t dot = digits.find('.'); dot != std::string::npos)
            made.help("put the first step in parentheses: `(t." + digits.substr(0, dot) + ")" + digits.substr(dot) +
                      "`");
    } else {
        member->name = expectDotName(p);
    }
    member->span = p.from(base->span);
    return member;
}

/// At the `(` of `.(T)`, `.(T, allocator)`, `?.(T)`
Expr* parseCastTail(Parser& p, Expr* base, bool optional) {
    const Nested nested(p);
    const uint32_t open = p.pos;
    const Restore mode(p.mode);
    p.mode.header = Header::None;
    p.mode.noTrailingBlock = false;
    p.advance();
    Height height(p);
    auto* cast = p.make<Cast>(base->span);
    cast->base = base;
    cast->optional = optional;
    cast->type = parseType(p);
    height.add();
    if (!optional && p.accept(K::Comma)) {
        cast->allocator = parseExpr(p);
        height.add();
    }
    p.expectClosing(open, optional ? "`)`" : "`,` or `)`");
    cast->span = p.from(base->span);
    return cast;
}

// ---- catch

Expr* parseCatch(Parser& p, Expr* operand) {
    const Nested nested(p);
    auto* node = p.make<Catch>(operand->span);
    node->operand = operand;
    node->keyword = p.cur().span();
    p.advance();
    Height height(p);
    node->body = parseCatchBody(p, node);
    height.add();
    node->span = p.from(operand->span);
    return node;
}

/// Behind `catch` (8.6 l).
Expr* parseCatchBody(Parser& p, Catch* node) {
    if (p.at(K::LBrace)) return parseBlock(p);
    if (p.at(K::LParen) && isSingleNameGroup(p, p.pos)) {
        p.advance();
        node->binding = takeIdent(p);
        p.advance();
    } else if (p.atIdent() && atOldCatchBinding(p)) {
        node->binding = takeIdent(p);
    } else {
        p.failExpected("`{` or a binding `(e)` after `catch`")
            .help("write `catch { … }`, or `catch (e) …` to bind the error");
        return p.missingExpr();
    }
    if (p.at(K::LBrace)) return parseBlock(p);
    if (p.at(K::EqualEqual) && p.peek().kind == K::LBrace) {
        const SourcePos begin = p.here();
        auto* subject = p.make<NameRef>(node->binding.span);
        subject->id = node->binding;
        p.advance();
        return parseMatch(p, subject, begin);
    }
    return parseExpr(p);
}

/// The older spelling: is the name at the cursor a binding?
bool atOldCatchBinding(const Parser& p) {
    const Token& next = p.peek();
    if (next.kind == K::LBrace) return true;
    if (next.kind == K::EqualEqual && p.peek(2).kind == K::LBrace) return true;
    return !next.lineStart && startsExpr(next);
}

} // namespace sx
