// Names in expressions: what a bare name stands for, captures of lambdas, names that need no declaration.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

Value lowerName(Body&, const ast::NameRef&, TypeId target);
Value valueOfSymbol(Body&, Symbol*, Span at, bool crossesFunction);
/// The private copy that a lambda has of a variable around it.
Value capture(Body&, Symbol* outer, Span at);
/// Reports that the program has no context.
Value contextMissing(Body&);
/// Lowers `$args`, `$args[0]`.
Value lowerTypeParam(Body&, const ast::TypeParam&, TypeId target);
/// The value of a local of this very function.
Value localValue(Symbol*);
/// The value of `OS`, `ARCH` or `POINTER_SIZE`. Of another name it is an error, which is not reported.
Value targetConstant(Body&, std::string_view name);
/// The symbol of an intrinsic or of a library declaration that needs no import; null if there is none.
Symbol* libraryName(Body&, std::string_view name);

} // namespace sx::lower
