// Beginning and ending: of the session, and of the program.
#include "debugger/native/NativeEngine.h"
#include "debugger/session/Heap.h"
#include "debugger/session/Launch.h"
#include "debugger/session/Machine.h"
#include "debugger/session/Requests.h"
#include "debugger/session/Terminal.h"

#include "llvm/ADT/STLExtras.h"

#include <csignal>
#include <utility>

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;

namespace {

Object filter(const char* name, const char* label, const char* description, bool byDefault) {
    return Object{
        {"filter", name},
        {"label", label},
        {"description", description},
        {"default", byDefault},
        {"supportsCondition", true},
        {"conditionDescription", "names of errors or sets (BadDigit, ParseError, !NotFound), or an expression"}};
}

Object capabilities() {
    Object c;
    for (const char* name : {"supportsConfigurationDoneRequest",
                             "supportsCancelRequest",
                             "supportTerminateDebuggee",
                             "supportsExceptionFilterOptions",
                             "supportsExceptionOptions",
                             "supportsExceptionInfoRequest",
                             "supportsValueFormattingOptions",
                             "supportsDelayedStackTraceLoading",
                             "supportsConditionalBreakpoints",
                             "supportsHitConditionalBreakpoints",
                             "supportsLogPoints",
                             "supportsFunctionBreakpoints",
                             "supportsDataBreakpoints",
                             "supportsInstructionBreakpoints",
                             "supportsBreakpointLocationsRequest",
                             "supportsSetVariable",
                             "supportsSetExpression",
                             "supportsCompletionsRequest",
                             "supportsEvaluateForHovers",
                             "supportsStepInTargetsRequest",
                             "supportsSteppingGranularity",
                             "supportsRestartRequest",
                             "supportsTerminateRequest",
                             "supportsReadMemoryRequest",
                             "supportsWriteMemoryRequest",
                             "supportsDisassembleRequest",
                             "supportsModulesRequest",
                             "supportsLoadedSourcesRequest",
                             "supportsClipboardContext",
                             "supportsSingleThreadExecutionRequests"})
        c[name] = true;
    c["supportsExceptionOptions"] = false;
    c["supportsSingleThreadExecutionRequests"] = false;
    c["completionTriggerCharacters"] = Array{"."};
    c["exceptionBreakpointFilters"] = Array{
        filter("raise", "Raised errors", "stop where a `raise` statement raises an error", false),
        filter("propagate", "Propagated errors", "stop where a `try` passes an error on", false),
        filter("absorb", "Absorbed errors", "stop where an error is taken: by `catch`, `or`, or a variable", false),
        filter("unhandled", "Unhandled errors", "stop where an error leaves `main`", true),
        filter("panic", "Panics", "stop where the program panics", true)};
    return c;
}

/// What `initialize` says of the client.
Client clientOf(Arguments& a) {
    Client c;
    c.linesStartAt1 = a.flag("linesStartAt1", true);
    c.columnsStartAt1 = a.flag("columnsStartAt1", true);
    c.paging = a.flag("supportsVariablePaging", false);
    c.progress = a.flag("supportsProgressReporting", false);
    c.invalidated = a.flag("supportsInvalidatedEvent", false);
    c.memoryEvents = a.flag("supportsMemoryEvent", false);
    c.runInTerminal = a.flag("supportsRunInTerminalRequest", false);
    c.ansi = a.flag("supportsANSIStyling", false);
    return c;
}

/// Lets the program begin, as soon as it is loaded and the client has told its breakpoints.
void beginIfReady(Session& s) {
    if (s.phase != Phase::Loaded || !s.configured || s.terminations > 0) return;
    bool areWaiting = !s.setsWatchesAgain && llvm::any_of(s.breakpoints.all, [](const auto& entry) {
        return entry.second.kind == Breakpoint::Kind::Data && entry.second.isPending;
    });
    if (areWaiting) s.hidesEntry = !s.launchArguments.getBoolean("stopOnEntry").value_or(false);
    s.setsWatchesAgain |= areWaiting;
    if (Result<void> ran = s.engine->run(areWaiting); !ran) {
        s.note(ran.error(), "stderr");
        endProgram(s);
        return s.event("terminated", Object{});
    }
    s.phase = Phase::Running;
    if (s.attached && s.launchArguments.get("core")) return; // it stands where it ended
    Object process{{"name", s.program ? s.program->options.file : std::string("program")},
                   {"isLocalProcess", true},
                   {"startMethod", s.attached ? "attach" : "launch"}};
    if (s.process > 0) process["systemProcessId"] = s.process;
    s.event("process", std::move(process));
}

Reply load(Session& s) {
    Arguments a(s.launchArguments);
    if (Result<void> loaded = loadProgram(s, a); !loaded) {
        s.evaluator.reset();
        s.engine.reset();
        s.terminal.reset();
        s.phase = Phase::Ready;
        return Reply::failure(loaded.error());
    }
    if (!a.ok()) return Reply::failure(a.problem());
    s.phase = Phase::Loaded;
    s.process = s.engine->processId();
    s.terminations = 0;
    beginMachine(s);
    settleAll(s);
    Object more = s.engine->capabilities();
    if (!more.empty()) s.event("capabilities", Object{{"capabilities", std::move(more)}});
    beginIfReady(s);
    return {};
}

} // namespace

Reply initialize(Session& s, Arguments& a) {
    if (s.phase != Phase::Fresh) return Reply::failure("the session has begun already");
    Client client = clientOf(a);
    std::optional<std::string> format = a.optionalText("pathFormat");
    if (!a.ok()) return {};
    if (format && *format != "path") return Reply::failure("paths have to be of the format `path`");
    s.client = client;
    s.phase = Phase::Ready;
    s.event("initialized", Object{});
    return capabilities();
}

Reply launch(Session& s, Arguments& a) {
    if (!a.any("replay")) a.text("program"); // a recording knows its own
    if (!a.ok()) return {};
    s.launchArguments = a.all();
    s.attached = false;
    Reply reply = load(s);
    if (!reply.ok && reply.message == Cancelled) s.launchArguments = {}; // a `restart` that waits starts nothing
    return reply;
}

Reply attach(Session& s, Arguments& a) {
    s.launchArguments = a.all();
    s.attached = true;
    Reply reply = load(s);
    if (!reply.ok) s.launchArguments = {}, s.attached = false;
    return reply;
}

Reply configurationDone(Session& s, Arguments&) {
    if (s.configured) return Reply::failure("`configurationDone` was sent already");
    s.configured = true;
    beginIfReady(s);
    return {};
}

/// The program that should begin again is gone, and has not.
static void tellGone(Session& s) {
    for (ThreadId thread : std::exchange(s.threads, {}))
        s.event("thread", Object{{"reason", "exited"}, {"threadId", thread}});
    s.event("exited", Object{{"exitCode", 128 + SIGKILL}});
    s.event("terminated", Object{});
}

/// A program whose source does not compile any more stays as it is.
Reply restart(Session& s, Arguments& a) {
    if (s.launchArguments.empty()) return Reply::failure("there is nothing to restart: send `launch` first");
    if (s.attached) return Reply::failure("a program that was attached to cannot be restarted");
    const Object* again = a.object("arguments");
    if (!a.ok()) return {};
    bool isLive = s.engine && s.phase != Phase::Ended;
    Object before = s.launchArguments;
    if (again && (again->get("program") || again->get("replay"))) s.launchArguments = *again;
    else if (isLive)
        if (Result<void> checked = checkAgain(s); !checked) return Reply::failure(checked.error());
    if (isLive) s.engine->kill();
    s.streams.drain();
    s.handles.clear();
    s.console.clear();
    s.evaluator.reset();
    s.engine.reset();
    s.phase = Phase::Ready;
    s.setsWatchesAgain =
        llvm::any_of(s.breakpoints.all, [](const auto& entry) { return entry.second.kind == Breakpoint::Kind::Data; });
    Reply reply = load(s);
    if (isLive && !reply.ok) tellGone(s);
    if (!reply.ok) s.launchArguments = std::move(before);
    return reply;
}

Reply terminate(Session& s, Arguments& a) {
    a.flag("restart", false);
    if (!a.ok()) return {};
    bool endedStart = std::exchange(s.endedStart, false);
    if (s.phase == Phase::Ready && !endedStart)
        return Reply::failure("no program is loaded: send `launch` or `attach`");
    if (s.phase == Phase::Ended) return Reply::failure("the program has ended");
    if (!s.engine) return {};
    if (s.attached && s.launchArguments.get("core")) { // nothing runs that could end
        endProgram(s);
        s.event("terminated", Object{});
        return {};
    }
    ++s.terminations;
    if (s.phase == Phase::Loaded || s.terminations > 1) s.engine->kill();
    else s.engine->terminate();
    if (s.phase == Phase::Stopped) s.phase = Phase::Running;
    return {};
}

Reply disconnect(Session& s, Arguments& a) {
    bool kill = a.flag("terminateDebuggee", !s.attached);
    a.flag("restart", false);
    a.flag("suspendDebuggee", false);
    if (!a.ok()) return {};
    s.finished = true;
    if (!s.engine || s.phase == Phase::Ended) return {};
    if (kill) {
        s.engine->kill();
    } else {
        letRunOn(s);
    }
    endProgram(s);
    return {};
}

Reply sendInput(Session& s, Arguments& a) {
    std::string text = a.text("text");
    bool eof = a.flag("eof", false);
    if (!a.ok()) return {};
    if (Result<void> r = s.streams.write(text, eof); !r) return Reply::failure(r.error());
    return {};
}

void forgetState(Session& s) {
    s.handles.clear();
    s.frameTotals.clear();
    s.heap->forget();
    if (s.evaluator) s.evaluator->resumed();
}

void letRunOn(Session& s) {
    int number = s.engine->processId();
    if (s.options.spare && number > 0) s.options.spare(number, !s.attached);
    s.engine->detach();
    if (s.terminal && number > 0) s.terminal->letRunOn(number);
}

void endProgram(Session& s) {
    if (s.engine && s.phase != Phase::Ended) s.streams.drain();
    s.phase = Phase::Ended;
    s.process = 0;
    if (s.terminal) s.terminal->close(/*ended=*/true);
    s.givenValues.clear();
    s.jumps.clear();
    s.threads.clear();
    s.console.clear();
    forgetState(s);
}

} // namespace sx::debugger
