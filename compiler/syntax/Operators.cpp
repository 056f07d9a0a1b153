#include "syntax/Operators.h"

namespace sx {

std::string_view ast::spelling(BinaryOp op) {
    constexpr TokenKind tokens[] = {
#define BINARY_OP(name, token, level) TokenKind::token,
#include "syntax/Operators.def"
    };
    return spelling(tokens[static_cast<size_t>(op)]);
}

// clang-format off
#define ARITHMETIC_OP(name, ...) case BinaryOp::name: return OpClass::Arithmetic;
#define SHIFT_OP(name, ...) case BinaryOp::name: return OpClass::Shift;
#define BITWISE_OP(name, ...) case BinaryOp::name: return OpClass::Bitwise;
#define COMPARE_OP(name, ...) case BinaryOp::name: return OpClass::Comparison;
#define BINARY_OP(name, ...) case BinaryOp::name: return OpClass::Other;
// clang-format on
ast::OpClass ast::classOf(BinaryOp op) {
    switch (op) {
#include "syntax/Operators.def"
    }
    return OpClass::Other;
}

// clang-format off
#define ASSIGNING_OP(name, token, assignment, level) case TokenKind::assignment: return ast::BinaryOp::name;
// clang-format on
std::optional<ast::BinaryOp> compoundOperator(TokenKind kind) {
    switch (kind) {
#include "syntax/Operators.def"
    default: return std::nullopt;
    }
}

} // namespace sx
