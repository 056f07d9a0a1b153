// Questions about written types that need no resolution. Private to the parts that resolve types and signatures.
#pragma once

#include "sema/Sema.h"
#include "sema/TypeResolver.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace sx::sema {

/// Calls `visit` on a written type and on every type written in it, outermost first, until it returns true; then
/// returns true. Counts (`[N]T`) and value arguments are visited like types; bodies of inline types are not.
bool anyInType(const ast::Expr* type, llvm::function_ref<bool(const ast::Expr*)> visit);

/// What is wrong with a `$T` that nothing can bind.
std::string strayParamMessage(const std::string& name);

/// `Self` occurs in the written type.
bool mentionsSelf(const Sema&, const ast::Expr* type);

/// The parameter is a slice-variadic `..xs: []T`; any other `..` parameter is a pack.
bool isSliceVariadic(const Sema&, const ast::Param&);

/// The name `Type`, as a constraint is written.
bool isTypeKeyword(const Sema&, const ast::Expr*);

/// Called where a type is expected, it builds one from its arguments alone: it returns `Type`, and each parameter is
/// known while compiling (generics.md 3).
bool isTypeFunction(const Sema&, const FunctionTemplate&);

/// The value is in the range of the integer type.
bool fitsInteger(const TypeTable&, TypeId integer, __int128 value);

/// Evaluates the argument of a value parameter `name`, whose type `binding` holds, into `binding`. False after a
/// report.
bool bindValueArgument(Sema&, const ast::Expr* argument, const TypeContext&, Name name, Binding& binding);

/// A `$` parameter of a payload enum of which an instance knows the variant only: its value is an ordinary argument.
bool passesPayload(const TypeTable&, const Binding&);

/// The body of a function, without the functions written in it, holds a `return` with a value.
bool returnsValue(const ast::Expr* body);

/// Tells the packs among the parameters of `f`, as the context's scope binds them, the protocols that limit them
/// (`..xs: P`): only what these show may be used of an element, and `xs.T` is one of their arguments.
void limitPacks(Sema&, const ast::FunctionDecl& f, const TypeContext&);

} // namespace sx::sema
