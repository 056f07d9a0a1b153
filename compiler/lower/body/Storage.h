// Where values live: SSA values, addresses, stores and temporaries; locals and lexical scopes.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// The SSA value of a scalar: it is loaded, or made of a constant.
ValueId scalar(Body&, const Value&);
/// The address of a value. Scalars and constants are stored in a temporary.
ValueId addressOf(Body&, const Value&);
/// Stores a value, as its own type.
void store(Body&, ValueId dest, const Value&);
/// The value as an rvalue: a scalar is loaded, an aggregate stays as it is.
Value load(Body&, const Value&);
/// A private copy of an aggregate.
Value copyToTemp(Body&, const Value&);
/// The value as it is now: a scalar is loaded, an aggregate in storage is copied if the code that runs before its use
/// `mayChange` it.
Value snapshot(Body&, const Value&, bool mayChange = true);
/// A temporary in a new slot, or in `dest` if that is given.
Value temp(Body&, TypeId, ValueId dest = ValueId::None, std::string_view name = {});
/// The part of an aggregate at an offset: a place or a temporary, as the whole is.
Value fieldOf(Body&, const Value& aggregate, uint64_t offset, TypeId);
/// A value whose bytes are all zero.
Value zeroValue(Body&, TypeId);
/// Stores the value of a variable that is declared without one, `v : T;` (types.md 7.2).
void storeDefault(Body&, TypeId, ValueId dest);
ValueId i64(Body&, int64_t);
ValueId callRuntime(Body&, const char* symbol, TypeId result, llvm::ArrayRef<TypeId> params,
                    llvm::ArrayRef<ValueId> args, bool noReturn = false);
Value stringValue(Body&, llvm::StringRef);
void checkIndex(Body&, ValueId index, ValueId length, Span at);
/// Stops the program where `failed` holds, at `at`; code goes on for the other case.
void panicIf(Body&, ValueId failed, ir::PanicKind, Span at, llvm::ArrayRef<ValueId> operands = {});

} // namespace sx::lower
