// Watched memory: by the hardware, or, as that of virtual machines often does not answer, by single steps
// (WatchTurns.h).
#include "debugger/native/engine/Watches.h"

#include "debugger/native/engine/Events.h"
#include "debugger/native/engine/HardwareWatch.h"
#include "debugger/native/engine/HeldWrites.h"
#include "debugger/native/engine/NativeEngine.h"
#include "debugger/native/engine/Running.h"
#include "debugger/native/engine/WatchTurns.h"

#include "llvm/ADT/STLExtras.h"
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

void endAllWatches(Native& n) {
    n.pendingWrites.clear();
    n.held.reset();
    dropWatches(n, [](const Watch&) { return true; });
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
    bool isAlone = n.watches.empty();
    n.watches.push_back(std::move(watch));
    std::map<uint64_t, uint64_t> wanted = wantedPieces(n);
    bool isTooMuch = wanted.size() > Most;
    std::string problem = isTooMuch ? "" : syncPieces(n, wanted);
    if (!isTooMuch && problem.empty()) return {};
    n.watches.pop_back();
    syncPieces(n, wantedPieces(n));
    if (!isTooMuch) return Failure{problem};
    return Failure{std::string("the hardware watches four places at once, of up to 8 bytes each: ") +
                   (isAlone ? "this one is larger than that, watch a part of it" : "remove another data breakpoint")};
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

void noteOwnWrite(Native& n, uint64_t address, llvm::ArrayRef<uint8_t> bytes) {
    for (Watch& watch : n.watches)
        for (size_t i = 0; i < bytes.size(); ++i)
            if (uint64_t at = address + i - watch.address; at < watch.bytes.size()) watch.bytes[at] = bytes[i];
}

void noteOwnWrites(Native& n) {
    for (Watch& watch : n.watches) {
        std::vector<uint8_t> now(watch.size);
        if (n.memory.read(watch.address, now) == now.size()) watch.bytes = std::move(now);
    }
}

// ---- what the hardware says

namespace {

/// A thread that has written a piece, and what.
struct Hit {
    SystemThread thread = 0;
    AddressPiece piece;
    std::vector<uint8_t> bytes;
    bool isKnown = false;          ///< its instruction says what it has written; else it is what there is now
    bool isThere = false;          ///< it is what there is now
    std::optional<uint64_t> added; ///< its instruction has added this
    std::optional<uint64_t> old;   ///< its instruction has added something, and tells what there was before
};

/// The instructions before the place where a thread stands; none: they are not to be seen any more.
std::vector<TargetInstruction> instructionsBefore(Native& n, const ThreadStop& stop) {
    constexpr uint64_t MostBytes = 4096;
    std::vector<uint32_t> copies = n.image.copiesAt(n.toFile(stop.pc - 1));
    if (copies.empty()) return {};
    uint64_t begin = n.toRun(n.image.copies()[copies.front()].entry);
    // What a statement begins with may be a part of the one before it.
    const StatementStart* start = n.image.startBefore(n.toFile(stop.pc - 1), copies.front());
    if (const StatementStart* before = start ? n.image.startBefore(start->address - 1, copies.front()) : nullptr)
        begin = n.toRun(before->address);
    if (begin >= stop.pc || stop.pc - begin > MostBytes) return {};
    std::vector<TargetInstruction> all = n.target->disassemble(begin, static_cast<uint32_t>(stop.pc - begin));
    std::erase_if(all, [&](const TargetInstruction& i) { return i.address >= stop.pc; });
    bool isWhole = !all.empty() && all.back().address + all.back().bytes.size() == stop.pc;
    std::erase_if(all, [](const TargetInstruction& i) { return i.mnemonic == "lock"; }); // belongs to the next one
    return isWhole ? all : std::vector<TargetInstruction>();
}

std::vector<uint8_t> bytesOf(uint64_t word, uint64_t size) {
    std::vector<uint8_t> bytes;
    for (uint64_t i = 0; i < size; ++i) bytes.push_back(static_cast<uint8_t>(word >> 8 * i));
    return bytes;
}

uint64_t wordOf(llvm::ArrayRef<uint8_t> bytes) {
    uint64_t word = 0;
    for (size_t i = 0; i < bytes.size(); ++i) word |= static_cast<uint64_t>(bytes[i]) << 8 * i;
    return word;
}

struct Operation {
    std::string name; ///< without the letter of the width
    char width = 0;
    std::string from, to;
};

Operation parse(const TargetInstruction& i) {
    std::string text = i.mnemonic + " " + i.operands;
    llvm::StringRef rest = llvm::StringRef(text).ltrim();
    if (rest.consume_front("lock")) rest = rest.ltrim();
    auto [mnemonic, operands] = rest.split(' ');
    auto [from, to] = operands.split(',');
    if (mnemonic.empty()) return {};
    return {mnemonic.drop_back().str(), mnemonic.back(), from.trim().str(), to.trim().str()};
}

std::optional<uint64_t> constant(llvm::StringRef operand) {
    int64_t number = 0;
    bool isNumber = operand.consume_front("$") && !operand.getAsInteger(0, number);
    return isNumber ? std::optional(static_cast<uint64_t>(number)) : std::nullopt;
}

/// `%eax` is a part of `%rax`.
bool isSameRegister(llvm::StringRef a, llvm::StringRef b) {
    return a.size() == 4 && a.drop_front(2) == b.drop_front(2);
}

/// What a thread has done to a piece of memory, as far as the instructions say that by which it has stopped.
void readChange(Native& n, const ThreadStop& stop, Hit& hit) {
    std::vector<TargetInstruction> code = instructionsBefore(n, stop);
    Operation last = code.empty() ? Operation() : parse(code.back());
    uint64_t size = hit.piece.size;
    if (last.width != (size == 1 ? 'b' : size == 2 ? 'w' : size == 4 ? 'l' : 'q')) return;
    std::optional<uint64_t> word = constant(last.from);
    if (last.from.starts_with("%")) word = n.target->readRegister(stop.thread, 0, last.from.substr(1));
    if (last.name == "inc") hit.added = 1;
    else if (last.name == "dec") hit.added = -1;
    else if (last.name == "add") hit.added = word;
    else if (last.name == "sub" && word) hit.added = 0 - *word;
    else if (last.name == "mov" && word) hit.bytes = bytesOf(*word, size);
    if (last.name != "xadd") return;
    hit.old = word;
    Operation given = code.size() > 1 ? parse(code[code.size() - 2]) : Operation();
    if (given.name == "mov" && isSameRegister(given.to, last.from)) hit.added = constant(given.from);
}

/// Additions that the processor has made to one piece of memory, one after the other.
struct Additions {
    uint64_t mask = 0, last = 0; ///< of the width; what there is now
    llvm::MutableArrayRef<Hit> hits;
    std::vector<uint64_t> values; ///< what there was after each

    /// Orders the hits from one on so that each finds what the one before has left.
    bool follow(size_t from, uint64_t at) {
        if (from == hits.size()) return at == last;
        for (size_t i = from; i < hits.size(); ++i) {
            if (hits[i].old && (*hits[i].old & mask) != at) continue;
            std::swap(hits[from], hits[i]);
            values.resize(from);
            values.push_back(after(from, at));
            if (uint64_t next = values.back(); follow(from + 1, next)) return true;
            std::swap(hits[from], hits[i]);
        }
        return false;
    }

    /// What is added is not known: then it is what the others leave to be added, or the next one says what it found.
    uint64_t after(size_t index, uint64_t at) const {
        if (hits[index].added) return (at + *hits[index].added) & mask;
        uint64_t rest = 0;
        for (const Hit& later : hits.drop_front(index + 1)) {
            if (!later.added) return later.old.value_or(0) & mask;
            rest += *later.added;
        }
        return (last - rest) & mask;
    }
};

/// Each of several additions to a piece has left what the next one found. Where the instructions do not add up to what
/// is there, nothing is known.
void followAdditions(Native& n, llvm::MutableArrayRef<Hit> hits, llvm::ArrayRef<uint8_t> now) {
    constexpr size_t Most = 8; // as many can be put in order
    const AddressPiece piece = hits.front().piece;
    auto around = llvm::find_if(n.watches, [&](const Watch& w) {
        return w.address <= piece.address && piece.address + piece.size <= w.address + w.size;
    });
    bool areKnown = llvm::all_of(hits, [](const Hit& h) { return h.added || h.old; });
    if (around == n.watches.end() || !areKnown || hits.size() > Most) return;
    Additions all{UINT64_MAX >> (64 - 8 * piece.size), wordOf(now), hits, {}};
    uint64_t before = wordOf(llvm::ArrayRef(around->bytes).slice(piece.address - around->address, piece.size));
    bool isUp = ((all.last - before) & all.mask) <= ((before - all.last) & all.mask);
    auto distance = [&](const Hit& h) { return h.old ? (isUp ? *h.old - before : before - *h.old) & all.mask : 0; };
    std::stable_sort(hits.begin(), hits.end(), [&](const Hit& a, const Hit& b) { return distance(a) < distance(b); });
    if (!all.follow(0, before)) return;
    for (size_t i = 0; i < hits.size(); ++i) {
        hits[i].bytes = bytesOf(all.values[i], piece.size);
        hits[i].isThere = i + 1 == hits.size();
    }
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
    if (n.held) { // nobody else has run
        std::optional<Stop> written = writtenWatch(n, n.held->thread);
        return written ? std::vector<Stop>{std::move(*written)} : std::vector<Stop>();
    }
    std::vector<Hit> hits;
    SystemThread first = 0;
    for (const ThreadStop& stop : stops) {
        if (stop.kind != ThreadStop::Kind::Watchpoint) continue;
        if (first == 0) first = stop.thread;
        auto piece = n.pieces.find(stop.watched);
        if (piece == n.pieces.end()) continue;
        Hit hit;
        hit.thread = stop.thread;
        hit.piece = {piece->first, piece->second};
        std::vector<uint8_t> now(piece->second);
        if (n.memory.read(piece->first, now) != now.size()) continue;
        readChange(n, stop, hit);
        hit.isKnown = !hit.bytes.empty();
        hit.isThere = !hit.isKnown || hit.bytes == now;
        if (!hit.isKnown) hit.bytes = now;
        hits.push_back(std::move(hit));
    }
    std::stable_sort(hits.begin(), hits.end(),
                     [](const Hit& a, const Hit& b) { return a.piece.address < b.piece.address; });
    for (size_t i = 0, end = 0; i < hits.size(); i = end) {
        while (end < hits.size() && hits[end].piece.address == hits[i].piece.address) ++end;
        std::vector<uint8_t> now(hits[i].piece.size);
        bool isSeveral = end - i > 1 && n.memory.read(hits[i].piece.address, now) == now.size();
        if (isSeveral) followAdditions(n, llvm::MutableArrayRef(hits).slice(i, end - i), now);
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

/// A call may have written several watched places, or one several times: all of that is one write of the program's.
static void addWrite(Stop& to, const Stop& next) {
    if (next.breakpoints.front() == to.breakpoints.front()) to.after = next.after;
    for (uint32_t id : next.breakpoints)
        if (!llvm::is_contained(to.breakpoints, id)) to.breakpoints.push_back(id);
}

std::vector<Stop> writtenInCalls(Native& n, const std::vector<ThreadStop>& stops) {
    std::vector<Stop> told;
    for (const ThreadStop& stop : stops) {
        const size_t others = told.size();
        uint64_t sp = n.pendingWrites.empty() ? 0 : n.target->readRegister(stop.thread, 0, "rsp").value_or(0);
        std::erase_if(n.pendingWrites, [&](PendingWrite& p) {
            bool isBack = p.thread == stop.thread && (sp >= p.cfa || (stop.pc == p.address && cfaOf(n, stop) == p.cfa));
            if (isBack && told.size() > others) addWrite(told.back(), p.stop);
            else if (isBack) told.push_back(std::move(p.stop));
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
