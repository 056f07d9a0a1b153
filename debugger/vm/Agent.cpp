#include "debugger/vm/Agent.h"

#include "debugger/program/CCode.h"
#include "debugger/vm/HandledSignals.h"
#include "debugger/vm/LongJumps.h"
#include "debugger/vm/OutsideSignals.h"
#include "debugger/vm/ProgramAgent.h"
#include "debugger/vm/Registers.h"
#include "debugger/vm/Taping.h"
#include "debugger/vm/Unread.h"
#include "source/OwnDescriptors.h"
#include "source/StackDepth.h"
#include "vm/History.h"
#include "vm/Program.h"
#include "vm/RunMain.h"
#include "vm/debug/Forks.h"
#include "vm/debug/Signals.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unistd.h>

namespace sx::debugger {

static constexpr size_t RoomForConditions = 10'000;

ProgramAgent::ProgramAgent(Program& program, int control, int events, bool isRemote)
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

vm::Debugger::Events ProgramAgent::told() {
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
    e.faultFromOutside = tellFault;
    e.instruction = [this](vm::Thread& t) { machine_.before(t); };
    return e;
}

void ProgramAgent::tell(const Event& e) {
    WireWriter w;
    w.put(e.kind).put(e.thread).put(e.id).put(e.text).put(e.code);
    const Stop& s = e.stop;
    w.put(s.reason).put(s.thread).put(static_cast<uint32_t>(s.breakpoints.size()));
    for (uint32_t id : s.breakpoints) w.put(id);
    w.put(s.event).put(s.tag).put(s.text).put(s.signal).put(s.sender).put(s.address);
    w.put(llvm::ArrayRef<uint8_t>(s.before)).put(llvm::ArrayRef<uint8_t>(s.after)).put(s.passedOutput);
    std::lock_guard lock(speaking_);
    if (getpid() == owner_) sendMessage(events_, w.bytes());
}

/// The session has read what the program wrote before, and reads the text before the program writes more. Where it is
/// busy for long, or the output is not its own, the program goes on all the same.
void ProgramAgent::tellLog(const std::string& text) {
    Event e;
    e.kind = Event::Kind::Note;
    e.text = text;
    if (!isRemote_) awaitRead({STDOUT_FILENO, STDERR_FILENO});
    tell(e);
    if (!isRemote_) awaitRead({events_});
}

/// Globals get their memory where they are first used. All have it once somebody may look: what was read of a page
/// stays true.
void ProgramAgent::makeGlobals() {
    vm::Program* running = debugger_.program();
    if (!running || hasGlobals_.exchange(true)) return;
    std::lock_guard lock(running->lock);
    for (size_t g = 0; g < program_.module.globals.size(); ++g)
        if (!program_.module.globals[g].isExtern) running->globals.address(static_cast<ir::GlobalId>(g));
}

void ProgramAgent::tellStop(const vm::Stop& s) {
    makeGlobals();
    using From = vm::Stop::Reason;
    using To = Stop::Reason;
    Event e;
    e.kind = Event::Kind::Stopped;
    Stop& stop = e.stop;
    stop.thread = s.thread;
    stop.breakpoints = breakpoints_.breakpointsAt(s.breakpoints);
    stop.text = s.text;
    stop.tag = s.tag;
    stop.signal = s.signal;
    stop.address = s.address;
    stop.before = s.before;
    stop.after = s.after;
    stop.passedOutput = s.passedOutput;
    auto error = [&](ErrorEvent event) {
        stop.reason = To::Error;
        stop.event = event;
    };
    switch (s.reason) {
    case From::Breakpoint: stop.reason = To::Breakpoint; break;
    case From::Step: stop.reason = To::Step; break;
    case From::Entry:
    case From::Pause:
        stop.reason = s.reason == From::Pause || pausesAtEntry_.exchange(false) ? To::Pause : To::Entry;
        isInterrupted_ = false;
        if (signal_ == 0) break;
        stop.reason = To::Signal;
        stop.signal = signal_;
        stop.sender = sender_;
        isSignalTold_ = true;
        break;
    case From::Raise: error(ErrorEvent::Raise); break;
    case From::Propagate: error(ErrorEvent::Propagate); break;
    case From::Absorb: error(ErrorEvent::Absorb); break;
    case From::Unhandled: error(ErrorEvent::Unhandled); break;
    case From::Panic: error(ErrorEvent::Panic); break;
    case From::Fault:
        stop.reason = To::Signal;
        if (s.sentBy != 0) stop.sender = s.sentBy == getpid() ? Stop::Sender::Itself : Stop::Sender::Other;
        break;
    case From::Watch:
        stop.reason = To::Watch;
        stop.breakpoints.assign(s.watches.begin(), s.watches.end());
        break;
    case From::Exit: return; // the end of the process says it
    }
    tell(e);
}

void ProgramAgent::tellEnd(int code) {
    if (debugger_.isCopy) return;
    Event e;
    e.kind = Event::Kind::Exited;
    e.code = code;
    tell(e);
}

/// The program's `main` is what the entry calls; a failable or wrapped one is found by its name.
ir::FuncId ProgramAgent::mainFunction() const {
    const std::vector<std::string>& tests = program_.options.tests;
    const std::string name = tests.empty() ? "main" : tests.front();
    for (size_t f = 0; f < program_.module.functions.size(); ++f) {
        const ir::Function& fn = *program_.module.functions[f];
        if (fn.name == name && !fn.dead && !fn.compilerMade && !fn.statements.empty())
            return static_cast<ir::FuncId>(f);
    }
    return ir::FuncId::None;
}

void ProgramAgent::stopAtEntry() {
    if (ir::FuncId main = mainFunction(); main != ir::FuncId::None) debugger_.stopAtEntry(main);
}

void ProgramAgent::waitForRun() { mayRun_.wait(false); }

void ProgramAgent::serve() {
    while (std::optional<std::string> question = receiveMessage(control_)) {
        if (WireReader(*question).get<Command>() == Command::CancelExpression) continue; // it came too late
        std::string reply = answer(WireReader(*question));
        if (!sendMessage(control_, reply)) break;
    }
    if (!isRemote_ && !isDetached_) _exit(1); // nobody is there to go on for
    detach();
}

std::string ProgramAgent::done(const Result<void>& r) {
    WireWriter w;
    w.put(static_cast<bool>(r));
    if (!r) w.put(r.error());
    return w.bytes();
}

std::string ProgramAgent::answer(WireReader r) {
    auto command = r.get<Command>();
    if (command == Command::Run || command == Command::Resume || command == Command::Step ||
        command == Command::IgnoreStop)
        awaitSeen();
    if (command == Command::Resume || command == Command::Step)
        if (std::string damage = damageByUser(); !damage.empty()) return done(Failure{damage});
    switch (command) {
    case Command::Run:
        if (r.get<bool>()) stopAtEntry();
        mayRun_ = true;
        mayRun_.notify_all();
        return done();
    case Command::Resume: goOn(); return done();
    case Command::IgnoreStop: signal_ != 0 || isInterrupted_ ? goOn() : debugger_.ignoreStop(); return done();
    case Command::Step: return done(step(r));
    case Command::Pause: pause(); return done();
    case Command::SetBreakpoint: setBreakpoint(r); return done();
    case Command::RemoveBreakpoint: breakpoints_.remove(r.get<uint32_t>()); return done();
    case Command::SetErrorFilters: setErrorFilters(r); return done();
    case Command::SetWatch: {
        auto id = static_cast<int>(r.get<uint32_t>());
        auto address = r.get<uint64_t>();
        watches_.insert(id);
        std::optional<vm::DebugFrame> holder = frameWith(program_, debugger_, address);
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

void runAgent(Program& program, const StartRequest& request, int control, int events, bool isRemote,
              std::unique_ptr<vm::RecordingWriter> recordTo) {
    control = keepAway(control);
    events = keepAway(events);
    auto* agent = new ProgramAgent(program, control, events,
                                   isRemote); // as long as the process: threads of the program may go on
    // Whoever connected is not the parent, to whom the system says how the process ended.
    static ProgramAgent* told = agent;
    on_exit([](int status, void*) { told->tellEnd(status & 255); }, nullptr);
    vm::leaveCopies(agent->debugger(), [control, events] { // no word of a copy gets to the session
        close(control);
        close(events);
        leaveSignals();
    });
    watchSignals({.standing = [agent](auto tell) { return vm::standInSignal(agent->debugger(), tell); },
                  .taken = [agent](const siginfo_t& info) { return vm::takeSignalOfCall(agent->debugger(), info); },
                  .seen = [agent](const SeenSignal& s) { agent->onSignal(s); }});
    vm::watchFaults(agent->debugger());
    keepHandledSignals([agent](const siginfo_t& info, ucontext_t& context) {
        return vm::keepSignal(agent->debugger(), info, context);
    });
    {
        const vm::SignalsBlocked blocked; // signals are for the program's threads
        std::thread([agent] { withLargeStack([agent] { agent->serve(); }); }).detach(); // it compiles conditions
    }
    watchLongJumps();
    agent->waitForRun();
    std::vector<std::string> argv{request.program};
    argv.insert(argv.end(), request.args.begin(), request.args.end());
    auto report = [](const std::string& message) { std::fprintf(stderr, "error: %s\n", message.c_str()); };
    // As long as the process. What a replay may be asked for is all that there was.
    auto* recording = request.record ? new vm::Recording(request.historyBytes, request.replay != nullptr) : nullptr;
    vm::Tape* tape = recording ? makeTape(request, std::move(recordTo), *recording).release() : nullptr;
    auto foreign = [&program] { return loadCCode(*program.sema, program.options.libraryPaths); };
    Result<int> code =
        vm::runMain(program.module, argv, report, signalFunctions(), &agent->debugger(), foreign, recording, tape);
    if (!code) report(code.error());
    std::exit(code ? *code : 1);
}

} // namespace sx::debugger
