// Evaluates code that only puts a constant together: what struct and array literals of constants are lowered to.
//
// Stores of known bits and addresses, copies, arithmetic on what is known; no call, no loop, no variable of the program
// is read. Such code needs no interpreter, and nearly every program has some (the library's own constants).
#pragma once

#include "ir/Ir.h"

#include <optional>

namespace sx::ir {

/// The result of a function without parameters, as constant data; a local that the result refers to becomes a new
/// global. No value: the code does something else, and nothing has changed.
std::optional<ConstData> evaluateStraightLine(Module&, const Function&);

} // namespace sx::ir
