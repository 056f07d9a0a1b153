#include "vm/ForeignFibers.h"

#include "vm/History.h"

#include "llvm/ADT/StringSwitch.h"

namespace sx::vm {

FiberCall fiberCallOf(const std::string& symbol) {
    return llvm::StringSwitch<FiberCall>(symbol)
        .Case("sx_fiber_create", FiberCall::Create)
        .Case("sx_fiber_resume", FiberCall::Resume)
        .Case("sx_fiber_pause", FiberCall::Pause)
        .Case("sx_fiber_release", FiberCall::Release)
        .Cases("sx_fiber_ready", "sx_fiber_set_name", "sx_fiber_record", FiberCall::Note)
        .Cases("sx_debug_fiber_wait", "sx_debug_fiber_go", FiberCall::NoteOwn)
        .Case("sx_debug_fiber_next", FiberCall::Next)
        .Case("sx_debug_number", FiberCall::Number)
        .Default(FiberCall::None);
}

std::optional<bool> callOfFibers(Thread& t, FiberCall call, const std::string& name, bool hasResult,
                                 const uint64_t* args, uint64_t& result, llvm::function_ref<bool()> make) {
    History& history = *t.history;
    RecordedFibers& fibers = history.fibers;
    auto refused = [&](const char* why) {
        t.fail(name + " cannot be called " + why);
        return false;
    };
    const bool isOfFiber = call == FiberCall::Resume || call == FiberCall::Release || call == FiberCall::Note;
    if (isOfFiber && !fibers.has(args[0])) return std::nullopt;
    const bool isSwitch = call == FiberCall::Resume || call == FiberCall::Pause;
    if (call == FiberCall::Pause && t.home == &t) return std::nullopt;
    if (isSwitch && history.isSuspended()) {
        t.fail("a call of the debugger cannot switch fibers while the program keeps its history");
        return false;
    }
    switch (call) {
    case FiberCall::None: return std::nullopt;
    case FiberCall::Create: {
        ir::FuncId entry = t.program.functionAt(args[0]);
        if (entry == ir::FuncId::None || history.isSuspended()) return std::nullopt;
        fibers.tidy(t);
        if (fibers.areTooMany()) history.breakAt("what there is room for of fibers that have ended");
        result = fibers.create(t, t.program.callees.at(entry), args[1]);
        return true;
    }
    case FiberCall::Resume: fibers.resume(t, args[0], name, hasResult); return false;
    case FiberCall::Pause:
        if (t.home->bottom == &t) return refused("by what C calls in a fiber while the program keeps its history");
        fibers.pause(t, name);
        return false;
    case FiberCall::Release: fibers.release(t, args[0]); return true;
    case FiberCall::Next: return make();
    case FiberCall::Number: result = fibers.number(); return true;
    case FiberCall::Note: {
        RecordedFibers::Quiet quiet(RecordedFibers::runsAgain(t));
        fibers.keepRecord(args[0]);
        return make();
    }
    case FiberCall::NoteOwn: fibers.keepOwnRecord(); return make();
    }
    return std::nullopt;
}

} // namespace sx::vm
