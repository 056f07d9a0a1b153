// Beginning, going on, standing still, ending.
#include "debugger/terminal/target/Breakpoints.h"
#include "debugger/terminal/target/Debuggee.h"
#include "source/Installation.h"
#include "source/Paths.h"

#include <utility>

namespace sx::terminal {

namespace {

Object launchArguments(const Debuggee& d) {
    Array args;
    for (const std::string& a : d.start.args) args.push_back(a);
    Object o{{"program", joinPath(workingDirectory(), d.start.program)},
             {"args", std::move(args)},
             {"cwd", workingDirectory()}};
    if (!d.start.engine.empty()) o["engine"] = d.start.engine;
    if (!d.start.libraryPaths.empty()) o["libraryPaths"] = Array(d.start.libraryPaths);
    if (d.start.trackHeap) o["heap"] = "track";
    if (d.start.record) o["record"] = true;
    if (d.start.feedInput) o["stdio"] = Array{nullptr};
    return o;
}

void goesOn(Debuggee& d, State state) {
    d.state = state;
    d.stack.clear();
    d.isStackWhole = false;
    d.frame = 0;
    ++d.changes;
}

void takeStop(Debuggee& d, const Object& body) {
    goesOn(d, State::Stopped);
    ++d.stops;
    d.stop.thread = numberOf(body, "threadId", 1);
    d.stop.reason = textOf(body, "reason");
    d.stop.description = textOf(body, "description");
    d.stop.text = textOf(body, "text");
    d.thread = d.stop.thread;
}

void takeEvent(Debuggee& d, const Event& e) {
    if (e.name == "output") {
        std::string category = textOf(e.body, "category");
        d.onOutput(category.empty() ? "console" : category, textOf(e.body, "output"));
    } else if (e.name == "stopped") {
        takeStop(d, e.body);
    } else if (e.name == "continued") {
        goesOn(d, State::Running);
    } else if (e.name == "exited") {
        d.exitCode = numberOf(e.body, "exitCode");
    } else if (e.name == "terminated") {
        goesOn(d, State::Ended);
    } else if (e.name == "breakpoint") {
        if (const Object* b = e.body.getObject("breakpoint")) takeBreakpoint(d, textOf(e.body, "reason"), *b);
    } else if (e.name == "capabilities") {
        if (const Object* c = e.body.getObject("capabilities"))
            for (const auto& [name, value] : *c) d.capabilities[name] = value;
    }
    ++d.changes;
}

} // namespace

std::string notStopped(const Debuggee& d) {
    if (d.client.isClosed()) return "the debug adapter has ended";
    switch (d.state) {
    case State::Stopped: return "";
    case State::Running: return "the program is running";
    case State::Ended: return "the program has ended";
    case State::Failed: return d.failure;
    case State::New:
    case State::Loaded: return "the program has not begun: " + code("run") + " begins it";
    }
    return "";
}

static Result<void> fail(Debuggee& d, const std::string& why) {
    goesOn(d, State::Failed);
    d.failure = why;
    return Failure{why};
}

/// What is told first, once in a session.
static Result<void> initialize(Debuggee& d) {
    if (d.isInitialized) return {};
    Result<Object> answer = d.client.ask("initialize", Object{{"adapterID", "sx"},
                                                              {"clientID", "sx debug"},
                                                              {"linesStartAt1", true},
                                                              {"columnsStartAt1", true},
                                                              {"supportsVariablePaging", true},
                                                              {"supportsVariableType", true},
                                                              {"supportsInvalidatedEvent", true},
                                                              {"supportsMemoryReferences", true}});
    if (!answer) return answer.failure();
    d.capabilities = std::move(*answer);
    d.isInitialized = true;
    return {};
}

Result<void> meetAdapter(Debuggee& d, const std::string& address) {
    Result<void> met = initialize(d);
    if (met || address.empty() || !d.client.isClosed()) return met;
    return Failure{"no debug adapter answers at " + code(address) + ": the connection has ended"};
}

Result<void> load(Debuggee& d) {
    if (d.state == State::Failed) return Failure{d.failure};
    if (d.state != State::New) return {};
    Result<void> begun = initialize(d);
    if (begun)
        if (Result<Object> answer = d.client.ask("launch", launchArguments(d)); !answer) begun = answer.failure();
    takeEvents(d);
    if (!begun) return fail(d, begun.error());
    if (d.state == State::New) d.state = State::Loaded;
    ++d.changes;
    return {};
}

/// The sources may have changed since the program was built, and since that failed.
Result<void> begin(Debuggee& d) {
    d.sources.forget();
    d.exitCode.reset();
    if (!d.isConfigured) {
        if (d.state == State::Failed) d.state = State::New;
        if (Result<void> loaded = load(d); !loaded) return loaded;
    }
    Result<Object> answer = d.isConfigured ? d.client.ask("restart", Object{}) : d.client.ask("configurationDone", {});
    if (!answer) {
        takeEvents(d);
        return d.client.isClosed() ? Result<void>(answer.failure()) : fail(d, answer.error());
    }
    d.isConfigured = true;
    goesOn(d, State::Running);
    return {};
}

Result<void> resume(Debuggee& d, const std::string& request, Object more, int64_t count) {
    d.repeated = {};
    if (std::string why = notStopped(d); !why.empty()) return Failure{why};
    more["threadId"] = d.thread;
    Result<Object> answer = d.client.ask(request, std::move(more));
    if (!answer) return answer.failure();
    goesOn(d, State::Running); // events that came with the answer are taken later
    d.repeated = {request, count - 1};
    return {};
}

/// Sends the request again that led to this stop, if that is wanted.
static bool goOnAgain(Debuggee& d) {
    if (d.repeated.left <= 0 || d.state == State::Running) return false;
    bool isStep = d.repeated.request != "continue";
    bool isWanted = isStep ? d.stop.reason == "step" : llvm::StringRef(d.stop.reason).ends_with("breakpoint");
    Repeated again = std::exchange(d.repeated, {});
    return d.state == State::Stopped && isWanted && resume(d, again.request, {}, again.left);
}

void takeEvents(Debuggee& d) {
    do
        while (std::optional<Event> e = d.client.nextEvent()) takeEvent(d, *e);
    while (goOnAgain(d));
    if (d.client.isClosed() && d.state != State::Failed && d.state != State::Ended) goesOn(d, State::Ended);
}

bool awaitStop(Debuggee& d) {
    for (;;) {
        takeEvents(d);
        if (d.state != State::Running) return !d.client.isClosed();
        d.client.wait(1000);
    }
}

void disconnect(Debuggee& d) {
    if (d.client.isClosed() || d.state == State::New) return;
    constexpr int Patience = 100; // of whom `whileWaiting` asks 20 times a second: 5 seconds
    d.client.whileWaiting = [n = 0]() mutable { return ++n > Patience ? Waiting::Abandon : Waiting::GoOn; };
    (void)d.client.ask("disconnect", Object{{"terminateDebuggee", true}});
    takeEvents(d);
}

} // namespace sx::terminal
