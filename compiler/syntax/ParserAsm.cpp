// Assembly: `asm { "…" }` (modules-and-comptime 8.4).
#include "syntax/ParserImpl.h"

namespace sx {

using namespace ast;
using K = TokenKind;

/// At module scope: a template and nothing else.
Decl* Parser::parseAsmItem() {
    const SourcePos begin = here();
    advance();
    const uint32_t open = pos_;
    Span textSpan;
    StringRef text;
    if (expect(K::LBrace)) {
        text = parseAsmTemplate(open, textSpan);
        accept(K::Comma);
        if (!at(K::RBrace)) fail("assembly at the top level has no operands: only a text stands between the braces");
        expectClosing(open, "`}`");
    }
    expectSemicolon("this assembly");
    auto* decl = makeDecl<AsmDecl>({}, from(begin));
    decl->text = text;
    decl->textSpan = textSpan;
    return decl;
}

Expr* Parser::parseAsmExpr() {
    const SourcePos begin = here();
    advance();
    auto* expr = make<AsmExpr>(from(begin));
    expr->isVolatile = atWord(KnownName::volatile_);
    if (expr->isVolatile) advance();
    const Nested nested(*this);
    const Restore mode(mode_);
    mode_.header = Header::None;
    mode_.noTrailingBlock = false;
    const uint32_t open = pos_;
    if (expect(K::LBrace)) {
        expr->text = parseAsmTemplate(open, expr->textSpan);
        SmallVector<AsmOperand, 4> operands;
        while (accept(K::Comma) && !at(K::RBrace) && !failed_) {
            if (atIdent() && text(cur()) == "clobbers") expr->clobbers = parseClobbers();
            else operands.push_back(parseAsmOperand());
        }
        expr->operands = keep(operands);
        expectClosing(open, "`,` or `}`");
    }
    expr->span = from(begin);
    return expr;
}

StringRef Parser::parseAsmTemplate(uint32_t open, Span& span) {
    if (tokens_[open].value == noMatch) {
        noteUnclosed(fail("this assembly block is never closed"), open);
        return {};
    }
    span = cur().span();
    return expectString("the text of the assembly in quotes");
}

/// `[name] "=r" -> T`, `[name] "+r" -> *place`, `[name] "r" = value`; the name may be missing.
AsmOperand Parser::parseAsmOperand() {
    AsmOperand operand;
    const SourcePos begin = here();
    if (accept(K::LBracket)) {
        operand.name = expectMemberName("the name of an operand");
        expect(K::RBracket);
    }
    operand.constraintSpan = cur().span();
    operand.constraint = expectString("a constraint in quotes");
    if (accept(K::Arrow)) {
        operand.isOutput = true;
        // `*x` is a place or a pointer type: what `x` means tells which.
        operand.value = at(K::Star) ? parseUnary() : parseType();
    } else if (expect(K::Equal)) {
        operand.value = parseExpr();
    }
    operand.span = from(begin);
    return operand;
}

/// `clobbers(.memory, .cc, .rax)`
ArrayRef<Ident> Parser::parseClobbers() {
    advance();
    const uint32_t open = pos_;
    SmallVector<Ident, 4> clobbers;
    if (!expect(K::LParen)) return {};
    while (!at(K::RParen) && !failed_) {
        expect(K::Dot);
        if (!failed_) clobbers.push_back(expectMemberName("a register, `memory` or `cc`"));
        if (!accept(K::Comma)) break;
    }
    expectClosing(open, "`,` or `)`");
    return keep(clobbers);
}

} // namespace sx
