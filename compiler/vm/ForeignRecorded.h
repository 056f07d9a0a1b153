// What is kept of a call of C in a program with a history.
#pragma once

#include "vm/time/CallResult.h"
#include "vm/time/KnownCalls.h"

namespace sx::vm {

class Thread;

/// What the call has given, `errno`, and the memory that it has written.
CallResult resultOfCall(const KnownCall&, const uint64_t* args, uint64_t value);
/// What it may write is kept for going back.
void keepBeforeCall(Thread&, const KnownCall&, const uint64_t* args);

} // namespace sx::vm
