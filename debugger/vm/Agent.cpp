#include "debugger/vm/Agent.h"

#include "debugger/inspect/Datum.h"
#include "debugger/program/CCode.h"
#include "debugger/vm/AgentMachine.h"
#include "debugger/vm/BreakpointCode.h"
#include "debugger/vm/OutsideSignals.h"
#include "debugger/vm/OwnProcess.h"
#include "debugger/vm/Taping.h"
#include "debugger/vm/Unread.h"
#include "debugger/vm/Wire.h"
#include "types/Layout.h"
#include "vm/History.h"
#include "vm/Program.h"
#include "vm/RunMain.h"
#include "vm/Thread.h"
#include "vm/code/Disassemble.h"
#include "vm/debug/Debugger.h"
#include "vm/debug/TimeTravel.h"

#include "debug_fiber.h"
#include "heap.h"
#include "sx/trace.h"

#include "llvm/ADT/StringExtras.h"

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <set>
#include <thread>
#include <unistd.h>

namespace sx::debugger {

namespace {

constexpr const char* ChangeOfValue = "a change that the debugger made";
constexpr size_t RoomForConditions = 10'000;
constexpr uint64_t MostBytes = uint64_t{16} << 20; ///< that are read at once

class Agent {
public:
    /// `isRemote`: the program goes on when the session is gone.
    Agent(Program& program, int control, int events, bool isRemote);

    /// Serves questions on a thread of its own, until the session is gone.
    void serve();
    void waitForRun();
    vm::Debugger& debugger() { return debugger_; }
    void stopAtEntry();
    void tellEnd(int code);
    /// A signal has come that would end the program.
    void onSignal(int signal);

private:
    vm::Debugger::Events told();
    ir::FuncId mainFunction() const;
    void makeGlobals();
    void tellStop(const vm::Stop&);
    void tell(const Event&);
    void tellLog(const std::string&);

    /// The answer to a question.
    std::string answer(WireReader);
    std::string answerAboutState(Command, WireReader&);
    std::string answerAboutCode(Command, WireReader&);
    static std::string done(const Result<void>& r = {});

    void detach();
    void goOn();
    void setBreakpoint(WireReader&);
    void removeBreakpoint(uint32_t id);
    int newPlace(uint32_t breakpoint);
    void setErrorFilters(WireReader&);
    SourcePos shownAt(const vm::DebugFrame&, bool isInnermost) const;
    ir::ScopeId scopeOf(const vm::DebugFrame&) const;
    Result<void> step(WireReader&);
    std::string threads();
    std::string frames(WireReader&);
    std::string slot(WireReader&);
    Result<void> writeSlot(WireReader&);
    std::string registers(WireReader&);
    std::string trace(WireReader&);
    std::string returned(WireReader&);
    std::string runExpression(WireReader&);
    std::optional<vm::DebugFrame> frame(ThreadId, uint32_t index);
    std::optional<vm::DebugFrame> frameWith(uint64_t address) const;
    static void putPlace(WireWriter&, const SlotPlace&);
    SlotPlace placeOf(const vm::SlotLocation&, TypeId) const;

    Program& program_;
    int control_, events_;
    int owner_; ///< the process that is debugged: a copy of it that the program makes is not
    vm::Debugger debugger_;
    vm::TimeTravel time_{debugger_};
    OwnProcess own_;
    AgentMachine machine_{program_, debugger_};
    lower::ExpressionCompiler compiler_; ///< of conditions: what it makes stays
    std::mutex mutex_, speaking_;
    std::condition_variable mayRun_;
    bool runs_ = false;
    std::atomic<bool> hasGlobals_{false};
    bool isRemote_, isDetached_ = false;
    std::atomic<int> signal_{0}; ///< that ends the program when it goes on; 0: none
    std::set<int> watches_;
    std::deque<std::vector<uint64_t>> results_; ///< of expressions that the program has run: they stay
    std::map<int, uint32_t> places_; ///< the session's id of each place that has a breakpoint: one may have many
    int nextPlace_ = 1;
};

Agent::Agent(Program& program, int control, int events, bool isRemote)
    : program_(program), control_(control), events_(events), owner_(getpid()), debugger_(told()),
      own_(program, debugger_), compiler_(*program.sema), isRemote_(isRemote) {
    // Conditions that are compiled while the program runs add functions: those that are there stay where they are.
    program.module.functions.reserve(program.module.functions.size() + RoomForConditions);
    program.module.globals.reserve(program.module.globals.size() + RoomForConditions);
    debugger_.isUserCode = [this](ir::FuncId f) { return !program_.isLibrary(f); };
    debugger_.mainFunction = mainFunction();
    debugger_.setPanicFilter(true, true);
    debugger_.setErrorFilter(ir::ErrorEventKind::Unhandled, {true, nullptr});
}

vm::Debugger::Events Agent::told() {
    vm::Debugger::Events e;
    e.stopped = [this](const vm::Stop& s) { tellStop(s); };
    e.thread = [this](vm::DebugThreadId id, bool started) {
        Event event;
        event.kind = started ? Event::Kind::ThreadStarted : Event::Kind::ThreadEnded;
        event.thread = id;
        tell(event);
    };
    e.watchEnded = [this](int id) {
        Event event;
        event.kind = Event::Kind::WatchEnded;
        event.id = static_cast<uint32_t>(id);
        tell(event);
    };
    e.instruction = [this](vm::Thread& t) { machine_.before(t); };
    return e;
}

void Agent::tell(const Event& e) {
    WireWriter w;
    w.put(e.kind).put(e.thread).put(e.id).put(e.text).put(e.code);
    const Stop& s = e.stop;
    w.put(s.reason).put(s.thread).put(static_cast<uint32_t>(s.breakpoints.size()));
    for (uint32_t id : s.breakpoints) w.put(id);
    w.put(s.event).put(s.tag).put(s.text).put(s.signal).put(s.address);
    w.put(llvm::ArrayRef<uint8_t>(s.before)).put(llvm::ArrayRef<uint8_t>(s.after));
    std::lock_guard lock(speaking_);
    if (getpid() == owner_) sendMessage(events_, w.bytes());
}

/// The session has read what the program wrote before, and reads the text before the program writes more. Where it is
/// busy for long, or the output is not its own, the program goes on all the same.
void Agent::tellLog(const std::string& text) {
    Event e;
    e.kind = Event::Kind::Note;
    e.text = text;
    if (!isRemote_) awaitRead({STDOUT_FILENO, STDERR_FILENO});
    tell(e);
    if (!isRemote_) awaitRead({events_});
}

/// Globals get their memory where they are first used. All have it once somebody may look: what was read of a page
/// stays true.
void Agent::makeGlobals() {
    vm::Program* running = debugger_.program();
    if (!running || hasGlobals_.exchange(true)) return;
    std::lock_guard lock(running->lock);
    for (size_t g = 0; g < program_.module.globals.size(); ++g)
        if (!program_.module.globals[g].isExtern) running->globals.address(static_cast<ir::GlobalId>(g));
}

void Agent::tellStop(const vm::Stop& s) {
    makeGlobals();
    using From = vm::Stop::Reason;
    using To = Stop::Reason;
    Event e;
    e.kind = Event::Kind::Stopped;
    Stop& stop = e.stop;
    stop.thread = s.thread;
    {
        std::lock_guard lock(mutex_);
        for (int place : s.breakpoints) {
            auto found = places_.find(place);
            if (found == places_.end()) continue;
            if (std::find(stop.breakpoints.begin(), stop.breakpoints.end(), found->second) == stop.breakpoints.end())
                stop.breakpoints.push_back(found->second);
        }
    }
    stop.text = s.text;
    stop.tag = s.tag;
    stop.signal = s.signal;
    stop.address = s.address;
    stop.before = s.before;
    stop.after = s.after;
    auto error = [&](ErrorEvent event) {
        stop.reason = To::Error;
        stop.event = event;
    };
    switch (s.reason) {
    case From::Breakpoint: stop.reason = To::Breakpoint; break;
    case From::Step: stop.reason = To::Step; break;
    case From::Pause:
        stop.reason = To::Pause;
        if (int signal = signal_) {
            stop.reason = To::Signal;
            stop.signal = signal;
            stop.text = "a signal from outside, which ends the program";
        }
        break;
    case From::Entry: stop.reason = To::Entry; break;
    case From::Raise: error(ErrorEvent::Raise); break;
    case From::Propagate: error(ErrorEvent::Propagate); break;
    case From::Absorb: error(ErrorEvent::Absorb); break;
    case From::Unhandled: error(ErrorEvent::Unhandled); break;
    case From::Panic: error(ErrorEvent::Panic); break;
    case From::Fault: stop.reason = To::Signal; break;
    case From::Watch:
        stop.reason = To::Watch;
        stop.breakpoints.assign(s.watches.begin(), s.watches.end());
        break;
    case From::Exit: return; // the end of the process says it
    }
    tell(e);
}

void Agent::tellEnd(int code) {
    Event e;
    e.kind = Event::Kind::Exited;
    e.code = code;
    tell(e);
}

/// The program's `main` is what the entry calls; a failable or wrapped one is found by its name.
ir::FuncId Agent::mainFunction() const {
    const std::vector<std::string>& tests = program_.options.tests;
    const std::string name = tests.empty() ? "main" : tests.front();
    for (size_t f = 0; f < program_.module.functions.size(); ++f) {
        const ir::Function& fn = *program_.module.functions[f];
        if (fn.name == name && !fn.dead && !fn.compilerMade && !fn.statements.empty())
            return static_cast<ir::FuncId>(f);
    }
    return ir::FuncId::None;
}

void Agent::stopAtEntry() {
    if (ir::FuncId main = mainFunction(); main != ir::FuncId::None) debugger_.stopAtEntry(main);
}

void Agent::waitForRun() {
    std::unique_lock lock(mutex_);
    mayRun_.wait(lock, [&] { return runs_; });
}

void Agent::serve() {
    while (std::optional<std::string> question = receiveMessage(control_)) {
        std::string reply = answer(WireReader(*question));
        if (!sendMessage(control_, reply)) break;
    }
    if (!isRemote_ && !isDetached_) _exit(1); // nobody is there to go on for
    detach();
}

std::string Agent::done(const Result<void>& r) {
    WireWriter w;
    w.put(static_cast<bool>(r));
    if (!r) w.put(r.error());
    return w.bytes();
}

std::string Agent::answer(WireReader r) {
    auto command = r.get<Command>();
    switch (command) {
    case Command::Run: {
        if (r.get<bool>()) stopAtEntry();
        std::lock_guard lock(mutex_);
        runs_ = true;
        mayRun_.notify_all();
        return done();
    }
    case Command::Resume: goOn(); return done();
    case Command::IgnoreStop: signal_ != 0 ? goOn() : debugger_.ignoreStop(); return done();
    case Command::Step:
        if (signal_ == 0) return done(step(r));
        goOn();
        return done();
    case Command::Pause: debugger_.pause(); return done();
    case Command::SetBreakpoint: setBreakpoint(r); return done();
    case Command::RemoveBreakpoint: removeBreakpoint(r.get<uint32_t>()); return done();
    case Command::SetErrorFilters: setErrorFilters(r); return done();
    case Command::SetWatch: {
        auto id = static_cast<int>(r.get<uint32_t>());
        auto address = r.get<uint64_t>();
        watches_.insert(id);
        std::optional<vm::DebugFrame> holder = frameWith(address);
        debugger_.watch(id, address, r.get<uint64_t>(), holder ? &*holder : nullptr);
        return done();
    }
    case Command::SetWatchSlot: {
        auto id = static_cast<int>(r.get<uint32_t>());
        auto thread = r.get<ThreadId>();
        std::optional<vm::DebugFrame> f = frame(thread, r.get<uint32_t>());
        if (!f) return done(Failure{"there is no such frame"});
        watches_.insert(id);
        return done(debugger_.watchVariable(id, *f, r.get<ir::SlotId>()));
    }
    case Command::RemoveWatch: debugger_.removeWatch(static_cast<int>(r.get<uint32_t>())); return done();
    case Command::GoTo: {
        auto thread = r.get<ThreadId>();
        auto func = r.get<ir::FuncId>();
        std::optional<vm::DebugFrame> f = frame(thread, 0);
        if (!f || f->func != func) return done(Failure{"execution goes on within the innermost function only"});
        Result<void> gone = debugger_.goTo(thread, r.get<uint32_t>());
        if (gone) time_.forget("a `goto`");
        return done(gone);
    }
    case Command::RestartFrame: {
        auto thread = r.get<ThreadId>();
        Result<void> restarted = debugger_.restartFrame(thread, r.get<uint32_t>());
        if (restarted) time_.forget("a `restartFrame`");
        return done(restarted);
    }
    case Command::Detach: detach(); return done();
    case Command::Terminate: endBySignal(SIGTERM); return done();
    case Command::Kill: kill(owner_, SIGKILL); return done();
    default: return answerAboutState(command, r);
    }
}

// ---- orders

/// The program goes on as if nobody had been there.
void Agent::detach() {
    isDetached_ = true;
    std::vector<int> places;
    {
        std::lock_guard lock(mutex_);
        for (auto [place, breakpoint] : places_) places.push_back(place);
        places_.clear();
    }
    for (int place : places) debugger_.removeBreakpoint(place);
    for (int id : watches_) debugger_.removeWatch(id);
    watches_.clear();
    for (auto kind : {ir::ErrorEventKind::Raise, ir::ErrorEventKind::Propagate, ir::ErrorEventKind::Absorb,
                      ir::ErrorEventKind::Unhandled})
        debugger_.setErrorFilter(kind, {});
    debugger_.setPanicFilter(false, false);
    leaveSignals();
    if (!isRemote_) outliveReader();
    goOn();
}

void Agent::goOn() {
    if (int signal = signal_.exchange(0)) endBySignal(signal);
    debugger_.resume();
}

void Agent::onSignal(int signal) {
    signal_ = signal;
    debugger_.pause();
}

void Agent::setBreakpoint(WireReader& r) {
    auto id = r.get<uint32_t>();
    removeBreakpoint(id);
    std::vector<CodePoint> points;
    for (auto n = r.get<uint32_t>(); n > 0; --n) {
        auto func = r.get<ir::FuncId>();
        points.push_back({func, r.get<uint32_t>()});
    }
    std::vector<const vm::Insn*> instructions;
    for (auto n = r.get<uint32_t>(); n > 0; --n)
        instructions.push_back(reinterpret_cast<const vm::Insn*>(r.get<uint64_t>()));
    BreakpointTexts texts;
    texts.condition = r.text();
    texts.hitCondition = parseHitCondition(r.text());
    texts.logMessage = r.text();

    vm::Program* running = debugger_.program();
    std::unique_lock<std::recursive_mutex> lock;
    if (running) lock = std::unique_lock(running->lock); // nothing is translated while functions are added
    auto hits = std::make_shared<std::atomic<uint64_t>>(0);
    auto predicate = [&](CodePoint at) {
        vm::BreakpointOptions options;
        options.predicate =
            breakpointPredicate(texts, at, compiler_, program_, debugger_, Values(program_.types, own_, own_), hits,
                                [this](const std::string& t) { tellLog(t); });
        return options;
    };
    for (CodePoint p : points) debugger_.setBreakpoint(newPlace(id), p.func, p.statement, predicate(p));
    for (const vm::Insn* at : instructions)
        if (const vm::FunctionCode* code = running ? running->codeAt(at) : nullptr)
            debugger_.setInstructionBreakpoint(newPlace(id), code->func, code->indexOf(at), predicate({code->func, 0}));
}

/// The frame that has a variable at the address, among those that one would look at; nothing: no variable lies there.
std::optional<vm::DebugFrame> Agent::frameWith(uint64_t address) const {
    constexpr size_t Most = 1000;
    if (!debugger_.isStopped()) return std::nullopt;
    for (const vm::Debugger::ThreadInfo& t : debugger_.threads()) {
        for (const vm::DebugFrame& f : debugger_.frames(t.id, 0, Most)) {
            const ir::Function* fn = f.code ? &program_.module.fn(f.func) : nullptr;
            for (size_t i = 0; fn && i < fn->slots.size(); ++i) {
                vm::SlotLocation at = vm::slotLocation(f, static_cast<ir::SlotId>(i));
                uint64_t size = at.isRegister ? sizeof(uint64_t) : fn->slots[i].size;
                if (address - at.address < size) return f;
            }
        }
    }
    return std::nullopt;
}

int Agent::newPlace(uint32_t breakpoint) {
    std::lock_guard lock(mutex_);
    places_[nextPlace_] = breakpoint;
    return nextPlace_++;
}

void Agent::removeBreakpoint(uint32_t id) {
    std::vector<int> gone;
    {
        std::lock_guard lock(mutex_);
        for (auto [place, breakpoint] : places_)
            if (breakpoint == id) gone.push_back(place);
        for (int place : gone) places_.erase(place);
    }
    for (int place : gone) debugger_.removeBreakpoint(place);
}

void Agent::setErrorFilters(WireReader& r) {
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

/// Where a step has come back from a call: the place of the call. nullopt: execution does not stand right after one.
std::optional<SourcePos> afterCall(const vm::DebugFrame& f) {
    for (uint32_t words = 1; f.code && words <= 2 && words <= f.index; ++words) {
        uint32_t before = f.index - words;
        vm::InstructionText text = vm::instructionText(*f.code, before);
        if (text.words == words && llvm::StringRef(text.name).starts_with("Call")) return f.code->spans[before].begin;
    }
    return std::nullopt;
}

/// Where execution is shown to be in a frame.
SourcePos Agent::shownAt(const vm::DebugFrame& f, bool isInnermost) const {
    if (f.func == ir::FuncId::None) return f.span.begin;
    const ir::Function& fn = program_.module.fn(f.func);
    bool begins = f.atStatement && f.statement != vm::DebugFrame::NoStatement;
    if (begins) return fn.statements[f.statement].begin;
    // Defaults and inserted text are shown where they are used.
    if (Span shown = f.scope < fn.scopes.size() ? fn.scopes[f.scope].shownAt : Span(); shown.isValid())
        return shown.begin;
    if (isInnermost && !f.atStatement) return afterCall(f).value_or(f.span.begin);
    return f.span.begin;
}

Result<void> Agent::step(WireReader& r) {
    auto kind = r.get<StepRequest::Kind>();
    auto thread = r.get<ThreadId>();
    vm::StepOptions options;
    bool byLine = r.get<bool>(), byInstruction = r.get<bool>(), intoCalls = r.get<bool>();
    options.intoLibrary = r.get<bool>();
    StepTarget target;
    target.callee = r.get<ir::FuncId>();
    target.span = r.get<Span>();
    using Granularity = vm::StepOptions::Granularity;
    options.granularity = kind == StepRequest::Kind::Instruction ? Granularity::Instruction
                          : byLine                               ? Granularity::Line
                                                                 : Granularity::Statement;
    if (target.span.isValid()) {
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
    case StepRequest::Kind::Reverse: return time_.goBack(thread, {});
    case StepRequest::Kind::Back:
        return time_.goBack(thread, {true, byLine, byInstruction, options.intoLibrary, intoCalls});
    }
    return Failure{"unknown step"};
}

// ---- the state of the program

std::string Agent::answerAboutState(Command command, WireReader& r) {
    if (command == Command::Threads) return threads();
    if (command == Command::Record || command == Command::Recorded || command == Command::LogFibers)
        return machine_.answer(command, r);
    if (!debugger_.isStopped()) return "";
    switch (command) {
    case Command::Frames: return frames(r);
    case Command::Slot: return slot(r);
    case Command::WriteSlot: return done(writeSlot(r));
    case Command::Registers: return registers(r);
    case Command::Trace: return trace(r);
    case Command::Returned: return returned(r);
    default: return answerAboutCode(command, r);
    }
}

std::optional<vm::DebugFrame> Agent::frame(ThreadId thread, uint32_t index) {
    std::vector<vm::DebugFrame> found = debugger_.frames(thread, index, 1);
    if (found.empty()) return std::nullopt;
    return found.front();
}

std::string Agent::threads() {
    std::vector<vm::Debugger::ThreadInfo> all = debugger_.threads();
    WireWriter w;
    w.put(static_cast<uint32_t>(all.size()));
    for (const vm::Debugger::ThreadInfo& t : all) {
        std::string name = (t.id == 1 ? "main (" : "thread (") + std::to_string(t.system) + ")";
        w.put(t.id).put(t.fiber != 0 ? "fiber " + std::to_string(t.id) : name);
        w.put(t.fiber).put(static_cast<uint64_t>(t.fiber != 0 ? 0 : t.system));
    }
    return w.bytes();
}

/// What a statement declares is visible after it, whatever code it has.
ir::ScopeId Agent::scopeOf(const vm::DebugFrame& f) const {
    if (!f.atStatement || f.statement == vm::DebugFrame::NoStatement) return f.scope;
    const ir::Function& fn = program_.module.fn(f.func);
    return fn.instr(fn.statements[f.statement].first).scope;
}

/// The frames of a thread but for those of start-up.
std::string Agent::frames(WireReader& r) {
    auto thread = r.get<ThreadId>();
    auto start = r.get<uint32_t>();
    auto count = r.get<uint32_t>();
    std::vector<vm::DebugFrame> all = debugger_.frames(thread, start, size_t{count} + 1);
    auto isStart = [&](const vm::DebugFrame& f) {
        return f.func == program_.module.entry && f.func != ir::FuncId::None;
    };
    bool whole = all.size() <= count || isStart(all[count]);
    if (all.size() > count) all.resize(count);
    auto dropStart = [&](std::vector<vm::DebugFrame>& some) {
        while (!some.empty() && isStart(some.back())) some.pop_back();
        return some.size();
    };
    size_t total = start + dropStart(all);
    if (all.empty()) { // beyond the end
        std::vector<vm::DebugFrame> before = debugger_.frames(thread, 0, start);
        total = dropStart(before);
    }
    WireWriter w;
    w.put(whole).put(static_cast<uint32_t>(total)).put(static_cast<uint32_t>(all.size()));
    for (size_t i = 0; i < all.size(); ++i) {
        const vm::DebugFrame& f = all[i];
        SourcePos at = shownAt(f, i == 0 && start == 0);
        w.put(f.func).put(f.statement).put(f.atStatement).put(scopeOf(f)).put(at.raw);
        w.put(f.code ? reinterpret_cast<uint64_t>(f.code->words.data() + f.index) : uint64_t{0});
        w.put(reinterpret_cast<uint64_t>(f.regs)).put(f.foreignName.empty() ? std::string("(C code)") : f.foreignName);
    }
    return w.bytes();
}

void Agent::putPlace(WireWriter& w, const SlotPlace& p) {
    w.put(p.kind).put(p.address).put(llvm::ArrayRef<uint8_t>(p.bytes)).put(p.why);
}

SlotPlace Agent::placeOf(const vm::SlotLocation& l, TypeId type) const {
    SlotPlace p;
    if (!l.isRegister) {
        p.kind = SlotPlace::Kind::Memory;
        p.address = l.address;
        return p;
    }
    p.kind = SlotPlace::Kind::Register;
    p.address = l.address;
    Datum d = fromRegister(program_.types, type, *l.word);
    p.bytes.assign(d.bytes.begin(), d.bytes.end());
    return p;
}

namespace {

/// Parameters have not gone to where variables are: what lies there is of other calls.
bool isBeforeVariables(const vm::DebugFrame& f) {
    uint32_t first = vm::firstStatement(*f.code);
    return f.statement == vm::DebugFrame::NoStatement && first != UINT32_MAX && f.index < first;
}

} // namespace

std::string Agent::slot(WireReader& r) {
    auto thread = r.get<ThreadId>();
    std::optional<vm::DebugFrame> f = frame(thread, r.get<uint32_t>());
    auto slot = r.get<ir::SlotId>();
    WireWriter w;
    SlotPlace p;
    if (f && f->code && static_cast<size_t>(slot) < program_.module.fn(f->func).slots.size())
        p = placeOf(vm::slotLocation(*f, slot), program_.module.fn(f->func).slots[static_cast<size_t>(slot)].type);
    if (f && f->code && isBeforeVariables(*f)) p = {SlotPlace::Kind::Unavailable, 0, {}, "not set"};
    putPlace(w, p);
    return w.bytes();
}

Result<void> Agent::writeSlot(WireReader& r) {
    auto thread = r.get<ThreadId>();
    std::optional<vm::DebugFrame> f = frame(thread, r.get<uint32_t>());
    auto slot = r.get<ir::SlotId>();
    std::vector<uint8_t> bytes = r.data();
    if (!f || !f->code || static_cast<size_t>(slot) >= program_.module.fn(f->func).slots.size())
        return Failure{"there is no such variable"};
    TypeId type = program_.module.fn(f->func).slots[static_cast<size_t>(slot)].type;
    if (bytes.size() != sizeOf(program_.types, type)) return Failure{"the value has another size than the variable"};
    vm::SlotLocation l = vm::slotLocation(*f, slot);
    if (l.isRegister) *l.word = toRegister(program_.types, type, bytes);
    else std::memcpy(reinterpret_cast<void*>(l.address), bytes.data(), bytes.size());
    time_.forget(ChangeOfValue);
    return {};
}

std::string Agent::registers(WireReader& r) {
    constexpr uint32_t Most = 1000;
    auto thread = r.get<ThreadId>();
    std::optional<vm::DebugFrame> f = frame(thread, r.get<uint32_t>());
    WireWriter w;
    uint32_t n = f && f->code ? std::min(f->code->frameWords, Most) : 0;
    w.put(n);
    for (uint32_t i = 0; i < n; ++i) w.put("r" + std::to_string(i)).put("0x" + llvm::utohexstr(f->regs[i], true));
    return w.bytes();
}

std::string Agent::trace(WireReader& r) {
    auto thread = r.get<ThreadId>();
    sx_trace_state state{};
    std::vector<uint8_t> bytes;
    debugger_.runOn(thread, [&](vm::Thread&) {
        // There and back: what lies in between is a copy of what is in flight.
        sx_trace_swap(&state);
        sx_trace_state copy = state;
        sx_trace_swap(&state);
        auto* from = reinterpret_cast<const uint8_t*>(&copy);
        bytes.assign(from, from + sizeof copy);
    });
    return WireWriter().put(llvm::ArrayRef<uint8_t>(bytes)).bytes();
}

std::string Agent::returned(WireReader& r) {
    std::optional<vm::StepResult> result = debugger_.stepResult(r.get<ThreadId>());
    WireWriter w;
    w.put(result.has_value());
    if (!result) return w.bytes();
    SlotPlace p;
    TypeId type = program_.module.fn(result->func).result;
    if (result->inMemory) {
        p.kind = SlotPlace::Kind::Memory;
        p.address = result->word;
    } else if (type != TypeId::Void && type != TypeId::NoReturn) {
        p.kind = SlotPlace::Kind::Register;
        Datum d = fromRegister(program_.types, type, result->word);
        p.bytes.assign(d.bytes.begin(), d.bytes.end());
    }
    w.put(result->func);
    putPlace(w, p);
    return w.bytes();
}

// ---- memory and code

std::string Agent::answerAboutCode(Command command, WireReader& r) {
    WireWriter w;
    switch (command) {
    case Command::ReadMemory: {
        auto address = r.get<uint64_t>();
        std::string bytes(std::min<uint64_t>(r.get<uint64_t>(), MostBytes), '\0');
        bytes.resize(own_.read(address, {reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()}));
        return bytes;
    }
    case Command::WriteMemory: {
        auto address = r.get<uint64_t>();
        bool written = own_.write(address, r.data());
        if (written) time_.forget(ChangeOfValue);
        return done(written ? Result<void>() : Failure{"this memory cannot be written"});
    }
    case Command::Allocate: {
        void* at = std::calloc(1, r.get<uint64_t>());
        return w.put(reinterpret_cast<uint64_t>(at)).bytes();
    }
    case Command::CodeAt: return w.put(own_.functionAt(r.get<uint64_t>()).value_or(ir::FuncId::None)).bytes();
    case Command::TypeAt: return w.put(own_.typeAt(r.get<uint64_t>())).bytes();
    case Command::DescriptorOf: return w.put(own_.descriptorOf(r.get<TypeId>()).value_or(0)).bytes();
    case Command::GlobalAddress: return w.put(own_.addressOf(r.get<ir::GlobalId>()).value_or(0)).bytes();
    case Command::HeapTables: return w.put(reinterpret_cast<uint64_t>(sx_heap_tables())).bytes();
    case Command::FiberRecords: return w.put(reinterpret_cast<uint64_t>(sx_debug_fiber_records())).bytes();
    case Command::ThreadOfFiber: return w.put(vm::threadOfFiber(debugger_, r.get<uint32_t>())).bytes();
    case Command::FunctionAddress: return w.put(own_.addressOf(r.get<ir::FuncId>()).value_or(0)).bytes();
    case Command::RunExpression: return runExpression(r);
    case Command::Disassemble:
    case Command::MachineStack:
    case Command::Symbols: return machine_.answer(command, r);
    default: return done(Failure{"unknown command"});
    }
}

std::string Agent::runExpression(WireReader& r) {
    auto thread = r.get<ThreadId>();
    std::optional<vm::DebugFrame> f = frame(thread, r.get<uint32_t>());
    std::string text = r.text();
    std::vector<Engine::GivenPlace> given(r.get<uint32_t>());
    for (Engine::GivenPlace& g : given) {
        g.name = r.text();
        g.type = r.get<TypeId>();
        g.address = r.get<uint64_t>();
        g.isInnermost = r.get<bool>();
    }
    if (!f || !f->code) return done(Failure{"this frame is no code of the program"});
    SourcePos at = f->span.begin;
    if (f->atStatement) at = program_.module.fn(f->func).statements[f->statement].begin;
    std::optional<PlacedExpression> expression;
    {
        std::unique_lock<std::recursive_mutex> lock;
        if (debugger_.program()) lock = std::unique_lock(debugger_.program()->lock);
        expression.emplace(compiler_, program_, text, at, f->func, false, given);
    }
    auto call = [&](ir::FuncId function, llvm::ArrayRef<uint64_t> args) {
        return debugger_.callFunction(thread, function, args);
    };
    results_.emplace_back();
    Result<Datum> value = expression->run(call, *f, results_.back());
    time_.forget("an expression that the debugger had the program run");
    if (!value) return done(value.failure());
    if (value->place == Datum::Place::Hand) { // an error, or nothing
        auto& room = results_.emplace_back(1 + value->bytes.size() / sizeof(uint64_t));
        std::memcpy(room.data(), value->bytes.data(), value->bytes.size());
        value->address = reinterpret_cast<uint64_t>(room.data());
    }
    return WireWriter().put(true).put(value->type).put(value->address).put(value->isResult).bytes();
}

/// Rows from `offset` instructions before or after an address on; those outside of the function are empty.

} // namespace

void runAgent(Program& program, const StartRequest& request, int control, int events, bool isRemote,
              std::unique_ptr<vm::RecordingWriter> recordTo) {
    auto* agent =
        new Agent(program, control, events, isRemote); // as long as the process: threads of the program may go on
    // Whoever connected is not the parent, to whom the system says how the process ended.
    static Agent* told = agent;
    on_exit([](int status, void*) { told->tellEnd(status & 255); }, nullptr);
    // An interrupt from outside is a wish to look, and does not end the program.
    sigset_t interrupt;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    pthread_sigmask(SIG_BLOCK, &interrupt, nullptr);
    std::thread([agent, interrupt] {
        for (int signal = 0; sigwait(&interrupt, &signal) == 0;) agent->debugger().pause();
    }).detach();
    watchSignals([agent](int signal) { agent->onSignal(signal); });
    std::thread([agent] { agent->serve(); }).detach();
    agent->waitForRun();
    std::vector<std::string> argv{request.program};
    argv.insert(argv.end(), request.args.begin(), request.args.end());
    auto report = [](const std::string& message) { std::fprintf(stderr, "error: %s\n", message.c_str()); };
    // As long as the process. What a replay may be asked for is all that there was.
    auto* recording = request.record ? new vm::Recording(request.historyBytes, request.replay != nullptr) : nullptr;
    vm::Tape* tape = recording ? makeTape(request, std::move(recordTo), *recording).release() : nullptr;
    auto foreign = [&program] { return loadCCode(*program.sema, program.options.libraryPaths); };
    Result<int> code = vm::runMain(program.module, argv, report, {}, &agent->debugger(), foreign, recording, tape);
    if (!code) report(code.error());
    std::exit(code ? *code : 1);
}

} // namespace sx::debugger
