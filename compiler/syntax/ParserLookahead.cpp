// Questions about the tokens ahead (language reference 8.6). Groups are stepped over by their matched
// brackets, so a question costs the tokens of one type at most, never the text between the brackets.
#include "syntax/Brackets.h"
#include "syntax/Grammar.h"

namespace sx {

using namespace ast;

uint32_t Parser::openerAround(uint32_t token) const {
    for (uint32_t i = token; i > 0;) {
        const Token& before = tokens[--i];
        if (isCloser(before.kind) && before.value != noMatch) i = before.value;
        else if (isOpener(before.kind)) return i;
    }
    return noMatch;
}

uint32_t Parser::afterGroup(uint32_t open) const {
    return tokens[open].value == noMatch ? eof : tokens[open].value + 1;
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
bool startsFunction(const Parser& p, uint32_t paren) {
    uint32_t i = p.afterGroup(paren);
    const auto startsBody = [](K kind) {
        return kind == K::LBrace || kind == K::DeferredBody || kind == K::FatArrow || kind == K::KwIntrinsic ||
               kind == K::DirSet || kind == K::KwAbi || kind == K::KwExtern || kind == K::KwExport;
    };
    if (i >= p.eof) return false;
    if (startsBody(p.tokens[i].kind)) return true;
    if (p.tokens[i].kind != K::Arrow) return false;
    for (++i; i < p.eof;) {
        const K kind = p.tokens[i].kind;
        if (startsBody(kind) || kind == K::DirGet) return true;
        if (isParenOrBracket(kind)) {
            i = p.afterGroup(i);
        } else if (isTypeKeyword(kind)) {
            // An inline type: its header up to the brace, and the brace group, are no part of the search.
            while (i < p.eof && p.tokens[i].kind != K::LBrace && p.tokens[i].kind != K::Semicolon) ++i;
            if (p.tokens[i].kind == K::LBrace) i = p.afterGroup(i);
        } else if (isDeclaredResultToken(kind)) {
            ++i;
        } else {
            return false;
        }
    }
    return false;
}

/// (b) Does a lambda start at this `(`?
bool startsLambda(const Parser& p, uint32_t paren) {
    if (p.tokens[paren].value == noMatch) return false;
    uint32_t i = p.afterGroup(paren);
    // What opens the header of a `for` is an iterable, also before `=>`.
    if (p.tokens[i].kind == K::FatArrow) return p.mode.header != Header::For;
    const auto startsBody = [&](uint32_t at) {
        return p.tokens[at].kind == K::FatArrow || p.tokens[at].kind == K::LBrace;
    };
    const auto isAbiThenBody = [&](uint32_t at) {
        return p.tokens[at].kind == K::KwAbi && p.tokens[at + 1].kind == K::LParen && startsBody(p.afterGroup(at + 1));
    };
    if (isAbiThenBody(i)) return true;
    if (p.tokens[i].kind == K::LBrace) {
        if (p.mode.header != Header::None) return false;
        if (i == paren + 2) return true;
        const K second = p.tokens[paren + 2].kind;
        return isIdentLike(p.tokens[paren + 1].kind) &&
               (second == K::Colon || second == K::Comma || second == K::RParen);
    }
    if (p.tokens[i].kind != K::Arrow) return false;
    for (++i; i < p.eof;) {
        const K kind = p.tokens[i].kind;
        if (startsBody(i) || isAbiThenBody(i)) return true;
        if (isParenOrBracket(kind)) i = p.afterGroup(i);
        else if (isResultToken(kind)) ++i;
        else if (kind == K::Arrow) ++i;
        else return false;
    }
    return false;
}

bool isFunctionType(const Parser& p, uint32_t paren) {
    return p.tokens[paren].value != noMatch && p.tokens[p.afterGroup(paren)].kind == K::Arrow;
}

/// (h) Directly in a `for` header: is this group the capture list?
bool isCaptureGroup(const Parser& p, uint32_t paren) {
    if (p.tokens[paren].value == noMatch) return false;
    const K next = p.tokens[p.afterGroup(paren)].kind;
    return next == K::LBrace || next == K::FatArrow;
}

/// Exactly `( IDENT )`.
bool isSingleNameGroup(const Parser& p, uint32_t paren) {
    return p.tokens[paren].kind == K::LParen && paren + 2 < p.eof && isIdentLike(p.tokens[paren + 1].kind) &&
           p.tokens[paren + 2].kind == K::RParen;
}

bool hasTopLevelComma(const Parser& p, uint32_t open) {
    const uint32_t close = p.closerOf(open);
    for (uint32_t i = open + 1; i < close;) {
        const K kind = p.tokens[i].kind;
        if (kind == K::Comma) return true;
        i = isParenOrBracket(kind) || kind == K::LBrace ? p.afterGroup(i) : i + 1;
    }
    return false;
}

bool startsExpr(const Token& token) {
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
bool atTypeForm(const Parser& p) {
    return p.at(K::Ident) && !p.cur().raw &&
           (p.cur().name() == KnownName::Tuple || p.cur().name() == KnownName::Closure) && p.peek().kind == K::LParen;
}

/// (g) Does the expression end in a block-form `if`, a match, a loop, a bare block or a trailing block?
bool mayOmitSemicolon(const Expr* expr) {
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
