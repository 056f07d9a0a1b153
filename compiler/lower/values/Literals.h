// What the builders of literals share. Private to Aggregates.cpp, ArrayLiterals.cpp and Variants.cpp.
#pragma once

#include "lower/body/Body.h"
#include "lower/body/Explain.h"

namespace sx::lower {

/// Lowers one value of a literal into its place. False after a report, to which `why` adds what the place is.
bool storeElement(Body&, const ast::Expr*, TypeId, ValueId address, Span literal,
                  llvm::function_ref<Purpose()> why = nullptr);
/// The same for a value that is lowered already; `element`: where it stands.
bool storeValue(Body&, const Value&, TypeId, ValueId address, Span element, Span literal,
                llvm::function_ref<Purpose()> why = nullptr);
/// A value that a literal without target can hold as it is: functions become pointers, a bare `null` is rejected.
Value storable(Body&, const Value&, Span at);

/// Builds an array or vector from a brace literal, `[N]T.{ … }`, `Vector(N, T).{ … }`.
Value elementsFromInits(Body&, TypeId, const ast::StructLit&, ValueId dest);

/// The enum that a type is, or that it is an optional of; None if it is neither.
TypeId enumOrOptionalEnum(const TypeTable&, TypeId);
/// The enum that `type` spells if it has a variant of that name; else None, silently.
TypeId enumNamedBy(Body&, const ast::Expr* type, Name variant);
/// Rejects `.name` where no enum is expected.
Value noEnumTarget(Body&, const ast::EnumLit&, TypeId target);

Value lowerInt(Body&, const ast::IntLit&, TypeId target, bool negated = false, Span at = {});
Value lowerFloat(Body&, const ast::FloatLit&, TypeId target);
Value lowerEnumLit(Body&, const ast::EnumLit&, TypeId target);
Value lowerErrorTag(Body&, const ast::ErrorTag&, TypeId target);
Value callerLocation(Body&, Span call, TypeId target);
Value lowerNull(Body&, TypeId target);
/// Lowers `---`.
Value lowerUndef(Body&, Span, TypeId target);

} // namespace sx::lower
