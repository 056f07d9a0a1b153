// How the arguments of a call reach the parameters: by position, by name, spread, as a trailing block or by
// default (language 3.10 to 3.12, generics.md 8.1).
//
// A call without spreads is matched with the parameters first, so that a wrong count or name is one error and
// nothing is emitted. The arguments are then lowered in the order they are written, the defaults after them.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Converts one argument of a call, by types.md 16.1 with the positions of arguments.
Value convertArgument(Body&, const Value&, TypeId to, Span argument, ValueId dest = ValueId::None);
/// Like `bindArguments`, for the arguments that `inferInstance` lowered. `lowered` includes the receiver.
bool bindInferred(Body&, const ast::Call&, FunctionInstance&, bool hasReceiver, llvm::ArrayRef<Value> lowered,
                  llvm::ArrayRef<const ast::Arg*> written, bool spread, llvm::SmallVectorImpl<Value>& out);
/// Where a trailing block stands.
Span blockSpan(const ast::FunctionDecl&);

// What is wrong with the arguments of any call, generic or not. Each reports and is false.

bool positionalAfterNamed(Body&, const ast::Arg&);
/// No parameter has the name of the argument. `callee`: its name as messages show it; `names`: of its parameters.
bool unknownParameter(Body&, const ast::Arg&, const std::string& callee, const FunctionTemplate&,
                      llvm::ArrayRef<std::string_view> names);
/// A trailing block is the last parameter, which a named argument gives as well.
bool blockGivenByName(Body&, Span block, Name parameter);

/// A slice over `elements`, which have its element type, in storage of this frame.
Value sliceOfValues(Body&, TypeId slice, llvm::ArrayRef<Value> elements);

} // namespace sx::lower
