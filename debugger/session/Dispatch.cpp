// Which request is answered where, and in which state of the session.
#include "debugger/protocol/ArgumentTypes.h"
#include "debugger/session/Machine.h"
#include "debugger/session/Requests.h"

#include "llvm/ADT/STLExtras.h"

namespace sx::debugger {

namespace {

/// When a request is allowed.
enum class When : uint8_t {
    Always,
    Initialized, ///< after `initialize`
    Ready,       ///< after `initialize`, with no program
    Live,        ///< a program is there and has not ended
    Stopped,     ///< and stands still
};

struct Row {
    const char* command;
    When when;
    Reply (*handler)(Session&, Arguments&);
    bool isOrder = false; ///< it is carried out also where the program does not answer now
    /// While a program is being started it is answered at once, though it is allowed then.
    bool isMeanwhile = false;
};

Reply cancel(Session&, Arguments&) { return {}; } // Session::receive has seen to it

constexpr Row Table[] = {
    {"initialize", When::Always, initialize, false, true},
    {"launch", When::Ready, launch, true},
    {"attach", When::Ready, attach, true},
    {"configurationDone", When::Initialized, configurationDone, true},
    {"restart", When::Initialized, restart, true},
    {"terminate", When::Initialized, terminate, true},
    {"disconnect", When::Always, disconnect, true},
    {"cancel", When::Always, cancel, false, true},
    {"sxStdin", When::Live, sendInput},
    {"setBreakpoints", When::Initialized, setBreakpoints, true},
    {"setFunctionBreakpoints", When::Initialized, setFunctionBreakpoints, true},
    {"setInstructionBreakpoints", When::Initialized, setInstructionBreakpoints, true},
    {"setExceptionBreakpoints", When::Initialized, setExceptionBreakpoints, true},
    {"dataBreakpointInfo", When::Stopped, dataBreakpointInfo},
    {"setDataBreakpoints", When::Initialized, setDataBreakpoints},
    {"breakpointLocations", When::Initialized, breakpointLocations},
    {"continue", When::Live, continueAll, true},
    {"next", When::Stopped, next, true},
    {"stepIn", When::Stopped, stepIn, true},
    {"stepOut", When::Stopped, stepOut, true},
    {"stepBack", When::Stopped, stepBack, true},
    {"reverseContinue", When::Stopped, reverseContinue, true},
    {"stepInTargets", When::Stopped, stepInTargets},
    {"pause", When::Live, pause},
    {"gotoTargets", When::Stopped, gotoTargets},
    {"goto", When::Stopped, goTo},
    {"restartFrame", When::Stopped, restartFrame},
    {"threads", When::Initialized, threads, false, true},
    {"stackTrace", When::Stopped, stackTrace},
    {"scopes", When::Stopped, scopes},
    {"variables", When::Stopped, variables},
    {"setVariable", When::Stopped, setVariable},
    {"setExpression", When::Stopped, setExpression},
    {"evaluate", When::Initialized, evaluate},
    {"completions", When::Initialized, completions},
    {"exceptionInfo", When::Stopped, exceptionInfo},
    {"sxAsyncStack", When::Stopped, asyncStack},
    {"ariaAsyncStack", When::Stopped, asyncStack},
    {"sxErrorTrace", When::Stopped, errorTrace},
    {"readMemory", When::Stopped, readMemory},
    {"writeMemory", When::Stopped, writeMemory},
    {"disassemble", When::Stopped, disassemble},
    {"sxObject", When::Stopped, object},
    {"sxNeighbourhood", When::Stopped, neighbourhood},
    {"sxPathsToRoots", When::Stopped, pathsToRoots},
    {"sxDominators", When::Stopped, dominators},
    {"sxSnapshot", When::Stopped, snapshot},
    {"sxSnapshotDiff", When::Live, snapshotDiff},
    {"sxExport", When::Live, exportHeap},
    {"memory.regions", When::Stopped, memoryRegions},
    {"sxMemoryMap", When::Stopped, memoryMap},
    {"ariaMemoryMap", When::Stopped, memoryMap},
    {"session.open", When::Initialized, openSession},
    {"disasm.read", When::Stopped, readCode},
    {"symbols.list", When::Stopped, listSymbols},
    {"stack.info", When::Stopped, stackInfo},
    {"trace.read", When::Stopped, readTrace},
    {"watch.add", When::Stopped, addWatch},
    {"watch.remove", When::Live, removeWatch},
    {"watch.list", When::Live, listWatches},
    {"source", When::Initialized, source},
    {"loadedSources", When::Initialized, loadedSources},
    {"modules", When::Initialized, modules},
};

const Row* rowOf(const std::string& command) {
    for (const Row& row : Table)
        if (row.command == command) return &row;
    return nullptr;
}

/// Why a request cannot be answered in this state; empty: it can.
std::string obstacle(const Session& s, When when) {
    if (when == When::Always) return "";
    if (s.phase == Phase::Fresh) return "the session has not begun: send `initialize` first";
    bool live = s.hasProgram();
    if (when == When::Ready && live) return "a program is being debugged already";
    if ((when == When::Live || when == When::Stopped) && !live)
        return s.phase == Phase::Ended ? "the program has ended" : "no program is loaded: send `launch` or `attach`";
    if (when == When::Stopped && s.phase == Phase::Running) return "the program is running: `pause` it first";
    return "";
}

Reply answer(Session& s, const ParsedRequest& parsed, bool wasCancelled) {
    if (!parsed.problem.empty()) return Reply::failure(parsed.problem);
    if (wasCancelled) return Reply::failure(Cancelled);
    const Row* row = rowOf(parsed.request.command);
    if (!row) return Reply::failure("there is no request " + code(asUtf8(parsed.request.command)));
    if (std::string why = obstacle(s, row->when); !why.empty()) return Reply::failure(std::move(why));
    Arguments arguments(parsed.request.arguments);
    if (checkTypes(parsed.request.command, arguments); !arguments.ok()) return Reply::failure(arguments.problem());
    if (s.engine) static_cast<void>(s.engine->machine().takeSilence());
    Reply reply = row->handler(s, arguments);
    if (s.engine) s.engine->applyChanges();
    // What was made of no answer is not true. Orders will be carried out.
    std::string silence = s.engine && reply.ok && !row->isOrder ? s.engine->machine().takeSilence() : "";
    if (!silence.empty()) return Reply::failure(std::move(silence));
    if (!arguments.ok() && reply.ok) return Reply::failure(arguments.problem());
    return reply;
}

/// The answer to a request while a program is being started; nothing: it has to wait.
std::optional<Reply> answerWhileStarting(Session& s, const ParsedRequest& parsed) {
    const Row* row = parsed.problem.empty() ? rowOf(parsed.request.command) : nullptr;
    bool needsProgram = row && (row->when == When::Live || row->when == When::Stopped || row->handler == evaluate);
    if (row && row->handler == threads && s.phase == Phase::Ready)
        return llvm::json::Object{{"threads", llvm::json::Array{}}};
    if (needsProgram) return Reply::failure("the program is being started");
    if (row && !row->isMeanwhile) return std::nullopt;
    return answer(s, parsed, false);
}

} // namespace

void Session::respond(const Request& request, Reply reply) {
    llvm::json::Object response{{"type", "response"},
                                {"request_seq", request.seq},
                                {"command", asUtf8(request.command)},
                                {"success", reply.ok}};
    if (!reply.ok) {
        std::string why = asUtf8(reply.message);
        response["message"] = why;
        response["body"] =
            llvm::json::Object{{"error", llvm::json::Object{{"id", 1}, {"format", why}, {"showUser", false}}}};
    } else if (reply.body.kind() != llvm::json::Value::Null) {
        response["body"] = std::move(reply.body);
    }
    cancelledRequests_.erase(request.seq);
    write(std::move(response));
}

void Session::answerCancelled() {
    std::deque<ParsedRequest> waiting = std::exchange(requests_, {});
    for (ParsedRequest& parsed : waiting) {
        std::optional<int64_t> meant = parsed.request.arguments.getInteger("requestId");
        const bool isCancel = parsed.request.command == "cancel" && meant && *meant != current_;
        const bool isCancelled =
            parsed.request.command != "cancel" && cancelledRequests_.count(parsed.request.seq) != 0;
        if (!parsed.problem.empty() || (!isCancel && !isCancelled)) requests_.push_back(std::move(parsed));
        else respond(parsed.request, isCancel ? Reply() : Reply::failure(Cancelled));
    }
    looked_ = 0;
    if (requests_.size() != waiting.size()) connection.flush();
}

void Session::answerMeanwhile() {
    for (; looked_ < requests_.size() && phase != Phase::Fresh;) {
        std::optional<Reply> reply = answerWhileStarting(*this, requests_[looked_]);
        if (!reply) {
            ++looked_;
            continue;
        }
        ParsedRequest answered = std::move(requests_[looked_]);
        requests_.erase(requests_.begin() + static_cast<std::ptrdiff_t>(looked_));
        respond(answered.request, std::move(*reply));
    }
    connection.flush();
}

void dispatch(Session& s, ParsedRequest parsed) {
    const Request& request = parsed.request;
    s.current_ = request.seq;
    s.currentCommand_ = request.command;
    s.begun_ = std::chrono::steady_clock::now();
    s.looked_ = 0;
    s.endsEarly_ = llvm::is_contained({"evaluate", "launch", "attach", "restart"}, request.command);
    s.endedStart &= !s.endsEarly_;
    bool cancelled = request.command != "cancel" && s.cancelledRequests_.count(request.seq) != 0;
    s.machine->fibers = nullptr;
    Reply reply = answer(s, parsed, cancelled);
    s.current_ = -1;
    s.respond(request, std::move(reply));
    auto events = std::exchange(s.later_, {});
    for (auto& [name, body] : events) s.eventNow(std::move(name), std::move(body));
}

} // namespace sx::debugger
