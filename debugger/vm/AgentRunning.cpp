// What the session asks of the agent about running and stopping.
#include "debugger/vm/OutsideSignals.h"
#include "debugger/vm/ProgramAgent.h"
#include "debugger/vm/Unread.h"
#include "vm/Program.h"

#include <algorithm>
#include <csignal>

namespace sx::debugger {

/// The program goes on, or begins, as if nobody had been there.
void ProgramAgent::detach() {
    isDetached_ = true;
    breakpoints_.removeAll();
    for (int id : watches_) debugger_.removeWatch(id);
    watches_.clear();
    for (auto kind : {ir::ErrorEventKind::Raise, ir::ErrorEventKind::Propagate, ir::ErrorEventKind::Absorb,
                      ir::ErrorEventKind::Unhandled})
        debugger_.setErrorFilter(kind, {});
    debugger_.setPanicFilter(false, false);
    leaveSignals();
    if (!isRemote_) outliveReader();
    vm::forgetEntry(debugger_); // a stop there would be for nobody
    mayRun_ = true;
    mayRun_.notify_all();
    goOn();
}

/// What the interpreter keeps in the frames is not to be believed any more where the user has written over it.
std::string ProgramAgent::damageByUser() {
    std::string damage = hasWritten_ ? vm::damagedFrame(debugger_) : "";
    if (damage.empty()) hasWritten_ = false;
    return damage;
}

void ProgramAgent::goOn() {
    // One that came while the program stood still for something else is told first.
    const bool isUntold = signal_ != 0 ? !isSignalTold_ : isInterrupted_.load();
    if (isUntold && !isDetached_)
        if (std::vector<vm::Debugger::ThreadInfo> threads = debugger_.threads(); !threads.empty())
            return tellSignal(threads.front().id);
    if (int signal = signal_.exchange(0)) endBySignal(signal);
    debugger_.resume();
}

void ProgramAgent::onSignal(const SeenSignal& seen) {
    // An interrupt from outside is a wish to look, and does not end the program.
    if (seen.signal == SIGINT && seen.sender != Stop::Sender::Itself && seen.thread == 0) {
        isInterrupted_ = true;
        return pause();
    }
    isSignalTold_ = false;
    sender_ = seen.sender;
    isSentInCall_ = seen.thread != 0;
    signal_ = seen.signal;
    if (seen.thread != 0) tellSignal(seen.thread);
    else pause();
}

/// One that has not begun stops where it does.
void ProgramAgent::pause() {
    if (debugger_.pause()) return;
    pausesAtEntry_ = true;
    stopAtEntry();
    if (debugger_.pause()) vm::forgetEntry(debugger_); // it has begun meanwhile
}

void ProgramAgent::tellSignal(vm::DebugThreadId thread) {
    vm::Stop stop;
    stop.reason = vm::Stop::Reason::Pause;
    stop.thread = thread;
    tellStop(stop);
}

void ProgramAgent::setBreakpoint(WireReader& r) {
    auto id = r.get<uint32_t>();
    std::string request(r.rest());
    std::vector<CodePoint> points;
    for (auto n = r.get<uint32_t>(); n > 0; --n) {
        auto func = r.get<ir::FuncId>();
        points.push_back({func, r.get<uint32_t>()});
    }
    std::vector<const vm::Insn*> instructions;
    for (auto n = r.get<uint32_t>(); n > 0; --n)
        instructions.push_back(reinterpret_cast<const vm::Insn*>(r.get<uint64_t>()));
    auto within = r.get<uint32_t>();
    BreakpointTexts texts;
    texts.condition = r.text();
    texts.hitCondition = parseHitCondition(r.text());
    texts.logMessage = r.text();

    BreakpointPlaces::Hits hits = breakpoints_.begin(id, std::move(request), points.size() + instructions.size());
    if (!hits) return;

    vm::Program* running = debugger_.program();
    std::unique_lock<std::recursive_mutex> lock;
    if (running) lock = std::unique_lock(running->lock); // nothing is translated while functions are added
    auto predicate = [&](CodePoint at) {
        return vm::BreakpointOptions{breakpointPredicate(texts, at, host_, hits), {}};
    };
    for (CodePoint p : points)
        debugger_.setBreakpoint(breakpoints_.add(id, {p.func, p.statement}), p.func, p.statement, predicate(p));
    for (const vm::Insn* at : instructions)
        if (const vm::FunctionCode* code = running ? running->codeAt(at) : nullptr) {
            int place = breakpoints_.add(id, {code->func, code->indexOf(at), true});
            debugger_.setInstructionBreakpoint(place, code->func, code->indexOf(at), predicate({code->func, within}));
        }
    breakpoints_.end(id);
}

void ProgramAgent::setErrorFilters(WireReader& r) {
    struct Wanted {
        bool enabled = false, all = false;
        std::vector<uint64_t> tags;
    } wanted[5];
    for (auto n = r.get<uint32_t>(); n > 0; --n) {
        Wanted& w = wanted[static_cast<size_t>(r.get<ErrorEvent>()) % 5];
        w.enabled = true;
        auto count = r.get<uint32_t>();
        w.all |= count == 0;
        for (; count > 0; --count) w.tags.push_back(r.get<uint64_t>());
    }
    constexpr std::pair<ErrorEvent, ir::ErrorEventKind> Kinds[] = {
        {ErrorEvent::Raise, ir::ErrorEventKind::Raise},
        {ErrorEvent::Propagate, ir::ErrorEventKind::Propagate},
        {ErrorEvent::Absorb, ir::ErrorEventKind::Absorb},
        {ErrorEvent::Unhandled, ir::ErrorEventKind::Unhandled},
    };
    for (auto [event, kind] : Kinds) {
        const Wanted& w = wanted[static_cast<size_t>(event)];
        vm::Debugger::ErrorFilter filter;
        filter.enabled = w.enabled;
        if (!w.all)
            filter.predicate = [tags = w.tags](vm::Thread&, uint64_t tag) {
                return std::find(tags.begin(), tags.end(), tag) != tags.end();
            };
        debugger_.setErrorFilter(kind, filter);
    }
    debugger_.setPanicFilter(wanted[static_cast<size_t>(ErrorEvent::Panic)].enabled, true);
}

Result<void> ProgramAgent::step(WireReader& r) {
    auto kind = r.get<StepRequest::Kind>();
    const bool isBack = kind == StepRequest::Kind::Reverse || kind == StepRequest::Kind::Back;
    if ((signal_ != 0 || isInterrupted_) && !isBack) { // it ends the program, or its handler runs, or it pauses
        goOn();
        return {};
    }
    auto thread = r.get<ThreadId>();
    vm::StepOptions options;
    bool byLine = r.get<bool>(), byInstruction = r.get<bool>(), intoCalls = r.get<bool>();
    options.intoLibrary = r.get<bool>();
    StepTarget target;
    target.callee = r.get<ir::FuncId>();
    target.span = r.get<Span>();
    target.isGiven = r.get<bool>();
    using Granularity = vm::StepOptions::Granularity;
    options.granularity = kind == StepRequest::Kind::Instruction ? Granularity::Instruction
                          : byLine                               ? Granularity::Line
                                                                 : Granularity::Statement;
    if (target.isGiven) {
        options.function = target.callee;
    } else if (target.span.isValid()) {
        for (const vm::CallSite& c : vm::callsOfFunction(debugger_, thread))
            if (c.callee == target.callee && c.span == target.span) options.call = c.index;
        if (!options.call) return Failure{"this code does not make the call"};
    }
    if (std::optional<vm::DebugFrame> f = byLine ? frame(thread, 0) : std::nullopt) options.from = shownAt(*f, true);
    switch (kind) {
    case StepRequest::Kind::Over: return debugger_.step(thread, vm::Debugger::Step::Over, options);
    case StepRequest::Kind::Instruction:
    case StepRequest::Kind::Into: return debugger_.step(thread, vm::Debugger::Step::Into, options);
    case StepRequest::Kind::Out: return debugger_.step(thread, vm::Debugger::Step::Out, options);
    case StepRequest::Kind::Reverse:
    case StepRequest::Kind::Back: break;
    }
    vm::BackOptions back;
    if (kind == StepRequest::Kind::Back) back = {true, byLine, byInstruction, options.intoLibrary, intoCalls};
    const bool isSentInCall = isSentInCall_;
    Result<bool> goesBack = time_.goBack(thread, back);
    if (!goesBack) return goesBack.failure();
    if (*goesBack && isSentInCall) signal_ = 0;   // the call is made again
    else if (signal_ != 0) isSignalTold_ = false; // it is still to come
    return {};
}

} // namespace sx::debugger
