#include "format/Spacing.h"

#include <array>
#include <bitset>
#include <initializer_list>

namespace sx::format {
namespace {

using K = TokenKind;

bool isDot(K k) { return k == K::Dot || k == K::QuestionDot; }
bool isRange(K k) { return k >= K::DotDot && k <= K::EqualDotDotLess; }
bool isNumber(K k) { return k == K::Int || k == K::Float; }

bool isOperatorToken(K k) {
    // clang-format off
    switch (k) {
#define BINARY_OP(name, token, level) case K::token: return true;
#include "syntax/Operators.def"
    default: return false;
    }
    // clang-format on
}

/// A keyword that is the name of a member: `t.in`, `.push(9)`.
bool isMemberName(const Pieces& p, uint32_t i) { return i > 0 && isDot(p[i - 1].kind) && !p[i - 1].isComment; }

bool isDeref(const Pieces& p, uint32_t i) {
    return p[i].is(K::Star) && isMemberName(p, i) && p[i - 1].is(K::Dot) && isMemberDot(p, i - 1);
}

/// Whether an operand or a type may end in piece `i`.
bool endsOperand(const Pieces& p, uint32_t i) {
    const K k = p[i].kind;
    switch (k) {
    case K::Ident:
    case K::Int:
    case K::Float:
    case K::Char:
    case K::String:
    case K::Heredoc:
    case K::RParen:
    case K::RBrace:
    case K::DashDashDash:
    case K::KwTrue:
    case K::KwFalse:
    case K::KwNull:
    case K::KwF32:
    case K::KwF64:
    case K::KwType:
    case K::KwSelf:
    case K::KwProtocol:
    case K::KwImpl:
    case K::KwUfcs:
    case K::KwError:
    case K::DirCallerLocation: return true;
    case K::RBracket: return p[i].partner == noMatch || !p[p[i].partner].has(TypeBracket);
    case K::Bang: return p[i].has(Postfix);
    case K::Star: return isDeref(p, i);
    default: return isKeyword(k) && isMemberName(p, i);
    }
}

/// `-x`, `*T`, `!ok`, `?T`, `$T`, the `/` of constraints.
bool isPrefix(const Pieces& p, uint32_t i) {
    switch (p[i].kind) {
    case K::Minus:
    case K::Slash: return !p[i].has(BinaryOp);
    case K::Star: return !p[i].has(BinaryOp) && !isDeref(p, i);
    case K::Bang: return !p[i].has(Postfix);
    case K::Tilde:
    case K::Question:
    case K::Dollar: return true;
    default: return false;
    }
}

/// What has no blank before it, whatever comes before.
bool clingsToPrevious(const Pieces& p, uint32_t i) {
    const K k = p[i].kind;
    switch (k) {
    case K::Comma:
    case K::Semicolon:
    case K::RParen:
    case K::RBracket:
    case K::QuestionDot: return true;
    case K::Bang: return p[i].has(Postfix) && endsOperand(p, i - 1);
    case K::Slash: return !p[i].has(BinaryOp);
    case K::Dot: return isMemberDot(p, i);
    default: return isRange(k) && endsOperand(p, i - 1);
    }
}

/// A blank on both sides of the colon of a variable or typed constant, else one after it.
bool blankBeforeColon(const Pieces& p, uint32_t i) {
    return p[i - 1].has(SpacedColon) || (i + 1 < p.size() && p[i + 1].has(SpacedValue));
}

bool isCaptureList(const Pieces& p, uint32_t i) {
    return p[i].is(K::LParen) && i + 2 < p.size() &&
           (p[i + 1].has(Capture) || (p[i + 1].is(K::Star) && p[i + 2].has(Capture)));
}

bool blankBeforeParen(const Pieces& p, uint32_t i) {
    const K before = p[i - 1].kind;
    if (p[i].has(ItemStart | CatchValue) || isCaptureList(p, i)) return true;
    switch (before) {
    case K::KwAbi:
    case K::KwF32:
    case K::KwF64:
    case K::KwType:
    case K::KwSelf:
    case K::KwProtocol:
    case K::DirError:
    case K::DirObjcCall:
    case K::DirJniCall:
    case K::DirJniStaticCall:
    case K::DirJniMethodDescriptor:
    case K::DirJniEnv:
    case K::DirProperty:
    case K::DirSelector: return false;
    case K::KwUfcs:
    case K::KwImpl:
    case K::KwError: return p[i].partner == noMatch || !p[p[i].partner].has(CallParen);
    case K::RBrace: return true;
    default: return !endsOperand(p, i - 1);
    }
}

bool blankBeforeBracket(const Pieces& p, uint32_t i) {
    return p[i].has(TypeBracket | ItemStart | CatchValue) || !endsOperand(p, i - 1);
}

bool wanted(const Pieces& p, uint32_t i) {
    const K before = p[i - 1].kind, k = p[i].kind;
    if (before == K::LParen || before == K::LBracket || isDot(before)) return false;
    if (isPrefix(p, i - 1)) return false;
    if (before == K::RBracket && !endsOperand(p, i - 1)) return false; // `[4]T`
    if (clingsToPrevious(p, i)) return false;
    if (k == K::RBrace && before == K::LBrace) return isBlockBrace(p, i - 1);
    if (k == K::LBrace || k == K::RBrace) return true;
    if (isRange(before)) return k == K::FatArrow || isCaptureList(p, i);
    if (k == K::Colon) return blankBeforeColon(p, i);
    if (before == K::Colon) return i < 2 || !p[i - 2].is(K::LBracket); // `[:0]u8`
    if (k == K::LParen) return blankBeforeParen(p, i);
    if (k == K::LBracket) return blankBeforeBracket(p, i);
    return true;
}

constexpr size_t index(K k) { return static_cast<size_t>(k); }

/// Whether two operators or marks without a blank between them begin with a longer one: `?` and `?`, `!` and `=..`.
class MergingMarks {
public:
    MergingMarks() {
        const std::initializer_list<K> marks = {
#define PUNCT(name, spelling) K::name,
#include "syntax/Tokens.def"
        };
        for (K a : marks)
            for (K b : marks) {
                const std::string joined = std::string(spelling(a)) + std::string(spelling(b));
                for (K longer : marks)
                    if (spelling(longer).size() > spelling(a).size() && joined.rfind(spelling(longer), 0) == 0)
                        table_[index(a)][index(b)] = true;
            }
    }
    bool contains(K a, K b) const { return isMark(a) && isMark(b) && table_[index(a)][index(b)]; }

private:
    static bool isMark(K k) { return k >= K::LParen && k <= K::GreaterGreaterEqual; }
    static constexpr size_t count = index(K::KwIf);
    std::array<std::bitset<count>, count> table_;
};

/// Whether the two tokens, written without a blank, would be read as others.
bool wouldMerge(const Pieces& p, uint32_t i) {
    static const MergingMarks merging;
    const K before = p[i - 1].kind, k = p[i].kind;
    if (before == K::Minus && (k == K::Minus || k == K::DashDashDash)) return true;          // three make `---`
    if (isNumber(before) && k == K::Dot) return i + 1 < p.size() && isNumber(p[i + 1].kind); // `t.0 .1`
    const bool wordBefore = before == K::Ident || isKeyword(before) || isDirective(before) || isNumber(before);
    if (wordBefore && (k == K::Ident || isKeyword(k) || isNumber(k))) return true;
    return merging.contains(before, k);
}

} // namespace

bool isMemberDot(const Pieces& p, uint32_t i) {
    return p[i].is(K::Dot) && !p[i].has(PrefixDot) && i > 0 && !p[i - 1].isComment && endsOperand(p, i - 1);
}

bool isBinaryOperator(const Pieces& p, uint32_t i) {
    switch (p[i].kind) {
    case K::Minus:
    case K::Star:
    case K::Slash:
    case K::KwAnd:
    case K::KwOr:
    case K::KwIn: return p[i].has(BinaryOp); // they have other meanings, too
    case K::PipeGreater: return true;
    default: return isOperatorToken(p[i].kind);
    }
}

bool blankBefore(const Pieces& p, uint32_t i) { return wanted(p, i) || wouldMerge(p, i); }

} // namespace sx::format
