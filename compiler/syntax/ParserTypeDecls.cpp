// Declarations of structs, enums, unions, error sets, protocols, and impl blocks (8.1).
#include "syntax/Grammar.h"

namespace sx {

using namespace ast;

/// At the keyword. `begin` is where the declaration starts: at its name, or at the keyword of an inline type.
StructDecl* parseStruct(Parser& p, Ident name, SourcePos begin) {
    const Nested nested(p);
    p.advance();
    auto* decl = p.makeDecl<StructDecl>(name, {});
    if (p.at(K::KwAbi)) decl->abi = parseAbi(p);
    if (p.accept(K::KwExtern)) {
        decl->isExtern = true;
        if (p.atIdent()) decl->library = takeIdent(p);
    }
    if (p.at(K::LParen)) decl->typeParams = parseTypeParams(p);
    const uint32_t open = p.pos;
    const Restore mode(p.mode, Mode{});
    const Restore comma(p.commaMentioned, false);
    p.expect(K::LBrace);
    SmallVector<MemberDecl, 16> members;
    while (!p.at(K::RBrace) && !p.at(K::Eof)) {
        const uint32_t start = p.pos;
        parseMember(p, members);
        if (p.failed && !p.recover(start, p.closerOf(open), startsMember)) break;
    }
    p.expectClosing(open, "a member or `}`");
    decl->members = p.keep(members);
    decl->span = p.from(begin);
    return decl;
}

void parseMember(Parser& p, SmallVectorImpl<MemberDecl>& members) {
    if (p.at(K::DirUsing)) return parseUsing(p, members);
    const Ident name = expectMemberName(p, "a member or `}`");
    if (p.accept(K::ColonColon)) return parseConstMember(p, name, members);
    parseFields(p, name, members);
}

void parseUsing(Parser& p, SmallVectorImpl<MemberDecl>& members) {
    p.advance();
    MemberDecl member;
    member.kind = MemberKind::Using;
    member.usingName = expectIdent(p, "the name of a struct");
    p.accept(K::Semicolon);
    members.push_back(member);
}

/// Behind `NAME ::`: a method, a nested type or a constant.
void parseConstMember(Parser& p, Ident name, SmallVectorImpl<MemberDecl>& members) {
    MemberDecl member;
    member.kind = MemberKind::Decl;
    if (p.at(K::LParen) && startsFunction(p, p.pos)) {
        member.decl = parseFunction(p, name);
    } else if (p.at(K::KwStruct)) {
        member.decl = parseStruct(p, name, name.span.begin);
    } else if (p.at(K::KwEnum)) {
        member.decl = parseEnum(p, name, name.span.begin);
    } else if (p.at(K::KwUnion)) {
        member.decl = parseUnion(p, name, name.span.begin);
    } else {
        auto* constant = p.makeDecl<ConstDecl>(name, {});
        constant->value = parseExpr(p);
        constant->span = p.from(name.span);
        member.decl = constant;
    }
    if (!llvm::isa<FunctionDecl>(member.decl)) p.accept(K::Semicolon);
    members.push_back(member);
}

/// Behind the first name: `: T : value`, or `{ , NAME } : T [ = value ]`.
void parseFields(Parser& p, Ident first, SmallVectorImpl<MemberDecl>& members) {
    SmallVector<Ident, 8> names{first};
    while (p.accept(K::Comma)) names.push_back(expectMemberName(p, "the name of a field"));
    if (!p.expect(K::Colon, names.size() == 1 ? "`:` or `::` after the name of the member" : "`:` or `,`")) return;
    Expr* type = parseType(p);
    if (names.size() == 1 && p.accept(K::Colon)) {
        auto* constant = p.makeDecl<ConstDecl>(first, {});
        constant->type = type;
        constant->value = parseExpr(p);
        p.accept(K::Semicolon);
        constant->span = p.from(first.span);
        MemberDecl member;
        member.kind = MemberKind::Decl;
        member.decl = constant;
        members.push_back(member);
        return;
    }
    Expr* value = p.accept(K::Equal) ? parseExpr(p) : nullptr;
    const SourcePos end = p.previous().end;
    for (Ident name : names) {
        MemberDecl member;
        member.field = {name, type, value, {name.span.begin, end}};
        members.push_back(member);
    }
    endMember(p, "field", "the fields of a struct end with `;`");
}

/// An optional `;`. A comma is taken for one, and mentioned once in a body: it is a habit, not a slip.
void endMember(Parser& p, const char* what, const char* help) {
    if (p.accept(K::Semicolon) || !p.at(K::Comma)) return;
    if (!p.commaMentioned)
        p.error(p.cur().span(), "expected `;` after this " + std::string(what) + ", found `,`").help(help);
    p.commaMentioned = true;
    p.advance();
}

/// `( ['..'] '$' NAME ':' type { '/' NAME } , … )`
ArrayRef<TypeParamDecl> parseTypeParams(Parser& p) {
    const uint32_t open = p.pos;
    const Restore mode(p.mode, Mode{});
    p.advance();
    SmallVector<TypeParamDecl, 4> params;
    while (!p.at(K::RParen) && !p.at(K::Eof)) {
        if (!params.empty() && params.back().variadic) {
            p.fail("the pack `.." + std::string(p.context.names.text(params.back().name.name)) +
                   "` must be the last parameter");
            break;
        }
        TypeParamDecl param;
        const SourcePos begin = p.here();
        param.variadic = p.accept(K::DotDot);
        p.expect(K::Dollar, params.empty() ? "`$` or `)`" : "`$`");
        param.name = expectIdent(p, "the name of a type parameter");
        p.expect(K::Colon);
        param.type = parseType(p);
        param.constraints = parseConstraints(p);
        param.span = p.from(begin);
        params.push_back(param);
        if (!p.accept(K::Comma)) break;
    }
    p.expectClosing(open, "`,` or `)`");
    return p.keep(params);
}

EnumDecl* parseEnum(Parser& p, Ident name, SourcePos begin) {
    const Nested nested(p);
    p.advance();
    auto* decl = p.makeDecl<EnumDecl>(name, {});
    if (p.atWord(KnownName::flags)) {
        decl->isFlags = true;
        p.advance();
    }
    if (!p.at(K::LBrace)) decl->backing = parseType(p);
    const uint32_t open = p.pos;
    const Restore mode(p.mode, Mode{});
    const Restore comma(p.commaMentioned, false);
    p.expect(K::LBrace);
    SmallVector<VariantDecl, 16> variants;
    while (!p.at(K::RBrace) && !p.at(K::Eof)) {
        const uint32_t start = p.pos;
        const VariantDecl variant = parseVariant(p);
        if (!p.failed) variants.push_back(variant);
        else if (!p.recover(start, p.closerOf(open), startsMember)) break;
    }
    p.expectClosing(open, "a variant or `}`");
    decl->variants = p.keep(variants);
    decl->span = p.from(begin);
    return decl;
}

VariantDecl parseVariant(Parser& p) {
    VariantDecl variant;
    variant.name = expectMemberName(p, "the name of a variant or `}`");
    if (p.accept(K::ColonColon)) variant.value = parseExpr(p);
    if (p.at(K::Colon)) {
        variant.payloadColon = p.cur().span();
        p.advance();
        variant.payload = parseType(p);
    }
    variant.span = p.from(variant.name.span);
    if (p.at(K::Equal))
        p.fail("expected `;` after this variant, found `=`").help("the value of a variant is written `name :: VALUE;`");
    endMember(p, "variant", "the variants of an enum end with `;`");
    return variant;
}

UnionDecl* parseUnion(Parser& p, Ident name, SourcePos begin) {
    const Nested nested(p);
    p.advance();
    auto* decl = p.makeDecl<UnionDecl>(name, {});
    const uint32_t open = p.pos;
    const Restore mode(p.mode, Mode{});
    const Restore comma(p.commaMentioned, false);
    p.expect(K::LBrace);
    SmallVector<UnionMemberDecl, 8> members;
    while (!p.at(K::RBrace) && !p.at(K::Eof)) {
        const uint32_t start = p.pos;
        const UnionMemberDecl member = parseUnionMember(p);
        if (!p.failed) members.push_back(member);
        else if (!p.recover(start, p.closerOf(open), startsMember)) break;
    }
    p.expectClosing(open, "a member or `}`");
    decl->members = p.keep(members);
    decl->span = p.from(begin);
    return decl;
}

UnionMemberDecl parseUnionMember(Parser& p) {
    UnionMemberDecl member;
    const SourcePos begin = p.here();
    if (p.at(K::KwStruct)) {
        member.anonymous = parseStruct(p, {}, begin);
    } else {
        member.name = expectIdent(p, "a member or `}`");
        p.expect(K::Colon);
        member.type = parseType(p);
    }
    member.span = p.from(begin);
    endMember(p, "member", "the members of a union end with `;`");
    return member;
}

ErrorSetDecl* parseErrorSet(Parser& p, Ident name, SourcePos begin) {
    p.advance();
    const uint32_t open = p.pos;
    p.expect(K::LBrace);
    SmallVector<Ident, 16> tags;
    while (!p.at(K::RBrace) && !p.at(K::Eof)) {
        tags.push_back(expectIdent(p, "the name of an error or `}`"));
        if (!p.accept(K::Comma)) break;
    }
    if (p.at(K::Semicolon))
        p.fail("expected `,` or `}`, found `;`").help("the names of an error set are separated by commas");
    p.expectClosing(open, "`,` or `}`");
    auto* decl = p.makeDecl<ErrorSetDecl>(name, p.from(begin));
    decl->tags = p.keep(tags);
    if (p.accept(K::Semicolon)) decl->span = p.from(begin);
    return decl;
}

// ---- protocols

ProtocolDecl* parseProtocol(Parser& p, Ident name, SourcePos begin) {
    p.advance();
    auto* decl = p.makeDecl<ProtocolDecl>(name, {});
    if (p.at(K::LParen)) decl->typeParams = parseProtocolParams(p);
    while (p.at(K::DirInline) || p.at(K::DirIdentity)) {
        bool& attribute = p.at(K::DirInline) ? decl->isInline : decl->isIdentity;
        if (attribute) {
            p.fail(code(spelling(p.cur().kind)) + " is written twice");
            break;
        }
        attribute = true;
        p.advance();
    }
    const uint32_t open = p.pos;
    p.expect(K::LBrace);
    SmallVector<ProtocolMethod, 8> methods;
    while (!p.at(K::RBrace) && !p.at(K::Eof)) {
        const uint32_t start = p.pos;
        const ProtocolMethod method = parseProtocolMethod(p);
        if (!p.failed) methods.push_back(method);
        else if (!p.recover(start, p.closerOf(open), startsMember)) break;
    }
    p.expectClosing(open, "a method or `}`");
    decl->methods = p.keep(methods);
    decl->span = p.from(begin);
    return decl;
}

/// `( NAME ':' type , … )`: plain names, no `$`.
ArrayRef<TypeParamDecl> parseProtocolParams(Parser& p) {
    const uint32_t open = p.pos;
    p.advance();
    SmallVector<TypeParamDecl, 4> params;
    while (!p.at(K::RParen) && !p.at(K::Eof)) {
        TypeParamDecl param;
        if (p.at(K::Dollar)) p.fail("the parameters of a protocol are plain names").help("leave out the `$`");
        param.name = expectIdent(p, "the name of a type parameter");
        p.expect(K::Colon);
        param.type = parseType(p);
        param.span = p.from(param.name.span);
        params.push_back(param);
        if (!p.accept(K::Comma)) break;
    }
    p.expectClosing(open, "`,` or `)`");
    return p.keep(params);
}

ProtocolMethod parseProtocolMethod(Parser& p) {
    const Ident name = expectMemberName(p, "the name of a method or `}`");
    p.expect(K::ColonColon);
    auto* fn = p.makeDecl<FunctionDecl>(name, name.span);
    fn->params = parseParams(p, fn->paramList, true);
    checkReceiver(p, fn);
    if (p.accept(K::Arrow)) fn->result = parseResultType(p);
    if (p.at(K::LBrace) || p.at(K::DeferredBody)) parseFunctionBody(p, fn);
    else p.accept(K::Semicolon);
    fn->span = p.from(name.span);
    return {fn};
}

/// The first parameter must be `self: *Self` or `self: Self`.
void checkReceiver(Parser& p, const FunctionDecl* fn) {
    if (p.failed) return;
    if (!fn->params.empty() && fn->params[0].name.name == KnownName::self && fn->params[0].type) {
        const Expr* type = fn->params[0].type;
        if (const auto* pointer = llvm::dyn_cast<Unary>(type)) type = pointer->operand;
        const auto* ref = llvm::dyn_cast<NameRef>(type);
        if (ref && !ref->id.raw && keywordOf(ref->id.name) == K::KwSelf) return;
    }
    p.fail("a protocol method lists its receiver first, as `self: *Self` or `self: Self`")
        .note(fn->paramList, "the parameters of " + code(p.context.names.text(fn->name.name)));
}

// ---- impl blocks

ImplDecl* parseImpl(Parser& p) {
    const SourcePos begin = p.here();
    p.advance();
    auto* decl = p.makeDecl<ImplDecl>({}, {});
    if (p.atIdent()) decl->protocol = {p.cur().name(), p.cur().span(), p.cur().raw};
    if (!p.atIdent()) p.failExpected("the name of a protocol");
    decl->protocolRef = parseNamedType(p);
    if (auto* call = llvm::dyn_cast_or_null<Call>(decl->protocolRef))
        if (auto* member = llvm::dyn_cast<Member>(call->callee)) decl->protocol = member->name;
    if (auto* member = llvm::dyn_cast_or_null<Member>(decl->protocolRef)) decl->protocol = member->name;
    p.expect(K::KwFor, "`for` and the type that conforms");
    decl->target = parseType(p);
    if (!p.failed) decl->targetParams = freshParams(p, decl->target);
    const uint32_t open = p.pos;
    p.expect(K::LBrace);
    SmallVector<FunctionDecl*, 8> methods;
    while (!p.at(K::RBrace) && !p.at(K::Eof)) {
        const uint32_t start = p.pos;
        const Ident name = expectMemberName(p, "the name of a method or `}`");
        p.expect(K::ColonColon);
        if (!p.at(K::LParen)) p.failExpected("the parameters of the method");
        FunctionDecl* fn = p.failed ? nullptr : parseFunction(p, name);
        if (!p.failed) methods.push_back(fn);
        else if (!p.recover(start, p.closerOf(open), startsMember)) break;
    }
    p.expectClosing(open, "a method or `}`");
    decl->methods = p.keep(methods);
    decl->span = p.from(begin);
    return decl;
}

/// The `$T` among the arguments of a generic target.
ArrayRef<Ident> freshParams(Parser& p, const Expr* target) {
    const auto* call = llvm::dyn_cast<Call>(target);
    if (!call) return {};
    SmallVector<Ident, 4> names;
    for (const Arg& arg : call->args)
        if (const auto* param = llvm::dyn_cast<TypeParam>(arg.value)) names.push_back(param->id);
    return p.keep(names);
}

} // namespace sx
