// Arithmetic on numbers that are known while compiling, bit for bit as compiled code does it (language 4.3).
#pragma once

#include "sema/model/Value.h"
#include "syntax/Ast.h"

#include <optional>

namespace sx::sema {

/// Width and signedness of a type that is an integer underneath: integers, bools, plain enums, error values.
/// No bits: it is none of these.
struct IntShape {
    unsigned bits = 0;
    bool isSigned = false;
};
IntShape intShape(const TypeTable&, TypeId);

/// The value that is left of `v` in this many bits.
__int128 wrapTo(IntShape, __int128 v);
bool fits(IntShape, __int128 v);

/// A float without a fractional part, within the range of 64-bit integers.
bool isWhole(double);

/// The constant of one scalar type as another one, as an explicit cast gives it. nullopt: not between numbers.
std::optional<ConstValue> foldCast(const TypeTable&, const ConstValue&, TypeId from, TypeId to);

/// `a op b` for two constants of one type. nullopt: not defined for them, division by zero and overflow of a
/// division included (see `divisionFailure`).
std::optional<ConstValue> foldArithmetic(const TypeTable&, ast::BinaryOp, TypeId, const ConstValue& a,
                                         const ConstValue& b);
/// Why an integer division cannot be done; "" if it can.
std::string_view divisionFailure(const TypeTable&, TypeId, const ConstValue& a, const ConstValue& b);

/// A comparison of two constants that are both integers underneath, both floats, or both strings.
bool foldComparison(ast::BinaryOp, const ConstValue& a, const ConstValue& b);

/// Beside an operand of an unsigned 64-bit type, a literal too large for `i64` can only be meant as one of that type.
bool isWideLiteralFor(const TypeTable&, TypeId beside, const ast::Expr* literal);

/// The type in which two integers are compared: the wider one, unsigned if either is.
TypeId comparisonType(const TypeTable&, TypeId, TypeId);

} // namespace sx::sema
