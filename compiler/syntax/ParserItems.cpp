// Top-level items and everything that may follow `NAME ::` (8.1).
#include "syntax/ParserImpl.h"

namespace sx {

using namespace ast;

/// Items up to the end of the file (`open` = noMatch), or to the `}` that closes `open`; in a match arm also
/// up to the next arm.
void Parser::parseItems(SmallVectorImpl<Decl*>& items, uint32_t open, bool inArm) {
    const bool nested = open != noMatch;
    const uint32_t limit = nested ? closerOf(open) : eof_;
    while (!at(K::Eof) && !(nested && at(K::RBrace)) && !(inArm && (at(K::KwCase) || at(K::KwElse)))) {
        const uint32_t start = pos_;
        Decl* item = parseItem();
        if (failed_) {
            if (!recoverItem(start, limit)) return;
        } else if (item) {
            items.push_back(item);
        }
    }
}

Decl* Parser::parseItem() {
    switch (cur().kind) {
    case K::KwPrivate: return parsePrivateItem();
    case K::DirImport: return parseImport({}, here());
    case K::DirRun: return parseRunItem();
    case K::DirFramework: return parseFramework();
    case K::DirError: return parseErrorItem();
    case K::DirContextExtend: return parseContextExtend();
    case K::KwInline: return parseInlineIfItem();
    case K::KwAsm: return parseAsmItem();
    case K::KwImpl: return atImplBlock() ? parseImpl() : parseNamedItem();
    case K::RBrace: fail("this `}` closes nothing"); return nullptr;
    case K::Semicolon:
        error(cur().span(), "expected a declaration, found `;`").help("remove this `;`");
        advance();
        return nullptr;
    default: break;
    }
    if (atIdent()) return parseNamedItem();
    if (at(K::KwF32) || at(K::KwF64)) failTypeKeyword("declaration");
    else failExpected("a declaration");
    return nullptr;
}

/// `impl` that declares nothing of that name.
bool Parser::atImplBlock() const {
    const K next = peek().kind;
    return at(K::KwImpl) && next != K::ColonColon && next != K::ColonEqual && next != K::Colon;
}

Decl* Parser::parsePrivateItem() {
    advance();
    if (!atIdent() || atImplBlock()) {
        if (at(K::KwPrivate)) fail("`private` is written twice");
        else fail("`private` stands only before a declaration that starts with a name, not before " + describe(cur()));
        return nullptr;
    }
    Decl* decl = parseNamedItem();
    if (decl) decl->isPrivate = true;
    return decl;
}

/// IDENT, then `::`, `:=` or `:`.
Decl* Parser::parseNamedItem() {
    const Ident name = takeIdent();
    switch (cur().kind) {
    case K::ColonColon: advance(); return parseConst(name);
    case K::Colon: return parseTyped(name);
    case K::ColonEqual: {
        advance();
        Expr* init = parseExpr();
        expectSemicolon("this declaration");
        auto* var = makeDecl<VarDecl>(name, from(name.span));
        var->init = init;
        return var;
    }
    case K::Equal: {
        const std::string text(context_.names.text(name.name));
        fail("expected `::`, `:=` or `:` after `" + text + "`, found `=`")
            .help("a global is declared with `" + text + " := VALUE;`, a constant with `" + text + " :: VALUE;`");
        return nullptr;
    }
    default:
        failExpected("`::`, `:=` or `:` after `" + std::string(context_.names.text(name.name)) + "`");
        return nullptr;
    }
}

Decl* Parser::parseConst(Ident name) {
    Decl* decl = parseConstRest(name);
    return failed_ ? nullptr : decl;
}

/// Behind `NAME ::`, at the top level or in a body.
Decl* Parser::parseConstRest(Ident name) {
    const SourcePos begin = name.span.begin;
    switch (cur().kind) {
    case K::DirImport: return parseImport(name, begin);
    case K::DirLibrary: return parseLibrary(name);
    case K::KwIntrinsic: {
        advance();
        expectSemicolon("`intrinsic`");
        auto* decl = makeDecl<ConstDecl>(name, from(begin));
        decl->isIntrinsic = true;
        return decl;
    }
    case K::KwEnum: return parseEnum(name, begin);
    case K::KwStruct: return parseStruct(name, begin);
    case K::KwUnion: return parseUnion(name, begin);
    case K::KwError:
        if (peek().kind == K::Dot) return parseConstExpr(name);
        return parseErrorSet(name, begin);
    case K::KwProtocol: {
        const K next = peek().kind;
        if (next == K::LParen || next == K::LBrace || next == K::DirInline || next == K::DirIdentity)
            return parseProtocol(name, begin);
        return parseConstExpr(name);
    }
    case K::KwUfcs: return parseUfcs(name);
    case K::LParen:
        if (startsFunction(pos_)) return parseFunction(name);
        return parseConstExpr(name);
    case K::LBrace: return parseBlockFunction(name);
    default: break;
    }
    if (atRuntimeClass()) return parseRuntimeClass(name);
    return parseConstExpr(name);
}

Decl* Parser::parseConstExpr(Ident name) {
    Expr* value = parseExpr();
    const bool isIntrinsic = accept(K::KwIntrinsic);
    if (at(K::Equal)) {
        const std::string text(context_.names.text(name.name));
        failExpected("`;` after this declaration")
            .help("a typed variable is `" + text + " : TYPE = VALUE;`, a typed constant `" + text +
                  " : TYPE : VALUE;`");
        return nullptr;
    }
    expectSemicolon("this declaration");
    auto* decl = makeDecl<ConstDecl>(name, from(name.span));
    decl->value = value;
    decl->isIntrinsic = isIntrinsic;
    return decl;
}

/// `ufcs (…) …`, `ufcs NAME;`, or the name `ufcs` in an expression.
Decl* Parser::parseUfcs(Ident name) {
    const K next = peek().kind;
    if (next == K::LParen && startsFunction(pos_ + 1)) {
        advance();
        FunctionDecl* fn = parseFunction(name);
        fn->isUfcs = true;
        return fn;
    }
    if (!isIdentLike(next)) return parseConstExpr(name);
    advance();
    const Ident target = takeIdent();
    expectSemicolon("this alias");
    auto* alias = makeDecl<UfcsAliasDecl>(name, from(name.span));
    alias->target = target;
    return alias;
}

/// At the `:` of `NAME : T …`.
Decl* Parser::parseTyped(Ident name) {
    advance();
    Expr* type = parseType();
    if (accept(K::Colon)) {
        Expr* value = parseExpr();
        expectSemicolon("this declaration");
        auto* decl = makeDecl<ConstDecl>(name, from(name.span));
        decl->type = type;
        decl->value = value;
        return decl;
    }
    auto* var = makeDecl<VarDecl>(name, {});
    var->type = type;
    if (accept(K::Equal)) {
        var->init = parseExpr();
    } else if (accept(K::KwExtern)) {
        var->isExtern = true;
        if (atIdent()) var->library = takeIdent();
        if (at(K::String)) var->symbol = expectString("a symbol");
    } else if (at(K::EqualEqual)) {
        failExpected("`=` or `;`").help("the value of a declaration follows a single `=`");
        return nullptr;
    }
    expectSemicolon("this declaration");
    var->span = from(name.span);
    return var;
}

// ---- module-scope `inline if`

Decl* Parser::parseInlineIfItem() {
    const SourcePos begin = here();
    const Nested nested(*this);
    if (!nested.ok()) return nullptr;
    if (peek().kind != K::KwIf) {
        advance();
        failExpected("`if` after `inline` at the top level");
        return nullptr;
    }
    // A chain of `else if` is a chain of declarations, each the only item of the branch before.
    SmallVector<InlineIfDecl*, 4> chain;
    advance();
    do {
        auto* decl = makeDecl<InlineIfDecl>({}, {chain.empty() ? begin : here(), here()});
        advance(); // `if`
        bool isMatch = false;
        Expr* cond = parseCondition(isMatch);
        if (!chain.empty()) {
            SmallVector<Decl*, 1> only{decl};
            chain.back()->otherwise = keep(only);
        }
        chain.push_back(decl);
        if (isMatch) {
            decl->subject = cond;
            advance(); // `==`
            parseItemMatch(decl);
            break;
        }
        decl->cond = cond;
        decl->then = parseItemBlock();
        if (!at(K::KwElse)) break;
        advance();
        if (!at(K::KwIf)) {
            decl->otherwise = parseItemBlock();
            break;
        }
        height_ = static_cast<uint32_t>(chain.size());
        checkHeight(pos_);
    } while (at(K::KwIf));
    for (InlineIfDecl* decl : chain) decl->span = from(decl->span.begin);
    return chain.front();
}

ArrayRef<Decl*> Parser::parseItemBlock() {
    const uint32_t open = pos_;
    SmallVector<Decl*, 8> items;
    if (!expect(K::LBrace)) return {};
    parseItems(items, open, false);
    expectClosing(open, "`}`");
    return keep(items);
}

void Parser::parseItemMatch(InlineIfDecl* decl) {
    const uint32_t open = pos_;
    SmallVector<InlineIfDecl::Arm, 8> arms;
    expect(K::LBrace);
    while (at(K::KwCase)) {
        advance();
        InlineIfDecl::Arm arm;
        arm.pattern = parsePattern();
        expect(K::Colon);
        SmallVector<Decl*, 8> items;
        parseItems(items, open, true);
        arm.items = keep(items);
        arms.push_back(arm);
    }
    if (accept(K::KwElse)) {
        expect(K::Colon);
        SmallVector<Decl*, 8> items;
        parseItems(items, open, true);
        arms.push_back({nullptr, keep(items)});
    }
    expectClosing(open, "`case`, `else` or `}`");
    decl->arms = keep(arms);
}

} // namespace sx
