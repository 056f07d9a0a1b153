// Values of enums: `.move(3)`, `Cmd.move(3)`, `.draw.{ x = 1 }` (types.md 5.2).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

Value constructVariant(Body&, TypeId enumType, Name variant, Span at, llvm::ArrayRef<ast::Arg> args,
                       const ast::StructLit* braces, ValueId dest);
/// The tag of the variant of `type` that an expression builds, names or is known to be; none: that is known at run time
/// only.
std::optional<int64_t> knownVariant(Body&, const ast::Expr*, TypeId type);

} // namespace sx::lower
