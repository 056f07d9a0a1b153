// Threads of a program that end by `pthread_exit`, and the process, which ends with the last one.
#pragma once

#include "vm/Thread.h"

namespace sx::vm {

/// The start routine and its argument, among the arguments of `pthread_create` or `thrd_create`, become ones that count
/// the thread in Program::threads as long as it runs. False: the interpreter gets no memory for it, nothing was done.
bool countThread(Program&, uint64_t* start);
/// … which was not begun.
void forgetThread(uint64_t* start);

/// `pthread_exit` in `t`, or in a fiber of it. What is between here and where the thread began is not run any more. The
/// program's first thread waits for the others, then the process ends with status 0.
[[noreturn]] void endThread(Thread& t, uint64_t result);

} // namespace sx::vm
