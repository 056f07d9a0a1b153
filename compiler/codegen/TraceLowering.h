// The last thing done to a module before instruction selection: trace calls get their final form.
//
// What succeeds must not pay for traces, not even in a prologue. An ordinary call in a cold block makes its
// function align the stack and give up the red zone, on every way through it. So in optimised code a trace call
// becomes an inline assembly statement, which the code generator does not take for a call: the text itself
// steps over the red zone, aligns the stack, keeps every register and calls the runtime.
//
// Without traces the same statement stands there with no text. Everything before and after sees the same
// code in both modes, so the instructions outside of these statements are the same by construction. Trace frames,
// which nothing mentions any more then, are deleted.
#pragma once

#include "llvm/IR/Module.h"

namespace sx::codegen {

/// `asCalls`: leaves the calls as they are where traces are recorded; for unoptimised code, which is to be
/// compiled fast.
void lowerTraces(llvm::Module&, bool recordTraces, bool asCalls);

} // namespace sx::codegen
