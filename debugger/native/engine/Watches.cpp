// Watched memory, by single steps: the hardware of virtual machines often does not answer.
//
// Calls of code that the program does not know are run through, and what they have written is seen when they return.
#include "debugger/native/engine/Watches.h"

#include "debugger/native/engine/Events.h"
#include "debugger/native/engine/NativeEngine.h"

namespace sx::debugger::native {

static Result<void> addWatch(Native& n, Watch watch);

Result<void> NativeEngine::setWatch(uint32_t id, uint64_t address, uint64_t size) {
    Watch watch;
    watch.id = id;
    watch.address = address;
    watch.size = size;
    return addWatch(n_, std::move(watch));
}

Result<void> NativeEngine::setWatchSlot(uint32_t id, ThreadId thread, uint32_t frame, ir::SlotId slotId) {
    SlotPlace place = slot(thread, frame, slotId);
    Result<SystemThread> system = systemThread(n_, thread);
    const StackFrame* f = system ? n_.stack.shown(*system, frame) : nullptr;
    if (!f || place.kind != SlotPlace::Kind::Memory) return Failure{"the variable is not in memory"};
    Watch watch;
    watch.id = id;
    watch.address = place.address;
    watch.size = n_.program.module.fn(f->frame.func).slots[static_cast<uint32_t>(slotId)].size;
    watch.frameCfa = f->cfa;
    watch.thread = *system;
    if (const FiberRecord* fiber = fiberOfThread(n_, thread)) {
        watch.stackLow = fiber->low;
        watch.stackHigh = fiber->high;
    }
    return addWatch(n_, std::move(watch));
}

static Result<void> addWatch(Native& n, Watch watch) {
    if (n.state != RunState::Stopped && n.state != RunState::Loaded) return Failure{"the program is not stopped"};
    std::erase_if(n.watches, [&](const Watch& w) { return w.id == watch.id; });
    if (watch.thread == 0 && !n.threadIds.empty()) watch.thread = n.threadIds.begin()->first;
    watch.bytes.resize(watch.size);
    if (n.memory.read(watch.address, watch.bytes) != watch.size) return Failure{"this memory cannot be read"};
    if (n.watches.empty()) {
        Event note;
        note.kind = Event::Kind::Note;
        note.text = "watching by single steps";
        post(n, std::move(note));
    }
    n.watches.push_back(std::move(watch));
    return {};
}

void NativeEngine::removeWatch(uint32_t id) {
    std::erase_if(n_.watches, [&](const Watch& w) { return w.id == id; });
}

/// After one instruction, or after code that was run through.
std::optional<Stop> stepWatched(Native& n, const ThreadStop& stop) {
    if (n.watchReturn != 0 && stop.pc != n.watchReturn) return std::nullopt;
    bool wasInProgram = n.watchInProgram || n.watchReturn != 0;
    n.watchReturn = 0;
    n.watchInProgram = !n.image.copiesAt(n.toFile(stop.pc)).empty();
    uint64_t sp = n.target->readRegister(stop.thread, 0, "rsp").value_or(0);
    auto hasEnded = [&](const Watch& w) {
        bool isThere = w.thread == stop.thread && w.stackLow <= sp && sp < w.stackHigh;
        return w.frameCfa != 0 && isThere && sp >= w.frameCfa;
    };
    for (const Watch& watch : n.watches) {
        if (!hasEnded(watch)) continue;
        Event ended;
        ended.kind = Event::Kind::WatchEnded;
        ended.id = watch.id;
        post(n, std::move(ended));
    }
    std::erase_if(n.watches, hasEnded);
    for (Watch& watch : n.watches) {
        std::vector<uint8_t> now(watch.size);
        if (n.memory.read(watch.address, now) != now.size() || now == watch.bytes) continue;
        Stop made = makeStop(n, Stop::Reason::Watch, stop.thread);
        made.breakpoints = {watch.id};
        made.address = watch.address;
        made.before = std::exchange(watch.bytes, now);
        made.after = std::move(now);
        return made;
    }
    // A call has just been made to code that the program does not know.
    if (!n.watchInProgram && wasInProgram) n.watchReturn = n.memory.word(sp).value_or(0);
    return std::nullopt;
}

} // namespace sx::debugger::native
