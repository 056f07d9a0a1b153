// Literals, names, groups and whatever else an expression begins with (8.3).
#include "syntax/Grammar.h"

#include "syntax/Literals.h"

namespace sx {

using namespace ast;

Expr* parsePrimary(Parser& p) {
    p.height = 1;
    if (atTypeForm(p)) return parseType(p);
    switch (p.cur().kind) {
    case K::Ident:
    case K::KwProtocol:
    case K::KwImpl:
    case K::KwUfcs:
    case K::KwF32:
    case K::KwF64:
    case K::KwType:
    case K::KwSelf: return parseName(p);
    case K::Int: return parseInt(p);
    case K::Float: return parseFloat(p);
    case K::Char: return parseChar(p);
    case K::String:
    case K::Heredoc: return parseString(p);
    case K::KwTrue:
    case K::KwFalse: return parseBool(p);
    case K::KwNull: return p.parseAtom<NullLit>();
    case K::DashDashDash: return p.parseAtom<UndefLit>();
    case K::DirCallerLocation: return p.parseAtom<CallerLocation>();
    case K::Dot: return parseDotPrimary(p);
    case K::LParen: return parseParen(p);
    case K::LBrace: return parseBlock(p);
    case K::Dollar: return parseTypeParam(p);
    case K::LBracket:
    case K::Question:
    case K::KwStruct:
    case K::KwEnum:
    case K::KwUnion: return parseType(p);
    case K::KwIf: return parseIf(p, false, false);
    case K::KwInline: return parseInline(p, false);
    case K::KwWhile: return parseWhile(p);
    case K::KwFor: return parseFor(p, false);
    case K::KwPush: return parsePush(p);
    case K::KwBreak:
    case K::KwContinue: return parseJumpExpr(p);
    case K::KwReturn: return parseReturnExpr(p);
    case K::KwError: return parseErrorTag(p);
    case K::KwAsm: return parseAsmExpr(p);
    case K::DirRun: return parseRun(p);
    case K::KwRaise:
    case K::KwOnFail: return parseMisplacedJump(p);
    case K::DirObjcCall:
    case K::DirJniCall:
    case K::DirJniStaticCall:
    case K::DirJniEnv: {
        // Calls into foreign runtimes read as calls of a function named like the directive.
        auto* name = p.make<NameRef>(p.cur().span());
        name->id = {p.context.names.intern(spelling(p.cur().kind)), p.cur().span(), false};
        p.advance();
        return name;
    }
    default: return failNoExpression(p);
    }
}

Expr* failNoExpression(Parser& p) {
    p.failExpected("an expression");
    return p.missingExpr();
}

Expr* parseName(Parser& p) {
    auto* name = p.make<NameRef>(p.cur().span());
    name->id = takeIdent(p);
    return name;
}

Expr* parseInt(Parser& p) {
    auto* literal = p.make<IntLit>(p.cur().span());
    switch (decodeInt(p.text(p.cur()), literal->value)) {
    case IntStatus::Ok: break;
    case IntStatus::TooLarge: p.error(literal->span, "this integer does not fit in 64 bits"); break;
    case IntStatus::NoDigits: p.error(literal->span, code(p.text(p.cur())) + " has no digits"); break;
    }
    p.advance();
    return literal;
}

Expr* parseFloat(Parser& p) {
    auto* literal = p.make<FloatLit>(p.cur().span());
    if (const std::optional<double> value = decodeFloat(p.text(p.cur()))) literal->value = *value;
    else p.error(literal->span, "this number is beyond the range of `f64`");
    p.advance();
    return literal;
}

/// A malformed character literal is reported at the token after it.
Expr* parseChar(Parser& p) {
    const Token& token = p.cur();
    auto* literal = p.make<IntLit>(token.span());
    literal->value = token.value;
    literal->isChar = true;
    p.advance();
    if (token.error != LexError::None) {
        Diagnostic& made =
            p.error(p.cur().span(), lexErrorMessage(p, token)).note(token.span(), "in this character literal");
        if (token.error == LexError::LongChar) {
            const std::string_view all = p.text(token);
            made.help(token.span(), "strings stand in double quotes",
                      "\"" + std::string(all.substr(1, all.size() - 2)) + "\"");
        }
    }
    return literal;
}

Expr* parseString(Parser& p) {
    auto* literal = p.make<StringLit>(p.cur().span());
    literal->heredoc = p.at(K::Heredoc);
    literal->value = literal->heredoc ? decodeHeredoc(p.text(p.cur())) : decodeString(p.text(p.cur()), p.context.arena);
    p.advance();
    return literal;
}

Expr* parseBool(Parser& p) {
    auto* literal = p.make<BoolLit>(p.cur().span());
    literal->value = p.at(K::KwTrue);
    p.advance();
    return literal;
}

/// `.name`, `.{ … }`, `.[ … ]`
Expr* parseDotPrimary(Parser& p) {
    const SourcePos begin = p.here();
    if (p.peek().kind == K::LBrace) return parseStructLit(p, nullptr, begin);
    if (p.peek().kind == K::LBracket) return parseArrayLit(p, nullptr, begin);
    p.advance();
    auto* literal = p.make<EnumLit>({});
    if (p.at(K::Ident) || isKeyword(p.cur().kind)) literal->name = takeIdent(p);
    else p.failExpected("a name, `{` or `[` after the dot");
    literal->span = p.from(begin);
    return literal;
}

/// At the `.` of `.{ … }`, with the init block that may follow (8.6 d).
Expr* parseStructLit(Parser& p, Expr* type, SourcePos begin) {
    const Nested nested(p);
    if (!nested.ok()) return p.missingExpr();
    Height height(p);
    height.add();
    p.advance();
    const uint32_t open = p.pos;
    auto* literal = p.make<StructLit>({});
    literal->type = type;
    {
        const Restore mode(p.mode);
        p.mode.header = Header::None;
        p.mode.constraints = false;
        p.advance();
        SmallVector<Init, 8> inits;
        while (!p.at(K::RBrace) && !p.at(K::Eof)) {
            inits.push_back(parseInit(p));
            height.add();
            if (!p.accept(K::Comma)) break;
        }
        if (p.at(K::Colon))
            p.fail("expected `,` or `}`, found `:`").help("a field is set with `=`: `.{ name = value }`");
        p.expectClosing(open, inits.empty() ? "a field or `}`" : "`,` or `}`");
        literal->inits = p.keep(inits);
    }
    if (p.at(K::LBrace) && !p.mode.ifCondition && p.mode.header != Header::Push) {
        literal->initBlock = parseBlock(p);
        height.add();
    }
    literal->span = p.from(begin);
    return literal;
}

/// '..' expr | MEMBER '=' expr | expr
Init parseInit(Parser& p) {
    Init init;
    const SourcePos begin = p.here();
    const K next = p.peek().kind;
    if (p.at(K::KwInline) && next == K::Equal) {
        expectMemberName(p, "a field");
    } else if (p.accept(K::DotDot)) {
        init.spread = true;
        init.value = parseExpr(p);
    } else if (atMemberName(p) && next == K::Equal) {
        init.name = takeIdent(p);
        p.advance();
        init.value = parseExpr(p);
    } else {
        init.shorthand = p.atIdent() && (next == K::Comma || next == K::RBrace);
        if (init.shorthand) init.name = {p.cur().name(), p.cur().span(), p.cur().raw};
        init.value = parseExpr(p);
    }
    init.span = p.from(begin);
    return init;
}

/// At the `.` of `.[ … ]`
Expr* parseArrayLit(Parser& p, Expr* type, SourcePos begin) {
    const Nested nested(p);
    if (!nested.ok()) return p.missingExpr();
    const Restore mode(p.mode);
    p.mode.header = Header::None;
    p.mode.constraints = false;
    Height height(p);
    height.add();
    p.advance();
    const uint32_t open = p.pos;
    p.advance();
    SmallVector<Expr*, 16> elems;
    while (!p.at(K::RBracket) && !p.at(K::Eof)) {
        elems.push_back(parseExpr(p));
        height.add();
        if (!p.accept(K::Comma)) break;
    }
    p.expectClosing(open, elems.empty() ? "an element or `]`" : "`,` or `]`");
    auto* literal = p.make<ArrayLit>(p.from(begin));
    literal->type = type;
    literal->elems = p.keep(elems);
    return literal;
}

/// A lambda, a function type or a grouping (8.6 b).
Expr* parseParen(Parser& p) {
    const Nested nested(p);
    if (!nested.ok()) return p.missingExpr();
    if (startsLambda(p, p.pos)) return parseLambda(p);
    if (isFunctionType(p, p.pos)) return parseType(p);
    return parseGrouping(p);
}

Expr* parseGrouping(Parser& p) {
    const uint32_t open = p.pos;
    const Restore mode(p.mode);
    p.mode.header = Header::None;
    p.mode.constraints = false;
    p.advance();
    Expr* inner = parseExpr(p);
    ++p.height;
    if (p.at(K::Comma)) {
        const std::string group =
            p.tokens[open].value == noMatch
                ? ""
                : std::string(p.textBetween(p.tokens[open].end, p.tokens[p.closerOf(open)].begin));
        constexpr const char* rule = "parentheses only group: they hold one expression";
        const K behind = p.tokens[p.afterGroup(open)].kind;
        const bool isTarget = (behind == K::ColonEqual || behind == K::Equal) && !p.failed;
        Diagnostic& made = isTarget ? p.fail(rule) : p.error(p.cur().span(), rule);
        if (isTarget)
            made.help("several targets stand without parentheses: " +
                      code(group + (behind == K::Equal ? " = …;" : " := …;")));
        else if (!group.empty() && group.size() < 80 && group.find('\n') == std::string::npos)
            made.help("a tuple is written `.{" + group + "}`");
        else made.help("a tuple is written `.{ … }`");
        if (p.tokens[open].value != noMatch && !p.failed) p.pos = p.tokens[open].value;
    }
    // `NAME :: (a: T …` without a `)` is no function, so it is read as a grouping.
    if (p.at(K::Colon) && p.tokens[open].value == noMatch) failUnclosed(p, open, true);
    p.expectClosing(open, "`)`");
    auto* paren = p.make<Paren>(p.from(p.tokens[open].begin));
    paren->inner = inner;
    return paren;
}

/// `error.Name`
Expr* parseErrorTag(Parser& p) {
    const SourcePos begin = p.here();
    p.advance();
    auto* tag = p.make<ErrorTag>({});
    if (p.expect(K::Dot, "`.` and the name of an error after `error`")) tag->name = expectDotName(p);
    tag->span = p.from(begin);
    return tag;
}

/// `#run expr`: evaluated on its own, outside the loops and cleanups around it.
Expr* parseRun(Parser& p) {
    const Nested nested(p);
    if (!nested.ok()) return p.missingExpr();
    const SourcePos begin = p.here();
    p.advance();
    const Restore function(p.function, Function{});
    Expr* value = parseExpr(p);
    ++p.height;
    auto* run = p.make<Run>(p.from(begin));
    run->value = value;
    return run;
}

/// `break` and `continue` as expressions.
Expr* parseJumpExpr(Parser& p) {
    checkJump(p, p.cur());
    if (p.at(K::KwBreak)) return p.parseAtom<BreakExpr>();
    return p.parseAtom<ContinueExpr>();
}

/// `return [expr]` as an expression.
Expr* parseReturnExpr(Parser& p) {
    const Nested nested(p);
    if (!nested.ok()) return p.missingExpr();
    checkJump(p, p.cur());
    const SourcePos begin = p.here();
    p.advance();
    SmallVector<ReturnElem, 1> elems;
    if (atExprStart(p)) {
        elems.push_back({{}, parseExpr(p)});
        ++p.height;
    }
    auto* node = p.make<ReturnExpr>(p.from(begin));
    node->elems = p.keep(elems);
    return node;
}

/// `raise` and `onfail` are statements only. Their operand is read, so that one message is enough.
Expr* parseMisplacedJump(Parser& p) {
    const Nested nested(p);
    if (!nested.ok()) return p.missingExpr();
    const bool isRaise = p.at(K::KwRaise);
    p.error(p.cur().span(), isRaise ? "`raise` is a statement and cannot be used as an expression"
                                    : "`onfail` is a statement and cannot be used as an expression");
    p.advance();
    return atExprStart(p) ? parseExpr(p) : p.missingExpr();
}

} // namespace sx
