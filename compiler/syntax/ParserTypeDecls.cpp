// Declarations of structs, enums, unions, error sets, protocols, and impl blocks (8.1).
#include "syntax/ParserImpl.h"

namespace sx {

using namespace ast;

/// At the keyword. `begin` is where the declaration starts: at its name, or at the keyword of an inline type.
StructDecl* Parser::parseStruct(Ident name, SourcePos begin) {
    const Nested nested(*this);
    advance();
    auto* decl = makeDecl<StructDecl>(name, {});
    if (at(K::KwAbi)) decl->abi = parseAbi();
    if (accept(K::KwExtern)) {
        decl->isExtern = true;
        if (atIdent()) decl->library = takeIdent();
    }
    if (at(K::LParen)) decl->typeParams = parseTypeParams();
    const uint32_t open = pos_;
    const Restore mode(mode_, Mode{});
    const Restore comma(commaMentioned_, false);
    expect(K::LBrace);
    SmallVector<MemberDecl, 16> members;
    while (!at(K::RBrace) && !at(K::Eof)) {
        const uint32_t start = pos_;
        parseMember(members);
        if (failed_ && !recover(start, closerOf(open), &Parser::startsMember)) break;
    }
    expectClosing(open, "a member or `}`");
    decl->members = keep(members);
    decl->span = from(begin);
    return decl;
}

void Parser::parseMember(SmallVectorImpl<MemberDecl>& members) {
    if (at(K::DirUsing)) return parseUsing(members);
    const Ident name = expectMemberName("a member or `}`");
    if (accept(K::ColonColon)) return parseConstMember(name, members);
    parseFields(name, members);
}

void Parser::parseUsing(SmallVectorImpl<MemberDecl>& members) {
    advance();
    MemberDecl member;
    member.kind = MemberKind::Using;
    member.usingName = expectIdent("the name of a struct");
    accept(K::Semicolon);
    members.push_back(member);
}

/// Behind `NAME ::`: a method, a nested type or a constant.
void Parser::parseConstMember(Ident name, SmallVectorImpl<MemberDecl>& members) {
    MemberDecl member;
    member.kind = MemberKind::Decl;
    if (at(K::LParen) && startsFunction(pos_)) {
        member.decl = parseFunction(name);
    } else if (at(K::KwStruct)) {
        member.decl = parseStruct(name, name.span.begin);
    } else if (at(K::KwEnum)) {
        member.decl = parseEnum(name, name.span.begin);
    } else if (at(K::KwUnion)) {
        member.decl = parseUnion(name, name.span.begin);
    } else {
        auto* constant = makeDecl<ConstDecl>(name, {});
        constant->value = parseExpr();
        constant->span = from(name.span);
        member.decl = constant;
    }
    if (!llvm::isa<FunctionDecl>(member.decl)) accept(K::Semicolon);
    members.push_back(member);
}

/// Behind the first name: `: T : value`, or `{ , NAME } : T [ = value ]`.
void Parser::parseFields(Ident first, SmallVectorImpl<MemberDecl>& members) {
    SmallVector<Ident, 8> names{first};
    while (accept(K::Comma)) names.push_back(expectMemberName("the name of a field"));
    if (!expect(K::Colon, names.size() == 1 ? "`:` or `::` after the name of the member" : "`:` or `,`")) return;
    Expr* type = parseType();
    if (names.size() == 1 && accept(K::Colon)) {
        auto* constant = makeDecl<ConstDecl>(first, {});
        constant->type = type;
        constant->value = parseExpr();
        accept(K::Semicolon);
        constant->span = from(first.span);
        MemberDecl member;
        member.kind = MemberKind::Decl;
        member.decl = constant;
        members.push_back(member);
        return;
    }
    Expr* value = accept(K::Equal) ? parseExpr() : nullptr;
    const SourcePos end = previous().end;
    for (Ident name : names) {
        MemberDecl member;
        member.field = {name, type, value, {name.span.begin, end}};
        members.push_back(member);
    }
    endMember("field", "the fields of a struct end with `;`");
}

/// An optional `;`. A comma is taken for one, and mentioned once in a body: it is a habit, not a slip.
void Parser::endMember(const char* what, const char* help) {
    if (accept(K::Semicolon) || !at(K::Comma)) return;
    if (!commaMentioned_)
        error(cur().span(), "expected `;` after this " + std::string(what) + ", found `,`").help(help);
    commaMentioned_ = true;
    advance();
}

/// `( ['..'] '$' NAME ':' type { '/' NAME } , … )`
ArrayRef<TypeParamDecl> Parser::parseTypeParams() {
    const uint32_t open = pos_;
    const Restore mode(mode_, Mode{});
    advance();
    SmallVector<TypeParamDecl, 4> params;
    while (!at(K::RParen) && !at(K::Eof)) {
        if (!params.empty() && params.back().variadic) {
            fail("the pack `.." + std::string(context_.names.text(params.back().name.name)) +
                 "` must be the last parameter");
            break;
        }
        TypeParamDecl param;
        const SourcePos begin = here();
        param.variadic = accept(K::DotDot);
        expect(K::Dollar, params.empty() ? "`$` or `)`" : "`$`");
        param.name = expectIdent("the name of a type parameter");
        expect(K::Colon);
        param.type = parseType();
        param.constraints = parseConstraints();
        param.span = from(begin);
        params.push_back(param);
        if (!accept(K::Comma)) break;
    }
    expectClosing(open, "`,` or `)`");
    return keep(params);
}

EnumDecl* Parser::parseEnum(Ident name, SourcePos begin) {
    const Nested nested(*this);
    advance();
    auto* decl = makeDecl<EnumDecl>(name, {});
    if (atWord(KnownName::flags)) {
        decl->isFlags = true;
        advance();
    }
    if (!at(K::LBrace)) decl->backing = parseType();
    const uint32_t open = pos_;
    const Restore mode(mode_, Mode{});
    const Restore comma(commaMentioned_, false);
    expect(K::LBrace);
    SmallVector<VariantDecl, 16> variants;
    while (!at(K::RBrace) && !at(K::Eof)) {
        const uint32_t start = pos_;
        const VariantDecl variant = parseVariant();
        if (!failed_) variants.push_back(variant);
        else if (!recover(start, closerOf(open), &Parser::startsMember)) break;
    }
    expectClosing(open, "a variant or `}`");
    decl->variants = keep(variants);
    decl->span = from(begin);
    return decl;
}

VariantDecl Parser::parseVariant() {
    VariantDecl variant;
    variant.name = expectMemberName("the name of a variant or `}`");
    if (accept(K::ColonColon)) variant.value = parseExpr();
    if (at(K::Colon)) {
        variant.payloadColon = cur().span();
        advance();
        variant.payload = parseType();
    }
    variant.span = from(variant.name.span);
    if (at(K::Equal))
        fail("expected `;` after this variant, found `=`").help("the value of a variant is written `name :: VALUE;`");
    endMember("variant", "the variants of an enum end with `;`");
    return variant;
}

UnionDecl* Parser::parseUnion(Ident name, SourcePos begin) {
    const Nested nested(*this);
    advance();
    auto* decl = makeDecl<UnionDecl>(name, {});
    const uint32_t open = pos_;
    const Restore mode(mode_, Mode{});
    const Restore comma(commaMentioned_, false);
    expect(K::LBrace);
    SmallVector<UnionMemberDecl, 8> members;
    while (!at(K::RBrace) && !at(K::Eof)) {
        const uint32_t start = pos_;
        const UnionMemberDecl member = parseUnionMember();
        if (!failed_) members.push_back(member);
        else if (!recover(start, closerOf(open), &Parser::startsMember)) break;
    }
    expectClosing(open, "a member or `}`");
    decl->members = keep(members);
    decl->span = from(begin);
    return decl;
}

UnionMemberDecl Parser::parseUnionMember() {
    UnionMemberDecl member;
    const SourcePos begin = here();
    if (at(K::KwStruct)) {
        member.anonymous = parseStruct({}, begin);
    } else {
        member.name = expectIdent("a member or `}`");
        expect(K::Colon);
        member.type = parseType();
    }
    member.span = from(begin);
    endMember("member", "the members of a union end with `;`");
    return member;
}

ErrorSetDecl* Parser::parseErrorSet(Ident name, SourcePos begin) {
    advance();
    const uint32_t open = pos_;
    expect(K::LBrace);
    SmallVector<Ident, 16> tags;
    while (!at(K::RBrace) && !at(K::Eof)) {
        tags.push_back(expectIdent("the name of an error or `}`"));
        if (!accept(K::Comma)) break;
    }
    if (at(K::Semicolon))
        fail("expected `,` or `}`, found `;`").help("the names of an error set are separated by commas");
    expectClosing(open, "`,` or `}`");
    auto* decl = makeDecl<ErrorSetDecl>(name, from(begin));
    decl->tags = keep(tags);
    if (accept(K::Semicolon)) decl->span = from(begin);
    return decl;
}

// ---- protocols

ProtocolDecl* Parser::parseProtocol(Ident name, SourcePos begin) {
    advance();
    auto* decl = makeDecl<ProtocolDecl>(name, {});
    if (at(K::LParen)) decl->typeParams = parseProtocolParams();
    while (at(K::DirInline) || at(K::DirIdentity)) {
        bool& attribute = at(K::DirInline) ? decl->isInline : decl->isIdentity;
        if (attribute) {
            fail("`" + std::string(spelling(cur().kind)) + "` is written twice");
            break;
        }
        attribute = true;
        advance();
    }
    const uint32_t open = pos_;
    expect(K::LBrace);
    SmallVector<ProtocolMethod, 8> methods;
    while (!at(K::RBrace) && !at(K::Eof)) {
        const uint32_t start = pos_;
        const ProtocolMethod method = parseProtocolMethod();
        if (!failed_) methods.push_back(method);
        else if (!recover(start, closerOf(open), &Parser::startsMember)) break;
    }
    expectClosing(open, "a method or `}`");
    decl->methods = keep(methods);
    decl->span = from(begin);
    return decl;
}

/// `( NAME ':' type , … )`: plain names, no `$`.
ArrayRef<TypeParamDecl> Parser::parseProtocolParams() {
    const uint32_t open = pos_;
    advance();
    SmallVector<TypeParamDecl, 4> params;
    while (!at(K::RParen) && !at(K::Eof)) {
        TypeParamDecl param;
        if (at(K::Dollar)) fail("the parameters of a protocol are plain names").help("leave out the `$`");
        param.name = expectIdent("the name of a type parameter");
        expect(K::Colon);
        param.type = parseType();
        param.span = from(param.name.span);
        params.push_back(param);
        if (!accept(K::Comma)) break;
    }
    expectClosing(open, "`,` or `)`");
    return keep(params);
}

ProtocolMethod Parser::parseProtocolMethod() {
    const Ident name = expectMemberName("the name of a method or `}`");
    expect(K::ColonColon);
    auto* fn = makeDecl<FunctionDecl>(name, name.span);
    fn->params = parseParams(fn->paramList, true);
    checkReceiver(fn);
    if (accept(K::Arrow)) fn->result = parseResultType();
    if (at(K::LBrace)) parseFunctionBody(fn);
    else accept(K::Semicolon);
    fn->span = from(name.span);
    return {fn};
}

/// The first parameter must be `self: *Self` or `self: Self`.
void Parser::checkReceiver(const FunctionDecl* fn) {
    if (failed_) return;
    if (!fn->params.empty() && fn->params[0].name.name == KnownName::self && fn->params[0].type) {
        const Expr* type = fn->params[0].type;
        if (const auto* pointer = llvm::dyn_cast<Unary>(type)) type = pointer->operand;
        const auto* ref = llvm::dyn_cast<NameRef>(type);
        if (ref && !ref->id.raw && keywordOf(ref->id.name) == K::KwSelf) return;
    }
    fail("a protocol method lists its receiver first, as `self: *Self` or `self: Self`")
        .note(fn->paramList, "the parameters of `" + std::string(context_.names.text(fn->name.name)) + "`");
}

// ---- impl blocks

ImplDecl* Parser::parseImpl() {
    const SourcePos begin = here();
    advance();
    auto* decl = makeDecl<ImplDecl>({}, {});
    if (atIdent()) decl->protocol = {cur().name(), cur().span(), cur().raw};
    if (!atIdent()) failExpected("the name of a protocol");
    decl->protocolRef = parseNamedType();
    if (auto* call = llvm::dyn_cast_or_null<Call>(decl->protocolRef))
        if (auto* member = llvm::dyn_cast<Member>(call->callee)) decl->protocol = member->name;
    if (auto* member = llvm::dyn_cast_or_null<Member>(decl->protocolRef)) decl->protocol = member->name;
    expect(K::KwFor, "`for` and the type that conforms");
    decl->target = parseType();
    if (!failed_) decl->targetParams = freshParams(decl->target);
    const uint32_t open = pos_;
    expect(K::LBrace);
    SmallVector<FunctionDecl*, 8> methods;
    while (!at(K::RBrace) && !at(K::Eof)) {
        const uint32_t start = pos_;
        const Ident name = expectMemberName("the name of a method or `}`");
        expect(K::ColonColon);
        if (!at(K::LParen)) failExpected("the parameters of the method");
        FunctionDecl* fn = failed_ ? nullptr : parseFunction(name);
        if (!failed_) methods.push_back(fn);
        else if (!recover(start, closerOf(open), &Parser::startsMember)) break;
    }
    expectClosing(open, "a method or `}`");
    decl->methods = keep(methods);
    decl->span = from(begin);
    return decl;
}

/// The `$T` among the arguments of a generic target.
ArrayRef<Ident> Parser::freshParams(const Expr* target) {
    const auto* call = llvm::dyn_cast<Call>(target);
    if (!call) return {};
    SmallVector<Ident, 4> names;
    for (const Arg& arg : call->args)
        if (const auto* param = llvm::dyn_cast<TypeParam>(arg.value)) names.push_back(param->id);
    return keep(names);
}

} // namespace sx
