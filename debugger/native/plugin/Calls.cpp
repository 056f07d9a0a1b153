// Calls in the program. Its own thread makes them: it is set at the beginning of the function, runs until that returns,
// and is put back where it was.
#include "debugger/native/plugin/Calls.h"

#include "debugger/native/plugin/CallExits.h"
#include "debugger/native/plugin/CallRegisters.h"
#include "debugger/native/plugin/CallStack.h"
#include "debugger/native/plugin/LldbTarget.h"
#include "source/Signals.h"
#include "source/Wording.h"

#include <algorithm>
#include <iterator>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace sx::debugger::native {

using namespace lldb;

namespace {

using Clock = std::chrono::steady_clock;

/// mov $SYS_exit_group, %eax; xor %edi, %edi; syscall
constexpr uint8_t EndOfProcess[] = {0xb8, SYS_exit_group, 0, 0, 0, 0x31, 0xff, 0x0f, 0x05};
/// The system call, as a function: mov %rcx, %r10; mov $SYS_rt_sigprocmask, %eax; syscall; ret
constexpr uint8_t SetBlocked[] = {0x49, 0x89, 0xca, 0xb8, SYS_rt_sigprocmask, 0, 0, 0, 0x0f, 0x05, 0xc3};

constexpr const char* TookTooLong = "did not end in time";

/// One call that is under way.
class RunningCall {
public:
    RunningCall(SBProcess& process, EventQueue& events, OwnSignals& signals, SystemThread thread,
                const ProgramCall& call, uint64_t back, uint64_t stackAfter, uint64_t stackBefore)
        : process_(process), events_(events), signals_(signals), thread_(thread), call_(call), back_(back),
          stackAfter_(stackAfter), stackEnd_(stackAfter), stackBefore_(stackBefore) {}

    /// Until the function has returned. Returns why it has not, or nothing.
    std::string run();

private:
    std::string runOn();
    std::string leaveLibrary();
    std::optional<TargetEvent> await();
    bool hasReturned();
    std::string hearSignals();
    std::string hearJump();
    void letOthersRun(bool run);
    bool isOver() const { return Clock::now() >= end_ || (!isLeaving_ && call_.isCancelled && call_.isCancelled()); }

    SBProcess& process_;
    EventQueue& events_;
    OwnSignals& signals_;
    SystemThread thread_;
    const ProgramCall& call_;
    uint64_t back_, stackAfter_;
    uint64_t stackEnd_;    ///< frames of the call begin below
    uint64_t stackBefore_; ///< the stack pointer of the program's innermost frame
    std::set<uint64_t> jumps_ = longJumps(process_.GetTarget());
    bool isLeaving_ = false; ///< it has been cut
    Clock::time_point end_ = Clock::now() + call_.limit;
    Clock::time_point aloneUntil_ = Clock::now() + call_.limit / 2; ///< then it may wait for the others
    bool isAlone_ = true;
    std::optional<Clock::time_point> interrupted_; ///< and has not stopped since
};

void RunningCall::letOthersRun(bool run) {
    for (uint32_t i = 0, count = process_.GetNumThreads(); i < count; ++i) {
        SBThread thread = process_.GetThreadAtIndex(i);
        if (run) thread.Resume();
        else if (thread.GetThreadID() != thread_) thread.Suspend();
    }
}

/// The program's next event; nothing: it does not stop, although it has been asked to.
std::optional<TargetEvent> RunningCall::await() {
    constexpr std::chrono::milliseconds BetweenLooks{20};
    constexpr std::chrono::seconds Patience{2};
    while (true) {
        if (std::optional<TargetEvent> event = events_.next(BetweenLooks)) return event;
        if (interrupted_) {
            if (Clock::now() - *interrupted_ > Patience) return std::nullopt;
        } else if (isOver() || (isAlone_ && Clock::now() >= aloneUntil_)) {
            interrupted_ = Clock::now();
            process_.SendAsyncInterrupt();
        }
    }
}

bool RunningCall::hasReturned() {
    SBThread thread = process_.GetThreadByID(thread_);
    SBFrame top = thread.GetFrameAtIndex(0);
    return thread.GetStopReason() == eStopReasonBreakpoint && top.GetPC() == back_ && top.GetSP() == stackAfter_;
}

/// Why the call does not go on where it jumps to; empty: it does not jump, or goes on.
std::string RunningCall::hearJump() {
    SBThread thread = process_.GetThreadByID(thread_);
    if (jumps_.count(thread.GetFrameAtIndex(0).GetPC()) == 0) return "";
    switch (jumpTarget(process_, thread, stackBefore_, stackEnd_)) {
    case JumpTarget::InCall: return "";
    case JumpTarget::InProgram:
        return "goes back to a call of the program's by `longjmp`, and cannot be called from here";
    case JumpTarget::Returned: return "goes back by `longjmp` to a call that has returned";
    }
    return "";
}

/// What ended the call, if a signal did.
std::string RunningCall::hearSignals() {
    std::string problem;
    for (uint32_t i = 0, count = process_.GetNumThreads(); i < count; ++i) {
        SBThread thread = process_.GetThreadAtIndex(i);
        bool isCalled = thread.GetThreadID() == thread_;
        if (!isCalled && isAlone_) continue; // it has not run
        bool isSignal = thread.GetStopReason() == eStopReasonSignal;
        int signal = isSignal ? static_cast<int>(thread.GetStopReasonDataAtIndex(0)) : SIGTRAP;
        if (signals_.hearInCall(process_, thread, isCalled) != OwnSignals::InCall::Ends) continue;
        char text[512] = "";
        thread.GetStopDescription(text, sizeof text);
        problem = isCalled ? "crashed: " + crashText(signal, faultAddressIn(text).value_or(UINT64_MAX))
                           : "was interrupted by " + signalName(signal) + " in another thread";
    }
    return problem;
}

std::string RunningCall::run() {
    SBTarget target = process_.GetTarget();
    std::vector<SBBreakpoint> jumps;
    for (uint64_t address : jumps_) jumps.push_back(target.BreakpointCreateByAddress(address));
    letOthersRun(false);
    std::string problem = runOn();
    if (problem == TookTooLong) problem = leaveLibrary();
    if (problem != EndedByCall)
        for (SBBreakpoint& jump : jumps) target.BreakpointDelete(jump.GetID());
    return problem;
}

/// A call that has been cut may hold a lock of the C library's, as that of the allocator, without which the program
/// would stand still for ever: it goes on until it has let go of it.
std::string RunningCall::leaveLibrary() {
    constexpr std::chrono::milliseconds Patience{500};
    SBThread thread = process_.GetThreadByID(thread_);
    std::optional<LockedFunction> in =
        thread.IsValid() && process_.GetState() == eStateStopped ? lockedFunction(thread, stackAfter_) : std::nullopt;
    if (!in) return TookTooLong;
    isLeaving_ = true;
    end_ = Clock::now() + Patience;
    back_ = in->returnTo;
    stackAfter_ = in->spAfter;
    SBTarget target = process_.GetTarget();
    SBBreakpoint behind = target.BreakpointCreateByAddress(back_);
    std::string problem = runOn();
    if (problem == EndedByCall) return problem;
    target.BreakpointDelete(behind.GetID());
    if (problem.empty()) return TookTooLong;
    bool keepsLock = problem == TookTooLong && !in->name.empty();
    return keepsLock ? problem + ", and keeps what " + code(in->name) + " has locked" : problem;
}

/// Breakpoints on the way mean nothing.
std::string RunningCall::runOn() {
    while (true) {
        if (process_.Continue().Fail()) return "was not carried out: the program could not be let go on";
        std::optional<TargetEvent> event = await();
        if (!event) return TookTooLong;
        bool isReplaced = process_.GetThreadByID(thread_).GetStopReason() == eStopReasonExec;
        if (event->kind != TargetEvent::Kind::Stopped || isReplaced) {
            events_.post(std::move(*event));
            return EndedByCall;
        }
        if (hasReturned()) return {};
        if (std::string problem = hearJump(); !problem.empty()) return problem;
        if (std::string problem = hearSignals(); !problem.empty()) return problem;
        if (!process_.GetThreadByID(thread_).IsValid()) return "has ended its thread";
        interrupted_.reset();
        if (isOver()) return TookTooLong;
        if (isAlone_ && Clock::now() >= aloneUntil_) letOthersRun(true), isAlone_ = false;
    }
}

} // namespace

/// By a call of its `mmap`. `address`: where, of memory that is mapped for nothing else; 0: wherever it likes. Returns
/// where it is; 0: it is not.
uint64_t ProgramCalls::map(SystemThread id, uint64_t address, uint64_t size, int protection) {
    constexpr uint64_t PageSize = 4096, Borrowed = 16 << 10;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (address != 0 ? MAP_FIXED : 0);
    ProgramCall map;
    map.address = target_.functionAddress("mmap");
    map.hasResult = true;
    for (uint64_t arg :
         {address, size, static_cast<uint64_t>(protection), static_cast<uint64_t>(flags), UINT64_MAX, uint64_t{0}})
        map.args.push_back({arg});
    map.named = map.args.size();
    if (map.address == 0) return 0;
    uint64_t sp = process_.GetThreadByID(id).GetFrameAtIndex(0).GetSP(), at = 0;
    const bool isOwn = hasRoomBelow(target_.processId(), sp);
    std::vector<uint8_t> kept;
    uint64_t from = 0;
    if (!isOwn) { // what a stack has that is used up is put back
        std::optional<WritableMemory> memory = stackFrom(target_.processId(), sp);
        if (!memory) return 0;
        from = memory->start;
        kept.resize(std::min(Borrowed, memory->end - from));
        if (target_.readMemory(from, kept.data(), kept.size()) != kept.size()) return 0;
        sp = from + kept.size();
    }
    bool isMade = callOn(id, map, sp, at).empty() && at % PageSize == 0;
    if (!isOwn) target_.writeMemory(from, kept.data(), kept.size());
    return isMade ? at : 0;
}

/// Sees to the place that calls return to: a page with code that ends the process, for the process that a call has made
/// by fork(), of which nobody hears when it returns.
void ProgramCalls::prepare(SystemThread id) {
    constexpr uint64_t PageSize = 4096;
    std::vector<uint8_t> code(std::begin(EndOfProcess), std::end(EndOfProcess));
    code.insert(code.end(), std::begin(SetBlocked), std::end(SetBlocked));
    std::vector<uint8_t> there(code.size());
    target_.readMemory(back_, there.data(), there.size());
    bool isMade = there == code; // exec() makes everything new
    uint64_t entry = program_.GetModuleAtIndex(0).GetObjectFileEntryPointAddress().GetLoadAddress(program_);
    if (isMade || back_ == entry) return;
    back_ = entry; // code that runs once, at the beginning
    spareStack_ = 0;
    uint64_t page = back_ != LLDB_INVALID_ADDRESS ? map(id, 0, PageSize, PROT_READ | PROT_EXEC) : 0;
    if (page != 0 && target_.writeMemory(page, code.data(), code.size())) back_ = page;
}

/// After a call that has not returned by itself, and that has kept it from doing so: the thread blocks what it did.
void ProgramCalls::blockAgain(SystemThread id, uint64_t signals, uint64_t stack) {
    constexpr uint64_t Room = 256, RedZone = 128;
    std::optional<uint64_t> now = blockedSignals(target_.processId(), id);
    bool isPage = program_.GetModuleAtIndex(0).GetObjectFileEntryPointAddress().GetLoadAddress(program_) != back_;
    if (!now || *now == signals || !isPage || !process_.GetThreadByID(id).IsValid()) return;
    const uint64_t set = stack - RedZone - Room;
    if (!target_.writeMemory(set, &signals, sizeof signals)) return;
    ProgramCall call;
    call.address = back_ + sizeof EndOfProcess;
    for (uint64_t arg : {static_cast<uint64_t>(SIG_SETMASK), set, uint64_t{0}, uint64_t{sizeof signals}})
        call.args.push_back({arg});
    call.named = call.args.size();
    uint64_t result = 0;
    (void)callOn(id, call, set, result);
}

/// Where the stack of a call begins: behind what the thread uses, or where it has little left in memory that is there
/// for this. 0: there is none.
uint64_t ProgramCalls::stackFor(SystemThread id) {
    constexpr uint64_t Size = 1 << 20, Guard = 64 << 10;
    uint64_t sp = process_.GetThreadByID(id).GetFrameAtIndex(0).GetSP();
    if (hasRoomBelow(target_.processId(), sp)) return sp;
    if (spareStack_ != 0) return spareStack_;
    uint64_t low = map(id, 0, Guard + Size, PROT_NONE);
    if (low != 0 && map(id, low + Guard, Size, PROT_READ | PROT_WRITE) != 0) spareStack_ = low + Guard + Size;
    return spareStack_;
}

std::string ProgramCalls::call(SystemThread id, const ProgramCall& call, uint64_t& result) {
    if (!process_.GetThreadByID(id).IsValid()) return "was not carried out: the thread is gone";
    prepare(id);
    if (back_ == LLDB_INVALID_ADDRESS) return "was not carried out: where the program begins is not known";
    uint64_t stack = stackFor(id);
    if (stack == 0) return "was not carried out: there is no room on its stack";
    std::optional<uint64_t> blocked = blockedSignals(target_.processId(), id);
    std::string problem = callOn(id, call, stack, result);
    if (!problem.empty() && problem != EndedByCall && blocked) blockAgain(id, *blocked, stack);
    return problem;
}

std::string ProgramCalls::callOn(SystemThread id, const ProgramCall& call, uint64_t stack, uint64_t& result) {
    const uint64_t back = back_;
    signals_.willCall(process_);
    CallRegisters registers(process_, process_.GetThreadByID(id));
    const uint64_t sp = process_.GetThreadByID(id).GetFrameAtIndex(0).GetSP();
    SBBreakpoint end = program_.BreakpointCreateByAddress(back);
    std::string problem = registers.enter(call, stack, back);
    if (!problem.empty()) problem = "was not carried out: " + problem;
    else problem = RunningCall(process_, events_, signals_, id, call, back, registers.stackAfter(), sp).run();
    if (problem == EndedByCall) return problem;
    program_.BreakpointDelete(end.GetID());
    for (uint32_t i = 0, count = process_.GetNumThreads(); i < count; ++i) process_.GetThreadAtIndex(i).Resume();
    if (!process_.GetThreadByID(id).IsValid()) return problem;
    if (problem.empty() && call.hasResult) result = registers.result(call);
    registers.putBack(problem.empty());
    return problem;
}

std::string LldbTarget::call(SystemThread id, const ProgramCall& call, uint64_t& result) {
    return calls_.call(id, call, result);
}

/// What is found at an indirect function says where the function is.
uint64_t LldbTarget::functionAddress(const std::string& name) {
    auto first = [&](SymbolType type) {
        uint64_t weak = 0;
        SBSymbolContextList found = target_.FindSymbols(name.c_str(), type);
        for (uint32_t i = 0; i < found.GetSize(); ++i) {
            SBSymbol symbol = found.GetContextAtIndex(i).GetSymbol();
            uint64_t address = symbol.GetStartAddress().GetLoadAddress(target_);
            if (address == LLDB_INVALID_ADDRESS || address == 0) continue;
            if (symbol.IsExternal()) return address;
            if (weak == 0) weak = address;
        }
        return weak;
    };
    if (uint64_t code = first(eSymbolTypeCode)) return code;
    ProgramCall resolve;
    resolve.address = first(eSymbolTypeResolver);
    resolve.hasResult = true;
    uint64_t resolved = 0;
    SBThread thread = process_.GetThreadAtIndex(0);
    bool isThere = resolve.address != 0 && thread.IsValid();
    return isThere && call(thread.GetThreadID(), resolve, resolved).empty() ? resolved : 0;
}

} // namespace sx::debugger::native
