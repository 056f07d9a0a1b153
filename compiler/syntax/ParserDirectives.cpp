// Imports, libraries, `#run`, `#error`, context fields, assembly and foreign-runtime classes.
#include "syntax/Grammar.h"

#include "syntax/Literals.h"

namespace sx {

using namespace ast;

/// At `#import`. `begin` is the name's, if there is one.
Decl* parseImport(Parser& p, Ident name, SourcePos begin) {
    const SourcePos directive = p.here();
    p.advance();
    if (p.atWord(KnownName::c)) return parseImportC(p, name, begin, directive);
    const StringRef path = expectString(p, "the path of a file in quotes");
    expectSemicolon(p, "this import");
    auto* decl = p.makeDecl<ImportDecl>(name, p.from(begin));
    decl->path = path;
    decl->directive = p.from(directive);
    return decl;
}

Decl* parseImportC(Parser& p, Ident name, SourcePos begin, SourcePos directive) {
    p.advance();
    const uint32_t open = p.pos;
    p.expect(K::LBrace);
    SmallVector<ImportCDecl::Entry, 8> entries;
    while (!p.at(K::RBrace) && !p.at(K::Eof)) {
        ImportCDecl::Entry entry{};
        switch (p.cur().kind) {
        case K::DirInclude: entry.kind = ImportCDecl::Kind::Include; break;
        case K::DirSource: entry.kind = ImportCDecl::Kind::Source; break;
        case K::DirDefine: entry.kind = ImportCDecl::Kind::Define; break;
        case K::DirFlags: entry.kind = ImportCDecl::Kind::Flags; break;
        default: p.failExpected("`#include`, `#source`, `#define`, `#flags` or `}`"); continue;
        }
        p.advance();
        const SourcePos text = p.here();
        entry.text = expectString(p, "a string");
        entry.span = p.from(text);
        expectSemicolon(p, "this directive");
        entries.push_back(entry);
    }
    p.expectClosing(open, "`}`");
    expectSemicolon(p, "this import");
    auto* decl = p.makeDecl<ImportCDecl>(name, p.from(begin));
    decl->entries = p.keep(entries);
    decl->directive = p.from(directive);
    return decl;
}

Decl* parseLibrary(Parser& p, Ident name) {
    p.advance();
    const StringRef library = expectString(p, "the name of a library in quotes");
    expectSemicolon(p, "this directive");
    auto* decl = p.makeDecl<LibraryDecl>(name, p.from(name.span));
    decl->library = library;
    return decl;
}

Decl* parseFramework(Parser& p) {
    const SourcePos begin = p.here();
    p.advance();
    const StringRef framework = expectString(p, "the name of a framework in quotes");
    expectSemicolon(p, "this directive");
    auto* decl = p.makeDecl<FrameworkDecl>({}, p.from(begin));
    decl->framework = framework;
    return decl;
}

Decl* parseRunItem(Parser& p) {
    const SourcePos begin = p.here();
    p.advance();
    const Restore function(p.function, Function{});
    Expr* value = parseExpr(p);
    expectSemicolon(p, "this directive");
    auto* decl = p.makeDecl<RunDecl>({}, p.from(begin));
    decl->value = value;
    return decl;
}

/// `#error("text");`, the text.
StringRef parseErrorDirective(Parser& p) {
    p.advance();
    p.expect(K::LParen);
    const StringRef message = expectString(p, "a string");
    p.expect(K::RParen);
    expectSemicolon(p, "this directive");
    return message;
}

Decl* parseErrorItem(Parser& p) {
    const SourcePos begin = p.here();
    const StringRef message = parseErrorDirective(p);
    auto* decl = p.makeDecl<ErrorDecl>({}, p.from(begin));
    decl->message = message;
    return decl;
}

Decl* parseContextExtend(Parser& p) {
    const SourcePos begin = p.here();
    p.advance();
    const Ident name = expectIdent(p, "the name of a context field");
    p.expect(K::Colon);
    Expr* type = parseType(p);
    Expr* value = p.accept(K::Equal) ? parseExpr(p) : nullptr;
    expectSemicolon(p, "this directive");
    auto* decl = p.makeDecl<ContextExtendDecl>(name, p.from(begin));
    decl->type = type;
    decl->defaultValue = value;
    return decl;
}

// ---- classes of foreign runtimes

bool atRuntimeClass(const Parser& p) {
    switch (p.cur().kind) {
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

Decl* parseRuntimeClass(Parser& p, Ident name) {
    auto* decl = p.makeDecl<RuntimeClassDecl>(name, name.span);
    if (p.accept(K::DirJniMain)) {
        decl->isJniMain = true;
        p.expect(K::DirJniClass);
    } else {
        p.advance();
    }
    p.expect(K::LParen);
    decl->runtimeName = expectString(p, "the name of the class in quotes");
    p.expect(K::RParen);
    if (p.accept(K::KwExtern)) decl->linkage = Linkage::Extern;
    else if (p.accept(K::KwExport)) decl->linkage = Linkage::Export;
    const uint32_t open = p.pos;
    p.expect(K::LBrace);
    SmallVector<RuntimeMember, 8> members;
    while (!p.at(K::RBrace) && !p.at(K::Eof)) {
        RuntimeMember member;
        if (parseRuntimeMember(p, member)) members.push_back(member);
    }
    p.expectClosing(open, "a member or `}`");
    decl->members = p.keep(members);
    decl->span = p.from(name.span);
    return decl;
}

bool parseRuntimeMember(Parser& p, RuntimeMember& member) {
    const SourcePos begin = p.here();
    if (p.at(K::DirExtends) || p.at(K::DirImplements)) {
        member.kind = p.at(K::DirExtends) ? RuntimeMember::Kind::Extends : RuntimeMember::Kind::Implements;
        p.advance();
        member.name = expectIdent(p, "the name of a class");
        expectSemicolon(p, "this directive");
    } else {
        member.name = expectIdent(p, "a member or `}`");
        if (p.accept(K::Colon)) {
            member.kind = RuntimeMember::Kind::Field;
            member.type = parseType(p);
            if (p.accept(K::DirProperty) && p.at(K::LParen) && p.tokens[p.pos].value != noMatch)
                p.pos = p.afterGroup(p.pos);
            expectSemicolon(p, "this field");
        } else if (p.expect(K::ColonColon, "`:` or `::`")) {
            parseRuntimeMethod(p, member);
        }
    }
    member.span = p.from(begin);
    return !p.failed;
}

/// Behind `NAME ::`: a method, or a typed constant.
void parseRuntimeMethod(Parser& p, RuntimeMember& member) {
    if (!p.at(K::LParen)) {
        member.kind = RuntimeMember::Kind::Const;
        member.type = parseType(p);
        p.expect(K::Equal);
        member.value = parseExpr(p);
        expectSemicolon(p, "this constant");
        return;
    }
    member.kind = RuntimeMember::Kind::Method;
    member.fn = p.makeDecl<FunctionDecl>(member.name, member.name.span);
    member.fn->params = parseParams(p, member.fn->paramList);
    if (p.accept(K::Arrow)) member.fn->result = parseResultType(p);
    while (p.at(K::DirSelector) || p.at(K::DirJniMethodDescriptor)) {
        p.advance();
        p.expect(K::LParen);
        expectString(p, "a string");
        p.expect(K::RParen);
    }
    if (!p.accept(K::Semicolon)) parseFunctionBody(p, member.fn);
    member.fn->span = p.from(member.name.span);
}

} // namespace sx
