// What running code would change, as far as its IR tells without running it.
#pragma once

#include "ir/Ir.h"
#include "lower/ExpressionCompiler.h"

#include <string>

namespace sx::debugger {

/// The code, with all that it calls, writes to variables of its own calls only, by their own addresses, and calls no C
/// that does anything but read. The expression may write its answer. False where it is not known.
bool changesOnlyOwnVariables(const ir::Module&, const lower::CompiledExpression&);

/// What the machine (Machine.h) refuses of an expression on all ways on which it would end, in its words; empty:
/// nothing, as far as is known without the program's values.
std::string certainSideEffect(const ir::Module&, const lower::CompiledExpression&);

/// A function of C that the machine knows writes to where its first argument points, and does nothing else.
bool writesToFirst(const ir::Function&);
/// A function of C that the machine knows: it only works on what it is given.
bool isKnownFunction(const ir::Function&);

} // namespace sx::debugger
