// Questions about the tokens ahead (language reference 8.6). Groups are stepped over by their matched
// brackets, so a question costs the tokens of one type at most, never the text between the brackets.
#include "syntax/ParserImpl.h"

namespace sx {

using namespace ast;

uint32_t Parser::afterGroup(uint32_t open) const {
    return tokens_[open].value == noMatch ? eof_ : tokens_[open].value + 1;
}

namespace {

using K = TokenKind;

/// Tokens that may stand between `->` and the body in a function head (8.6 a).
bool isResultToken(K kind) {
    switch (kind) {
    case K::Ident:
    case K::KwProtocol:
    case K::KwImpl:
    case K::KwUfcs:
    case K::KwF32:
    case K::KwF64:
    case K::KwType:
    case K::KwSelf:
    case K::KwError:
    case K::Dot:
    case K::DotDot:
    case K::Dollar:
    case K::Int:
    case K::Float:
    case K::Char:
    case K::String:
    case K::Star:
    case K::Question:
    case K::Bang:
    case K::Slash: return true;
    default: return false;
    }
}

/// … and those that only a declared function may have there.
bool isDeclaredResultToken(K kind) {
    switch (kind) {
    case K::Comma:
    case K::Colon:
    case K::Equal:
    case K::Arrow:
    case K::Plus:
    case K::Minus:
    case K::Percent: return true;
    default: return isResultToken(kind);
    }
}

bool isParenOrBracket(K kind) { return kind == K::LParen || kind == K::LBracket; }
bool isTypeKeyword(K kind) { return kind == K::KwStruct || kind == K::KwUnion || kind == K::KwEnum; }

} // namespace

/// (a) Is the group after `name ::` the parameter list of a function?
bool Parser::startsFunction(uint32_t paren) const {
    uint32_t i = afterGroup(paren);
    const auto startsBody = [](K kind) {
        return kind == K::LBrace || kind == K::FatArrow || kind == K::KwIntrinsic || kind == K::DirSet ||
               kind == K::KwAbi || kind == K::KwExtern || kind == K::KwExport;
    };
    if (i >= eof_) return false;
    if (startsBody(tokens_[i].kind)) return true;
    if (tokens_[i].kind != K::Arrow) return false;
    for (++i; i < eof_;) {
        const K kind = tokens_[i].kind;
        if (startsBody(kind) || kind == K::DirGet) return true;
        if (isParenOrBracket(kind)) {
            i = afterGroup(i);
        } else if (isTypeKeyword(kind)) {
            // An inline type: its header up to the brace, and the brace group, are no part of the search.
            while (i < eof_ && tokens_[i].kind != K::LBrace && tokens_[i].kind != K::Semicolon) ++i;
            if (tokens_[i].kind == K::LBrace) i = afterGroup(i);
        } else if (isDeclaredResultToken(kind)) {
            ++i;
        } else {
            return false;
        }
    }
    return false;
}

/// (b) Does a lambda start at this `(`?
bool Parser::startsLambda(uint32_t paren) const {
    if (tokens_[paren].value == noMatch) return false;
    uint32_t i = afterGroup(paren);
    // What opens the header of a `for` is an iterable, also before `=>`.
    if (tokens_[i].kind == K::FatArrow) return mode_.header != Header::For;
    const auto startsBody = [&](uint32_t at) {
        return tokens_[at].kind == K::FatArrow || tokens_[at].kind == K::LBrace;
    };
    const auto isAbiThenBody = [&](uint32_t at) {
        return tokens_[at].kind == K::KwAbi && tokens_[at + 1].kind == K::LParen && startsBody(afterGroup(at + 1));
    };
    if (isAbiThenBody(i)) return true;
    if (tokens_[i].kind == K::LBrace) {
        if (mode_.header != Header::None) return false;
        if (i == paren + 2) return true;
        const K second = tokens_[paren + 2].kind;
        return isIdentLike(tokens_[paren + 1].kind) &&
               (second == K::Colon || second == K::Comma || second == K::RParen);
    }
    if (tokens_[i].kind != K::Arrow) return false;
    for (++i; i < eof_;) {
        const K kind = tokens_[i].kind;
        if (startsBody(i) || isAbiThenBody(i)) return true;
        if (isParenOrBracket(kind)) i = afterGroup(i);
        else if (isResultToken(kind)) ++i;
        else if (kind == K::Arrow) ++i;
        else return false;
    }
    return false;
}

bool Parser::isFunctionType(uint32_t paren) const {
    return tokens_[paren].value != noMatch && tokens_[afterGroup(paren)].kind == K::Arrow;
}

/// (h) Directly in a `for` header: is this group the capture list?
bool Parser::isCaptureGroup(uint32_t paren) const {
    if (tokens_[paren].value == noMatch) return false;
    const K next = tokens_[afterGroup(paren)].kind;
    return next == K::LBrace || next == K::FatArrow;
}

/// Exactly `( IDENT )`.
bool Parser::isSingleNameGroup(uint32_t paren) const {
    return tokens_[paren].kind == K::LParen && paren + 2 < eof_ && isIdentLike(tokens_[paren + 1].kind) &&
           tokens_[paren + 2].kind == K::RParen;
}

bool Parser::hasTopLevelComma(uint32_t open) const {
    const uint32_t close = closerOf(open);
    for (uint32_t i = open + 1; i < close;) {
        const K kind = tokens_[i].kind;
        if (kind == K::Comma) return true;
        i = isParenOrBracket(kind) || kind == K::LBrace ? afterGroup(i) : i + 1;
    }
    return false;
}

bool Parser::startsExpr(const Token& token) const {
    switch (token.kind) {
    case K::Ident:
    case K::Int:
    case K::Float:
    case K::Char:
    case K::String:
    case K::Heredoc:
    case K::LParen:
    case K::LBracket:
    case K::LBrace:
    case K::Dot:
    case K::Dollar:
    case K::DashDashDash:
    case K::Question:
    case K::Bang:
    case K::Tilde:
    case K::Minus:
    case K::Star:
    case K::KwIf:
    case K::KwWhile:
    case K::KwFor:
    case K::KwPush:
    case K::KwInline:
    case K::KwBreak:
    case K::KwContinue:
    case K::KwReturn:
    case K::KwTrue:
    case K::KwFalse:
    case K::KwNull:
    case K::KwXx:
    case K::KwEnum:
    case K::KwStruct:
    case K::KwUnion:
    case K::KwProtocol:
    case K::KwImpl:
    case K::KwUfcs:
    case K::KwError:
    case K::KwTry:
    case K::KwAsm:
    case K::KwF32:
    case K::KwF64:
    case K::KwType:
    case K::KwSelf:
    case K::DirRun:
    case K::DirCallerLocation:
    case K::DirObjcCall:
    case K::DirJniCall:
    case K::DirJniStaticCall:
    case K::DirJniEnv: return true;
    default: return false;
    }
}

/// `Tuple(` and `Closure(` are types wherever they stand.
bool Parser::atTypeForm() const {
    return at(K::Ident) && !cur().raw && (cur().name() == KnownName::Tuple || cur().name() == KnownName::Closure) &&
           peek().kind == K::LParen;
}

/// (g) Does the expression end in a block-form `if`, a match, a loop, a bare block or a trailing block?
bool Parser::mayOmitSemicolon(const Expr* expr) const {
    for (;;) {
        switch (expr->kind) {
        case ExprKind::If: return !llvm::cast<If>(expr)->thenForm;
        case ExprKind::Match:
        case ExprKind::While:
        case ExprKind::For:
        case ExprKind::Block: return true;
        case ExprKind::Call: return llvm::cast<Call>(expr)->trailingBlock != nullptr;
        case ExprKind::Unary: expr = llvm::cast<Unary>(expr)->operand; continue;
        case ExprKind::Binary: expr = llvm::cast<Binary>(expr)->rhs; continue;
        case ExprKind::CompareChain: expr = llvm::cast<CompareChain>(expr)->operands.back(); continue;
        case ExprKind::Run: expr = llvm::cast<Run>(expr)->value; continue;
        case ExprKind::Int:
        case ExprKind::Float:
        case ExprKind::Bool:
        case ExprKind::String:
        case ExprKind::Null:
        case ExprKind::Undef:
        case ExprKind::NameRef:
        case ExprKind::TypeParam:
        case ExprKind::EnumLit:
        case ExprKind::ErrorTag:
        case ExprKind::CallerLocation:
        case ExprKind::Paren:
        case ExprKind::Index:
        case ExprKind::Slice:
        case ExprKind::Member:
        case ExprKind::Deref:
        case ExprKind::Cast:
        case ExprKind::Unwrap:
        case ExprKind::Catch:
        case ExprKind::StructLit:
        case ExprKind::ArrayLit:
        case ExprKind::Lambda:
        case ExprKind::Push:
        case ExprKind::Break:
        case ExprKind::Continue:
        case ExprKind::Return:
        case ExprKind::OptionalType:
        case ExprKind::SliceType:
        case ExprKind::ManyPointerType:
        case ExprKind::SentinelType:
        case ExprKind::ArrayType:
        case ExprKind::FunctionType:
        case ExprKind::ClosureType:
        case ExprKind::TupleType:
        case ExprKind::ResultList:
        case ExprKind::ErrorChannel:
        case ExprKind::InlineType:
        case ExprKind::Asm: return false;
        }
    }
}

} // namespace sx
