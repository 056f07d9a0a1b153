// Calls of C functions in the program, for the debug console.
#pragma once

#include "debugger/engine/Engine.h"

namespace sx::debugger::native {

struct Native;

class NativeCaller final : public Caller {
public:
    explicit NativeCaller(Native& n) : n_(n) {}
    Result<CValue> call(ThreadId, const ir::Function&, uint64_t address, llvm::ArrayRef<CValue> args,
                        const CallLimits&) override;
    bool isInFiber(ThreadId) override;

private:
    Native& n_;
};

/// A block of zeros from the program's `calloc`; 0: there is none.
uint64_t allocateBlock(Native&, uint64_t bytes);
/// Lets the program, which stands still, ignore that nobody reads its output, unless it expects that signal.
void outliveReader(Native&);

} // namespace sx::debugger::native
