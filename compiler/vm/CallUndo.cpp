#include "vm/CallUndo.h"

#include "vm/Foreign.h"
#include "vm/Thread.h"

#include "debug_fiber.h"
#include "fiber.h"

#include "llvm/ADT/StringSwitch.h"

#include <cstddef>

namespace sx::vm {

CallUndo::CallUndo(Thread& t) : thread_(t) {
    begin();
    t.undo = this;
}

CallUndo::~CallUndo() { thread_.undo = nullptr; }

void CallUndo::begin() {
    log_.clear();
    log_.forgetLoss();
    log_.keep<uint64_t>(reinterpret_cast<uint64_t>(&first_));
    start_ = log_.mark();
}

void CallUndo::settle() {
    hasCalled_ = true;
    if (log_.mark().at != start_.at) begin();
}

/// A state that C is about to change, and nothing else of the program's with it. The list's own fields are not put
/// back: others are linked with them.
void CallUndo::keepRecordOf(uint64_t fiber) {
    constexpr size_t Links = offsetof(sx_debug_fiber, state);
    const void* record = sx_fiber_record(reinterpret_cast<const sx_fiber*>(fiber));
    log_.keep(reinterpret_cast<uint64_t>(record) + Links, sizeof(sx_debug_fiber) - Links);
}

/// The thread is to wait for others, or to have them run, which its call may not.
bool CallUndo::refuse(Thread& t, const char* why) {
    isRefused_ = true;
    t.fail(why);
    return false;
}

void CallUndo::finish(Thread& t) {
    t.undo = nullptr;
    for (auto [site, block] : std::exchange(heldFrees_, {})) {
        uint64_t nothing = 0;
        *t.top = block;
        if (!t.program.foreign.call(t, site, t.top, nothing)) return;
    }
}

void CallUndo::fail() {
    const bool isWhole = log_.lostBytes() == 0 && log_.reaches(start_);
    if (isWhole && (isRefused_ || !hasCalled_)) log_.undo(start_);
}

MemoryCall memoryCallOf(const std::string& symbol) {
    return llvm::StringSwitch<MemoryCall>(symbol)
        .Case("free", MemoryCall::Frees)
        .Cases("malloc", "calloc", MemoryCall::Takes)
        .Cases("memcmp", "strlen", MemoryCall::Reads)
        .Cases("memcpy", "memmove", "memset", MemoryCall::Writes)
        .Default(MemoryCall::None);
}

std::optional<bool> CallUndo::inPlaceOf(Thread& t, FiberCall fiber, MemoryCall memory, const std::string& name,
                                        uint32_t site, const uint64_t* args) {
    const bool isInFiber = sx_fiber_number() != 0 || t.home != &t;
    switch (fiber) {
    case FiberCall::Pause: // the fiber would stay behind in its midst while others go on
        if (!isInFiber) return std::nullopt;
        return refuse(t, "a call of the debugger cannot wait for other fibers");
    case FiberCall::Resume:
        if (!t.history) return refuse(t, "a call of the debugger cannot have other fibers run");
        return refuse(t, "a call of the debugger cannot switch fibers while the program keeps its history");
    case FiberCall::NoteOwn: return true; // a wait that will not be
    case FiberCall::Note: keepRecordOf(args[0]); return std::nullopt;
    default: break;
    }
    if (memory == MemoryCall::Writes) { // where that cannot be, it is the function that crashes
        const std::string* before = std::exchange(t.foreign, &name);
        log_.keep(args[0], args[2]);
        t.foreign = before;
    }
    if (memory != MemoryCall::Frees) return std::nullopt;
    heldFrees_.emplace_back(site, args[0]);
    return true;
}

} // namespace sx::vm
