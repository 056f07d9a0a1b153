// Functions, parameters, lambdas (8.1, 8.3).
#include "syntax/Grammar.h"

namespace sx {

using namespace ast;

/// At the `(` of a declared function.
FunctionDecl* parseFunction(Parser& p, Ident name) {
    auto* fn = p.makeDecl<FunctionDecl>(name, name.span);
    fn->params = parseParams(p, fn->paramList);
    if (p.accept(K::Arrow)) fn->result = parseResultType(p);
    parseFunctionTail(p, fn);
    fn->span = p.from(name.span);
    return fn;
}

/// `NAME :: { … }`: no parameters, no result.
FunctionDecl* parseBlockFunction(Parser& p, Ident name) {
    auto* fn = p.makeDecl<FunctionDecl>(name, name.span);
    fn->implicitVoid = true;
    parseFunctionBody(p, fn);
    fn->span = p.from(name.span);
    return fn;
}

/// Everything after the result type.
void parseFunctionTail(Parser& p, FunctionDecl* fn) {
    if (p.accept(K::DirGet)) fn->isGet = true;
    else if (p.accept(K::DirSet)) fn->isSet = true;
    if (p.at(K::KwAbi)) fn->abi = parseAbi(p);
    parseLinkage(p, fn);
    const bool isExtern = fn->linkage == Linkage::Extern;
    if (isExtern && (p.at(K::LBrace) || p.at(K::FatArrow))) {
        p.fail("an `extern` function is defined elsewhere and has no body")
            .help("end the declaration with `;`, or use `export`");
        return;
    }
    if (p.accept(K::KwIntrinsic)) {
        fn->bodyKind = BodyKind::Intrinsic;
        expectSemicolon(p, "`intrinsic`");
        return;
    }
    if (isExtern) expectSemicolon(p, "this declaration");
    else parseFunctionBody(p, fn);
}

void parseLinkage(Parser& p, FunctionDecl* fn) {
    if (!p.at(K::KwExtern) && !p.at(K::KwExport)) return;
    fn->linkage = p.at(K::KwExtern) ? Linkage::Extern : Linkage::Export;
    p.advance();
    if (p.atIdent()) fn->library = takeIdent(p);
    if (p.at(K::String)) fn->symbol = expectString(p, "a symbol");
    if (p.at(K::KwExtern) || p.at(K::KwExport)) p.fail("a function is either `extern` or `export`");
}

Abi parseAbi(Parser& p) {
    p.advance();
    p.expect(K::LParen);
    p.expect(K::Dot);
    Abi abi = Abi::Sx;
    if (p.atWord(KnownName::c)) abi = Abi::C;
    else if (p.atWord(KnownName::naked)) abi = Abi::Naked;
    else p.failExpected("`c` or `naked`");
    if (!p.failed) p.advance();
    p.expect(K::RParen);
    return abi;
}

/// A block or `=> e;`. The body is a function of its own: no loop or cleanup around it reaches in.
void parseFunctionBody(Parser& p, FunctionDecl* fn) {
    const Restore function(p.function, Function{});
    const Restore mode(p.mode, Mode{});
    if (p.accept(K::FatArrow)) {
        fn->bodyKind = BodyKind::Arrow;
        fn->ownBody.set(parseExpr(p));
        if (!fn->isLambda) expectSemicolon(p, "this function");
        return;
    }
    if (p.at(K::DeferredBody)) {
        fn->bodyKind = BodyKind::Block;
        fn->ownBody.defer(*p.context.bodies, p.cur().span());
        p.advance();
        return;
    }
    if (!p.at(K::LBrace)) {
        p.failExpected("the body of the function");
        fn->ownBody.set(p.missingExpr());
        return;
    }
    fn->bodyKind = BodyKind::Block;
    fn->ownBody.set(parseBlock(p));
}

/// At the `(`; the caller knows that a lambda stands here.
Expr* parseLambda(Parser& p) {
    const SourcePos begin = p.here();
    auto* fn = p.makeDecl<FunctionDecl>({}, {});
    fn->isLambda = true;
    fn->params = parseParams(p, fn->paramList);
    if (p.accept(K::Arrow)) fn->result = parseResultType(p);
    if (p.at(K::KwAbi)) fn->abi = parseAbi(p);
    {
        const bool inCondition = p.mode.ifCondition;
        const Restore function(p.function, Function{});
        const Restore mode(p.mode);
        if (p.accept(K::FatArrow)) {
            fn->bodyKind = BodyKind::Arrow;
            fn->ownBody.set(parseExpr(p));
        } else if (p.at(K::LBrace)) {
            p.mode = Mode{};
            p.mode.ifCondition = inCondition;
            fn->bodyKind = BodyKind::Block;
            fn->ownBody.set(parseBlock(p));
        } else {
            p.failExpected("`=>` or the body of the lambda");
            fn->ownBody.set(p.missingExpr());
        }
    }
    fn->span = p.from(begin);
    auto* lambda = p.make<Lambda>(fn->span);
    lambda->fn = fn;
    return lambda;
}

/// `f(x) { … }`: the block is a lambda without parameters.
FunctionDecl* parseTrailingBlock(Parser& p) {
    const SourcePos begin = p.here();
    auto* fn = p.makeDecl<FunctionDecl>({}, {});
    fn->isLambda = true;
    parseFunctionBody(p, fn);
    fn->span = p.from(begin);
    return fn;
}

/// `plain`: names and types only, as in the methods of a protocol.
ArrayRef<Param> parseParams(Parser& p, Span& list, bool plain) {
    const uint32_t open = p.pos;
    const Restore mode(p.mode, Mode{});
    p.expect(K::LParen);
    SmallVector<Param, 8> params;
    Height height(p);
    while (!p.at(K::RParen) && !p.at(K::Eof)) {
        if (!params.empty() && params.back().variadic) {
            p.fail("the variadic parameter " + code(p.context.names.text(params.back().name.name)) +
                   " must be the last one");
            break;
        }
        params.push_back(parseParam(p, plain));
        height.add();
        if (!p.accept(K::Comma)) break;
    }
    p.expectClosing(open, "`,` or `)`");
    list = p.from(p.tokens[open].begin);
    return p.keep(params);
}

Param parseParam(Parser& p, bool plain) {
    const SourcePos begin = p.here();
    Param param;
    param.variadic = p.accept(K::DotDot);
    if (plain && p.at(K::Dollar)) p.fail("a protocol method has no parameters that are known while compiling");
    param.comptime = p.accept(K::Dollar);
    param.name = expectIdent(p, "the name of a parameter");
    if (p.accept(K::Colon)) {
        param.type = parseType(p);
        param.constraints = parseConstraints(p);
        if (plain && p.at(K::Equal)) p.fail("a parameter of a protocol method has no default");
        if (p.accept(K::Equal)) param.defaultValue = parseExpr(p);
    }
    param.span = p.from(begin);
    return param;
}

/// `{ '/' IDENT }`
ArrayRef<Ident> parseConstraints(Parser& p) {
    if (!p.at(K::Slash)) return {};
    SmallVector<Ident, 4> names;
    while (p.accept(K::Slash)) names.push_back(expectIdent(p, "the name of a protocol"));
    return p.keep(names);
}

} // namespace sx
