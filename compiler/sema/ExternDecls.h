// What declarations of C functions say to C (modules-and-comptime 8.2).
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

/// What C sees of a parameter of an `extern` function: of texts and slices only the pointer.
TypeId externType(TypeTable&, TypeId);
/// What C sees of its result: of a text only the pointer.
TypeId externResult(TypeTable&, TypeId);

} // namespace sx::sema
