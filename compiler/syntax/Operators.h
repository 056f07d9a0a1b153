// Binary operators as Operators.def describes them.
#pragma once

#include "syntax/Token.h"

#include <optional>

namespace sx {
namespace ast {

enum class BinaryOp : uint8_t {
#define BINARY_OP(name, token, level) name,
#include "syntax/Operators.def"
};

/// As the source spells it: `+`, `and`.
std::string_view spelling(BinaryOp);

/// What kind of operands an operator is for.
enum class OpClass : uint8_t { Arithmetic, Shift, Bitwise, Comparison, Other };
OpClass classOf(BinaryOp);

} // namespace ast

/// The operator in a compound assignment: `+` of `+=`. None for other tokens.
std::optional<ast::BinaryOp> compoundOperator(TokenKind);

} // namespace sx
