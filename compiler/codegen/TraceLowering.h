// The last thing done to a module before instruction selection: trace calls get their final form.
//
// What succeeds must not pay for traces, not even in a prologue. An ordinary call in a cold block makes its
// function align the stack and give up the red zone, on every way through it. So in optimised code a trace call
// becomes an inline assembly statement, which the code generator does not take for a call: the text itself
// steps over the red zone, aligns the stack where that is needed, keeps every register and calls the runtime; or it
// records a hop itself.
//
// Without traces the same statement stands there with no text. Everything before and after sees the same
// code in both modes, so the instructions outside of these statements are the same by construction. Trace frames,
// which nothing mentions any more then, are deleted.
#pragma once

#include "llvm/IR/Module.h"

namespace sx::codegen {

/// What trace calls become.
enum class TraceForm : uint8_t {
    Calls,       ///< themselves, so that unoptimised code, where every function has a frame, is compiled fast
    Statements,  ///< inline assembly that calls
    HopsInPlace, ///< the same, but a hop is recorded without a call where it can be (sx/trace_in_place.h)
};

void lowerTraces(llvm::Module&, bool recordTraces, TraceForm);

} // namespace sx::codegen
