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
#define ASSIGNING_OP(name, token, assignment, level) case TokenKind::assignment: return ast::BinaryOp::name;
// clang-format on
std::optional<ast::BinaryOp> compoundOperator(TokenKind kind) {
    switch (kind) {
#include "syntax/Operators.def"
    default: return std::nullopt;
    }
}

} // namespace sx
