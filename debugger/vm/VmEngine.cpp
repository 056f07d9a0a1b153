// The session's side: every question is a message to the agent in the program's process.
#include "debugger/vm/VmEngine.h"

#include "debugger/engine/ExitStatus.h"
#include "debugger/vm/AgentMemory.h"
#include "debugger/vm/ConsoleTypes.h"
#include "debugger/vm/Process.h"
#include "debugger/vm/VmMachine.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sx::debugger {

namespace {

WireWriter message(Command c) { return AgentConnection::message(c); }

/// A process that SIGSTOP stops could answer nothing. It goes on, as under the native engine. One that is no child of
/// this one is left alone.
void passOverStops(int pid) {
    siginfo_t info{};
    if (pid > 0 && waitid(P_PID, static_cast<id_t>(pid), &info, WSTOPPED | WNOHANG) == 0 && info.si_pid == pid)
        ::kill(pid, SIGCONT);
}

class VmEngine final : public Engine {
public:
    explicit VmEngine(Program& program) : program_(program), memory_(program, agent_) {
        events_ = epoll_create1(EPOLL_CLOEXEC);
    }
    void adopt(const VmProcess&, bool stopOnEntry);
    ~VmEngine() override;

    int eventDescriptor() const override { return events_; }
    std::vector<Event> poll() override;
    Result<void> start(const StartRequest&) override;
    Result<void> run(bool stopOnEntry) override {
        return agent_.goOn(message(Command::Run).put(stopOnEntry_ || stopOnEntry));
    }

    void setBreakpoint(const BreakpointRequest&) override;
    void removeBreakpoint(uint32_t id) override { agent_.ask(message(Command::RemoveBreakpoint).put(id)); }
    void setErrorFilters(const std::vector<ErrorFilter>&) override;
    Result<void> setWatch(uint32_t id, uint64_t address, uint64_t size) override {
        return agent_.askResult(message(Command::SetWatch).put(id).put(address).put(size));
    }
    Result<void> setWatchSlot(uint32_t id, ThreadId t, uint32_t frame, ir::SlotId slot) override {
        return agent_.askResult(message(Command::SetWatchSlot).put(id).put(t).put(frame).put(slot));
    }
    void removeWatch(uint32_t id) override { agent_.ask(message(Command::RemoveWatch).put(id)); }

    Result<void> resume() override { return agent_.goOn(message(Command::Resume)); }
    Result<void> ignoreStop() override { return agent_.goOn(message(Command::IgnoreStop)); }
    Result<void> step(const StepRequest&) override;
    Result<void> pause() override { return agent_.command(Command::Pause); }
    Result<void> goTo(ThreadId t, CodePoint p) override {
        return agent_.askResult(message(Command::GoTo).put(t).put(p.func).put(p.statement));
    }
    Result<void> restartFrame(ThreadId t, uint32_t frame) override {
        return agent_.askResult(message(Command::RestartFrame).put(t).put(frame));
    }

    std::vector<ThreadInfo> threads() override;
    Frames frames(ThreadId, uint32_t start, uint32_t count) override;
    SlotPlace slot(ThreadId, uint32_t frame, ir::SlotId) override;
    Result<void> writeSlot(ThreadId t, uint32_t frame, ir::SlotId slot, const std::vector<uint8_t>& bytes) override {
        return agent_.askResult(
            message(Command::WriteSlot).put(t).put(frame).put(slot).put(llvm::ArrayRef<uint8_t>(bytes)));
    }
    std::vector<RegisterValue> registers(ThreadId, uint32_t frame) override;
    TraceSource trace(ThreadId) override;
    std::optional<Returned> returned(ThreadId) override;
    Result<ProgramValue> runInProgram(ThreadId, uint32_t frame, const ProgramText&,
                                      const std::function<bool()>& isCancelled) override;

    Memory& memory() override { return memory_; }
    uint64_t allocate(uint64_t bytes) override {
        return agent_.askAddress(message(Command::Allocate).put(bytes)).value_or(0);
    }
    Addresses& addresses() override { return memory_; }
    MachineView& machine() override { return machine_; }

    void terminate() override;
    void kill() override;
    void detach() override;
    bool evaluatesConditions() const override { return true; }
    llvm::json::Object capabilities() const override {
        llvm::json::Object can{{"supportsRestartFrame", true}, {"supportsGotoTargetsRequest", true}};
        if (records_) can["supportsStepBack"] = true;
        return can;
    }
    int processId() const override { return process_.pid > 0 ? process_.pid : process_.number; }

private:
    Event readEvent(WireReader);
    void reap();

    Program& program_;
    AgentConnection agent_;
    AgentMemory memory_;
    VmMachine machine_{program_, agent_};
    ToldTypes types_{program_, agent_, memory_};
    VmProcess process_;
    int events_ = -1;
    bool ended_ = false, stopOnEntry_ = false, records_ = false;
    std::optional<int> toldStatus_; ///< what the program has said of its end
    int impliedStatus_ = 0;         ///< how it ends where it goes on from its last stop; 0: that says nothing
    std::optional<int> status_;     ///< of the process, once it has ended
};

VmEngine::~VmEngine() {
    kill();
    closeConnections(process_);
    if (events_ >= 0) close(events_);
}

Result<void> VmEngine::start(const StartRequest& request) {
    Result<VmProcess> started = startVmProcess(program_, request);
    if (!started) return started.failure();
    records_ = request.record;
    adopt(*started, request.stopOnEntry);
    return {};
}

void VmEngine::adopt(const VmProcess& process, bool stopOnEntry) {
    stopOnEntry_ = stopOnEntry;
    process_ = process;
    agent_.open(process.control);
    agent_.whileWaiting([this] { passOverStops(process_.pid); });
    memory_.begin(process_.pid);
    types_.clear();
    for (int d : {process_.events, process_.exit}) {
        if (d < 0) continue;
        epoll_event e{};
        e.events = EPOLLIN;
        e.data.fd = d;
        epoll_ctl(events_, EPOLL_CTL_ADD, d, &e);
    }
    agent_.ask(message(Command::Threads)); // where that is answered, signals are seen to
}

// ---- events

Event VmEngine::readEvent(WireReader r) {
    Event e;
    e.kind = r.get<Event::Kind>();
    e.thread = r.get<ThreadId>();
    e.id = r.get<uint32_t>();
    e.text = r.text();
    e.code = r.get<int>();
    Stop& s = e.stop;
    s.reason = r.get<Stop::Reason>();
    s.thread = r.get<ThreadId>();
    for (auto n = r.get<uint32_t>(); n > 0; --n) s.breakpoints.push_back(r.get<uint32_t>());
    s.event = r.get<ErrorEvent>();
    s.tag = r.get<uint64_t>();
    s.text = r.text();
    s.signal = r.get<int>();
    s.sender = r.get<Stop::Sender>();
    s.address = r.get<uint64_t>();
    s.before = r.data();
    s.after = r.data();
    s.passedOutput = r.get<bool>();
    return e;
}

void VmEngine::reap() {
    int status = 0;
    if (status_ || process_.pid <= 0 || waitpid(process_.pid, &status, WNOHANG) != process_.pid) return;
    status_ = exitStatus(status);
}

/// How a program ends that goes on from a stop which is its end: 128 + N for signal N; 0: the stop is none such.
int statusAfter(const Stop& stop) {
    if (stop.reason == Stop::Reason::Signal && stop.signal != 0) return 128 + stop.signal;
    const bool isPanic = stop.reason == Stop::Reason::Error && stop.event == ErrorEvent::Panic;
    return isPanic ? 128 + SIGABRT : 0;
}

/// Of a process that is no child of this one, and whose connection has ended. The system tells its parent only, and
/// others while the parent has not asked. `implied`: by its last stop; 0: nothing is.
int statusOfStranger(int process, int implied) {
    if (std::optional<int> status = statusOfZombie(process)) return *status;
    return implied != 0 ? implied : 128 + SIGKILL; // all other ends are told
}

std::vector<Event> VmEngine::poll() {
    if (!status_) passOverStops(process_.pid);
    std::vector<Event> all;
    epoll_event ready[2];
    int n = epoll_wait(events_, ready, 2, 0);
    bool exited = false, isGone = false;
    for (int i = 0; i < n; ++i) {
        if (ready[i].data.fd == process_.exit) {
            exited = true;
            continue;
        }
        std::optional<std::string> m = receiveMessage(process_.events);
        Event e = m ? readEvent(WireReader(*m)) : Event();
        if (m && e.kind == Event::Kind::Stopped) impliedStatus_ = statusAfter(e.stop);
        if (m && e.kind == Event::Kind::Exited) toldStatus_ = e.code;
        else if (m) all.push_back(std::move(e));
        else epoll_ctl(events_, EPOLL_CTL_DEL, process_.events, nullptr), isGone = true;
    }
    if (isGone && process_.pid <= 0) {
        exited = true;
        status_ = toldStatus_ ? *toldStatus_ : statusOfStranger(process_.number, impliedStatus_);
    }
    if (exited && all.empty() && !ended_) {
        reap();
        if (!status_) return all;
        ended_ = true;
        agent_.end();
        Event e;
        e.kind = Event::Kind::Exited;
        e.code = *status_;
        all.push_back(e);
    }
    return all;
}

// ---- running

void VmEngine::setBreakpoint(const BreakpointRequest& b) {
    WireWriter m = message(Command::SetBreakpoint);
    m.put(b.id).put(static_cast<uint32_t>(b.points.size()));
    for (CodePoint p : b.points) m.put(p.func).put(p.statement);
    m.put(static_cast<uint32_t>(b.addresses.size()));
    for (uint64_t a : b.addresses) m.put(a);
    m.put(b.within.statement).put(b.condition).put(b.hitCondition).put(b.logMessage);
    agent_.ask(m);
}

void VmEngine::setErrorFilters(const std::vector<ErrorFilter>& filters) {
    WireWriter m = message(Command::SetErrorFilters);
    m.put(static_cast<uint32_t>(filters.size()));
    for (const ErrorFilter& f : filters) {
        m.put(f.event).put(static_cast<uint32_t>(f.tags.size()));
        for (uint64_t t : f.tags) m.put(t);
    }
    agent_.ask(m);
}

Result<void> VmEngine::step(const StepRequest& s) {
    return agent_.goOn(message(Command::Step)
                           .put(s.kind)
                           .put(s.thread)
                           .put(s.byLine)
                           .put(s.byInstruction)
                           .put(s.intoCalls)
                           .put(s.intoLibrary)
                           .put(s.target.callee)
                           .put(s.target.span)
                           .put(s.target.isGiven));
}

void VmEngine::terminate() {
    if (ended_) return;
    if (!agent_.command(Command::Terminate) && process_.pid > 0) ::kill(process_.pid, SIGTERM);
    (void)agent_.command(Command::Resume); // one that stands still could not do what it does at its end
}

void VmEngine::kill() {
    if (process_.pid <= 0 && !ended_ && !status_) agent_.ask(message(Command::Kill));
    if (!ended_ && process_.pid > 0 && !status_) ::kill(process_.pid, SIGKILL);
    int status = 0;
    if (!status_ && process_.pid > 0 && waitpid(process_.pid, &status, 0) == process_.pid) status_ = exitStatus(status);
}

void VmEngine::detach() {
    (void)agent_.command(Command::Detach);
    ended_ = true;
    agent_.end();
    status_ = 0;
}

// ---- state

std::vector<ThreadInfo> VmEngine::threads() {
    std::string reply = agent_.ask(message(Command::Threads));
    WireReader r(reply);
    std::vector<ThreadInfo> all;
    for (auto n = r.get<uint32_t>(); n > 0; --n) {
        ThreadInfo t;
        t.id = r.get<ThreadId>();
        t.name = r.text();
        t.fiber = r.get<uint32_t>();
        t.system = r.get<uint64_t>();
        if (t.fiber != 0) memory_.noteFiber(t.fiber, t.id);
        all.push_back(std::move(t));
    }
    return all;
}

Frames VmEngine::frames(ThreadId thread, uint32_t start, uint32_t count) {
    // A stack may have tens of millions of frames, and those before are walked.
    constexpr uint32_t WalkedInMillisecond = 1000, LongestWalk = 40'000'000;
    auto walk = static_cast<int>(std::min(start, LongestWalk) / WalkedInMillisecond);
    std::string reply =
        agent_.ask(message(Command::Frames).put(thread).put(start).put(count), AgentConnection::Patience + walk);
    WireReader r(reply);
    Frames all;
    bool whole = r.get<bool>();
    auto total = r.get<uint32_t>();
    if (whole || reply.empty()) all.total = total;
    for (auto n = r.get<uint32_t>(); n > 0; --n) {
        Frame f;
        f.func = r.get<ir::FuncId>();
        f.statement = r.get<uint32_t>();
        f.atStatement = r.get<bool>();
        f.isLeft = r.get<bool>();
        f.scope = r.get<ir::ScopeId>();
        f.at.raw = r.get<uint32_t>();
        f.pc = r.get<uint64_t>();
        f.address = r.get<uint64_t>();
        f.name = r.text();
        if (f.func != ir::FuncId::None) f.name = program_.module.fn(f.func).name;
        all.frames.push_back(std::move(f));
    }
    return all;
}

SlotPlace readPlace(WireReader& r) {
    SlotPlace p;
    p.kind = r.get<SlotPlace::Kind>();
    p.address = r.get<uint64_t>();
    p.bytes = r.data();
    p.why = r.text();
    return p;
}

SlotPlace VmEngine::slot(ThreadId thread, uint32_t frame, ir::SlotId slot) {
    std::string reply = agent_.ask(message(Command::Slot).put(thread).put(frame).put(slot));
    WireReader r(reply);
    if (reply.empty()) return {};
    return readPlace(r);
}

std::vector<RegisterValue> VmEngine::registers(ThreadId thread, uint32_t frame) {
    std::string reply = agent_.ask(message(Command::Registers).put(thread).put(frame));
    WireReader r(reply);
    std::vector<RegisterValue> all;
    for (auto n = r.get<uint32_t>(); n > 0; --n) {
        RegisterValue v;
        v.name = r.text();
        v.text = r.text();
        all.push_back(std::move(v));
    }
    return all;
}

TraceSource VmEngine::trace(ThreadId thread) {
    std::string reply = agent_.ask(message(Command::Trace).put(thread));
    return {WireReader(reply).data(), true};
}

std::optional<Engine::Returned> VmEngine::returned(ThreadId thread) {
    std::string reply = agent_.ask(message(Command::Returned).put(thread));
    WireReader r(reply);
    Returned result;
    if (!r.get<bool>()) return std::nullopt;
    result.func = r.get<ir::FuncId>();
    result.place = readPlace(r);
    return result;
}

Result<Engine::ProgramValue> VmEngine::runInProgram(ThreadId thread, uint32_t frame, const ProgramText& text,
                                                    const std::function<bool()>& isCancelled) {
    WireWriter question = message(Command::RunExpression).put(thread).put(frame).put(text.text);
    types_.put(question, text.given);
    types_.putResult(question, text.type);
    constexpr int PatienceWithCalls = 30'000; // milliseconds: each call has a limit of its own
    std::string reply = agent_.ask(question, PatienceWithCalls, isCancelled);
    if (reply.empty()) return Failure{"the program has ended"};
    WireReader r(reply);
    if (!r.get<bool>()) return Failure{r.text()};
    ProgramValue value;
    value.type = r.get<TypeId>();
    value.address = r.get<uint64_t>();
    value.isResult = r.get<bool>();
    return value;
}

} // namespace

std::unique_ptr<Engine> makeVmEngine(Program& program, const VmProcess& connected, bool stopOnEntry) {
    auto engine = std::make_unique<VmEngine>(program);
    engine->adopt(connected, stopOnEntry);
    return engine;
}

std::unique_ptr<Engine> makeVmEngine(Program& program) { return std::make_unique<VmEngine>(program); }

} // namespace sx::debugger
