// Types (8.5). They are written as expressions, so a type yields the same nodes in both positions.
#include "syntax/Grammar.h"

#include "syntax/Literals.h"

namespace sx {

using namespace ast;

/// Behind `->`. `T !` is not a result type.
Expr* parseResultType(Parser& p) {
    Expr* type = parseTypeIn(p, Place::Result);
    if (!p.at(K::Bang) || p.failed) return type;
    const Span bang = p.cur().span();
    p.advance();
    const bool hasSet = p.atIdent() && p.sameLine(bang.begin, p.here());
    if (hasSet) p.advance();
    Diagnostic& made = p.error(bang, "an error channel stands in a result list, not behind the type");
    if (p.failed) return type;
    std::string channel = hasSet ? "!" + std::string(p.text(p.previous())) : "!";
    std::string value(p.sources.textOf(type->span));
    if (hasSet && isTypeWord(p.text(p.previous()))) { // `Set!T`, as others write it
        channel = "!" + value;
        value = p.text(p.previous());
    }
    made.help("write `(" + value + ", " + channel + ")`");
    return type;
}

Expr* parseTypeIn(Parser& p, Place place) {
    const Nested nested(p);
    if (!nested.ok()) return p.missingExpr();
    switch (p.cur().kind) {
    case K::Bang: return parseErrorChannel(p, place);
    case K::Star: return parsePointerType(p);
    case K::Question: return parseOptionalType(p);
    case K::LBracket: return parseBracketType(p);
    case K::Dollar: {
        const Restore mode(p.mode);
        p.mode.constraints = true;
        return parseTypeParam(p);
    }
    case K::LParen: return parseParenType(p, place);
    case K::KwStruct:
    case K::KwUnion:
    case K::KwEnum: return parseInlineType(p);
    case K::KwF32:
    case K::KwF64:
    case K::KwType:
    case K::KwSelf: return parseNamedType(p);
    default: break;
    }
    if (atTypeForm(p)) return p.cur().name() == KnownName::Tuple ? parseTupleType(p) : parseClosureType(p);
    if (p.atIdent()) return parseNamedType(p);
    p.failExpected("a type");
    return p.missingExpr();
}

/// NAME { '.' NAME } [ '(' type arguments ')' ]
Expr* parseNamedType(Parser& p) {
    Height height(p);
    p.height = 0;
    if (p.failed) return p.missingExpr();
    auto* head = p.make<NameRef>(p.cur().span());
    head->id = takeIdent(p);
    Expr* type = head;
    while (p.at(K::Dot) && (p.peek().kind == K::Ident || isKeyword(p.peek().kind))) {
        const Span dot = p.cur().span();
        p.advance();
        auto* member = p.make<Member>({type->span.begin, p.cur().end});
        member->dot = dot;
        member->base = type;
        member->name = takeIdent(p);
        type = member;
        ++p.height;
        p.checkHeight(p.pos);
    }
    height.add();
    if (p.at(K::LParen)) type = parseTypeArgs(p, type);
    height.add();
    return type;
}

Expr* parseTypeArgs(Parser& p, Expr* head) {
    const Nested nested(p);
    const uint32_t open = p.pos;
    const Restore mode(p.mode, Mode{});
    p.mode.constraints = true;
    p.advance();
    SmallVector<Arg, 4> args;
    Height height(p);
    while (!p.at(K::RParen) && !p.at(K::Eof)) {
        args.push_back(parseTypeArg(p));
        height.add();
        if (!p.accept(K::Comma)) break;
    }
    auto* call = p.make<Call>(head->span);
    call->rparen = p.cur().span();
    p.expectClosing(open, "`,` or `)`");
    call->callee = head;
    call->args = p.keep(args);
    call->span = p.from(head->span);
    return call;
}

/// '..' type, or a type or constant expression.
Arg parseTypeArg(Parser& p) {
    Arg arg;
    const SourcePos begin = p.here();
    arg.spread = p.accept(K::DotDot);
    const bool isList = p.at(K::LParen) && !isFunctionType(p, p.pos) && hasTopLevelComma(p, p.pos);
    arg.value = arg.spread || isList ? parseType(p) : parseExpr(p);
    arg.span = p.from(begin);
    return arg;
}

Expr* parseErrorChannel(Parser& p, Place place) {
    if (place != Place::Result) {
        p.fail("an error channel `!` stands only in the result of a function");
        return p.missingExpr();
    }
    const SourcePos begin = p.here();
    p.advance();
    Expr* set = nullptr;
    if (p.atIdent()) {
        auto* ref = p.make<NameRef>(p.cur().span());
        ref->id = takeIdent(p);
        set = ref;
        while (p.at(K::Dot) && p.peek().kind == K::Ident) {
            const Span dot = p.cur().span();
            p.advance();
            auto* member = p.make<Member>({set->span.begin, p.cur().end});
            member->dot = dot;
            member->base = set;
            member->name = takeIdent(p);
            set = member;
        }
    }
    p.height = 1;
    auto* channel = p.make<ErrorChannel>(p.from(begin));
    channel->set = set;
    return channel;
}

Expr* parsePointerType(Parser& p) {
    const SourcePos begin = p.here();
    p.advance();
    Expr* pointee = parseType(p);
    auto* type = p.make<Unary>(p.from(begin));
    type->op = UnaryOp::AddrOf;
    type->operand = pointee;
    ++p.height;
    return type;
}

Expr* parseOptionalType(Parser& p) {
    const SourcePos begin = p.here();
    p.advance();
    Expr* inner = parseType(p);
    auto* type = p.make<OptionalType>(p.from(begin));
    type->inner = inner;
    ++p.height;
    return type;
}

/// `[]T`, `[*]T`, `[:0]T`, `[N]T`
Expr* parseBracketType(Parser& p) {
    const uint32_t open = p.pos;
    const SourcePos begin = p.here();
    Height height(p);
    p.advance();
    if (p.accept(K::RBracket)) {
        Expr* elem = parseType(p);
        height.add();
        auto* type = p.make<SliceType>(p.from(begin));
        type->elem = elem;
        return type;
    }
    if (p.at(K::Star) && p.peek().kind == K::RBracket) {
        p.advance();
        p.advance();
        Expr* elem = parseType(p);
        height.add();
        auto* type = p.make<ManyPointerType>(p.from(begin));
        type->elem = elem;
        return type;
    }
    if (p.accept(K::Colon)) {
        uint64_t sentinel = 0;
        if (!p.at(K::Int)) p.failExpected("the sentinel, an integer");
        else if (decodeInt(p.text(p.cur()), sentinel) != IntStatus::Ok)
            p.error(p.cur().span(), "this sentinel does not fit in 64 bits");
        p.advance();
        p.expectClosing(open, "`]`");
        Expr* elem = parseType(p);
        height.add();
        auto* type = p.make<SentinelType>(p.from(begin));
        type->sentinel = sentinel;
        type->elem = elem;
        return type;
    }
    Expr* count = nullptr;
    {
        const Restore mode(p.mode, Mode{});
        count = parseExpr(p);
        height.add();
        if (p.at(K::Comma))
            if (Diagnostic& made = p.failExpected("`]`"); made.notes.empty())
                made.help("an array literal is written `.[ … ]`");
        p.expectClosing(open, "`]`");
    }
    Expr* elem = parseType(p);
    height.add();
    auto* type = p.make<ArrayType>(p.from(begin));
    type->count = count;
    type->elem = elem;
    return type;
}

/// At the `(` of a function type, a grouping, void `()`, or a result list.
Expr* parseParenType(Parser& p, Place place) {
    const uint32_t open = p.pos;
    const bool isFunction = isFunctionType(p, p.pos);
    const Restore mode(p.mode, Mode{});
    p.advance();
    const ArrayRef<TypeElem> elems = parseTypeElems(p, !isFunction && place == Place::Result);
    p.expectClosing(open, "`,` or `)`");
    const Span list = p.from(p.tokens[open].begin);
    if (p.at(K::Arrow)) return finishFunctionType(p, list.begin, elems);
    return classifyTypeList(p, place, list, elems);
}

/// At the `->`.
Expr* finishFunctionType(Parser& p, SourcePos begin, ArrayRef<TypeElem> params) {
    p.advance();
    Height height(p);
    height.add();
    Expr* result = parseResultType(p);
    height.add();
    const Abi abi = p.at(K::KwAbi) ? parseAbi(p) : Abi::Sx;
    auto* type = p.make<FunctionType>(p.from(begin));
    type->params = params;
    type->result = result;
    type->abi = abi;
    return type;
}

/// A parenthesized list without `->`: void, a grouping, a failable or a multi-value result.
Expr* classifyTypeList(Parser& p, Place place, Span list, ArrayRef<TypeElem> elems) {
    if (p.failed) return p.missingExpr();
    const bool isPlain = elems.size() == 1 && !elems[0].name && !elems[0].spread && !elems[0].defaultValue;
    if (isPlain) {
        auto* paren = p.make<Paren>(list);
        paren->inner = elems[0].type;
        return paren;
    }
    auto* result = p.make<ResultList>(list);
    result->elems = elems;
    if (elems.empty()) return result;
    if (place != Place::Result) {
        p.error(list, "a list of types stands only in the result of a function")
            .help("a tuple type is written `Tuple" + std::string(p.sources.textOf(list)) + "`");
        return result;
    }
    const bool hasSpread = std::any_of(elems.begin(), elems.end(), [](const TypeElem& elem) { return elem.spread; });
    if (hasSpread || elems.size() == 1) {
        p.error(list, hasSpread ? "a pack cannot be spread into a result list"
                                : "a result list with names needs at least two values or an error channel");
    }
    return result;
}

/// The elements up to, not including, the `)`.
ArrayRef<TypeElem> parseTypeElems(Parser& p, bool inResult) {
    SmallVector<TypeElem, 4> elems;
    Height height(p);
    while (!p.at(K::RParen) && !p.at(K::Eof)) {
        elems.push_back(parseTypeElem(p, inResult));
        height.add();
        const bool isChannel = !p.failed && llvm::isa<ErrorChannel>(elems.back().type);
        if (isChannel && p.at(K::Comma) && p.peek().kind != K::RParen) {
            p.fail("the error channel must be the last element of a result list");
            break;
        }
        if (!p.accept(K::Comma)) break;
    }
    return p.keep(elems);
}

/// '..' type | [ NAME ':' ] type [ '=' expr ]
TypeElem parseTypeElem(Parser& p, bool inResult) {
    TypeElem elem;
    const SourcePos begin = p.here();
    elem.spread = p.accept(K::DotDot);
    if (!elem.spread && p.atIdent() && p.peek().kind == K::Colon) {
        elem.name = takeIdent(p);
        p.advance();
    }
    elem.type = parseTypeIn(p, inResult && !elem.name && !elem.spread ? Place::Result : Place::Ordinary);
    // Inside a list the place of a result is taken: only a channel may use it.
    if (inResult && !p.failed && llvm::isa<ResultList>(elem.type) && !llvm::cast<ResultList>(elem.type)->elems.empty())
        p.error(elem.type->span, "a result list cannot hold another one");
    if (p.accept(K::Equal)) elem.defaultValue = parseExpr(p);
    elem.span = p.from(begin);
    return elem;
}

/// `$T`, `$T/Eq/Hash` where constraints are read, `$args[0]`.
Expr* parseTypeParam(Parser& p) {
    const SourcePos begin = p.here();
    p.advance();
    auto* param = p.make<TypeParam>({});
    param->id = expectIdent(p, "the name of a type parameter");
    if (p.at(K::LBracket) && p.peek().kind == K::Int && p.peek(2).kind == K::RBracket) {
        uint64_t index = 0;
        if (decodeInt(p.text(p.peek()), index) != IntStatus::Ok || index > INT32_MAX)
            p.error(p.peek().span(), "this index is too large");
        param->index = static_cast<int64_t>(index);
        p.pos += 3;
    } else if (const uint32_t open = p.pos; p.accept(K::LBracket)) { // a constant, or the cursor of an `inline for`
        param->span = p.from(begin);
        auto* element = p.make<Index>({});
        element->base = param;
        element->index = parseExpr(p);
        p.expectClosing(open, "`]`");
        element->bracket = p.from(p.tokens[open].begin);
        element->span = p.from(begin);
        p.height = 1;
        return element;
    } else if (p.mode.constraints) {
        param->constraints = parseConstraints(p);
    }
    p.height = 1;
    param->span = p.from(begin);
    return param;
}

Expr* parseTupleType(Parser& p) {
    const SourcePos begin = p.here();
    p.advance();
    const uint32_t open = p.pos;
    const Restore mode(p.mode, Mode{});
    p.advance();
    const ArrayRef<TypeElem> elems = parseTypeElems(p, false);
    p.expectClosing(open, "`,` or `)`");
    auto* type = p.make<TupleType>(p.from(begin));
    type->elems = elems;
    return type;
}

Expr* parseClosureType(Parser& p) {
    const SourcePos begin = p.here();
    p.advance();
    const uint32_t open = p.pos;
    const Restore mode(p.mode, Mode{});
    Height height(p);
    p.advance();
    SmallVector<TypeElem, 4> params;
    while (!p.at(K::RParen) && !p.at(K::Eof)) {
        if (!params.empty() && params.back().spread) {
            p.fail("a pack must be the last parameter of a closure type");
            break;
        }
        params.push_back(parseTypeElem(p, false));
        height.add();
        if (!p.accept(K::Comma)) break;
    }
    p.expectClosing(open, "`,` or `)`");
    Expr* result = nullptr;
    if (p.accept(K::Arrow)) {
        result = parseResultType(p);
        height.add();
    }
    auto* type = p.make<ClosureType>(p.from(begin));
    type->params = p.keep(params);
    type->result = result;
    return type;
}

Expr* parseInlineType(Parser& p) {
    const SourcePos begin = p.here();
    Decl* decl = nullptr;
    if (p.at(K::KwStruct)) decl = parseStruct(p, {}, begin);
    else if (p.at(K::KwUnion)) decl = parseUnion(p, {}, begin);
    else decl = parseEnum(p, {}, begin);
    auto* type = p.make<InlineType>(p.from(begin));
    type->decl = decl;
    return type;
}

} // namespace sx
