// What the builders of literals share. Private to Aggregates.cpp, ArrayLiterals.cpp and Variants.cpp.
#pragma once

#include "sema/CallSupport.h"
#include "sema/Explain.h"

namespace sx::sema {

/// Lowers one value of a literal into its place. False after a report, to which `why` adds what the place is.
bool storeElement(FunctionLowering&, const ast::Expr*, TypeId, ValueId address, Span literal,
                  llvm::function_ref<Purpose()> why = nullptr);
/// The same for a value that is lowered already; `element`: where it stands.
bool storeValue(FunctionLowering&, const Value&, TypeId, ValueId address, Span element, Span literal,
                llvm::function_ref<Purpose()> why = nullptr);
/// A value that a literal without target can hold as it is: functions become pointers, a bare `null` is rejected.
Value storable(FunctionLowering&, const Value&, Span at);
/// Keeps the value that an element has now, if a later element could change it.
Value holdAgainst(FunctionLowering&, const Value&, llvm::ArrayRef<ast::Init> later);

/// `[N]T.{ … }`, `Vector(N, T).{ … }`.
Value elementsFromInits(FunctionLowering&, TypeId, const ast::StructLit&, ValueId dest);

/// The enum that a type is, or that it is an optional of; None if it is none.
TypeId enumBehind(const TypeTable&, TypeId);
/// The enum that `type` spells if it has a variant of that name; else None, silently.
TypeId enumNamedBy(FunctionLowering&, const ast::Expr* type, Name variant);
/// Rejects `.name` where no enum is expected.
Value noEnumTarget(FunctionLowering&, const ast::EnumLit&, TypeId target);

} // namespace sx::sema
