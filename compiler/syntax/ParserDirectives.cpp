// Imports, libraries, `#run`, `#error`, context fields, assembly and foreign-runtime classes.
#include "syntax/ParserImpl.h"

#include "syntax/Literals.h"

namespace sx {

using namespace ast;

/// At `#import`. `begin` is the name's, if there is one.
Decl* Parser::parseImport(Ident name, SourcePos begin) {
    const SourcePos directive = here();
    advance();
    if (atWord(KnownName::c)) return parseImportC(name, begin, directive);
    const StringRef path = expectString("the path of a file in quotes");
    expectSemicolon("this import");
    auto* decl = makeDecl<ImportDecl>(name, from(begin));
    decl->path = path;
    decl->directive = from(directive);
    return decl;
}

Decl* Parser::parseImportC(Ident name, SourcePos begin, SourcePos directive) {
    advance();
    const uint32_t open = pos_;
    expect(K::LBrace);
    SmallVector<ImportCDecl::Entry, 8> entries;
    while (!at(K::RBrace) && !at(K::Eof)) {
        ImportCDecl::Entry entry{};
        switch (cur().kind) {
        case K::DirInclude: entry.kind = ImportCDecl::Kind::Include; break;
        case K::DirSource: entry.kind = ImportCDecl::Kind::Source; break;
        case K::DirDefine: entry.kind = ImportCDecl::Kind::Define; break;
        case K::DirFlags: entry.kind = ImportCDecl::Kind::Flags; break;
        default: failExpected("`#include`, `#source`, `#define`, `#flags` or `}`"); continue;
        }
        advance();
        entry.text = expectString("a string");
        expectSemicolon("this directive");
        entries.push_back(entry);
    }
    expectClosing(open, "`}`");
    expectSemicolon("this import");
    auto* decl = makeDecl<ImportCDecl>(name, from(begin));
    decl->entries = keep(entries);
    decl->directive = from(directive);
    return decl;
}

Decl* Parser::parseLibrary(Ident name) {
    advance();
    const StringRef library = expectString("the name of a library in quotes");
    expectSemicolon("this directive");
    auto* decl = makeDecl<LibraryDecl>(name, from(name.span));
    decl->library = library;
    return decl;
}

Decl* Parser::parseFramework() {
    const SourcePos begin = here();
    advance();
    const StringRef framework = expectString("the name of a framework in quotes");
    expectSemicolon("this directive");
    auto* decl = makeDecl<FrameworkDecl>({}, from(begin));
    decl->framework = framework;
    return decl;
}

Decl* Parser::parseRunItem() {
    const SourcePos begin = here();
    advance();
    const Restore function(function_, Function{});
    Expr* value = parseExpr();
    expectSemicolon("this directive");
    auto* decl = makeDecl<RunDecl>({}, from(begin));
    decl->value = value;
    return decl;
}

/// `#error("text");`, the text.
StringRef Parser::parseErrorDirective() {
    advance();
    expect(K::LParen);
    const StringRef message = expectString("a string");
    expect(K::RParen);
    expectSemicolon("this directive");
    return message;
}

Decl* Parser::parseErrorItem() {
    const SourcePos begin = here();
    const StringRef message = parseErrorDirective();
    auto* decl = makeDecl<ErrorDecl>({}, from(begin));
    decl->message = message;
    return decl;
}

Decl* Parser::parseContextExtend() {
    const SourcePos begin = here();
    advance();
    const Ident name = expectIdent("the name of a context field");
    expect(K::Colon);
    Expr* type = parseType();
    Expr* value = accept(K::Equal) ? parseExpr() : nullptr;
    expectSemicolon("this directive");
    auto* decl = makeDecl<ContextExtendDecl>(name, from(begin));
    decl->type = type;
    decl->defaultValue = value;
    return decl;
}

// ---- classes of foreign runtimes

bool Parser::atRuntimeClass() const {
    switch (cur().kind) {
    case K::DirObjcClass:
    case K::DirObjcProtocol:
    case K::DirJniClass:
    case K::DirJniInterface:
    case K::DirJniMain:
    case K::DirSwiftClass:
    case K::DirSwiftStruct:
    case K::DirSwiftProtocol: return true;
    default: return false;
    }
}

Decl* Parser::parseRuntimeClass(Ident name) {
    auto* decl = makeDecl<RuntimeClassDecl>(name, name.span);
    if (accept(K::DirJniMain)) {
        decl->isJniMain = true;
        expect(K::DirJniClass);
    } else {
        advance();
    }
    expect(K::LParen);
    decl->runtimeName = expectString("the name of the class in quotes");
    expect(K::RParen);
    if (accept(K::KwExtern)) decl->linkage = Linkage::Extern;
    else if (accept(K::KwExport)) decl->linkage = Linkage::Export;
    const uint32_t open = pos_;
    expect(K::LBrace);
    SmallVector<RuntimeMember, 8> members;
    while (!at(K::RBrace) && !at(K::Eof)) {
        RuntimeMember member;
        if (parseRuntimeMember(member)) members.push_back(member);
    }
    expectClosing(open, "a member or `}`");
    decl->members = keep(members);
    decl->span = from(name.span);
    return decl;
}

bool Parser::parseRuntimeMember(RuntimeMember& member) {
    const SourcePos begin = here();
    if (at(K::DirExtends) || at(K::DirImplements)) {
        member.kind = at(K::DirExtends) ? RuntimeMember::Kind::Extends : RuntimeMember::Kind::Implements;
        advance();
        member.name = expectIdent("the name of a class");
        expectSemicolon("this directive");
    } else {
        member.name = expectIdent("a member or `}`");
        if (accept(K::Colon)) {
            member.kind = RuntimeMember::Kind::Field;
            member.type = parseType();
            if (accept(K::DirProperty) && at(K::LParen) && tokens_[pos_].value != noMatch) pos_ = afterGroup(pos_);
            expectSemicolon("this field");
        } else if (expect(K::ColonColon, "`:` or `::`")) {
            parseRuntimeMethod(member);
        }
    }
    member.span = from(begin);
    return !failed_;
}

/// Behind `NAME ::`: a method, or a typed constant.
void Parser::parseRuntimeMethod(RuntimeMember& member) {
    if (!at(K::LParen)) {
        member.kind = RuntimeMember::Kind::Const;
        member.type = parseType();
        expect(K::Equal);
        member.value = parseExpr();
        expectSemicolon("this constant");
        return;
    }
    member.kind = RuntimeMember::Kind::Method;
    member.fn = makeDecl<FunctionDecl>(member.name, member.name.span);
    member.fn->params = parseParams(member.fn->paramList);
    if (accept(K::Arrow)) member.fn->result = parseResultType();
    while (at(K::DirSelector) || at(K::DirJniMethodDescriptor)) {
        advance();
        expect(K::LParen);
        expectString("a string");
        expect(K::RParen);
    }
    if (!accept(K::Semicolon)) parseFunctionBody(member.fn);
    member.fn->span = from(member.name.span);
}

} // namespace sx
