// Functions, parameters, lambdas (8.1, 8.3).
#include "syntax/ParserImpl.h"

namespace sx {

using namespace ast;

/// At the `(` of a declared function.
FunctionDecl* Parser::parseFunction(Ident name) {
    auto* fn = makeDecl<FunctionDecl>(name, name.span);
    fn->params = parseParams(fn->paramList);
    if (accept(K::Arrow)) fn->result = parseResultType();
    parseFunctionTail(fn);
    fn->span = from(name.span);
    return fn;
}

/// `NAME :: { … }`: no parameters, no result.
FunctionDecl* Parser::parseBlockFunction(Ident name) {
    auto* fn = makeDecl<FunctionDecl>(name, name.span);
    fn->implicitVoid = true;
    parseFunctionBody(fn);
    fn->span = from(name.span);
    return fn;
}

/// Everything behind the result type.
void Parser::parseFunctionTail(FunctionDecl* fn) {
    if (accept(K::DirGet)) fn->isGet = true;
    else if (accept(K::DirSet)) fn->isSet = true;
    if (at(K::KwAbi)) fn->abi = parseAbi();
    parseLinkage(fn);
    const bool isExtern = fn->linkage == Linkage::Extern;
    if (isExtern && (at(K::LBrace) || at(K::FatArrow))) {
        fail("an `extern` function is defined elsewhere and has no body")
            .help("end the declaration with `;`, or use `export`");
        return;
    }
    if (accept(K::KwIntrinsic)) {
        fn->bodyKind = BodyKind::Intrinsic;
        expectSemicolon("`intrinsic`");
        return;
    }
    if (isExtern) expectSemicolon("this declaration");
    else parseFunctionBody(fn);
}

void Parser::parseLinkage(FunctionDecl* fn) {
    if (!at(K::KwExtern) && !at(K::KwExport)) return;
    fn->linkage = at(K::KwExtern) ? Linkage::Extern : Linkage::Export;
    advance();
    if (atIdent()) fn->library = takeIdent();
    if (at(K::String)) fn->symbol = expectString("a symbol");
    if (at(K::KwExtern) || at(K::KwExport)) fail("a function is either `extern` or `export`");
}

Abi Parser::parseAbi() {
    advance();
    expect(K::LParen);
    expect(K::Dot);
    Abi abi = Abi::Sx;
    if (atWord(KnownName::c)) abi = Abi::C;
    else if (atWord(KnownName::naked)) abi = Abi::Naked;
    else failExpected("`c` or `naked`");
    if (!failed_) advance();
    expect(K::RParen);
    return abi;
}

/// A block or `=> e;`. The body is a function of its own: no loop or cleanup around it reaches in.
void Parser::parseFunctionBody(FunctionDecl* fn) {
    const Restore function(function_, Function{});
    const Restore mode(mode_, Mode{});
    if (accept(K::FatArrow)) {
        fn->bodyKind = BodyKind::Arrow;
        fn->body = parseExpr();
        if (!fn->isLambda) expectSemicolon("this function");
        return;
    }
    if (!at(K::LBrace)) {
        failExpected("the body of the function");
        fn->body = missingExpr();
        return;
    }
    fn->bodyKind = BodyKind::Block;
    fn->body = parseBlock();
}

/// At the `(`; the caller knows that a lambda stands here.
Expr* Parser::parseLambda() {
    const SourcePos begin = here();
    auto* fn = makeDecl<FunctionDecl>({}, {});
    fn->isLambda = true;
    fn->params = parseParams(fn->paramList);
    if (accept(K::Arrow)) fn->result = parseResultType();
    if (at(K::KwAbi)) fn->abi = parseAbi();
    {
        const bool inCondition = mode_.ifCondition;
        const Restore function(function_, Function{});
        const Restore mode(mode_);
        if (accept(K::FatArrow)) {
            fn->bodyKind = BodyKind::Arrow;
            fn->body = parseExpr();
        } else if (at(K::LBrace)) {
            mode_ = Mode{};
            mode_.ifCondition = inCondition;
            fn->bodyKind = BodyKind::Block;
            fn->body = parseBlock();
        } else {
            failExpected("`=>` or the body of the lambda");
            fn->body = missingExpr();
        }
    }
    fn->span = from(begin);
    auto* lambda = make<Lambda>(fn->span);
    lambda->fn = fn;
    return lambda;
}

/// `f(x) { … }`: the block is a lambda without parameters.
FunctionDecl* Parser::parseTrailingBlock() {
    const SourcePos begin = here();
    auto* fn = makeDecl<FunctionDecl>({}, {});
    fn->isLambda = true;
    parseFunctionBody(fn);
    fn->span = from(begin);
    return fn;
}

/// `plain`: names and types only, as in the methods of a protocol.
ArrayRef<Param> Parser::parseParams(Span& list, bool plain) {
    const uint32_t open = pos_;
    const Restore mode(mode_, Mode{});
    expect(K::LParen);
    SmallVector<Param, 8> params;
    Height height(*this);
    while (!at(K::RParen) && !at(K::Eof)) {
        if (!params.empty() && params.back().variadic) {
            fail("the variadic parameter `" + std::string(context_.names.text(params.back().name.name)) +
                 "` must be the last one");
            break;
        }
        params.push_back(parseParam(plain));
        height.add();
        if (!accept(K::Comma)) break;
    }
    expectClosing(open, "`,` or `)`");
    list = from(tokens_[open].begin);
    return keep(params);
}

Param Parser::parseParam(bool plain) {
    const SourcePos begin = here();
    Param param;
    param.variadic = accept(K::DotDot);
    if (plain && at(K::Dollar)) fail("a protocol method has no parameters that are known while compiling");
    param.comptime = accept(K::Dollar);
    param.name = expectIdent("the name of a parameter");
    if (accept(K::Colon)) {
        param.type = parseType();
        param.constraints = parseConstraints();
        if (plain && at(K::Equal)) fail("a parameter of a protocol method has no default");
        if (accept(K::Equal)) param.defaultValue = parseExpr();
    }
    param.span = from(begin);
    return param;
}

/// `{ '/' IDENT }`
ArrayRef<Ident> Parser::parseConstraints() {
    if (!at(K::Slash)) return {};
    SmallVector<Ident, 4> names;
    while (accept(K::Slash)) names.push_back(expectIdent("the name of a protocol"));
    return keep(names);
}

} // namespace sx
