// Constants: their initializers are lowered like code, and run where they do not fold.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

std::optional<Value> evaluateConstant(Sema&, const ast::Expr*, TypeId target, Scope*, uint32_t limit, SourceFile*,
                                      bool isRun);
/// A compile-time integer (array dimension, generic count, inline bound); an integral float is accepted.
std::optional<__int128> evaluateCount(Sema&, const ast::Expr*, Scope*, uint32_t limit, SourceFile*);

} // namespace sx::lower
