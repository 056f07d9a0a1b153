// Names in expressions: what a bare name stands for, captures of lambdas, names that need no declaration.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

Value lowerName(Body&, const ast::NameRef&, TypeId target);
Value valueOfSymbol(Body&, Symbol*, Span at, bool crossesFunction);
/// Inside a lambda: the private copy.
Value capture(Body&, Symbol* outer, Span at);
/// Reports that the program has no context.
Value contextMissing(Body&);
/// `$args`, `$args[0]`.
Value lowerTypeParam(Body&, const ast::TypeParam&, TypeId target);
/// Of a local of this very function.
Value localValue(Symbol*);
/// OS, ARCH, POINTER_SIZE; Error (silently) for another name.
Value targetConstant(Body&, std::string_view name);
/// The symbol of an intrinsic or of a library declaration that needs no import; null if there is none.
Symbol* libraryName(Body&, std::string_view name);

} // namespace sx::lower
