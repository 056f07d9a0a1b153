// The rules for a single instruction: operands, types and numbers. Private to the verifier.
#pragma once

#include "ir/Ir.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"

namespace sx::ir {

/// Reports what is wrong with `v`, whose operands and targets are in range.
void checkInstr(const Module&, const Function&, ValueId v, llvm::function_ref<void(const llvm::Twine&)> report);

} // namespace sx::ir
