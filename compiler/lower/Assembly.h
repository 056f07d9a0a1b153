// Inline assembly (modules-and-comptime 8.4): checks operands and registers, turns the template into the code
// generator's, and emits one instruction that reads values and writes to places. At module scope only the text is
// collected.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// The assembly that is all of a function (Assembly.cpp).
bool lowerNaked(Body&, const ast::FunctionDecl&);
/// Assembly.cpp.
Value lowerAsm(Body&, const ast::AsmExpr&, ValueId dest);

} // namespace sx::lower
