#include "debugger/native/engine/Fibers.h"

#include "debugger/native/engine/State.h"

#include <algorithm>

namespace sx::debugger::native {

// ---- who runs

const FiberList& fibersNow(Native& n) {
    if (n.fibers.isRead || n.state == RunState::Running || !n.target) return n.fibers.list;
    n.fibers.isRead = true;
    n.fibers.list = readFibers(n.memory, n.addresses.fiberRecords());
    n.fibers.ids.see(n.fibers.list.created, n.lastThreadId);
    return n.fibers.list;
}

void forgetFibers(Native& n) { n.fibers.isRead = false; }

uint32_t fiberAt(Native& n, uint64_t stackAddress) {
    for (const FiberRecord& r : fibersNow(n).records)
        if (r.number != 0 && r.holds(stackAddress)) return r.number;
    return 0;
}

/// The fiber that runs on a thread, and has not resumed another one; null: there is none.
static const FiberRecord* innermostOn(const FiberList& all, SystemThread thread) {
    auto runs = [&](const FiberRecord& r) {
        return r.number != 0 && r.state == FiberState::Running && r.thread == thread;
    };
    for (const FiberRecord& r : all.records) {
        auto isResumed = [&](const FiberRecord& other) { return runs(other) && other.resumer == r.address; };
        if (runs(r) && std::none_of(all.records.begin(), all.records.end(), isResumed)) return &r;
    }
    return nullptr;
}

const FiberRecord* runningFiber(Native& n, SystemThread thread) {
    const FiberList& all = fibersNow(n);
    if (all.records.empty()) return nullptr;
    const std::optional<BorrowedThread>& borrowed = n.fibers.borrowed;
    constexpr size_t Sp = 6;
    uint64_t sp = borrowed && borrowed->thread == thread ? borrowed->registers[Sp]
                                                         : n.target->readRegister(thread, 0, "rsp").value_or(0);
    if (const FiberRecord* there = all.byNumber(fiberAt(n, sp))) return there;
    // A stack that is used up has been left at its lower end.
    constexpr uint64_t Gap = 1 << 20;
    if (const FiberRecord* running = innermostOn(all, thread); running && sp < running->low && running->low - sp < Gap)
        return running;
    // A program that has crashed stands in the handler of the signal, which has a stack of its own.
    return n.isCore ? innermostOn(all, thread) : nullptr;
}

const FiberRecord* fiberOfThread(Native& n, ThreadId id) {
    for (const FiberRecord& r : fibersNow(n).records)
        if (r.number != 0 && n.fibers.ids.of(r.number) == id) return &r;
    return nullptr;
}

namespace {

/// The thread of the system that has this number, or on which the fiber ran last; 0: there is none.
SystemThread threadFor(Native& n, ThreadId id, const FiberRecord* fiber) {
    for (auto& [thread, number] : n.threadIds)
        if (number == id || (fiber && thread == fiber->thread)) return thread;
    return fiber && !n.threadIds.empty() ? n.threadIds.begin()->first : 0;
}

bool runsThere(Native& n, SystemThread thread, const FiberRecord* fiber) {
    const FiberRecord* running = runningFiber(n, thread);
    return fiber ? running && running->number == fiber->number : !running;
}

/// Who was resumed by a fiber, or by a thread itself, and runs; null: nobody.
const FiberRecord* resumedBy(Native& n, SystemThread thread, const FiberRecord* fiber) {
    for (const FiberRecord& r : fibersNow(n).records) {
        if (r.number == 0 || r.state != FiberState::Running || r.outer == 0) continue;
        if (fiber ? r.resumer == fiber->address : r.resumer == 0 && r.thread == thread) return &r;
    }
    return nullptr;
}

/// What the registers of BorrowedThread are while a stack stands still.
using Registers = std::array<uint64_t, BorrowedThread::Names.size()>;

/// `at`: the address of the stack pointer that points at the registers which a switch has pushed.
std::optional<Registers> savedRegisters(Native& n, uint64_t at) {
    std::optional<uint64_t> sp = n.memory.word(at);
    if (!sp || *sp == 0) return std::nullopt;
    constexpr size_t Pushed = 6, Sp = 6, Pc = 7;
    Registers out{};
    for (size_t i = 0; i <= Pushed; ++i) {
        std::optional<uint64_t> word = n.memory.word(*sp + i * sizeof(uint64_t));
        if (!word) return std::nullopt;
        out[i < Pushed ? i : Pc] = *word;
    }
    out[Sp] = *sp + (Pushed + 1) * sizeof(uint64_t);
    return out;
}

/// Of a function that has only told its frame: the registers of its caller, as far as frames are chained.
std::optional<Registers> callerRegisters(Native& n, uint64_t frame, Registers current) {
    constexpr size_t Bp = 5, Sp = 6, Pc = 7;
    std::optional<uint64_t> bp = n.memory.word(frame), pc = n.memory.word(frame + sizeof(uint64_t));
    if (!bp || !pc) return std::nullopt;
    current[Bp] = *bp;
    current[Sp] = frame + 2 * sizeof(uint64_t);
    current[Pc] = *pc;
    return current;
}

void setInsideCall(const Native& n, Registers& registers) {
    constexpr size_t Pc = 7;
    registers[Pc] = insideCall(n.image, registers[Pc], n.toRun(0));
}

Registers readRegisters(Native& n, SystemThread thread) {
    Registers out{};
    for (size_t i = 0; i < out.size(); ++i)
        out[i] = n.target->readRegister(thread, 0, BorrowedThread::Names[i]).value_or(0);
    return out;
}

/// The pc last: then lldb forgets what it knew of the stack.
void writeRegisters(Native& n, SystemThread thread, const Registers& registers) {
    for (size_t i = 0; i < registers.size(); ++i)
        n.target->writeRegister(thread, 0, BorrowedThread::Names[i], registers[i]);
    n.stack.forget();
    n.variables.clear();
}

Result<SystemThread> borrow(Native& n, SystemThread thread, ThreadId shows, const FiberRecord* fiber) {
    if (n.isCore) {
        auto at = n.fibers.ofCore.find(shows);
        if (at == n.fibers.ofCore.end()) return Failure{"the stack of the fiber cannot be read"};
        n.stack.setPlace({.parked = at->second});
        return at->second;
    }
    Registers own = readRegisters(n, thread);
    const FiberRecord* resumed = resumedBy(n, thread, fiber);
    std::optional<Registers> wanted;
    if (resumed) wanted = savedRegisters(n, resumed->outer);
    else if (fiber && fiber->saved != 0) wanted = savedRegisters(n, fiber->saved);
    else if (fiber && fiber->frame != 0) wanted = callerRegisters(n, fiber->frame, own);
    if (!wanted) return Failure{"the stack of the fiber cannot be read"};
    setInsideCall(n, *wanted);
    n.fibers.borrowed = BorrowedThread{thread, shows, own, n.stack.place()};
    n.stack.setPlace({.parked = thread});
    writeRegisters(n, thread, *wanted);
    return thread;
}

} // namespace

void showParkedStacks(Native& n) {
    constexpr SystemThread First = 0x40000000; // the kernel gives no such numbers
    std::vector<ParkedStack> stacks;
    auto add = [&](ThreadId id, uint64_t saved) {
        std::optional<Registers> registers = id == 0 ? std::nullopt : savedRegisters(n, saved);
        if (!registers || n.fibers.ofCore.count(id) != 0) return;
        setInsideCall(n, *registers);
        SystemThread thread = n.fibers.ofCore[id] = First + stacks.size();
        stacks.push_back({thread, *registers});
    };
    FiberList all = fibersNow(n);
    for (const FiberRecord& r : all.records) {
        if (r.number == 0) continue;
        if (r.state != FiberState::Running && r.saved != 0) add(n.fibers.ids.of(r.number), r.saved);
        if (r.state != FiberState::Running || r.outer == 0) continue;
        for (const FiberRecord& resumer : all.records)
            if (resumer.address == r.resumer && resumer.number != 0) add(n.fibers.ids.of(resumer.number), r.outer);
        if (auto thread = n.threadIds.find(r.thread); r.resumer == 0 && thread != n.threadIds.end())
            add(thread->second, r.outer);
    }
    if (stacks.empty()) return;
    if (!n.target->addStacks(stacks).empty()) n.fibers.ofCore.clear();
    n.memory.forget();
    n.stack.forget();
    forgetFibers(n);
}

// ---- showing a stack

bool isParked(Native& n, ThreadId id) {
    const FiberRecord* fiber = fiberOfThread(n, id);
    SystemThread thread = threadFor(n, id, fiber);
    return thread != 0 && !runsThere(n, thread, fiber);
}

Result<SystemThread> systemThread(Native& n, ThreadId id) {
    if (n.fibers.borrowed && n.fibers.borrowed->shows == id) return n.fibers.borrowed->thread;
    if (n.state == RunState::Running) {
        for (auto& [thread, number] : n.threadIds)
            if (number == id) return thread;
        return Failure{"there is no such thread"};
    }
    const FiberRecord* fiber = fiberOfThread(n, id);
    SystemThread thread = threadFor(n, id, fiber);
    if (thread == 0) return Failure{"there is no such thread"};
    giveBack(n);
    return runsThere(n, thread, fiber) ? Result<SystemThread>(thread) : borrow(n, thread, id, fiber);
}

void giveBack(Native& n) {
    if (!n.fibers.borrowed) return;
    BorrowedThread borrowed = *std::exchange(n.fibers.borrowed, std::nullopt);
    writeRegisters(n, borrowed.thread, borrowed.registers);
    n.stack.setPlace(borrowed.place);
}

} // namespace sx::debugger::native
