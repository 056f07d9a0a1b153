// What is done to functions and modules once they are made: cleaning up, printing, checking.
#pragma once

#include "ir/Ir.h"

namespace sx::ir {

/// Drops the blocks that the entry does not reach, and renumbers blocks and values in the order that is left:
/// every BlockId and ValueId taken before is void. Call when the function is finished. Linear.
void removeUnreachableBlocks(Function&);
/// Takes away the code that `is_comptime()` guards, when all evaluation is over: at run time it is false.
void dropComptimeBranches(Module&);
/// Takes out the checks of indices, slices, divisions and null pointers, which release builds do without. Call after
/// everything that runs while compiling has run.
void dropChecks(Module&);

/// A function that only compile-time code may call, reached at run time: from the root to it, compiler-made ones left
/// out.
using ReachedService = std::vector<FuncId>;

/// Sets `dead` on every function and global that neither the entry nor an export reaches. Call after finish(). For each
/// compile-time-only function that is reached the result has one shortest path.
std::vector<ReachedService> markReachable(Module&);
/// The functions that the entry or an export reaches, in the order in which they are met: breadth first from the entry,
/// by calls and addresses in the order of the code.
std::vector<FuncId> reachedFunctions(const Module&);

struct PrintOptions {
    bool positions = false; ///< line:col at the end of each instruction
};
/// Text form, as `sx ir-dump` shows it.
std::string print(const Module&, PrintOptions = {});
std::string print(const Module&, const Function&, PrintOptions = {});
/// One instruction, without the space before it and the line end.
std::string print(const Module&, const Function&, ValueId);

/// Checks every rule of this representation; each violation is one line "function: block: what". Empty: valid.
std::vector<std::string> verify(const Module&);

} // namespace sx::ir
