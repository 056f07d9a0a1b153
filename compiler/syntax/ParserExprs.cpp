// Operators (8.3): precedence climbing over one table of levels.
#include "syntax/ParserImpl.h"

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
Expr* Parser::parseExpr() {
    Expr* value = parseCoalesce();
    while (at(K::PipeGreater)) {
        const uint32_t opToken = pos_;
        const uint32_t valueHeight = height_;
        advance();
        Expr* target = parseCoalesce();
        if (failed_) return value;
        height_ = std::max(height_, valueHeight) + 1;
        value = pipeInto(value, target);
        checkHeight(opToken);
    }
    return value;
}

/// coalesce = or [ '??' coalesce ], without recursion: the operands are collected and joined from the right.
Expr* Parser::parseCoalesce() {
    Expr* first = parseBinary(levelOr);
    if (!at(K::QuestionQuestion)) return first;
    SmallVector<Expr*, 4> operands{first};
    SmallVector<Span, 4> ops;
    uint32_t highest = height_;
    while (at(K::QuestionQuestion)) {
        const uint32_t opToken = pos_;
        ops.push_back(cur().span());
        advance();
        operands.push_back(parseBinary(levelOr));
        highest = std::max(highest, height_);
        height_ = highest + static_cast<uint32_t>(ops.size());
        checkHeight(opToken);
    }
    height_ = highest + static_cast<uint32_t>(ops.size());
    Expr* value = operands.pop_back_val();
    while (!operands.empty())
        value = makeBinary(BinaryOp::Coalesce, ops.pop_back_val(), operands.pop_back_val(), value);
    return value;
}

Expr* Parser::parseBinary(int minLevel) {
    Expr* lhs = parseUnary();
    return binaryInfo(cur().kind).level >= minLevel ? parseBinaryRest(lhs, minLevel) : lhs;
}

/// Continues behind the left operand with the operators of `minLevel` and above.
Expr* Parser::parseBinaryRest(Expr* lhs, int minLevel) {
    for (;;) {
        const BinaryInfo info = binaryInfo(cur().kind);
        if (info.level == 0 || info.level < minLevel) return lhs;
        if (info.op == BinaryOp::BitOr && mode_.header == Header::For && isPipedCaptures(pos_)) return lhs;
        if (info.level == levelCompare) {
            lhs = parseCompareRest(lhs);
            continue;
        }
        const uint32_t opToken = pos_;
        const uint32_t lhsHeight = height_;
        advance();
        Expr* rhs = parseUnary();
        if (binaryInfo(cur().kind).level > info.level) rhs = parseBinaryRest(rhs, info.level + 1);
        height_ = std::max(lhsHeight, height_) + 1;
        lhs = makeBinary(info.op, tokens_[opToken].span(), lhs, rhs);
        checkHeight(opToken);
    }
}

/// compare = shift { op shift }. Runs of the six comparisons form chains; `in` is an ordinary left-associative
/// operator among them.
Expr* Parser::parseCompareRest(Expr* first) {
    SmallVector<Expr*, 4> operands{first};
    SmallVector<BinaryOp, 4> ops;
    SmallVector<Span, 4> opSpans;
    Height height(*this);
    height.add();
    uint32_t links = 0;
    while (binaryInfo(cur().kind).level == levelCompare) {
        const BinaryOp op = binaryInfo(cur().kind).op;
        const uint32_t opToken = pos_;
        advance();
        if (mode_.header == Header::If && at(K::LBrace) && startsArm(pos_ + 1))
            failAt(pos_ + 1, "a match stands behind the first operand of a condition")
                .help("put the rest of its subject in parentheses");
        Expr* rhs = parseBinary(levelShift);
        if (op == BinaryOp::In) {
            Expr* lhs = finishCompare(operands, ops, opSpans);
            operands.assign(1, makeBinary(op, tokens_[opToken].span(), lhs, rhs));
            ops.clear();
            opSpans.clear();
            height_ += ++links;
        } else {
            operands.push_back(rhs);
            ops.push_back(op);
            opSpans.push_back(tokens_[opToken].span());
        }
        height.add();
        checkHeight(opToken);
    }
    return finishCompare(operands, ops, opSpans);
}

Expr* Parser::finishCompare(ArrayRef<Expr*> operands, ArrayRef<BinaryOp> ops, ArrayRef<Span> opSpans) {
    if (ops.empty()) return operands[0];
    if (ops.size() == 1) return makeBinary(ops[0], opSpans[0], operands[0], operands[1]);
    auto* chain = make<CompareChain>(cover(operands.front()->span, operands.back()->span));
    chain->operands = operands.copy(context_.arena);
    chain->ops = ops.copy(context_.arena);
    chain->opSpans = opSpans.copy(context_.arena);
    return chain;
}

Expr* Parser::makeBinary(BinaryOp op, Span opSpan, Expr* lhs, Expr* rhs) {
    auto* binary = make<Binary>(cover(lhs->span, rhs->span));
    binary->op = op;
    binary->opSpan = opSpan;
    binary->lhs = lhs;
    binary->rhs = rhs;
    return binary;
}

/// ('-'|'!'|'~'|'*'|'xx'|'try') unary | postfix
Expr* Parser::parseUnary() {
    switch (cur().kind) {
    case K::Minus: return parsePrefix(UnaryOp::Neg);
    case K::Bang: return parsePrefix(UnaryOp::Not);
    case K::Tilde: return parsePrefix(UnaryOp::BitNot);
    case K::Star: return parsePrefix(UnaryOp::AddrOf);
    case K::KwXx: return parsePrefix(UnaryOp::Xx);
    case K::KwTry:
        if (function_.cleanup)
            error(cur().span(), "`try` may not stand in " + cleanupBody())
                .help("handle the error here, with `catch` or a plain `or` operand");
        return parsePrefix(UnaryOp::Try);
    default: return parsePostfix();
    }
}

Expr* Parser::parsePrefix(UnaryOp op) {
    const Nested nested(*this);
    if (!nested.ok()) return missingExpr();
    const SourcePos begin = here();
    advance();
    Expr* operand = parseUnary();
    ++height_;
    auto* unary = make<Unary>({begin, operand->span.end});
    unary->op = op;
    unary->operand = operand;
    return unary;
}

/// The rewrite of `value |> target` (4.13): the value becomes the first argument of the call that is reached
/// through `try`, `catch` and `or`; without a call the target itself is called.
Expr* Parser::pipeInto(Expr* value, Expr* target) {
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
        call = make<Call>((*place)->span);
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
    call->args = keep(args);
    call->piped = true;
    // The whole is the call `f(value, …)`; inside `try`, `catch` or `or` it keeps its place in them.
    if (!isWrapped) call->span.begin = value->span.begin;
    return target;
}

} // namespace sx
