#include "vm/Fibers.h"

#include "vm/DebugHooks.h"
#include "vm/Foreign.h"
#include "vm/History.h"
#include "vm/Thread.h"

#include "debug_fiber.h"
#include "fiber.h"

#include <algorithm>
#include <utility>

namespace sx::vm {

namespace {

constexpr uint64_t HostStackBytes = uint64_t{1} << 20; ///< of C: the dispatch loop and the translation need it
constexpr uint64_t FrameBytes = uint64_t{1} << 20;     ///< of interpreted frames, and as much of large slots

bool& inFiber() {
    static thread_local bool is = false;
    return is;
}

/// Code in a fiber that has just begun finds no Thread, and gets one of its own as if C had started an OS thread
/// (Foreign::enter). From then on each side takes its own up again when it goes on.
class Side {
public:
    Side() : thread_(Thread::current()), inFiber_(inFiber()) {}
    ~Side() {
        Thread::current() = thread_;
        inFiber() = inFiber_;
    }
    Side(const Side&) = delete;

private:
    Thread* thread_;
    bool inFiber_;
};

sx_fiber* createFiber(void (*entry)(void*), void* argument, size_t stackBytes) {
    return sx_fiber_create(entry, argument, std::max<size_t>(stackBytes, HostStackBytes));
}

/// That of this thread while a fiber runs.
Thread*& outermost() {
    static thread_local Thread* thread = nullptr;
    return thread;
}

bool resumeFiber(sx_fiber* fiber) {
    Side here;
    if (!inFiber()) outermost() = Thread::current();
    Thread::current() = nullptr;
    inFiber() = true;
    return sx_fiber_resume(fiber);
}

void pauseFiber() {
    Side here;
    sx_fiber_pause();
}

/// One that is given up in its midst never leaves the interpreter, which is told.
void releaseFiber(sx_fiber* fiber) {
    Thread* here = Thread::current();
    const auto* record = static_cast<const sx_debug_fiber*>(sx_fiber_record(fiber));
    if (DebugHooks* debugger = here ? here->program.options.debugger : nullptr;
        debugger && record->state != SX_DEBUG_DONE)
        debugger->onFiber(DebugHooks::FiberEvent::Lost, nullptr, record->id);
    if (here) here->program.foreign.giveUpFiber(record->id);
    sx_fiber_release(fiber);
}

} // namespace

bool isInFiber() { return inFiber(); }

Thread& leaveFibers(Thread& inner) {
    if (!std::exchange(inFiber(), false)) return inner;
    return *(Thread::current() = outermost());
}

uint64_t stackBytesHere(const ProgramOptions& options) {
    return isInFiber() ? fiberStackBytes(options) : options.stackBytes;
}

uint64_t fiberStackBytes(const ProgramOptions& options) { return std::min(options.stackBytes, FrameBytes); }

void Foreign::onFiberBegin(uint32_t fiber, Thread& t) {
    if (fiber == 0) return;
    std::scoped_lock lock(fiberMutex_);
    fiberThreads_[fiber] = &t;
}

void Foreign::onFiberEnd(uint32_t fiber) {
    if (fiber == 0) return;
    std::scoped_lock lock(fiberMutex_);
    fiberThreads_.erase(fiber);
}

void Foreign::giveUpFiber(uint32_t fiber) {
    Thread* left = nullptr;
    {
        std::scoped_lock lock(fiberMutex_);
        auto it = fiberThreads_.find(fiber);
        if (it == fiberThreads_.end()) return;
        left = it->second;
        fiberThreads_.erase(it);
    }
    // It lies on the fiber's stack, which nobody will leave.
    left->~Thread();
    --program_.foreignThreads;
    if (Recording* recording = program_.options.recording) {
        --recording->strangers;
        recording->isDisturbed = true;
    }
}

void defineFibers(Foreign& foreign) {
    foreign.define("sx_fiber_create", reinterpret_cast<void*>(&createFiber));
    foreign.define("sx_fiber_resume", reinterpret_cast<void*>(&resumeFiber));
    foreign.define("sx_fiber_pause", reinterpret_cast<void*>(&pauseFiber));
    foreign.define("sx_fiber_release", reinterpret_cast<void*>(&releaseFiber));
}

} // namespace sx::vm
