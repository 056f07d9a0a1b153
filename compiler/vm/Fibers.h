// Fibers of interpreted programs: what the interpreter keeps for each thread, and the fibers of a thread must not
// share.
#pragma once

#include "vm/Program.h"

namespace sx::vm {

class Thread;

/// How large the stacks are of a Thread for code that C calls where there is none yet: those of a fiber are small.
uint64_t stackBytesHere(const ProgramOptions&);

/// … and of a fiber's.
uint64_t fiberStackBytes(const ProgramOptions&);

/// Whether this thread is in a fiber.
bool isInFiber();

/// The Thread of the system's thread that runs, whose fibers will not run again: execution is to go on in it. `inner`
/// is the one that runs now.
Thread& leaveFibers(Thread& inner);

/// Gives interpreted code the functions of fiber.h.
void defineFibers(Foreign&);

} // namespace sx::vm
