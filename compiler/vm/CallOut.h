// What the dispatch loop leaves to ordinary functions: failures, first calls, calls that need conversion.
#pragma once

#include "vm/Thread.h"

namespace sx::vm {

/// Ends the evaluation with the text of the panic; outside compile time prints it with the trace and aborts.
void reportPanic(Thread&, ir::PanicKind, const uint64_t operands[3]);
/// In the place of `sx_panic_message` where it is the program that calls it: the debugger is told.
uint64_t panicOfProgram(Thread&, const uint64_t* args);
void reportAccess(Thread&, uint64_t address, Access);
/// Outside compile time the process ends as a compiled program's would.
void reportStackOverflow(Thread&);

/// Makes the code of a function that is being called for the first time; its frame with the arguments is `frame`.
bool translateOnCall(Thread&, Callee&, uint64_t* frame);

/// An indirect call to a function of another signature, or to a foreign address. False: the thread has stopped.
bool callOtherwise(Thread&, uint64_t target, uint32_t site, uint64_t* args, uint64_t& result);

/// The distance in a SwitchSparse table.
int64_t switchDistance(const Insn* table, int64_t value);

uint64_t atomicLoad(uint64_t address, unsigned widthLog);
void atomicStore(uint64_t address, uint64_t value, unsigned widthLog);
uint64_t atomicModify(ir::AtomicOp, uint64_t address, uint64_t operand, unsigned widthLog, bool isSigned);
uint64_t atomicCompareExchange(uint64_t address, uint64_t expected, uint64_t desired, unsigned widthLog);

} // namespace sx::vm
