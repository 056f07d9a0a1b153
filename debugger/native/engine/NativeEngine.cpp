#include "debugger/native/engine/NativeEngine.h"

#include "debugger/native/target/Loader.h"
#include "ir/CodeMarks.h"

#include <algorithm>
#include <csignal>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

extern char** environ;

namespace sx::debugger::native {

NativeEngine::NativeEngine(NativeProgram program)
    : program_(std::move(program)), image_(program_.module, program_.pathOf), stack_(program_, image_) {
    descriptor_ = epoll_create1(EPOLL_CLOEXEC);
    ownEvents_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    epoll_event own{EPOLLIN, {}};
    epoll_ctl(descriptor_, EPOLL_CTL_ADD, ownEvents_, &own);
}

NativeEngine::~NativeEngine() {
    target_.reset();
    close(ownEvents_);
    close(descriptor_);
}

// ---- beginning

Result<void> NativeEngine::open(const std::string& executable) {
    Result<std::unique_ptr<Target>> made = makeTarget(program_.pluginFolder);
    if (!made) return made.failure();
    if (Result<void> read = image_.read(executable); !read) return read;
    if (!image_.hasStatements()) return Failure{"the program does not say where statements begin: build it with `-g`"};
    target_ = std::move(*made);
    return {};
}

/// The program is there, and stands still.
void NativeEngine::loaded() {
    slide_ = target_->slide();
    stack_.attach(target_.get(), slide_);
    epoll_event events{EPOLLIN, {}};
    if (!isCore_) epoll_ctl(descriptor_, EPOLL_CTL_ADD, target_->eventDescriptor(), &events);
    updateThreads();
}

namespace {

std::vector<std::string> environmentOf(const StartRequest& request) {
    std::map<std::string, std::string> all;
    for (char** at = environ; *at; ++at) {
        std::string entry = *at;
        size_t equals = entry.find('=');
        if (equals != std::string::npos) all[entry.substr(0, equals)] = entry.substr(equals + 1);
    }
    all.erase("LLDB_DEBUGSERVER_PATH"); // set for lldb
    for (auto& [name, value] : request.environment) {
        if (value) all[name] = *value;
        else all.erase(name);
    }
    std::vector<std::string> out;
    for (auto& [name, value] : all) out.push_back(name + "=" + value);
    return out;
}

} // namespace

/// Returns why it failed, or nothing.
std::string NativeEngine::begin(const StartRequest& request) {
    isCore_ = !request.core.empty();
    isAttached_ = request.process != 0;
    if (isCore_) return target_->openCore(request.core, request.program);
    if (isAttached_) return target_->attach(request.process, request.program);
    return target_->launch({request.program, request.args, environmentOf(request), request.cwd, request.stdio});
}

Result<void> NativeEngine::start(const StartRequest& request) {
    if (Result<void> opened = open(request.program); !opened) return opened;
    stopsAtEntry_ = request.stopOnEntry;
    if (std::string problem = begin(request); !problem.empty()) return Failure{problem};
    state_ = State::Loaded;
    loaded();
    return {};
}

Result<void> NativeEngine::run() {
    if (state_ != State::Loaded) return Failure{"the program runs already"};
    state_ = State::Stopped;
    if (isCore_ || (isAttached_ && stopsAtEntry_)) {
        SystemThread first = threadIds_.empty() ? 0 : threadIds_.begin()->first;
        std::optional<Stop> stop;
        for (const ThreadStop& reason : target_->stops())
            if (isCore_ && !stop) stop = decide(reason);
        postStop(stop ? *stop : makeStop(isCore_ ? Stop::Reason::Pause : Stop::Reason::Entry, first));
        return {};
    }
    if (stopsAtEntry_) planEntry();
    return go();
}

/// The first statement of the program's `main`.
void NativeEngine::planEntry() {
    StepPlan plan;
    plan.thread = threadIds_.empty() ? 0 : threadIds_.begin()->first;
    for (size_t i = 0; i < program_.module.functions.size(); ++i) {
        const ir::Function& fn = *program_.module.functions[i];
        if (fn.name != "main" || fn.compilerMade || fn.isExtern) continue;
        for (const StatementStart& start : image_.startsOf(ir::FuncId(i))) plan.starts.insert(toRun(start.address));
    }
    step_ = std::move(plan);
}

// ---- going on

Result<void> NativeEngine::go() {
    if (isCore_) return Failure{"a core file does not run"};
    memory_.forget();
    stack_.forget();
    variables_.clear();
    syncBreakpoints();
    stack_.forgetPlace();
    state_ = State::Running;
    SystemThread stepping = threadIds_.empty() ? 0 : threadIds_.begin()->first;
    if (isWatching()) stepping = watches_.front().thread;
    bool single = stepsInstruction_ || (isWatching() && watchReturn_ == 0);
    if (stepsInstruction_ && step_) stepping = step_->thread;
    std::string problem = single ? target_->stepInstruction(stepping) : target_->resume();
    return problem.empty() ? Result<void>() : Failure{problem};
}

Result<void> NativeEngine::resume() {
    if (state_ != State::Stopped) return Failure{"the program is not stopped"};
    returned_.reset();
    step_.reset();
    stepsInstruction_ = false;
    // The user has seen where the thread stands: that a step has ended there, too, is no news.
    std::erase_if(waiting_, [](const Stop& stop) { return stop.reason == Stop::Reason::Step; });
    return tellsAnother() ? Result<void>() : go();
}

/// Threads that stopped at the same time, and statements that begin at the same instruction and have breakpoints of
/// their own.
bool NativeEngine::tellsAnother() {
    if (!waiting_.empty()) {
        Stop next = waiting_.front();
        waiting_.pop_front();
        postStop(next);
        return true;
    }
    for (auto& [thread, id] : threadIds_) {
        std::optional<uint32_t> at = currentStatement(thread);
        if (!at) continue;
        const StackFrame* top = stack_.frame(thread, 0);
        ThreadStop here{ThreadStop::Kind::Breakpoint, thread, top->frame.pc, 0, {}, {}};
        if (std::optional<Stop> stop = userBreakpoint(here, *at)) {
            postStop(*stop);
            return true;
        }
    }
    return false;
}

Result<void> NativeEngine::ignoreStop() {
    if (state_ != State::Stopped) return Failure{"the program is not stopped"};
    if (tellsAnother()) return {};
    step_ = std::move(ignoredStep_);
    ignoredStep_.reset();
    return go();
}

Result<void> NativeEngine::pause() {
    if (state_ == State::Loaded || state_ == State::Stopped) return {};
    if (state_ != State::Running) return Failure{"the program has ended"};
    pauseWanted_ = true;
    std::string problem = target_->interrupt();
    return problem.empty() ? Result<void>() : Failure{problem};
}

Result<void> NativeEngine::goTo(ThreadId, CodePoint) { return Failure{"machine code cannot go on elsewhere"}; }

Result<void> NativeEngine::restartFrame(ThreadId, uint32_t) {
    return Failure{"machine code cannot begin a call again"};
}

// ---- breakpoints

void NativeEngine::setBreakpoint(const BreakpointRequest& request) {
    removeBreakpoint(request.id);
    breakpoints_[request.id] = request;
    for (const CodePoint& point : request.points) {
        // A statement without code of its own begins where the next one does.
        auto count = static_cast<uint32_t>(program_.module.fn(point.func).statements.size());
        for (uint32_t statement = point.statement; statement < count; ++statement) {
            std::vector<uint64_t> addresses = image_.addressesOf(point.func, statement);
            for (uint64_t address : addresses) places_[toRun(address)].push_back({request.id, statement});
            if (!addresses.empty()) break;
        }
    }
    for (uint64_t address : request.addresses) places_[address].push_back({request.id, ir::CodeMarks::None});
    if (state_ == State::Running) syncBreakpoints();
}

void NativeEngine::removeBreakpoint(uint32_t id) {
    breakpoints_.erase(id);
    for (auto at = places_.begin(); at != places_.end();) {
        std::erase_if(at->second, [&](auto& place) { return place.first == id; });
        at = at->second.empty() ? places_.erase(at) : std::next(at);
    }
    if (state_ == State::Running) syncBreakpoints();
}

/// Gives lldb the difference between what is wanted and what it has. Those of a step stay until the program goes on
/// without one: steps in one function have the same.
void NativeEngine::syncBreakpoints() {
    std::set<uint64_t> wanted;
    for (auto& [address, ids] : places_) wanted.insert(address);
    for (auto& [address, place] : errorPlaces_) wanted.insert(address);
    for (const PendingError& pending : pendingErrors_) wanted.insert(pending.address);
    for (auto& [address, name] : panics_) wanted.insert(address);
    if (unhandled_ != 0) wanted.insert(unhandled_);
    if (step_ && !stepsInstruction_) {
        if (step_->backTo == 0) {
            wanted.insert(step_->starts.begin(), step_->starts.end());
            wanted.insert(step_->entries.begin(), step_->entries.end());
        } else {
            wanted.insert(step_->backTo);
        }
        if (step_->returnTo != 0) wanted.insert(step_->returnTo);
    }
    if (watchReturn_ != 0) wanted.insert(watchReturn_);
    std::vector<uint64_t> added, removed;
    std::set_difference(wanted.begin(), wanted.end(), set_.begin(), set_.end(), std::back_inserter(added));
    std::set_difference(set_.begin(), set_.end(), wanted.begin(), wanted.end(), std::back_inserter(removed));
    target_->removeBreakpoints(removed);
    target_->addBreakpoints(added);
    set_ = std::move(wanted);
}

// ---- the end

void NativeEngine::terminate() {
    if (isTerminating_) return kill();
    isTerminating_ = true;
    if (!target_ || isCore_ || state_ == State::Ended) return;
    int pid = processId();
    if (pid > 0) ::kill(pid, SIGTERM);
    if (state_ == State::Running) return;
    state_ = State::Stopped;
    step_.reset();
    (void)go();
}

void NativeEngine::kill() {
    if (target_ && state_ != State::Ended) target_->kill();
}

void NativeEngine::detach() {
    if (!target_ || isCore_ || state_ == State::Ended) return;
    target_->removeBreakpoints({set_.begin(), set_.end()});
    set_.clear();
    target_->detach();
    state_ = State::Ended;
}

uint64_t NativeEngine::allocate(uint64_t bytes) {
    return target_ && state_ == State::Stopped && !isCore_ ? target_->allocate(bytes) : 0;
}

int NativeEngine::processId() const { return target_ ? target_->processId() : 0; }

Result<std::string> NativeEngine::command(const std::string& line) {
    if (!target_) return Failure{"no program is loaded"};
    return target_->command(line);
}

} // namespace sx::debugger::native
