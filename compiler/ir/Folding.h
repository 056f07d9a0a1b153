// Arithmetic on constants, bit for bit as the machines do it at run time.
//
// Operands and results are the bits of an Op::Const: zero-extended, a float's IEEE bits. `bits` is the width
// of the value (ir/Ops.h, valueBits). No result: the operation fails at run time (division by zero, MIN / -1),
// has an unspecified value (a shift by the width or more, a float beyond 64 bits), or is the machine's
// own (sine, cosine).
#pragma once

#include "ir/Ir.h"

#include <optional>

namespace sx::ir {

std::optional<uint64_t> foldBinary(Op, unsigned bits, uint64_t a, uint64_t b);
std::optional<uint64_t> foldUnary(Op, unsigned bits, uint64_t a);
bool foldICmp(ICmpPred, unsigned bits, uint64_t a, uint64_t b);
bool foldFCmp(FCmpPred, unsigned bits, uint64_t a, uint64_t b);
/// Any conversion op. A float that becomes an integer is truncated toward zero and keeps its low bits.
std::optional<uint64_t> foldCast(Op, unsigned fromBits, unsigned toBits, uint64_t a);

/// The bits of a float constant of width 32 or 64.
uint64_t floatBits(unsigned bits, double);
double floatValue(unsigned bits, uint64_t);

} // namespace sx::ir
