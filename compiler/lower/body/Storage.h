// Where values live: SSA values, addresses, stores and temporaries; locals and lexical scopes.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// SSA value of a scalar (loads, materialises constants).
ValueId scalar(Body&, const Value&);
/// Address; spills scalars and constants to a temporary.
ValueId addressOf(Body&, const Value&);
/// Of the value's own type.
void store(Body&, ValueId dest, const Value&);
/// An rvalue: scalars loaded, aggregates as they are.
Value load(Body&, const Value&);
/// Private copy of an aggregate.
Value copyToTemp(Body&, const Value&);
/// Fresh slot (or dest).
Value temp(Body&, TypeId, ValueId dest = ValueId::None, std::string_view name = {});
/// Place or temporary at an offset.
Value fieldOf(Body&, const Value& aggregate, uint64_t offset, TypeId);
/// All-zero.
Value zeroValue(Body&, TypeId);
/// `v : T;` (types.md 7.2).
void storeDefault(Body&, TypeId, ValueId dest);
ValueId i64(Body&, int64_t);
ValueId callRuntime(Body&, const char* symbol, TypeId result, llvm::ArrayRef<TypeId> params,
                    llvm::ArrayRef<ValueId> args, bool noReturn = false);
Value stringValue(Body&, llvm::StringRef);
void checkIndex(Body&, ValueId index, ValueId length, Span at);
/// Stops the program where `failed` holds, at `at`; code goes on for the other case.
void panicIf(Body&, ValueId failed, ir::PanicKind, Span at, llvm::ArrayRef<ValueId> operands = {});

} // namespace sx::lower
