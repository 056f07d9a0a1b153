#include "vm/ThreadEnds.h"

#include "vm/DebugHooks.h"
#include "vm/Fibers.h"
#include "vm/History.h"
#include "vm/memory/Stacks.h"
#include "vm/replay/Tape.h"

#include <cstdlib>

namespace sx::vm {

namespace {

struct CountedBeginning {
    std::atomic<unsigned>& threads;
    uint64_t start, argument;
    std::unique_ptr<Stacks> stacks; ///< for the interpreter in the new thread
};

/// A C function may end the thread by unwinding.
struct Counted {
    std::atomic<unsigned>& threads;
    ~Counted() {
        --threads;
        threads.notify_all();
    }
};

void* runCounted(void* beginning) {
    std::unique_ptr<CountedBeginning> b(static_cast<CountedBeginning*>(beginning));
    Counted counted{b->threads};
    Stacks::ofNewThread() = std::move(b->stacks);
    return reinterpret_cast<void* (*)(void*)>(b->start)(reinterpret_cast<void*>(b->argument));
}

[[noreturn]] void endFirst(Thread& t) {
    static const std::string Name = "the C function `pthread_exit`";
    std::atomic<unsigned>& threads = t.program.threads;
    t.foreign = &Name;
    if (DebugHooks* debugger = t.program.options.debugger) debugger->onForeignCall(t);
    if (Tape* tape = t.program.options.tape; tape && tape->turns.areMany()) tape->turns.end();
    for (unsigned left; (left = threads.load()) != 0;) threads.wait(left);
    std::exit(0);
}

} // namespace

bool countThread(Program& program, uint64_t* start) {
    const ProgramOptions& options = program.options;
    std::unique_ptr<Stacks> stacks =
        Stacks::make(options.stackBytes, !options.comptime, [&](uint64_t bytes) { return program.placeFor(bytes); });
    if (!stacks) return false;
    ++program.threads;
    auto* beginning = new CountedBeginning{program.threads, start[0], start[1], std::move(stacks)};
    start[0] = reinterpret_cast<uint64_t>(&runCounted);
    start[1] = reinterpret_cast<uint64_t>(beginning);
    return true;
}

void forgetThread(uint64_t* start) {
    std::unique_ptr<CountedBeginning> b(reinterpret_cast<CountedBeginning*>(start[1]));
    --b->threads;
}

/// C would unwind its stack through the interpreter, which it cannot. What there is of C in between is left as it is.
void endThread(Thread& inner, uint64_t result) {
    Thread& t = *leaveFibers(inner).home;
    t.leftWith = result;
    if (t.history && t.history->order.has(t)) t.history->leaveForGood(t);
    if (!t.leave) endFirst(t);
    Thread::current() = nullptr;
    siglongjmp(*t.leave, 1);
}

} // namespace sx::vm
