// Variables that the interpreter has in registers, as memory of the program: an expression may write them by their
// addresses, and a narrow value that was written so has to get the form that instructions expect.
#pragma once

#include "debugger/program/Program.h"
#include "vm/debug/Debugger.h"

namespace sx::debugger {

/// Parameters have gone to where variables are: before, what lies there is of other calls.
bool hasVariables(const vm::DebugFrame&);
/// Gives a variable that is in a register its canonical form (vm/code/Scalar.h), whatever its bytes are.
void settleRegister(const Program&, const vm::DebugFrame&, ir::SlotId);
/// After a write at `address`: those that lie there.
void settleRegistersAt(const Program&, const vm::Debugger&, uint64_t address, uint64_t size);
/// After code has run that may have written to any variable whose address the console has: those of the thread's
/// innermost frames.
void settleRegistersOf(const Program&, const vm::Debugger&, vm::DebugThreadId);
/// The frame in which an address of a variable lies; nullopt: it is none of a frame near the top of its stack.
std::optional<vm::DebugFrame> frameWith(const Program&, const vm::Debugger&, uint64_t address);

} // namespace sx::debugger
