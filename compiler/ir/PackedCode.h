// The code of a function in few bytes: of one that was checked and may never be needed, but by code that runs while
// compiling. It takes a seventh of what the vectors of its Code take.
#pragma once

#include "ir/Ir.h"

namespace sx::ir {

/// Does what removeUnreachableBlocks does, and puts the code that is left away, in Function::packed. What holds
/// assembly is not put away, and what has no body stays as it is.
void pack(Function&);

/// Gives a function that is packed its code back, each vector as removeUnreachableBlocks makes it. Nothing happens to
/// others.
void unpack(Function&);

/// Frees the code of a function, which nothing runs or emits any more. Its header stays.
void dropCode(Function&);

} // namespace sx::ir
