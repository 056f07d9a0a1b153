// Literals, names, groups and whatever else an expression begins with (8.3).
#include "syntax/ParserImpl.h"

#include "syntax/Literals.h"

namespace sx {

using namespace ast;

Expr* Parser::parsePrimary() {
    height_ = 1;
    if (atTypeForm()) return parseType();
    switch (cur().kind) {
    case K::Ident:
    case K::KwProtocol:
    case K::KwImpl:
    case K::KwUfcs:
    case K::KwF32:
    case K::KwF64:
    case K::KwType:
    case K::KwSelf: return parseName();
    case K::Int: return parseInt();
    case K::Float: return parseFloat();
    case K::Char: return parseChar();
    case K::String:
    case K::Heredoc: return parseString();
    case K::KwTrue:
    case K::KwFalse: return parseBool();
    case K::KwNull: return parseAtom<NullLit>();
    case K::DashDashDash: return parseAtom<UndefLit>();
    case K::DirCallerLocation: return parseAtom<CallerLocation>();
    case K::Dot: return parseDotPrimary();
    case K::LParen: return parseParen();
    case K::LBrace: return parseBlock();
    case K::Dollar: return parseTypeParam();
    case K::LBracket:
    case K::Question:
    case K::KwStruct:
    case K::KwEnum:
    case K::KwUnion: return parseType();
    case K::KwIf: return parseIf(false, false);
    case K::KwInline: return parseInline(false);
    case K::KwWhile: return parseWhile();
    case K::KwFor: return parseFor(false);
    case K::KwPush: return parsePush();
    case K::KwBreak:
    case K::KwContinue: return parseJumpExpr();
    case K::KwReturn: return parseReturnExpr();
    case K::KwError: return parseErrorTag();
    case K::KwAsm: return parseAsmExpr();
    case K::DirRun: return parseRun();
    case K::KwRaise:
    case K::KwOnFail: return parseMisplacedJump();
    case K::DirObjcCall:
    case K::DirJniCall:
    case K::DirJniStaticCall:
    case K::DirJniEnv: {
        // Calls into foreign runtimes read as calls of a function named like the directive.
        auto* name = make<NameRef>(cur().span());
        name->id = {context_.names.intern(spelling(cur().kind)), cur().span(), false};
        advance();
        return name;
    }
    default: return failNoExpression();
    }
}

Expr* Parser::failNoExpression() {
    failExpected("an expression");
    return missingExpr();
}

Expr* Parser::parseName() {
    auto* name = make<NameRef>(cur().span());
    name->id = takeIdent();
    return name;
}

Expr* Parser::parseInt() {
    auto* literal = make<IntLit>(cur().span());
    switch (decodeInt(text(cur()), literal->value)) {
    case IntStatus::Ok: break;
    case IntStatus::TooLarge: error(literal->span, "this integer does not fit in 64 bits"); break;
    case IntStatus::NoDigits: error(literal->span, "`" + std::string(text(cur())) + "` has no digits"); break;
    }
    advance();
    return literal;
}

Expr* Parser::parseFloat() {
    auto* literal = make<FloatLit>(cur().span());
    if (const std::optional<double> value = decodeFloat(text(cur()))) literal->value = *value;
    else error(literal->span, "this number is beyond the range of `f64`");
    advance();
    return literal;
}

/// A malformed character literal is reported at the token after it.
Expr* Parser::parseChar() {
    const Token& token = cur();
    auto* literal = make<IntLit>(token.span());
    literal->value = token.value;
    literal->isChar = true;
    advance();
    if (token.error != LexError::None) {
        Diagnostic& made = error(cur().span(), lexErrorMessage(token)).note(token.span(), "in this character literal");
        if (token.error == LexError::LongChar) {
            const std::string_view all = text(token);
            made.help(token.span(), "strings stand in double quotes",
                      "\"" + std::string(all.substr(1, all.size() - 2)) + "\"");
        }
    }
    return literal;
}

Expr* Parser::parseString() {
    auto* literal = make<StringLit>(cur().span());
    literal->heredoc = at(K::Heredoc);
    literal->value = literal->heredoc ? decodeHeredoc(text(cur())) : decodeString(text(cur()), context_.arena);
    advance();
    return literal;
}

Expr* Parser::parseBool() {
    auto* literal = make<BoolLit>(cur().span());
    literal->value = at(K::KwTrue);
    advance();
    return literal;
}

/// `.name`, `.{ … }`, `.[ … ]`
Expr* Parser::parseDotPrimary() {
    const SourcePos begin = here();
    if (peek().kind == K::LBrace) return parseStructLit(nullptr, begin);
    if (peek().kind == K::LBracket) return parseArrayLit(nullptr, begin);
    advance();
    auto* literal = make<EnumLit>({});
    if (at(K::Ident) || isKeyword(cur().kind)) literal->name = takeIdent();
    else failExpected("a name, `{` or `[` after the dot");
    literal->span = from(begin);
    return literal;
}

/// At the `.` of `.{ … }`, with the init block that may follow (8.6 d).
Expr* Parser::parseStructLit(Expr* type, SourcePos begin) {
    const Nested nested(*this);
    if (!nested.ok()) return missingExpr();
    Height height(*this);
    height.add();
    advance();
    const uint32_t open = pos_;
    auto* literal = make<StructLit>({});
    literal->type = type;
    {
        const Restore mode(mode_);
        mode_.header = Header::None;
        mode_.constraints = false;
        advance();
        SmallVector<Init, 8> inits;
        while (!at(K::RBrace) && !at(K::Eof)) {
            inits.push_back(parseInit());
            height.add();
            if (!accept(K::Comma)) break;
        }
        if (at(K::Colon)) fail("expected `,` or `}`, found `:`").help("a field is set with `=`: `.{ name = value }`");
        expectClosing(open, inits.empty() ? "a field or `}`" : "`,` or `}`");
        literal->inits = keep(inits);
    }
    if (at(K::LBrace) && !mode_.ifCondition && mode_.header != Header::Push) {
        literal->initBlock = parseBlock();
        height.add();
    }
    literal->span = from(begin);
    return literal;
}

/// '..' expr | MEMBER '=' expr | expr
Init Parser::parseInit() {
    Init init;
    const SourcePos begin = here();
    const K next = peek().kind;
    if (at(K::KwInline) && next == K::Equal) {
        expectMemberName("a field");
    } else if (accept(K::DotDot)) {
        init.spread = true;
        init.value = parseExpr();
    } else if (atMemberName() && next == K::Equal) {
        init.name = takeIdent();
        advance();
        init.value = parseExpr();
    } else {
        init.shorthand = atIdent() && (next == K::Comma || next == K::RBrace);
        if (init.shorthand) init.name = {cur().name(), cur().span(), cur().raw};
        init.value = parseExpr();
    }
    init.span = from(begin);
    return init;
}

/// At the `.` of `.[ … ]`
Expr* Parser::parseArrayLit(Expr* type, SourcePos begin) {
    const Nested nested(*this);
    if (!nested.ok()) return missingExpr();
    const Restore mode(mode_);
    mode_.header = Header::None;
    mode_.constraints = false;
    Height height(*this);
    height.add();
    advance();
    const uint32_t open = pos_;
    advance();
    SmallVector<Expr*, 16> elems;
    while (!at(K::RBracket) && !at(K::Eof)) {
        elems.push_back(parseExpr());
        height.add();
        if (!accept(K::Comma)) break;
    }
    expectClosing(open, elems.empty() ? "an element or `]`" : "`,` or `]`");
    auto* literal = make<ArrayLit>(from(begin));
    literal->type = type;
    literal->elems = keep(elems);
    return literal;
}

/// A lambda, a function type or a grouping (8.6 b).
Expr* Parser::parseParen() {
    const Nested nested(*this);
    if (!nested.ok()) return missingExpr();
    if (startsLambda(pos_)) return parseLambda();
    if (isFunctionType(pos_)) return parseType();
    return parseGrouping();
}

Expr* Parser::parseGrouping() {
    const uint32_t open = pos_;
    const Restore mode(mode_);
    mode_.header = Header::None;
    mode_.constraints = false;
    advance();
    Expr* inner = parseExpr();
    ++height_;
    if (at(K::Comma)) {
        const std::string group = tokens_[open].value == noMatch
                                      ? ""
                                      : std::string(textBetween(tokens_[open].end, tokens_[closerOf(open)].begin));
        Diagnostic& made = error(cur().span(), "parentheses only group: they hold one expression");
        if (!group.empty() && group.size() < 80 && group.find('\n') == std::string::npos)
            made.help("a tuple is written `.{" + group + "}`");
        else made.help("a tuple is written `.{ … }`");
        if (tokens_[open].value != noMatch && !failed_) pos_ = tokens_[open].value;
    }
    // `NAME :: (a: T …` without a `)` is no function, so it is read as a grouping.
    if (at(K::Colon) && tokens_[open].value == noMatch) failUnclosed(open, true);
    expectClosing(open, "`)`");
    auto* paren = make<Paren>(from(tokens_[open].begin));
    paren->inner = inner;
    return paren;
}

/// `error.Name`
Expr* Parser::parseErrorTag() {
    const SourcePos begin = here();
    advance();
    auto* tag = make<ErrorTag>({});
    if (expect(K::Dot, "`.` and the name of an error after `error`")) tag->name = expectDotName();
    tag->span = from(begin);
    return tag;
}

/// `#run expr`: evaluated on its own, outside the loops and cleanups around it.
Expr* Parser::parseRun() {
    const Nested nested(*this);
    if (!nested.ok()) return missingExpr();
    const SourcePos begin = here();
    advance();
    const Restore function(function_, Function{});
    Expr* value = parseExpr();
    ++height_;
    auto* run = make<Run>(from(begin));
    run->value = value;
    return run;
}

/// `break` and `continue` as expressions.
Expr* Parser::parseJumpExpr() {
    checkJump(cur());
    if (at(K::KwBreak)) return parseAtom<BreakExpr>();
    return parseAtom<ContinueExpr>();
}

/// `return [expr]` as an expression.
Expr* Parser::parseReturnExpr() {
    const Nested nested(*this);
    if (!nested.ok()) return missingExpr();
    checkJump(cur());
    const SourcePos begin = here();
    advance();
    SmallVector<ReturnElem, 1> elems;
    if (atExprStart()) {
        elems.push_back({{}, parseExpr()});
        ++height_;
    }
    auto* node = make<ReturnExpr>(from(begin));
    node->elems = keep(elems);
    return node;
}

/// `raise` and `onfail` are statements only. Their operand is read, so that one message is enough.
Expr* Parser::parseMisplacedJump() {
    const Nested nested(*this);
    if (!nested.ok()) return missingExpr();
    const bool isRaise = at(K::KwRaise);
    error(cur().span(), isRaise ? "`raise` is a statement and cannot be used as an expression"
                                : "`onfail` is a statement and cannot be used as an expression");
    advance();
    return atExprStart() ? parseExpr() : missingExpr();
}

} // namespace sx
