// Watched memory, by single steps: the hardware of virtual machines often does not answer.
//
// Calls of code that the program does not know are run through, and what they have written is seen when they return.
#include "debugger/native/engine/NativeEngine.h"

namespace sx::debugger::native {

Result<void> NativeEngine::setWatch(uint32_t id, uint64_t address, uint64_t size) {
    Watch watch;
    watch.id = id;
    watch.address = address;
    watch.size = size;
    return addWatch(std::move(watch));
}

Result<void> NativeEngine::setWatchSlot(uint32_t id, ThreadId thread, uint32_t frame, ir::SlotId slotId) {
    SlotPlace place = slot(thread, frame, slotId);
    Result<SystemThread> system = systemThread(thread);
    const StackFrame* f = system ? stack_.shown(*system, frame) : nullptr;
    if (!f || place.kind != SlotPlace::Kind::Memory) return Failure{"the variable is not in memory"};
    Watch watch;
    watch.id = id;
    watch.address = place.address;
    watch.size = program_.module.fn(f->frame.func).slots[static_cast<uint32_t>(slotId)].size;
    watch.frameCfa = f->cfa;
    watch.thread = *system;
    return addWatch(std::move(watch));
}

Result<void> NativeEngine::addWatch(Watch watch) {
    if (state_ != State::Stopped && state_ != State::Loaded) return Failure{"the program is not stopped"};
    removeWatch(watch.id);
    if (watch.thread == 0 && !threadIds_.empty()) watch.thread = threadIds_.begin()->first;
    watch.bytes.resize(watch.size);
    if (memory_.read(watch.address, watch.bytes) != watch.size) return Failure{"this memory cannot be read"};
    if (watches_.empty()) {
        Event note;
        note.kind = Event::Kind::Note;
        note.text = "watching by single steps";
        post(std::move(note));
    }
    watches_.push_back(std::move(watch));
    return {};
}

void NativeEngine::removeWatch(uint32_t id) {
    std::erase_if(watches_, [&](const Watch& w) { return w.id == id; });
}

/// After one instruction, or after code that was run through.
std::optional<Stop> NativeEngine::stepWatched(const ThreadStop& stop) {
    if (watchReturn_ != 0 && stop.pc != watchReturn_) return std::nullopt;
    bool wasInProgram = watchInProgram_ || watchReturn_ != 0;
    watchReturn_ = 0;
    watchInProgram_ = !image_.copiesAt(toFile(stop.pc)).empty();
    uint64_t sp = target_->readRegister(stop.thread, 0, "rsp").value_or(0);
    for (const Watch& watch : watches_) {
        if (watch.frameCfa == 0 || watch.thread != stop.thread || sp < watch.frameCfa) continue;
        Event ended;
        ended.kind = Event::Kind::WatchEnded;
        ended.id = watch.id;
        post(std::move(ended));
    }
    std::erase_if(watches_, [&](const Watch& watch) {
        return watch.frameCfa != 0 && watch.thread == stop.thread && sp >= watch.frameCfa;
    });
    for (Watch& watch : watches_) {
        std::vector<uint8_t> now(watch.size);
        if (memory_.read(watch.address, now) != now.size() || now == watch.bytes) continue;
        Stop made = makeStop(Stop::Reason::Watch, stop.thread);
        made.breakpoints = {watch.id};
        made.address = watch.address;
        made.before = std::exchange(watch.bytes, now);
        made.after = std::move(now);
        return made;
    }
    // A call has just been made to code that the program does not know.
    if (!watchInProgram_ && wasInProgram) watchReturn_ = memory_.word(sp).value_or(0);
    return std::nullopt;
}

} // namespace sx::debugger::native
