// Numbers of foreign values, and arithmetic on them.
#pragma once

#include "debugger/foreign/ForeignValues.h"
#include "syntax/Operators.h"

namespace sx::debugger {

struct ForeignNumber {
    enum class Kind : uint8_t { Integer, Float, Bool, Address } kind{};
    __int128 integer = 0; ///< all but Float; within 64 bits, with or without a sign
    double real = 0;
};

/// The number that a value is; a failure where it is none, or cannot be read.
Result<ForeignNumber> numberOf(const ForeignTypes&, const ForeignValues&, const Datum&);
/// As a value in hand. Integers are of 64 bits, with a sign where they have room for it.
Datum valueOf(const ForeignTypes&, const ForeignNumber&);
/// Whether it counts as true.
inline bool isTrue(const ForeignNumber& n) {
    return n.kind == ForeignNumber::Kind::Float ? n.real != 0 : n.integer != 0;
}
/// Arithmetic and comparisons; not `and` and `or`.
Result<ForeignNumber> compute(ast::BinaryOp, const ForeignNumber& a, const ForeignNumber& b);

} // namespace sx::debugger
