// Top-level items and everything that may follow `NAME ::` (8.1).
#include "syntax/Grammar.h"

namespace sx {

using namespace ast;

/// Items up to the end of the file (`open` = noMatch), or to the `}` that closes `open`; in a match arm also
/// up to the next arm.
void parseItems(Parser& p, SmallVectorImpl<Decl*>& items, uint32_t open, bool inArm) {
    const bool nested = open != noMatch;
    const uint32_t limit = nested ? p.closerOf(open) : p.eof;
    while (!p.at(K::Eof) && !(nested && p.at(K::RBrace)) && !(inArm && (p.at(K::KwCase) || p.at(K::KwElse)))) {
        const uint32_t start = p.pos;
        Decl* item = parseItem(p);
        if (p.failed) {
            if (!recoverItem(p, start, limit)) return;
        } else if (item) {
            items.push_back(item);
        }
    }
}

Decl* parseItem(Parser& p) {
    switch (p.cur().kind) {
    case K::KwPrivate: return parsePrivateItem(p);
    case K::DirImport: return parseImport(p, {}, p.here());
    case K::DirRun: return parseRunItem(p);
    case K::DirFramework: return parseFramework(p);
    case K::DirError: return parseErrorItem(p);
    case K::DirContextExtend: return parseContextExtend(p);
    case K::KwInline: return parseInlineIfItem(p);
    case K::KwAsm: return parseAsmItem(p);
    case K::KwImpl: return atImplBlock(p) ? parseImpl(p) : parseNamedItem(p);
    case K::RBrace: p.fail("this `}` closes nothing"); return nullptr;
    case K::Semicolon:
        p.error(p.cur().span(), "expected a declaration, found `;`").help("remove this `;`");
        p.advance();
        return nullptr;
    default: break;
    }
    if (p.atIdent()) return parseNamedItem(p);
    if (p.at(K::KwF32) || p.at(K::KwF64)) failTypeKeyword(p, "declaration");
    else p.failExpected("a declaration");
    return nullptr;
}

/// `impl` that declares nothing of that name.
bool atImplBlock(const Parser& p) {
    const K next = p.peek().kind;
    return p.at(K::KwImpl) && next != K::ColonColon && next != K::ColonEqual && next != K::Colon;
}

Decl* parsePrivateItem(Parser& p) {
    p.advance();
    if (!p.atIdent() || atImplBlock(p)) {
        if (p.at(K::KwPrivate)) p.fail("`private` is written twice");
        else
            p.fail("`private` stands only before a declaration that starts with a name, not before " +
                   p.describe(p.cur()));
        return nullptr;
    }
    Decl* decl = parseNamedItem(p);
    if (decl) decl->isPrivate = true;
    return decl;
}

/// IDENT, then `::`, `:=` or `:`.
Decl* parseNamedItem(Parser& p) {
    const Ident name = takeIdent(p);
    switch (p.cur().kind) {
    case K::ColonColon: p.advance(); return parseConst(p, name);
    case K::Colon: return parseTyped(p, name);
    case K::ColonEqual: {
        p.advance();
        Expr* init = parseExpr(p);
        expectSemicolon(p, "this declaration");
        auto* var = p.makeDecl<VarDecl>(name, p.from(name.span));
        var->init = init;
        return var;
    }
    case K::Equal: {
        const std::string text(p.context.names.text(name.name));
        p.fail("expected `::`, `:=` or `:` after " + code(text) + ", found `=`")
            .help("a global is declared with `" + text + " := VALUE;`, a constant with `" + text + " :: VALUE;`");
        return nullptr;
    }
    default: p.failExpected("`::`, `:=` or `:` after " + code(p.context.names.text(name.name))); return nullptr;
    }
}

Decl* parseConst(Parser& p, Ident name) {
    Decl* decl = parseConstRest(p, name);
    return p.failed ? nullptr : decl;
}

/// Behind `NAME ::`, at the top level or in a body.
Decl* parseConstRest(Parser& p, Ident name) {
    const SourcePos begin = name.span.begin;
    switch (p.cur().kind) {
    case K::DirImport: return parseImport(p, name, begin);
    case K::DirLibrary: return parseLibrary(p, name);
    case K::KwIntrinsic: {
        p.advance();
        expectSemicolon(p, "`intrinsic`");
        auto* decl = p.makeDecl<ConstDecl>(name, p.from(begin));
        decl->isIntrinsic = true;
        return decl;
    }
    case K::KwEnum: return parseEnum(p, name, begin);
    case K::KwStruct: return parseStruct(p, name, begin);
    case K::KwUnion: return parseUnion(p, name, begin);
    case K::KwError:
        if (p.peek().kind == K::Dot) return parseConstExpr(p, name);
        return parseErrorSet(p, name, begin);
    case K::KwProtocol: {
        const K next = p.peek().kind;
        if (next == K::LParen || next == K::LBrace || next == K::DirInline || next == K::DirIdentity)
            return parseProtocol(p, name, begin);
        return parseConstExpr(p, name);
    }
    case K::KwUfcs: return parseUfcs(p, name);
    case K::LParen:
        if (startsFunction(p, p.pos)) return parseFunction(p, name);
        return parseConstExpr(p, name);
    case K::LBrace:
    case K::DeferredBody: return parseBlockFunction(p, name);
    default: break;
    }
    if (atRuntimeClass(p)) return parseRuntimeClass(p, name);
    return parseConstExpr(p, name);
}

Decl* parseConstExpr(Parser& p, Ident name) {
    Expr* value = parseExpr(p);
    const bool isIntrinsic = p.accept(K::KwIntrinsic);
    if (p.at(K::Equal)) {
        const std::string text(p.context.names.text(name.name));
        p.failExpected("`;` after this declaration")
            .help("a typed variable is `" + text + " : TYPE = VALUE;`, a typed constant `" + text +
                  " : TYPE : VALUE;`");
        return nullptr;
    }
    expectSemicolon(p, "this declaration");
    auto* decl = p.makeDecl<ConstDecl>(name, p.from(name.span));
    decl->value = value;
    decl->isIntrinsic = isIntrinsic;
    return decl;
}

/// `ufcs (…) …`, `ufcs NAME;`, or the name `ufcs` in an expression.
Decl* parseUfcs(Parser& p, Ident name) {
    const K next = p.peek().kind;
    if (next == K::LParen && startsFunction(p, p.pos + 1)) {
        p.advance();
        FunctionDecl* fn = parseFunction(p, name);
        fn->isUfcs = true;
        return fn;
    }
    if (!isIdentLike(next)) return parseConstExpr(p, name);
    p.advance();
    const Ident target = takeIdent(p);
    if (p.at(K::Dot) && isIdentLike(p.peek().kind)) {
        const std::string member(p.text(p.peek()));
        const std::string module(p.context.names.text(target.name)), own(p.context.names.text(name.name));
        p.fail("expected `;` after this alias, found `.`")
            .help("an alias is made of a bare name: " + code(member + " :: " + module + "." + member + ";") +
                  ", then " + code(own + " :: ufcs " + member + ";"));
    }
    expectSemicolon(p, "this alias");
    auto* alias = p.makeDecl<UfcsAliasDecl>(name, p.from(name.span));
    alias->target = target;
    return alias;
}

/// At the `:` of `NAME : T …`.
Decl* parseTyped(Parser& p, Ident name) {
    p.advance();
    Expr* type = parseType(p);
    if (p.accept(K::Colon)) {
        Expr* value = parseExpr(p);
        expectSemicolon(p, "this declaration");
        auto* decl = p.makeDecl<ConstDecl>(name, p.from(name.span));
        decl->type = type;
        decl->value = value;
        return decl;
    }
    auto* var = p.makeDecl<VarDecl>(name, {});
    var->type = type;
    if (p.accept(K::Equal)) {
        var->init = parseExpr(p);
    } else if (p.accept(K::KwExtern)) {
        var->isExtern = true;
        if (p.atIdent()) var->library = takeIdent(p);
        if (p.at(K::String)) var->symbol = expectString(p, "a symbol");
    } else if (p.at(K::EqualEqual)) {
        p.failExpected("`=` or `;`").help("the value of a declaration follows a single `=`");
        return nullptr;
    }
    expectSemicolon(p, "this declaration");
    var->span = p.from(name.span);
    return var;
}

// ---- module-scope `inline if`

Decl* parseInlineIfItem(Parser& p) {
    const SourcePos begin = p.here();
    const Nested nested(p);
    if (!nested.ok()) return nullptr;
    if (p.peek().kind != K::KwIf) {
        p.advance();
        p.failExpected("`if` after `inline` at the top level");
        return nullptr;
    }
    // A chain of `else if` is a chain of declarations, each the only item of the branch before.
    SmallVector<InlineIfDecl*, 4> chain;
    p.advance();
    do {
        auto* decl = p.makeDecl<InlineIfDecl>({}, {chain.empty() ? begin : p.here(), p.here()});
        p.advance(); // `if`
        bool isMatch = false;
        Expr* cond = parseCondition(p, isMatch);
        if (!chain.empty()) {
            SmallVector<Decl*, 1> only{decl};
            chain.back()->otherwise = p.keep(only);
        }
        chain.push_back(decl);
        if (isMatch) {
            decl->subject = cond;
            p.advance(); // `==`
            parseItemMatch(p, decl);
            break;
        }
        decl->cond = cond;
        decl->then = parseItemBlock(p);
        if (!p.at(K::KwElse)) break;
        p.advance();
        if (!p.at(K::KwIf)) {
            decl->otherwise = parseItemBlock(p);
            break;
        }
        p.height = static_cast<uint32_t>(chain.size());
        p.checkHeight(p.pos);
    } while (p.at(K::KwIf));
    for (InlineIfDecl* decl : chain) decl->span = p.from(decl->span.begin);
    return chain.front();
}

ArrayRef<Decl*> parseItemBlock(Parser& p) {
    const uint32_t open = p.pos;
    SmallVector<Decl*, 8> items;
    if (!p.expect(K::LBrace)) return {};
    parseItems(p, items, open, false);
    p.expectClosing(open, "`}`");
    return p.keep(items);
}

void parseItemMatch(Parser& p, InlineIfDecl* decl) {
    const uint32_t open = p.pos;
    SmallVector<InlineIfDecl::Arm, 8> arms;
    p.expect(K::LBrace);
    while (p.at(K::KwCase)) {
        p.advance();
        InlineIfDecl::Arm arm;
        arm.pattern = parsePattern(p);
        p.expect(K::Colon);
        SmallVector<Decl*, 8> items;
        parseItems(p, items, open, true);
        arm.items = p.keep(items);
        arms.push_back(arm);
    }
    if (p.accept(K::KwElse)) {
        p.expect(K::Colon);
        SmallVector<Decl*, 8> items;
        parseItems(p, items, open, true);
        arms.push_back({nullptr, p.keep(items)});
    }
    p.expectClosing(open, "`case`, `else` or `}`");
    decl->arms = p.keep(arms);
}

} // namespace sx
