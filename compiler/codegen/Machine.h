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

} // namespace sx::codegen
