// The code of a function in few bytes: of one that was checked and may never be needed, but by code that runs while
// compiling. It takes a sixth of what the vectors of its Code take.
#pragma once

#include "ir/Ir.h"

namespace sx::ir {

/// Puts the code of a function away, in Function::packed. The function has to be finished (removeUnreachableBlocks);
/// one that was changed since, or holds assembly, stays as it is, and so does one without a body.
void pack(Function&);

/// Gives a function that is packed its code back, each vector as it was. Nothing happens to others.
void unpack(Function&);

/// Frees the code of a function, which nothing runs or emits any more. Its header stays.
void dropCode(Function&);

} // namespace sx::ir
