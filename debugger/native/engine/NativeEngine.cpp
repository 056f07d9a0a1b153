#include "debugger/native/engine/NativeEngine.h"

#include "debugger/native/engine/Calls.h"
#include "debugger/native/engine/CodeFlow.h"
#include "debugger/native/engine/Errors.h"
#include "debugger/native/engine/Events.h"
#include "debugger/native/engine/FilteredHits.h"
#include "debugger/native/engine/InMemory.h"
#include "debugger/native/engine/LoadedCode.h"
#include "debugger/native/engine/Running.h"
#include "debugger/native/engine/StopPlaces.h"
#include "debugger/native/engine/Watches.h"
#include "debugger/native/target/Loader.h"
#include "ir/CodeMarks.h"
#include "source/SystemLibraries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <csignal>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace sx::debugger::native {

static bool planEntry(Native& n);

NativeEngine::NativeEngine(NativeProgram program) : n_(std::move(program)) {
    n_.memory.written = [this](uint64_t address, llvm::ArrayRef<uint8_t> bytes) {
        n_.stack.memoryWritten();
        noteOwnWrite(n_, address, bytes);
    };
    n_.descriptor = epoll_create1(EPOLL_CLOEXEC);
    n_.ownEvents = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    epoll_event own{EPOLLIN, {}};
    epoll_ctl(n_.descriptor, EPOLL_CTL_ADD, n_.ownEvents, &own);
    n_.turns.timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    epoll_ctl(n_.descriptor, EPOLL_CTL_ADD, n_.turns.timer, &own);
}

NativeEngine::~NativeEngine() {
    n_.target.reset();
    close(n_.ownEvents);
    close(n_.turns.timer);
    close(n_.descriptor);
}

// ---- beginning

static Result<void> open(Native& n, const std::string& executable, bool inMemory) {
    Result<std::unique_ptr<Target>> made = makeTarget(n.program.pluginFolder);
    if (!made) return made.failure();
    n.target = std::move(*made);
    if (n.image.isForeign() || inMemory) return {};
    if (Result<void> read = n.image.read(executable); !read) return read;
    if (!n.image.hasStatements()) return Failure{"the program does not say where statements begin: build it with `-g`"};
    return {};
}

/// The program is there, and stands still.
static void loaded(Native& n) {
    n.slide = n.target->modules().front().slide;
    n.stack.attach(n.target.get(), n.slide);
    epoll_event events{EPOLLIN, {}};
    if (!n.isCore) epoll_ctl(n.descriptor, EPOLL_CTL_ADD, n.target->eventDescriptor(), &events);
    updateThreads(n);
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

/// Addresses of the image are so far from those of the program.
static void relocateTo(Native& n, uint64_t slide) {
    n.slide = slide;
    n.stack.attach(n.target.get(), slide);
}

/// A new program stands before the dynamic linker has loaded libraries. Those that it names are wanted.
static Result<void> loadLibraries(Native& n, const StartRequest& request) {
    bool isThere = n.isCore || n.isAttached || request.inMemory || n.image.isForeign();
    if (isThere || llvm::all_of(n.program.module.libraries, isPartOfLibc)) return {};
    uint64_t begin = n.image.symbol("_start");
    return begin == 0 ? Result<void>() : runTo(n, n.target->modules().front().slide + begin, request.goesOn);
}

/// Returns why it failed, or nothing.
static std::string begin(Native& n, const StartRequest& request) {
    n.isCore = !request.core.empty();
    n.memory.isLive = !n.isCore;
    n.isAttached = request.process != 0;
    if (n.isCore) return n.target->openCore(request.core, request.program);
    if (n.isAttached) return n.target->attach(request.process, request.program);
    return n.target->launch({request.program, request.args, environmentOf(request), request.cwd, request.stdio});
}

Result<void> NativeEngine::start(const StartRequest& request) {
    if (Result<void> opened = open(n_, request.program, request.inMemory); !opened) return opened;
    n_.stopsAtEntry = request.stopOnEntry;
    if (std::string problem = begin(n_, request); !problem.empty()) return Failure{problem};
    Result<void> there = request.inMemory ? awaitCode(n_, request.goesOn) : loadLibraries(n_, request);
    if (!there) {
        n_.target->kill();
        return there;
    }
    n_.state = RunState::Loaded;
    loaded(n_);
    if (request.inMemory) relocateTo(n_, 0);
    n_.isTraced = request.inMemory ? !request.isUntraced : callsTraces(n_);
    readCode(n_, request);
    if (n_.isCore) showParkedStacks(n_);
    return {};
}

Result<void> NativeEngine::run(bool stopOnEntry) {
    n_.stopsAtEntry |= stopOnEntry;
    if (n_.state != RunState::Loaded) return Failure{"the program runs already"};
    if (n_.earlyEnd) {
        handle(n_, *n_.earlyEnd);
        return {};
    }
    n_.state = RunState::Stopped;
    if (n_.isCore || (n_.isAttached && n_.stopsAtEntry)) {
        SystemThread first = n_.threadIds.empty() ? 0 : n_.threadIds.begin()->first;
        std::optional<Stop> stop;
        for (const ThreadStop& reason : n_.target->stops())
            if (n_.isCore && !stop) stop = decide(n_, reason);
        postStop(n_, stop ? *stop : makeStop(n_, n_.isCore ? Stop::Reason::Pause : Stop::Reason::Entry, first));
        return {};
    }
    if (n_.stopsAtEntry && !planEntry(n_)) {
        Stop stop = makeStop(n_, Stop::Reason::Entry, n_.threadIds.empty() ? 0 : n_.threadIds.begin()->first);
        stop.text = "where its `main` begins is not known: before the program's first instruction";
        postStop(n_, std::move(stop));
        return {};
    }
    return go(n_);
}

/// The first statement of the program's `main`, or of the test that it runs. False: it is not known.
static bool planEntry(Native& n) {
    StepPlan plan;
    plan.thread = n.threadIds.empty() ? 0 : n.threadIds.begin()->first;
    for (size_t i = 0; i < n.program.module.functions.size(); ++i) {
        const ir::Function& fn = *n.program.module.functions[i];
        if (fn.name != n.program.entry || fn.compilerMade || fn.isExtern) continue;
        for (const StatementStart& start : n.image.startsOf(ir::FuncId(i))) plan.starts.insert(n.toRun(start.address));
    }
    if (plan.starts.empty()) return false;
    n.step = std::move(plan);
    return true;
}

// ---- going on

Result<void> NativeEngine::resume() {
    if (n_.state != RunState::Stopped) return Failure{"the program is not stopped"};
    giveBack(n_);
    n_.pauseWanted = false;
    n_.returned.reset();
    n_.step.reset();
    n_.ignoredStep.reset();
    n_.stepsInstruction = false;
    dropSeen(n_);
    return tellsAnother(n_) ? Result<void>() : go(n_);
}

Result<void> NativeEngine::ignoreStop() {
    if (n_.state != RunState::Stopped) return Failure{"the program is not stopped"};
    giveBack(n_);
    if (tellsAnother(n_)) return {};
    noteIgnored(n_);
    if (n_.pauseWanted) { // lldb does not interrupt what stands still
        postStop(n_, makeStop(n_, Stop::Reason::Pause, n_.threadIds.empty() ? 0 : n_.threadIds.begin()->first));
        return {};
    }
    n_.step = std::exchange(n_.ignoredStep, std::nullopt);
    n_.stepsInstruction = n_.step && n_.step->request.kind == StepRequest::Kind::Instruction;
    return go(n_);
}

Result<void> NativeEngine::pause() {
    if (n_.state == RunState::Loaded) return {};
    if (n_.state == RunState::Ended || n_.state == RunState::None) return Failure{"the program has ended"};
    n_.pauseWanted = true;
    if (n_.state != RunState::Running) return {}; // if the stop is ignored
    std::string problem = n_.target->interrupt();
    return problem.empty() ? Result<void>() : Failure{problem};
}

Result<void> NativeEngine::goTo(ThreadId, CodePoint) { return Failure{"machine code cannot go on elsewhere"}; }

Result<void> NativeEngine::restartFrame(ThreadId, uint32_t) {
    return Failure{"machine code cannot begin a call again"};
}

// ---- breakpoints

static void forgetBreakpoint(Native& n, uint32_t id) {
    n.breakpoints.erase(id);
    for (auto at = n.places.begin(); at != n.places.end();) {
        std::erase_if(at->second, [&](auto& place) { return place.first == id; });
        at = at->second.empty() ? n.places.erase(at) : std::next(at);
    }
}

/// Copies of one statement, as of what is cleaned up at several ends of a block, may be one in optimized code.
static void addPlace(Native& n, uint64_t address, uint32_t id, uint32_t statement) {
    auto& there = n.places[address];
    auto isSame = [&](auto& place) {
        return place.first == id && (place.second == statement || n.image.isOptimized());
    };
    if (llvm::none_of(there, isSame)) there.emplace_back(id, statement);
}

/// One that stays where it is stops a program that runs all the time.
void NativeEngine::setBreakpoint(const BreakpointRequest& request) {
    forgetBreakpoint(n_, request.id);
    n_.breakpoints[request.id] = request;
    for (const CodePoint& point : request.points) {
        StopPlace place = stopPlace(n_, point);
        if (n_.image.isOptimized() || n_.image.isForeign(point.func)) leaveOutParts(n_, place.addresses);
        for (uint64_t address : place.addresses) addPlace(n_, n_.toRun(address), request.id, place.statement);
    }
    for (uint64_t address : request.addresses) n_.places[address].push_back({request.id, ir::CodeMarks::None});
    n_.hasChanges = true;
}

void NativeEngine::removeBreakpoint(uint32_t id) {
    forgetBreakpoint(n_, id);
    n_.hasChanges = true;
}

/// lldb that is given a breakpoint on a thread's way around another one lets the thread go on without that one: the
/// program stands still meanwhile, and what is wanted is set as it goes on.
void NativeEngine::applyChanges() {
    if (!n_.hasChanges || n_.state != RunState::Running) return;
    if (!whileStill(n_, [] {}) && n_.state == RunState::Running) syncBreakpoints(n_);
}

// ---- the end

/// Nothing stops the program any more, and lldb has no breakpoints of it.
static void forgetPlaces(Native& n) {
    n.places.clear();
    n.errorPlaces.clear();
    n.panics.clear();
    n.pendingErrors.clear();
    n.unhandled = 0;
    n.step.reset();
    n.ignoredStep.reset();
    n.stepsInstruction = false;
    n.waiting.clear();
    syncBreakpoints(n);
}

void NativeEngine::terminate() {
    if (n_.isTerminating) return kill();
    n_.isTerminating = true;
    if (!n_.target || n_.isCore || n_.state == RunState::Ended) return;
    int pid = processId();
    if (pid > 0) ::kill(pid, SIGTERM);
    if (n_.state == RunState::Running) return;
    n_.state = RunState::Stopped;
    n_.step.reset();
    (void)go(n_);
}

void NativeEngine::kill() {
    if (n_.target && n_.state != RunState::Ended) n_.target->kill();
}

void NativeEngine::detach() {
    if (!n_.target || n_.isCore || n_.state == RunState::Ended) return;
    if (n_.state != RunState::Running) giveBack(n_);
    (void)whileStill(n_, [&] {
        endAllWatches(n_);
        forgetPlaces(n_);
        if (!n_.isAttached) outliveReader(n_);
    });
    n_.target->detach();
    n_.state = RunState::Ended;
}

uint64_t NativeEngine::allocate(uint64_t bytes) {
    if (!n_.target || n_.state != RunState::Stopped || n_.isCore) return 0;
    uint64_t block = allocateBlock(n_, bytes);
    return block != 0 ? block : n_.target->allocate(bytes);
}

int NativeEngine::processId() const { return n_.target ? n_.target->processId() : 0; }

Result<std::string> NativeEngine::command(const std::string& line) {
    if (!n_.target) return Failure{"no program is loaded"};
    if (n_.state != RunState::Stopped) return Failure{"lldb's commands need a program that is stopped"};
    giveBack(n_);
    if (!n_.isCore) syncBreakpoints(n_);
    TargetCommand done = n_.target->command(line);
    if (done.gone) handle(n_, {TargetEvent::Kind::Lost, {}, 0, {}});
    else if (done.runs) goneOn(n_);
    else {
        n_.memory.forget();
        noteOwnWrites(n_);
    }
    return done.ok ? Result<std::string>(done.text) : Failure{llvm::StringRef(done.text).trim().str()};
}

} // namespace sx::debugger::native
