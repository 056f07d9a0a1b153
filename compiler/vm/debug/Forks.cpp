#include "vm/debug/Forks.h"

#include "vm/debug/Signals.h"

#include <pthread.h>

namespace sx::vm {

namespace {

Debugger* debuggerOfForks = nullptr;
std::function<void()>* alsoInCopy = nullptr;

/// Only the thread that has called `fork` is in the copy. What others held there is held for ever: the debugger's
/// locks.
void leaveCopy() {
    Debugger& d = *debuggerOfForks;
    d.isCopy = true;
    d.attention = 0;
    d.errorKinds = 0;
    d.watching = 0;
    d.writer = nullptr;
    keepSignalsNoMore();
    (*alsoInCopy)();
}

} // namespace

void leaveCopies(Debugger& debugger, std::function<void()> inCopy) {
    debuggerOfForks = &debugger;
    alsoInCopy = new std::function(std::move(inCopy));
    pthread_atfork(nullptr, nullptr, &leaveCopy);
}

} // namespace sx::vm
