// What the engine tells, for the client.
#include "debugger/session/ErrorTrace.h"
#include "debugger/session/Evaluation.h"
#include "debugger/session/Frames.h"
#include "debugger/session/Jumps.h"
#include "debugger/session/Machine.h"
#include "debugger/session/Requests.h"
#include "source/Signals.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <csignal>
#include <cstring>
#include <set>
#include <utility>

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;

namespace {

const char* reasonOf(const Session& s, const Stop& stop) {
    switch (stop.reason) {
    case Stop::Reason::Entry: return "entry";
    case Stop::Reason::Step: return "step";
    case Stop::Reason::Pause: return "pause";
    case Stop::Reason::Error:
    case Stop::Reason::Signal: return "exception";
    case Stop::Reason::Watch: return "data breakpoint";
    case Stop::Reason::Goto: return "goto";
    case Stop::Reason::Loaded: break;
    case Stop::Reason::Breakpoint: break;
    }
    // Of several at one place, in whichever order the engine has them.
    auto isAny = [&](Breakpoint::Kind kind) {
        return llvm::any_of(stop.breakpoints, [&](uint32_t id) {
            auto found = s.breakpoints.all.find(id);
            return found != s.breakpoints.all.end() && found->second.kind == kind;
        });
    };
    if (isAny(Breakpoint::Kind::Function)) return "function breakpoint";
    if (isAny(Breakpoint::Kind::Line)) return "breakpoint";
    return isAny(Breakpoint::Kind::Instruction) ? "instruction breakpoint" : "breakpoint";
}

/// What a watched place held and holds.
std::string watchText(Session& s, const Stop& stop) {
    std::string name = "memory", before, after, others;
    for (uint32_t id : stop.breakpoints) {
        auto found = s.breakpoints.all.find(id);
        if (found == s.breakpoints.all.end()) continue;
        if (id == stop.breakpoints.front()) name = found->second.name;
        else others += ", " + found->second.name;
    }
    if (!others.empty()) others = " (and" + others.substr(1) + ")";
    auto number = [](const std::vector<uint8_t>& bytes) {
        std::string text;
        for (auto it = bytes.rbegin(); it != bytes.rend(); ++it) text += llvm::toHex(llvm::ArrayRef(*it), true);
        return "0x" + text;
    };
    if (stop.after.empty()) return name + " is written" + others;
    before = number(stop.before);
    after = number(stop.after);
    if (std::optional<TypeId> type = watchedType(s, stop)) {
        Values values = valuesOf(s);
        before = values.text(Datum::held(*type, stop.before));
        after = values.text(Datum::held(*type, stop.after));
    }
    return name + ": " + before + " → " + after + others;
}

/// The sentence about an error that a stop is for.
std::string errorText(const Session& s, const Stop& stop) {
    std::string name = "an error";
    if (std::string tag = s.program ? s.program->tagName(stop.tag) : ""; !tag.empty()) name = "error." + tag;
    switch (stop.event) {
    case ErrorEvent::Raise: return name + " is raised";
    case ErrorEvent::Propagate: return name + " is passed on";
    case ErrorEvent::Absorb: return name + " is taken";
    case ErrorEvent::Unhandled: return "unhandled error reached main: " + name;
    case ErrorEvent::Panic: return "panic: " + stop.text;
    }
    return name;
}

void tellThread(Session& s, ThreadId thread, bool started) {
    s.event("thread", Object{{"reason", started ? "started" : "exited"}, {"threadId", thread}});
}

/// Fibers are threads that come and go without the engine's saying so.
void tellThreads(Session& s) {
    std::set<ThreadId> now;
    for (const ThreadInfo& t : s.engine->threads()) {
        now.insert(t.id);
        if (t.system != 0) s.heap->threads[t.system] = t.id;
    }
    std::set<ThreadId> before = std::exchange(s.threads, now);
    for (ThreadId id : before)
        if (now.count(id) == 0) tellThread(s, id, false);
    for (ThreadId id : now)
        if (before.count(id) == 0) tellThread(s, id, true);
}

/// What has gone wrong, in the words of the runtime; nothing for signals that others send.
std::string faultText(Session& s, const Stop& stop) {
    constexpr uint32_t Most = 20; ///< frames of C
    std::string text;
    switch (stop.sender != Stop::Sender::None ? 0 : stop.signal) {
    case SIGSEGV:
    case SIGBUS:
        text = "invalid memory access";
        if (stop.address != UINT64_MAX) text += " at address 0x" + llvm::utohexstr(stop.address, /*LowerCase=*/true);
        break;
    case SIGFPE: text = "division by zero"; break;
    case SIGILL: text = "invalid instruction"; break;
    case SIGABRT: text = "the process is ended by `abort`"; break;
    default:
        if (stop.sender == Stop::Sender::None) return "";
        text = "the process is ended by " + signalName(stop.signal);
        if (stop.sender == Stop::Sender::Itself) text += ", which it has sent itself";
        else
            return text + (stop.sender == Stop::Sender::Other ? ", which another process has sent"
                                                              : ", which the system has sent");
    }
    std::string function; // of C, that the program has called
    for (const Frame& f : s.engine->frames(stop.thread, 0, Most).frames) {
        if (f.func != ir::FuncId::None) break;
        function = f.name;
    }
    return function.empty() ? text : text + " in the C function " + code(function);
}

void tellStop(Session& s, Stop stop) {
    if (stop.reason == Stop::Reason::Loaded) settleLoaded(s);
    else if (std::exchange(s.setsWatchesAgain, false)) setWatchesAgain(s);
    if (stop.reason == Stop::Reason::Breakpoint) llvm::sort(stop.breakpoints); // the same with any engine
    bool isHidden = stop.reason == Stop::Reason::Entry && s.hidesEntry;
    bool isWanted = stop.reason == Stop::Reason::Breakpoint ? wantStop(s, stop)
                    : stop.reason == Stop::Reason::Error    ? wantErrorStop(s, stop)
                    : stop.reason == Stop::Reason::Watch    ? wantWatchStop(s, stop)
                                                            : stop.reason != Stop::Reason::Loaded && !isHidden;
    s.passedOutput |= stop.passedOutput;
    if (!isWanted) {
        forgetState(s); // the condition has read memory that changes now
        // Where it fails the program has ended, which is told.
        (void)(isHidden ? s.engine->resume() : s.goesBack ? s.engine->step(*s.goesBack) : s.engine->ignoreStop());
        return;
    }
    s.phase = Phase::Stopped;
    forgetState(s);
    forgetJumps(s);
    s.streams.pump();
    if (std::exchange(s.passedOutput, false))
        s.note("going back does not take back output: what the program has written stays, and is not written again");
    bool isRestart = std::exchange(s.restartsFrame, false) && stop.reason == Stop::Reason::Step;
    if (isRestart) stop.reason = Stop::Reason::Goto;
    Object body{
        {"reason", isRestart ? "restart" : reasonOf(s, stop)}, {"threadId", stop.thread}, {"allThreadsStopped", true}};
    if (stop.reason == Stop::Reason::Error && stop.event != ErrorEvent::Panic) stop.text = errorText(s, stop);
    if (stop.reason == Stop::Reason::Error) body["description"] = asUtf8(errorText(s, stop));
    if (stop.reason == Stop::Reason::Signal) body["description"] = asUtf8(signalName(stop.signal));
    if (std::string fault = stop.reason == Stop::Reason::Signal && s.evaluator ? faultText(s, stop) : "";
        !fault.empty())
        stop.text = fault;
    if (stop.reason == Stop::Reason::Watch) stop.text = watchText(s, stop);
    if (!stop.text.empty()) body["text"] = asUtf8(stop.text);
    Array hit;
    for (uint32_t id : stop.breakpoints) hit.push_back(id);
    if (!hit.empty()) body["hitBreakpointIds"] = std::move(hit);
    s.stop = std::move(stop);
    tellTracedInstructions(s);
    // Steps among thousands of fibers do not list them all.
    constexpr size_t Many = 1000;
    if (s.stop.reason != Stop::Reason::Step || s.threads.size() < Many) tellThreads(s);
    s.event("stopped", std::move(body));
    noteStop(s);
}

void tellContinued(Session& s) {
    goesOn(s);
    s.event("continued", Object{{"threadId", s.stop.thread}, {"allThreadsContinued", true}});
}

void tellExit(Session& s, int code) {
    s.streams.drain();
    tellTasksEnd(s);
    for (ThreadId thread : std::exchange(s.threads, {})) tellThread(s, thread, false);
    s.event("exited", Object{{"exitCode", code}});
    s.event("terminated", Object{});
    endProgram(s);
}

} // namespace

void handleEngineEvents(Session& s) {
    for (Event& e : s.engine->poll()) {
        switch (e.kind) {
        case Event::Kind::Stopped: tellStop(s, std::move(e.stop)); break;
        case Event::Kind::ThreadStarted:
            if (s.threads.insert(e.thread).second) tellThread(s, e.thread, true);
            break;
        case Event::Kind::ThreadEnded:
            if (s.threads.erase(e.thread) != 0) tellThread(s, e.thread, false);
            break;
        case Event::Kind::Exited: tellExit(s, e.code); break;
        case Event::Kind::WatchEnded: {
            auto found = s.breakpoints.all.find(e.id);
            if (found == s.breakpoints.all.end()) break;
            s.event("breakpoint", Object{{"reason", "removed"}, {"breakpoint", describe(s, found->second)}});
            s.breakpoints.all.erase(found);
            break;
        }
        case Event::Kind::Resolved: {
            auto found = s.breakpoints.all.find(e.id);
            if (found == s.breakpoints.all.end()) break;
            found->second.verified = true;
            found->second.message.clear();
            s.event("breakpoint", Object{{"reason", "changed"}, {"breakpoint", describe(s, found->second)}});
            break;
        }
        case Event::Kind::Continued: tellContinued(s); break;
        case Event::Kind::Hit: e.settle(passesBy(s, e.stop)); break;
        case Event::Kind::Note: s.note(e.text); break;
        }
    }
}

} // namespace sx::debugger
