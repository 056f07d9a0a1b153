// What a machine sees of a type: all that a C symbol's declarations have to agree on.
#pragma once

#include "types/TypeTable.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace sx {

/// Bytes of a machine word: of a pointer, and of what an integer register holds.
constexpr uint64_t WordSize = 8;

/// Visits every scalar in a value of type `t` that lies at `offset`. The members of a union all appear, at
/// overlapping offsets. Meant for small types: takes time in the number of scalars.
void forEachScalar(const TypeTable&, TypeId t, uint64_t offset,
                   llvm::function_ref<void(uint64_t offset, TypeId scalar)> visit);

/// Whether values of the two types travel in the same way through the functions of C, so that one declaration may say
/// one of them and another declaration the other: pointers of all kinds and the integers of a word, `i32` and `u32`
/// (not `i8` and `u8`), structs of the same words. Nothing is of the form of no value: `void`, `noreturn`. The types
/// must be complete.
bool haveSameForm(const TypeTable&, TypeId a, TypeId b);

/// Whether variables of the two types hold the same scalars at the same places.
bool haveSameLayout(const TypeTable&, TypeId a, TypeId b);

} // namespace sx
