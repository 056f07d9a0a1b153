// Assembly: `asm { "…" }` (modules-and-comptime 8.4).
#include "syntax/Grammar.h"

namespace sx {

using namespace ast;
using K = TokenKind;

/// At module scope: a template and nothing else.
Decl* parseAsmItem(Parser& p) {
    const SourcePos begin = p.here();
    p.advance();
    const uint32_t open = p.pos;
    Span textSpan;
    StringRef text;
    if (p.expect(K::LBrace)) {
        text = parseAsmTemplate(p, open, textSpan);
        p.accept(K::Comma);
        if (!p.at(K::RBrace))
            p.fail("assembly at the top level has no operands: only a text stands between the braces");
        p.expectClosing(open, "`}`");
    }
    expectSemicolon(p, "this assembly");
    auto* decl = p.makeDecl<AsmDecl>({}, p.from(begin));
    decl->text = text;
    decl->textSpan = textSpan;
    return decl;
}

Expr* parseAsmExpr(Parser& p) {
    const SourcePos begin = p.here();
    p.advance();
    auto* expr = p.make<AsmExpr>(p.from(begin));
    expr->isVolatile = p.atWord(KnownName::volatile_);
    if (expr->isVolatile) p.advance();
    const Nested nested(p);
    const Restore mode(p.mode);
    p.mode.header = Header::None;
    p.mode.noTrailingBlock = false;
    const uint32_t open = p.pos;
    if (p.expect(K::LBrace)) {
        expr->text = parseAsmTemplate(p, open, expr->textSpan);
        SmallVector<AsmOperand, 4> operands;
        while (p.accept(K::Comma) && !p.at(K::RBrace) && !p.failed) {
            if (p.atIdent() && p.text(p.cur()) == "clobbers") expr->clobbers = parseClobbers(p);
            else operands.push_back(parseAsmOperand(p));
        }
        expr->operands = p.keep(operands);
        p.expectClosing(open, "`,` or `}`");
    }
    expr->span = p.from(begin);
    return expr;
}

StringRef parseAsmTemplate(Parser& p, uint32_t open, Span& span) {
    if (p.tokens[open].value == noMatch) {
        noteUnclosed(p, p.fail("this assembly block is never closed"), open);
        return {};
    }
    span = p.cur().span();
    return expectString(p, "the text of the assembly in quotes");
}

/// `[name] "=r" -> T`, `[name] "+r" -> *place`, `[name] "r" = value`; the name may be missing.
AsmOperand parseAsmOperand(Parser& p) {
    AsmOperand operand;
    const SourcePos begin = p.here();
    if (p.accept(K::LBracket)) {
        operand.name = expectMemberName(p, "the name of an operand");
        p.expect(K::RBracket);
    }
    operand.constraintSpan = p.cur().span();
    operand.constraint = expectString(p, "a constraint in quotes");
    if (p.accept(K::Arrow)) {
        operand.isOutput = true;
        // `*x` is a place or a pointer type: what `x` means tells which.
        operand.value = p.at(K::Star) ? parseUnary(p) : parseType(p);
    } else if (p.expect(K::Equal)) {
        operand.value = parseExpr(p);
    }
    operand.span = p.from(begin);
    return operand;
}

/// `clobbers(.memory, .cc, .rax)`
ArrayRef<Ident> parseClobbers(Parser& p) {
    p.advance();
    const uint32_t open = p.pos;
    SmallVector<Ident, 4> clobbers;
    if (!p.expect(K::LParen)) return {};
    while (!p.at(K::RParen) && !p.failed) {
        p.expect(K::Dot);
        if (!p.failed) clobbers.push_back(expectMemberName(p, "a register, `memory` or `cc`"));
        if (!p.accept(K::Comma)) break;
    }
    p.expectClosing(open, "`,` or `)`");
    return p.keep(clobbers);
}

} // namespace sx
