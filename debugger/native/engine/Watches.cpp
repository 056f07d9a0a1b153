// Watched memory: by the hardware, or, as that of virtual machines often does not answer, by single steps.
//
// By single steps, calls of code that the program does not know are run through, and what they have written is seen
// when they return.
#include "debugger/native/engine/Watches.h"

#include "debugger/native/engine/Events.h"
#include "debugger/native/engine/HardwareWatch.h"
#include "debugger/native/engine/NativeEngine.h"

#include <algorithm>

namespace sx::debugger::native {

static Result<void> addWatch(Native& n, Watch watch);

/// The watch ends with a frame of a thread, which `fiber` runs on; null: none does.
static void endWith(Native& n, Watch& watch, const StackFrame& frame, SystemThread thread, const FiberRecord* fiber) {
    watch.frameCfa = frame.cfa;
    watch.thread = thread;
    for (uint32_t i = frame.number + 1; const StackFrame* caller = n.stack.frame(thread, i); ++i) {
        if (caller->cfa == watch.frameCfa) continue; // inlined
        watch.returnTo = caller->frame.pc;
        break;
    }
    if (fiber) {
        watch.stackLow = fiber->low;
        watch.stackHigh = fiber->high;
    }
}

/// Memory on a stack is a part of a variable of the frame that it lies in.
static void endWithFrameAround(Native& n, Watch& watch, ThreadId id) {
    constexpr uint32_t MostFrames = 10'000;
    constexpr uint64_t RedZone = 128; // below the stack pointer a function that calls nobody may have variables
    Result<SystemThread> thread = systemThread(n, id);
    if (!thread) return;
    uint64_t sp = n.target->readRegister(*thread, 0, "rsp").value_or(0);
    if (sp == 0 || watch.address < sp - RedZone) return;
    for (uint32_t i = 0; i < MostFrames; ++i) {
        const StackFrame* f = n.stack.frame(*thread, i);
        if (!f) return;
        if (watch.address < f->cfa) return endWith(n, watch, StackFrame(*f), *thread, fiberOfThread(n, id));
    }
}

Result<void> NativeEngine::setWatch(uint32_t id, uint64_t address, uint64_t size) {
    Watch watch;
    watch.id = id;
    watch.address = address;
    watch.size = size;
    if (n_.isCore || n_.state != RunState::Stopped) return addWatch(n_, std::move(watch));
    if (uint32_t fiber = fiberAt(n_, address)) {
        endWithFrameAround(n_, watch, n_.fibers.ids.of(fiber));
    } else {
        std::vector<ThreadId> threads;
        for (auto& [thread, number] : n_.threadIds) threads.push_back(number);
        for (ThreadId thread : threads)
            if (watch.frameCfa == 0) endWithFrameAround(n_, watch, thread);
    }
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
    endWith(n_, watch, StackFrame(*f), *system, fiberOfThread(n_, thread));
    return addWatch(n_, std::move(watch));
}

static void dropPieces(Native& n, const Watch& watch) {
    for (uint64_t piece : watch.pieces) n.target->removeWatchpoint(piece);
}

/// The watch is over: so the user is told, and its registers are free.
static void tellEnded(Native& n, const Watch& watch) {
    dropPieces(n, watch);
    Event ended;
    ended.kind = Event::Kind::WatchEnded;
    ended.id = watch.id;
    post(n, std::move(ended));
}

/// The registers of the hardware are four, and each watches 1, 2, 4 or 8 bytes at a multiple of their number.
static Result<void> watchByHardware(Native& n, Watch& watch) {
    constexpr size_t Most = 4;
    size_t taken = 0;
    for (const Watch& other : n.watches) taken += other.pieces.size();
    std::vector<AddressPiece> pieces = alignedPieces(watch.address, watch.size);
    if (taken + pieces.size() > Most)
        return Failure{
            "the hardware watches four places at once, of up to 8 bytes each: remove another data breakpoint"};
    for (const AddressPiece& piece : pieces) {
        if (std::string problem = n.target->addWatchpoint(piece.address, piece.size); !problem.empty()) {
            dropPieces(n, watch);
            return Failure{problem};
        }
        watch.pieces.push_back(piece.address);
    }
    return {};
}

static Result<void> addWatch(Native& n, Watch watch) {
    if (n.isCore) return Failure{"a core file does not run"};
    if (n.state != RunState::Stopped && n.state != RunState::Loaded) return Failure{"the program is not stopped"};
    for (const Watch& w : n.watches)
        if (w.id == watch.id) dropPieces(n, w);
    std::erase_if(n.watches, [&](const Watch& w) { return w.id == watch.id; });
    if (watch.thread == 0 && !n.threadIds.empty()) watch.thread = n.threadIds.begin()->first;
    watch.bytes.resize(watch.size);
    if (n.memory.read(watch.address, watch.bytes) != watch.size) return Failure{"this memory cannot be read"};
    if (n.watches.empty()) {
        n.watchesByHardware = hardwareWatches();
        Event note;
        note.kind = Event::Kind::Note;
        note.text = "watching by single steps";
        if (!n.watchesByHardware) post(n, std::move(note));
    }
    if (!n.watchesByHardware) watch.returnTo = 0;
    else if (Result<void> set = watchByHardware(n, watch); !set) return set;
    n.watches.push_back(std::move(watch));
    return {};
}

void NativeEngine::removeWatch(uint32_t id) {
    for (const Watch& w : n_.watches)
        if (w.id == id) dropPieces(n_, w);
    std::erase_if(n_.watches, [&](const Watch& w) { return w.id == id; });
}

std::optional<Stop> writtenWatch(Native& n, const ThreadStop& stop) {
    std::optional<Stop> made;
    for (Watch& watch : n.watches) {
        std::vector<uint8_t> now(watch.size);
        if (n.memory.read(watch.address, now) != now.size() || now == watch.bytes) continue;
        if (!made) {
            made = makeStop(n, Stop::Reason::Watch, stop.thread);
            made->address = watch.address;
            made->before = watch.bytes;
            made->after = now;
        }
        made->breakpoints.push_back(watch.id);
        watch.bytes = std::move(now);
    }
    return made;
}

/// The thread has left the frame of a watched variable.
static void endWatches(Native& n, const ThreadStop& stop) {
    uint64_t sp = n.target->readRegister(stop.thread, 0, "rsp").value_or(0);
    auto hasEnded = [&](const Watch& w) {
        bool isThere = w.thread == stop.thread && w.stackLow <= sp && sp < w.stackHigh;
        return w.frameCfa != 0 && isThere && sp >= w.frameCfa;
    };
    for (const Watch& watch : n.watches)
        if (hasEnded(watch)) tellEnded(n, watch);
    std::erase_if(n.watches, hasEnded);
}

void endWatchesAt(Native& n, const ThreadStop& stop) {
    bool isReturn = std::any_of(n.watches.begin(), n.watches.end(),
                                [&](const Watch& w) { return w.returnTo != 0 && w.returnTo == stop.pc; });
    if (isReturn) endWatches(n, stop);
}

std::optional<Stop> stepWatched(Native& n, const ThreadStop& stop) {
    if (n.watchReturn != 0 && stop.pc != n.watchReturn) return std::nullopt;
    bool wasInProgram = n.watchInProgram || n.watchReturn != 0;
    n.watchReturn = 0;
    n.watchInProgram = !n.image.copiesAt(n.toFile(stop.pc)).empty();
    endWatches(n, stop);
    if (std::optional<Stop> written = writtenWatch(n, stop)) return written;
    // A call has just been made to code that the program does not know.
    uint64_t sp = n.target->readRegister(stop.thread, 0, "rsp").value_or(0);
    if (!n.watchInProgram && wasInProgram) n.watchReturn = n.memory.word(sp).value_or(0);
    return std::nullopt;
}

} // namespace sx::debugger::native
