// The machine that code is made for: x86-64 Linux.
#pragma once

#include "codegen/Codegen.h"

#include "llvm/Target/TargetMachine.h"

namespace sx::codegen {

enum class CodeUse : uint8_t {
    Executable, ///< a file to be linked at fixed addresses
    InProcess,  ///< to be loaded anywhere in this process
};

/// Fails for an unknown CPU.
Result<std::unique_ptr<llvm::TargetMachine>> createMachine(const Options&, CodeUse);

/// Has to be called before anything of LLVM but its support library and its containers is used; every entry to this
/// folder does. Runs the constructors that compiler/driver/layout/layout.ld has set aside. The first call does it,
/// others wait for it. In executables that are linked without the script it does nothing.
void startLlvm();

} // namespace sx::codegen
