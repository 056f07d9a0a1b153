// Types (8.5). They are written as expressions, so a type yields the same nodes in both positions.
#include "syntax/ParserImpl.h"

#include "syntax/Literals.h"

namespace sx {

using namespace ast;

/// Behind `->`. `T !` is not a result type.
Expr* Parser::parseResultType() {
    Expr* type = parseTypeIn(Place::Result);
    if (!at(K::Bang) || failed_) return type;
    const Span bang = cur().span();
    advance();
    const bool hasSet = atIdent() && sameLine(bang.begin, here());
    if (hasSet) advance();
    Diagnostic& made = error(bang, "an error channel stands in a result list, not behind the type");
    if (failed_) return type;
    std::string channel = hasSet ? "!" + std::string(text(previous())) : "!";
    std::string value(sources_.textOf(type->span));
    if (hasSet && isBuiltinTypeName(text(previous()))) { // `Set!T`, as others write it
        channel = "!" + value;
        value = text(previous());
    }
    made.help("write `(" + value + ", " + channel + ")`");
    return type;
}

Expr* Parser::parseTypeIn(Place place) {
    const Nested nested(*this);
    if (!nested.ok()) return missingExpr();
    switch (cur().kind) {
    case K::Bang: return parseErrorChannel(place);
    case K::Star: return parsePointerType();
    case K::Question: return parseOptionalType();
    case K::LBracket: return parseBracketType();
    case K::Dollar: {
        const Restore mode(mode_);
        mode_.constraints = true;
        return parseTypeParam();
    }
    case K::LParen: return parseParenType(place);
    case K::KwStruct:
    case K::KwUnion:
    case K::KwEnum: return parseInlineType();
    case K::KwF32:
    case K::KwF64:
    case K::KwType:
    case K::KwSelf: return parseNamedType();
    default: break;
    }
    if (atTypeForm()) return cur().name() == KnownName::Tuple ? parseTupleType() : parseClosureType();
    if (atIdent()) return parseNamedType();
    failExpected("a type");
    return missingExpr();
}

/// NAME { '.' NAME } [ '(' type arguments ')' ]
Expr* Parser::parseNamedType() {
    Height height(*this);
    height_ = 0;
    if (failed_) return missingExpr();
    auto* head = make<NameRef>(cur().span());
    head->id = takeIdent();
    Expr* type = head;
    while (at(K::Dot) && (peek().kind == K::Ident || isKeyword(peek().kind))) {
        const Span dot = cur().span();
        advance();
        auto* member = make<Member>({type->span.begin, cur().end});
        member->dot = dot;
        member->base = type;
        member->name = takeIdent();
        type = member;
        ++height_;
        checkHeight(pos_);
    }
    height.add();
    if (at(K::LParen)) type = parseTypeArgs(type);
    height.add();
    return type;
}

Expr* Parser::parseTypeArgs(Expr* head) {
    const Nested nested(*this);
    const uint32_t open = pos_;
    const Restore mode(mode_, Mode{});
    mode_.constraints = true;
    advance();
    SmallVector<Arg, 4> args;
    Height height(*this);
    while (!at(K::RParen) && !at(K::Eof)) {
        args.push_back(parseTypeArg());
        height.add();
        if (!accept(K::Comma)) break;
    }
    auto* call = make<Call>(head->span);
    call->rparen = cur().span();
    expectClosing(open, "`,` or `)`");
    call->callee = head;
    call->args = keep(args);
    call->span = from(head->span);
    return call;
}

/// '..' type, or a type or constant expression.
Arg Parser::parseTypeArg() {
    Arg arg;
    const SourcePos begin = here();
    arg.spread = accept(K::DotDot);
    const bool isList = at(K::LParen) && !isFunctionType(pos_) && hasTopLevelComma(pos_);
    arg.value = arg.spread || isList ? parseType() : parseExpr();
    arg.span = from(begin);
    return arg;
}

Expr* Parser::parseErrorChannel(Place place) {
    if (place != Place::Result) {
        fail("an error channel `!` stands only in the result of a function");
        return missingExpr();
    }
    const SourcePos begin = here();
    advance();
    Expr* set = nullptr;
    if (atIdent()) {
        auto* ref = make<NameRef>(cur().span());
        ref->id = takeIdent();
        set = ref;
        while (at(K::Dot) && peek().kind == K::Ident) {
            const Span dot = cur().span();
            advance();
            auto* member = make<Member>({set->span.begin, cur().end});
            member->dot = dot;
            member->base = set;
            member->name = takeIdent();
            set = member;
        }
    }
    height_ = 1;
    auto* channel = make<ErrorChannel>(from(begin));
    channel->set = set;
    return channel;
}

Expr* Parser::parsePointerType() {
    const SourcePos begin = here();
    advance();
    Expr* pointee = parseType();
    auto* type = make<Unary>(from(begin));
    type->op = UnaryOp::AddrOf;
    type->operand = pointee;
    ++height_;
    return type;
}

Expr* Parser::parseOptionalType() {
    const SourcePos begin = here();
    advance();
    Expr* inner = parseType();
    auto* type = make<OptionalType>(from(begin));
    type->inner = inner;
    ++height_;
    return type;
}

/// `[]T`, `[*]T`, `[:0]T`, `[N]T`
Expr* Parser::parseBracketType() {
    const uint32_t open = pos_;
    const SourcePos begin = here();
    Height height(*this);
    advance();
    if (accept(K::RBracket)) {
        Expr* elem = parseType();
        height.add();
        auto* type = make<SliceType>(from(begin));
        type->elem = elem;
        return type;
    }
    if (at(K::Star) && peek().kind == K::RBracket) {
        advance();
        advance();
        Expr* elem = parseType();
        height.add();
        auto* type = make<ManyPointerType>(from(begin));
        type->elem = elem;
        return type;
    }
    if (accept(K::Colon)) {
        uint64_t sentinel = 0;
        if (!at(K::Int)) failExpected("the sentinel, an integer");
        else if (decodeInt(text(cur()), sentinel) != IntStatus::Ok)
            error(cur().span(), "this sentinel does not fit in 64 bits");
        advance();
        expectClosing(open, "`]`");
        Expr* elem = parseType();
        height.add();
        auto* type = make<SentinelType>(from(begin));
        type->sentinel = sentinel;
        type->elem = elem;
        return type;
    }
    Expr* count = nullptr;
    {
        const Restore mode(mode_, Mode{});
        count = parseExpr();
        height.add();
        if (at(K::Comma)) failExpected("`]`").help("an array literal is written `.[ … ]`");
        expectClosing(open, "`]`");
    }
    Expr* elem = parseType();
    height.add();
    auto* type = make<ArrayType>(from(begin));
    type->count = count;
    type->elem = elem;
    return type;
}

/// At the `(` of a function type, a grouping, void `()`, or a result list.
Expr* Parser::parseParenType(Place place) {
    const uint32_t open = pos_;
    const bool isFunction = isFunctionType(pos_);
    const Restore mode(mode_, Mode{});
    advance();
    const ArrayRef<TypeElem> elems = parseTypeElems(!isFunction && place == Place::Result);
    expectClosing(open, "`,` or `)`");
    const Span list = from(tokens_[open].begin);
    if (at(K::Arrow)) return finishFunctionType(list.begin, elems);
    return classifyTypeList(place, list, elems);
}

/// At the `->`.
Expr* Parser::finishFunctionType(SourcePos begin, ArrayRef<TypeElem> params) {
    advance();
    Height height(*this);
    height.add();
    Expr* result = parseResultType();
    height.add();
    const Abi abi = at(K::KwAbi) ? parseAbi() : Abi::Sx;
    auto* type = make<FunctionType>(from(begin));
    type->params = params;
    type->result = result;
    type->abi = abi;
    return type;
}

/// A parenthesized list without `->`: void, a grouping, a failable or a multi-value result.
Expr* Parser::classifyTypeList(Place place, Span list, ArrayRef<TypeElem> elems) {
    if (failed_) return missingExpr();
    const bool isPlain = elems.size() == 1 && !elems[0].name && !elems[0].spread && !elems[0].defaultValue;
    if (isPlain) {
        auto* paren = make<Paren>(list);
        paren->inner = elems[0].type;
        return paren;
    }
    auto* result = make<ResultList>(list);
    result->elems = elems;
    if (elems.empty()) return result;
    if (place != Place::Result) {
        error(list, "a list of types stands only in the result of a function")
            .help("a tuple type is written `Tuple" + std::string(sources_.textOf(list)) + "`");
        return result;
    }
    const bool hasSpread = std::any_of(elems.begin(), elems.end(), [](const TypeElem& elem) { return elem.spread; });
    if (hasSpread || elems.size() == 1) {
        error(list, hasSpread ? "a pack cannot be spread into a result list"
                              : "a result list with names needs at least two values or an error channel");
    }
    return result;
}

/// The elements up to, not including, the `)`.
ArrayRef<TypeElem> Parser::parseTypeElems(bool inResult) {
    SmallVector<TypeElem, 4> elems;
    Height height(*this);
    while (!at(K::RParen) && !at(K::Eof)) {
        elems.push_back(parseTypeElem(inResult));
        height.add();
        const bool isChannel = !failed_ && llvm::isa<ErrorChannel>(elems.back().type);
        if (isChannel && at(K::Comma) && peek().kind != K::RParen) {
            fail("the error channel must be the last element of a result list");
            break;
        }
        if (!accept(K::Comma)) break;
    }
    return keep(elems);
}

/// '..' type | [ NAME ':' ] type [ '=' expr ]
TypeElem Parser::parseTypeElem(bool inResult) {
    TypeElem elem;
    const SourcePos begin = here();
    elem.spread = accept(K::DotDot);
    if (!elem.spread && atIdent() && peek().kind == K::Colon) {
        elem.name = takeIdent();
        advance();
    }
    elem.type = parseTypeIn(inResult && !elem.name && !elem.spread ? Place::Result : Place::Ordinary);
    // Inside a list the place of a result is taken: only a channel may use it.
    if (inResult && !failed_ && llvm::isa<ResultList>(elem.type) && !llvm::cast<ResultList>(elem.type)->elems.empty())
        error(elem.type->span, "a result list cannot hold another one");
    if (accept(K::Equal)) elem.defaultValue = parseExpr();
    elem.span = from(begin);
    return elem;
}

/// `$T`, `$T/Eq/Hash` where constraints are read, `$args[0]`.
Expr* Parser::parseTypeParam() {
    const SourcePos begin = here();
    advance();
    auto* param = make<TypeParam>({});
    param->id = expectIdent("the name of a type parameter");
    if (at(K::LBracket) && peek().kind == K::Int && peek(2).kind == K::RBracket) {
        uint64_t index = 0;
        if (decodeInt(text(peek()), index) != IntStatus::Ok || index > INT32_MAX)
            error(peek().span(), "this index is too large");
        param->index = static_cast<int64_t>(index);
        pos_ += 3;
    } else if (const uint32_t open = pos_; accept(K::LBracket)) { // a constant, or the cursor of an `inline for`
        param->span = from(begin);
        auto* element = make<Index>({});
        element->base = param;
        element->index = parseExpr();
        expectClosing(open, "`]`");
        element->bracket = from(tokens_[open].begin);
        element->span = from(begin);
        height_ = 1;
        return element;
    } else if (mode_.constraints) {
        param->constraints = parseConstraints();
    }
    height_ = 1;
    param->span = from(begin);
    return param;
}

Expr* Parser::parseTupleType() {
    const SourcePos begin = here();
    advance();
    const uint32_t open = pos_;
    const Restore mode(mode_, Mode{});
    advance();
    const ArrayRef<TypeElem> elems = parseTypeElems(false);
    expectClosing(open, "`,` or `)`");
    auto* type = make<TupleType>(from(begin));
    type->elems = elems;
    return type;
}

Expr* Parser::parseClosureType() {
    const SourcePos begin = here();
    advance();
    const uint32_t open = pos_;
    const Restore mode(mode_, Mode{});
    Height height(*this);
    advance();
    SmallVector<TypeElem, 4> params;
    while (!at(K::RParen) && !at(K::Eof)) {
        if (!params.empty() && params.back().spread) {
            fail("a pack must be the last parameter of a closure type");
            break;
        }
        params.push_back(parseTypeElem(false));
        height.add();
        if (!accept(K::Comma)) break;
    }
    expectClosing(open, "`,` or `)`");
    Expr* result = nullptr;
    if (accept(K::Arrow)) {
        result = parseResultType();
        height.add();
    }
    auto* type = make<ClosureType>(from(begin));
    type->params = keep(params);
    type->result = result;
    return type;
}

Expr* Parser::parseInlineType() {
    const SourcePos begin = here();
    Decl* decl = nullptr;
    if (at(K::KwStruct)) decl = parseStruct({}, begin);
    else if (at(K::KwUnion)) decl = parseUnion({}, begin);
    else decl = parseEnum({}, begin);
    auto* type = make<InlineType>(from(begin));
    type->decl = decl;
    return type;
}

} // namespace sx
