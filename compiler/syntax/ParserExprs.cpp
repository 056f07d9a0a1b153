// Operators (8.3): precedence climbing over one table of levels.
#include "syntax/Grammar.h"

#include <array>

namespace sx {

using namespace ast;

namespace {

using K = TokenKind;

/// Level 0: no binary operator, or one that is handled apart, as `|>` is.
struct BinaryInfo {
    uint8_t level = 0;
    BinaryOp op{};
};

constexpr std::array<BinaryInfo, 256> makeBinaryTable() {
    std::array<BinaryInfo, 256> table{};
#define BINARY_OP(name, token, level) \
    if (level > 0) table[static_cast<size_t>(K::token)] = {level, BinaryOp::name};
#include "syntax/Operators.def"
    return table;
}

constexpr std::array<BinaryInfo, 256> binaryTable = makeBinaryTable();

BinaryInfo binaryInfo(K kind) { return binaryTable[static_cast<size_t>(kind)]; }

} // namespace

/// pipe = coalesce { '|>' coalesce }
Expr* parseExpr(Parser& p) {
    Expr* value = parseCoalesce(p);
    while (p.at(K::PipeGreater)) {
        const uint32_t opToken = p.pos;
        const uint32_t valueHeight = p.height;
        p.advance();
        Expr* target = parseCoalesce(p);
        if (p.failed) return value;
        p.height = std::max(p.height, valueHeight) + 1;
        value = pipeInto(p, value, target);
        p.checkHeight(opToken);
    }
    return value;
}

/// coalesce = or [ '??' coalesce ], without recursion: the operands are collected and joined from the right.
Expr* parseCoalesce(Parser& p) {
    Expr* first = parseBinary(p, levelOr);
    if (!p.at(K::QuestionQuestion)) return first;
    SmallVector<Expr*, 4> operands{first};
    SmallVector<Span, 4> ops;
    uint32_t highest = p.height;
    while (p.at(K::QuestionQuestion)) {
        const uint32_t opToken = p.pos;
        ops.push_back(p.cur().span());
        p.advance();
        operands.push_back(parseBinary(p, levelOr));
        highest = std::max(highest, p.height);
        p.height = highest + static_cast<uint32_t>(ops.size());
        p.checkHeight(opToken);
    }
    p.height = highest + static_cast<uint32_t>(ops.size());
    Expr* value = operands.pop_back_val();
    while (!operands.empty())
        value = makeBinary(p, BinaryOp::Coalesce, ops.pop_back_val(), operands.pop_back_val(), value);
    return value;
}

Expr* parseBinary(Parser& p, int minLevel) {
    Expr* lhs = parseUnary(p);
    return binaryInfo(p.cur().kind).level >= minLevel ? parseBinaryRest(p, lhs, minLevel) : lhs;
}

/// Continues after the left operand with the operators of `minLevel` and above.
Expr* parseBinaryRest(Parser& p, Expr* lhs, int minLevel) {
    for (;;) {
        const BinaryInfo info = binaryInfo(p.cur().kind);
        if (info.level == 0 || info.level < minLevel) return lhs;
        if (info.op == BinaryOp::BitOr && p.mode.header == Header::For && isPipedCaptures(p, p.pos)) return lhs;
        if (info.level == levelCompare) {
            lhs = parseCompareRest(p, lhs);
            continue;
        }
        const uint32_t opToken = p.pos;
        const uint32_t lhsHeight = p.height;
        p.advance();
        Expr* rhs = parseUnary(p);
        if (binaryInfo(p.cur().kind).level > info.level) rhs = parseBinaryRest(p, rhs, info.level + 1);
        p.height = std::max(lhsHeight, p.height) + 1;
        lhs = makeBinary(p, info.op, p.tokens[opToken].span(), lhs, rhs);
        p.checkHeight(opToken);
    }
}

/// compare = shift { op shift }. Runs of the six comparisons form chains; `in` is an ordinary left-associative
/// operator among them.
Expr* parseCompareRest(Parser& p, Expr* first) {
    SmallVector<Expr*, 4> operands{first};
    SmallVector<BinaryOp, 4> ops;
    SmallVector<Span, 4> opSpans;
    Height height(p);
    height.add();
    uint32_t links = 0;
    while (binaryInfo(p.cur().kind).level == levelCompare) {
        const BinaryOp op = binaryInfo(p.cur().kind).op;
        const uint32_t opToken = p.pos;
        p.advance();
        if (p.mode.header == Header::If && p.at(K::LBrace) && startsArm(p, p.pos + 1))
            p.failAt(p.pos + 1, "a match stands behind the first operand of a condition")
                .help("put the rest of its subject in parentheses");
        Expr* rhs = parseBinary(p, levelShift);
        if (op == BinaryOp::In) {
            Expr* lhs = finishCompare(p, operands, ops, opSpans);
            operands.assign(1, makeBinary(p, op, p.tokens[opToken].span(), lhs, rhs));
            ops.clear();
            opSpans.clear();
            p.height += ++links;
        } else {
            operands.push_back(rhs);
            ops.push_back(op);
            opSpans.push_back(p.tokens[opToken].span());
        }
        height.add();
        p.checkHeight(opToken);
    }
    return finishCompare(p, operands, ops, opSpans);
}

Expr* finishCompare(Parser& p, ArrayRef<Expr*> operands, ArrayRef<BinaryOp> ops, ArrayRef<Span> opSpans) {
    if (ops.empty()) return operands[0];
    if (ops.size() == 1) return makeBinary(p, ops[0], opSpans[0], operands[0], operands[1]);
    auto* chain = p.make<CompareChain>(cover(operands.front()->span, operands.back()->span));
    chain->operands = operands.copy(p.context.arena);
    chain->ops = ops.copy(p.context.arena);
    chain->opSpans = opSpans.copy(p.context.arena);
    return chain;
}

Expr* makeBinary(Parser& p, BinaryOp op, Span opSpan, Expr* lhs, Expr* rhs) {
    auto* binary = p.make<Binary>(cover(lhs->span, rhs->span));
    binary->op = op;
    binary->opSpan = opSpan;
    binary->lhs = lhs;
    binary->rhs = rhs;
    return binary;
}

/// ('-'|'!'|'~'|'*'|'xx'|'try') unary | postfix
Expr* parseUnary(Parser& p) {
    switch (p.cur().kind) {
    case K::Minus: return parsePrefix(p, UnaryOp::Neg);
    case K::Bang: return parsePrefix(p, UnaryOp::Not);
    case K::Tilde: return parsePrefix(p, UnaryOp::BitNot);
    case K::Star: return parsePrefix(p, UnaryOp::AddrOf);
    case K::KwXx: return parsePrefix(p, UnaryOp::Xx);
    case K::KwTry:
        if (p.function.cleanup)
            p.error(p.cur().span(), "`try` may not stand in " + cleanupBody(p))
                .help("handle the error here, with `catch` or a plain `or` operand");
        return parsePrefix(p, UnaryOp::Try);
    default: return parsePostfix(p);
    }
}

Expr* parsePrefix(Parser& p, UnaryOp op) {
    const Nested nested(p);
    if (!nested.ok()) return p.missingExpr();
    const SourcePos begin = p.here();
    p.advance();
    Expr* operand = parseUnary(p);
    ++p.height;
    auto* unary = p.make<Unary>({begin, operand->span.end});
    unary->op = op;
    unary->operand = operand;
    return unary;
}

/// The rewrite of `value |> target` (4.13): the value becomes the first argument of the call that is reached
/// through `try`, `catch` and `or`; without a call the target itself is called.
Expr* pipeInto(Parser& p, Expr* value, Expr* target) {
    Expr** place = &target;
    for (;;) {
        if (auto* unary = llvm::dyn_cast<Unary>(*place); unary && unary->op == UnaryOp::Try) place = &unary->operand;
        else if (auto* handled = llvm::dyn_cast<Catch>(*place)) place = &handled->operand;
        else if (auto* binary = llvm::dyn_cast<Binary>(*place); binary && binary->op == BinaryOp::Or)
            place = &binary->lhs;
        else break;
    }
    const bool isWrapped = place != &target;
    auto* call = llvm::dyn_cast<Call>(*place);
    if (!call) {
        call = p.make<Call>((*place)->span);
        call->callee = *place;
        call->rparen = {call->span.end, call->span.end};
        *place = call;
    }
    SmallVector<Arg, 8> args;
    Arg first;
    first.value = value;
    first.span = value->span;
    args.push_back(first);
    args.append(call->args.begin(), call->args.end());
    call->args = p.keep(args);
    call->piped = true;
    // The whole is the call `f(value, …)`; inside `try`, `catch` or `or` it keeps its place in them.
    if (!isWrapped) call->span.begin = value->span.begin;
    return target;
}

} // namespace sx
