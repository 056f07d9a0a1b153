// Watched memory: by the hardware, or, as that of virtual machines often does not answer, by single steps
// (WatchTurns.h).
#include "debugger/native/engine/Watches.h"

#include "debugger/native/engine/Events.h"
#include "debugger/native/engine/HardwareWatch.h"
#include "debugger/native/engine/NativeEngine.h"
#include "debugger/native/engine/Running.h"
#include "debugger/native/engine/WatchTurns.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <functional>

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

static Result<void> watchMemory(Native& n, Watch watch) {
    if (n.isCore || n.state != RunState::Stopped) return addWatch(n, std::move(watch));
    if (uint32_t fiber = fiberAt(n, watch.address)) {
        endWithFrameAround(n, watch, n.fibers.ids.of(fiber));
    } else {
        std::vector<ThreadId> threads;
        for (auto& [thread, number] : n.threadIds) threads.push_back(number);
        for (ThreadId thread : threads)
            if (watch.frameCfa == 0) endWithFrameAround(n, watch, thread);
    }
    return addWatch(n, std::move(watch));
}

Result<void> NativeEngine::setWatch(uint32_t id, uint64_t address, uint64_t size) {
    Watch watch;
    watch.id = id;
    watch.address = address;
    watch.size = size;
    Result<void> set;
    auto add = [&] { set = watchMemory(n_, watch); };
    if (Result<void> stood = whileStill(n_, add); !stood) return stood;
    return set;
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

/// What the registers of the hardware have to watch: pieces of 1, 2, 4 or 8 bytes, none within another.
static std::map<uint64_t, uint64_t> wantedPieces(Native& n) {
    std::map<uint64_t, uint64_t> wanted;
    for (const Watch& watch : n.watches)
        for (const AddressPiece& piece : alignedPieces(watch.address, watch.size))
            wanted[piece.address] = std::max(wanted[piece.address], piece.size);
    for (auto at = wanted.begin(); at != wanted.end();) {
        auto before = at == wanted.begin() ? at : std::prev(at);
        bool isWithin = before != at && at->first < before->first + before->second;
        at = isWithin ? wanted.erase(at) : std::next(at);
    }
    return wanted;
}

/// Gives lldb the difference between the pieces that are wanted and those that it has. Returns why not, or nothing.
static std::string syncPieces(Native& n, const std::map<uint64_t, uint64_t>& wanted) {
    for (auto [address, size] : n.pieces)
        if (auto at = wanted.find(address); at == wanted.end() || at->second != size)
            n.target->removeWatchpoint(address);
    std::erase_if(n.pieces, [&](auto& piece) {
        auto at = wanted.find(piece.first);
        return at == wanted.end() || at->second != piece.second;
    });
    for (auto [address, size] : wanted) {
        if (n.pieces.count(address) != 0) continue;
        if (std::string problem = n.target->addWatchpoint(address, size); !problem.empty()) return problem;
        n.pieces[address] = size;
    }
    return {};
}

static void dropWatches(Native& n, const std::function<bool(const Watch&)>& isOver) {
    std::erase_if(n.watches, isOver);
    if (n.watchesByHardware) syncPieces(n, wantedPieces(n));
}

static void tellEnded(Native& n, const Watch& watch) {
    Event ended;
    ended.kind = Event::Kind::WatchEnded;
    ended.id = watch.id;
    post(n, std::move(ended));
}

/// The registers of the hardware are four.
static Result<void> watchByHardware(Native& n, Watch watch) {
    constexpr size_t Most = 4;
    n.watches.push_back(std::move(watch));
    std::map<uint64_t, uint64_t> wanted = wantedPieces(n);
    bool isTooMuch = wanted.size() > Most;
    std::string problem = isTooMuch ? "" : syncPieces(n, wanted);
    if (!isTooMuch && problem.empty()) return {};
    n.watches.pop_back();
    syncPieces(n, wantedPieces(n));
    return Failure{
        isTooMuch ? "the hardware watches four places at once, of up to 8 bytes each: remove another data breakpoint"
                  : problem};
}

static Result<void> addWatch(Native& n, Watch watch) {
    if (n.isCore) return Failure{"a core file does not run"};
    if (n.state != RunState::Stopped && n.state != RunState::Loaded) return Failure{"the program is not stopped"};
    dropWatches(n, [&](const Watch& w) { return w.id == watch.id; });
    if (watch.thread == 0 && !n.threadIds.empty()) watch.thread = n.threadIds.begin()->first;
    watch.bytes.resize(watch.size);
    if (n.memory.read(watch.address, watch.bytes) != watch.size) return Failure{"this memory cannot be read"};
    if (n.watches.empty()) {
        n.watchesByHardware = hardwareWatches();
        Event note;
        note.kind = Event::Kind::Note;
        note.text = "watching by single steps";
        if (!n.watchesByHardware) post(n, std::move(note));
        beginTurns(n);
    }
    if (n.watchesByHardware) return watchByHardware(n, std::move(watch));
    watch.returnTo = 0;
    n.watches.push_back(std::move(watch));
    return {};
}

void NativeEngine::removeWatch(uint32_t id) {
    for (PendingWrite& p : n_.pendingWrites) std::erase(p.stop.breakpoints, id);
    std::erase_if(n_.pendingWrites, [](const PendingWrite& p) { return p.stop.breakpoints.empty(); });
    dropWatches(n_, [&](const Watch& w) { return w.id == id; });
}

/// A watch has changed: it is told by the stop, which is made for the first one.
static void addWritten(Native& n, std::optional<Stop>& made, Watch& watch, std::vector<uint8_t> now,
                       SystemThread thread) {
    if (!made) {
        made = makeStop(n, Stop::Reason::Watch, thread);
        made->address = watch.address;
        made->before = watch.bytes;
        made->after = now;
    }
    made->breakpoints.push_back(watch.id);
    watch.bytes = std::move(now);
}

std::optional<Stop> writtenWatch(Native& n, SystemThread thread) {
    std::optional<Stop> made;
    for (Watch& watch : n.watches) {
        std::vector<uint8_t> now(watch.size);
        if (n.memory.read(watch.address, now) != now.size() || now == watch.bytes) continue;
        addWritten(n, made, watch, std::move(now), thread);
    }
    return made;
}

// ---- what the hardware says

namespace {

/// A thread that has written a piece, and what.
struct Hit {
    SystemThread thread = 0;
    AddressPiece piece;
    std::vector<uint8_t> bytes;
    bool isKnown = false; ///< its instruction says what it has written; else it is what there is now
    bool isThere = false; ///< it is what there is now
};

/// What the instruction before a place has moved to memory; nothing: that is not to be seen any more.
std::vector<uint8_t> bytesMoved(Native& n, const ThreadStop& stop, uint64_t size) {
    constexpr uint64_t MostBytes = 4096;
    std::vector<uint32_t> copies = n.image.copiesAt(n.toFile(stop.pc - 1));
    if (copies.empty()) return {};
    uint64_t begin = n.toRun(n.image.copies()[copies.front()].entry);
    if (const StatementStart* start = n.image.startBefore(n.toFile(stop.pc - 1), copies.front()))
        begin = n.toRun(start->address);
    if (begin >= stop.pc || stop.pc - begin > MostBytes) return {};
    std::optional<uint64_t> word;
    for (const TargetInstruction& i : n.target->disassemble(begin, static_cast<uint32_t>(stop.pc - begin))) {
        if (i.address + i.bytes.size() != stop.pc) continue;
        llvm::StringRef mnemonic = i.mnemonic, from = llvm::StringRef(i.operands).split(',').first;
        bool isMove = mnemonic == "movb" || mnemonic == "movw" || mnemonic == "movl" || mnemonic == "movq";
        uint64_t width = mnemonic.ends_with("b") ? 1 : mnemonic.ends_with("w") ? 2 : mnemonic.ends_with("l") ? 4 : 8;
        if (!isMove || width != size) return {};
        int64_t number = 0;
        if (from.consume_front("%")) word = n.target->readRegister(stop.thread, 0, from.str());
        else if (from.consume_front("$") && !from.getAsInteger(0, number)) word = static_cast<uint64_t>(number);
    }
    std::vector<uint8_t> bytes;
    for (uint64_t i = 0; word && i < size; ++i) bytes.push_back(static_cast<uint8_t>(*word >> 8 * i));
    return bytes;
}

} // namespace

/// What a hit has changed, if it has.
static std::optional<Stop> tellHit(Native& n, const Hit& hit) {
    std::optional<Stop> made;
    for (Watch& watch : n.watches) {
        uint64_t begin = std::max(watch.address, hit.piece.address);
        uint64_t end = std::min(watch.address + watch.size, hit.piece.address + hit.piece.size);
        std::vector<uint8_t> now = watch.bytes;
        for (uint64_t at = begin; at < end; ++at) now[at - watch.address] = hit.bytes[at - hit.piece.address];
        if (now != watch.bytes) addWritten(n, made, watch, std::move(now), hit.thread);
    }
    return made;
}

static uint64_t cfaOf(Native& n, const ThreadStop& stop) {
    const StackFrame* top = n.stack.frame(stop.thread, 0);
    return top ? top->cfa : 0;
}

/// Code that the program does not know has written, and was called by code that it knows: the stop is kept until that
/// goes on.
static bool waitsForCall(Native& n, Stop& stop, SystemThread thread) {
    constexpr uint32_t MostFrames = 100;
    auto isKnown = [&](uint64_t pc) { return !n.image.copiesAt(n.toFile(pc)).empty(); };
    const StackFrame* f = n.stack.frame(thread, 0);
    bool stepsHere = n.stepsInstruction && n.step && n.step->thread == thread;
    if (!f || stepsHere || isKnown(f->frame.pc) || isKnown(f->frame.pc - 1)) return false;
    for (uint32_t i = 1; i < MostFrames && (f = n.stack.frame(thread, i)); ++i)
        if (isKnown(f->frame.pc - 1)) break;
    if (!f || !isKnown(f->frame.pc - 1)) return false;
    for (PendingWrite& earlier : n.pendingWrites) {
        bool isSame = earlier.thread == thread && earlier.cfa == f->cfa && earlier.stop.address == stop.address;
        if (!isSame) continue;
        earlier.stop.after = std::move(stop.after); // byte by byte
        return true;
    }
    n.pendingWrites.push_back({std::move(stop), thread, f->frame.pc, f->cfa});
    return true;
}

std::vector<Stop> writtenByHits(Native& n, const std::vector<ThreadStop>& stops) {
    std::vector<Hit> hits;
    SystemThread first = 0;
    for (const ThreadStop& stop : stops) {
        if (stop.kind != ThreadStop::Kind::Watchpoint) continue;
        if (first == 0) first = stop.thread;
        auto piece = n.pieces.find(stop.watched);
        if (piece == n.pieces.end()) continue;
        Hit hit{stop.thread, {piece->first, piece->second}, {}, false, true};
        std::vector<uint8_t> now(piece->second);
        if (n.memory.read(piece->first, now) != now.size()) continue;
        hit.bytes = bytesMoved(n, stop, piece->second);
        hit.isKnown = !hit.bytes.empty();
        hit.isThere = !hit.isKnown || hit.bytes == now;
        if (!hit.isKnown) hit.bytes = now;
        hits.push_back(std::move(hit));
    }
    // What is there now was written last.
    std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.isThere < b.isThere; });
    std::vector<Stop> told;
    auto tell = [&](std::optional<Stop> stop, SystemThread thread) {
        if (stop && !waitsForCall(n, *stop, thread)) told.push_back(std::move(*stop));
    };
    if (hits.size() > 1)
        for (const Hit& hit : hits) tell(tellHit(n, hit), hit.thread);
    if (first != 0) tell(writtenWatch(n, first), first);
    return told;
}

std::vector<Stop> writtenInCalls(Native& n, const std::vector<ThreadStop>& stops) {
    std::vector<Stop> told;
    for (const ThreadStop& stop : stops) {
        uint64_t sp = n.pendingWrites.empty() ? 0 : n.target->readRegister(stop.thread, 0, "rsp").value_or(0);
        std::erase_if(n.pendingWrites, [&](PendingWrite& p) {
            bool isBack = p.thread == stop.thread && (sp >= p.cfa || (stop.pc == p.address && cfaOf(n, stop) == p.cfa));
            if (isBack) told.push_back(std::move(p.stop));
            return isBack;
        });
    }
    return told;
}

// ---- the end of watches

void endWatches(Native& n, const ThreadStop& stop) {
    uint64_t sp = n.target->readRegister(stop.thread, 0, "rsp").value_or(0);
    auto hasEnded = [&](const Watch& w) {
        bool isThere = w.thread == stop.thread && w.stackLow <= sp && sp < w.stackHigh;
        return w.frameCfa != 0 && isThere && sp >= w.frameCfa;
    };
    for (const Watch& watch : n.watches)
        if (hasEnded(watch)) tellEnded(n, watch);
    if (std::any_of(n.watches.begin(), n.watches.end(), hasEnded)) dropWatches(n, hasEnded);
}

void endWatchesAt(Native& n, const ThreadStop& stop) {
    bool isReturn = std::any_of(n.watches.begin(), n.watches.end(),
                                [&](const Watch& w) { return w.returnTo != 0 && w.returnTo == stop.pc; });
    if (isReturn) endWatches(n, stop);
}

} // namespace sx::debugger::native
