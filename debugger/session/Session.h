// One client and the program that it debugs: the state that requests change. Logic is free functions over it, one file
// a theme; Dispatch.cpp says which request is answered where, and in which state.
#pragma once

#include "debugger/engine/Engine.h"
#include "debugger/evaluate/Evaluator.h"
#include "debugger/program/Places.h"
#include "debugger/program/Program.h"
#include "debugger/protocol/Arguments.h"
#include "debugger/protocol/Connection.h"
#include "debugger/protocol/Handover.h"
#include "debugger/protocol/Message.h"
#include "debugger/session/Breakpoints.h"
#include "debugger/session/Console.h"
#include "debugger/session/Handles.h"
#include "debugger/session/Streams.h"

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>

namespace sx::debugger {

/// What the client said of itself in `initialize`.
struct Client {
    bool linesStartAt1 = true, columnsStartAt1 = true;
    bool paging = false, progress = false, invalidated = false, memoryEvents = false, runInTerminal = false,
         ansi = false;
};

/// Where a session stands. It goes from left to right, and from Ended back to Ready by `restart`.
enum class Phase : uint8_t {
    Fresh,   ///< before `initialize`
    Ready,   ///< no program yet
    Loaded,  ///< the program is loaded and has not begun
    Running, ///< it runs
    Stopped, ///< all of it stands still
    Ended,   ///< it has ended, or was let go
};

struct Formatters;

/// How the process was told to work on its command line.
struct SessionOptions {
    std::function<void(const std::string&)> log;  ///< the adapter's own log: a line
    std::string compiler;                         ///< path of `sx`
    std::string engineFolder;                     ///< where the plugin of the native engine lies
    std::shared_ptr<const Formatters> formatters; ///< of types of other languages; null: there are none
    /// A process that is to go on living after the session, and its children; a launched program with all that it has
    /// started.
    std::function<void(int pid, bool isLaunched)> spare;
};

/// The answer to a request.
struct Reply {
    bool ok = true;
    llvm::json::Value body = nullptr; ///< null: none
    std::string message;              ///< of a failure

    Reply() = default;
    Reply(llvm::json::Object body) : body(std::move(body)) {}
    static Reply failure(std::string message) {
        Reply r;
        r.ok = false;
        r.message = std::move(message);
        return r;
    }
};

/// How waiting for something has ended.
enum class Waited : uint8_t {
    Ready,
    Late,      ///< it has not come
    Cancelled, ///< the client wants it no more
};

struct ForeignState;
struct HeapState;
struct MachineState;
class LongWork;
class Terminal;

struct Session {
    Session(Connection&, SessionOptions);
    ~Session();
    Session(const Session&) = delete;

    /// What another process needs that goes on with this session after a crash. Asked in a signal's handler: it looks
    /// at what is there, and no more.
    SessionRecord record() const;
    void listOpen(llvm::function_ref<void(const OpenRequest&)> each) const;
    /// Goes on with such a session: what is open is answered, and a program is gone.
    void succeed(const SessionRecord&, llvm::ArrayRef<OpenRequest> open, const std::string& why);

    /// Serves the client until it disconnects, or its input ends. Returns the exit status of the adapter.
    int serve();

    // ---- speaking
    /// Sends an event: at once, or after the response while a request is being handled.
    void event(std::string name, llvm::json::Object body);
    /// The same in front of the response: what a request does on its way.
    void eventNow(std::string name, llvm::json::Object body);
    /// A line for the user.
    void note(const std::string& text, const char* category = "console");
    /// Asks the client to do something, and waits for its answer.
    Result<void> askClient(std::string command, llvm::json::Object arguments);
    /// The request that is being handled was cancelled meanwhile: long work asks this now and then. So is an evaluation
    /// or a start that takes long where the client wants the end of the session or of the program.
    bool cancelled();
    /// Waits until a descriptor is readable, while a program is being started. Requests that need no program are
    /// answered meanwhile, the others wait. `patience`: nothing is without end.
    Waited waitFor(LongWork&, int descriptor, std::optional<std::chrono::seconds> patience = {});
    /// Answers them, too, without waiting. False: the client wants the end of it.
    bool goesOnStarting(LongWork&);

    Connection& connection;
    SessionOptions options;
    Client client;
    Phase phase = Phase::Fresh;
    llvm::json::Object launchArguments; ///< for `restart`
    bool configured = false;            ///< `configurationDone` was received
    bool attached = false;
    int process = 0; ///< the system's number of the program's process; 0: it is not known
    bool setsWatchesAgain =
        false;               ///< at the first stop of a program that begins, once more or with some that wait for it
    bool hidesEntry = false; ///< that the program stops at its entry is for the session only
    bool finished = false;   ///< the session ends after this request
    int terminations = 0;    ///< how often the end of the program was asked for
    bool endedStart = false; ///< `terminate`, which waits, has ended the start of a program

    std::unique_ptr<Program> program; ///< null before launch
    std::unique_ptr<Places> places;
    std::unique_ptr<Engine> engine;
    std::unique_ptr<Evaluator> evaluator; ///< of `program`, over the engine's memory; null: no sources
    Streams streams;
    std::unique_ptr<Terminal> terminal; ///< of the client's, that the program has its streams from; null: it has none
    Breakpoints breakpoints;
    Handles handles;
    Console console;
    /// Of a program that is known by its debug information alone; null: it was compiled.
    std::unique_ptr<ForeignState> foreign;
    std::unique_ptr<HeapState> heap;
    /// A program is there and has not ended.
    bool hasProgram() const { return phase == Phase::Loaded || phase == Phase::Running || phase == Phase::Stopped; }
    /// A request is being handled.
    bool isInRequest() const { return current_ >= 0; }
    std::unique_ptr<MachineState> machine;
    Stop stop;                       ///< the last one
    std::string cancellableProgress; ///< the `progressId` of the request that is being handled; empty: none was told
    std::map<ThreadId, uint32_t> frameTotals; ///< how many live frames threads have, as far as was told at this stop
    std::set<ThreadId> threads;               ///< those whose beginning the client was told, and not yet their end
    bool restartsFrame = false; ///< the step that is made ends at the first statement of a call that begins again
    std::optional<StepRequest> goesBack; ///< the program runs backwards, by this; nothing: forwards
    bool passedOutput = false;           ///< … and has come by calls that have written output
    bool stepIntoLibrary = false;
    /// Variables that the user has set, with the addresses of their frames.
    std::set<std::pair<uint64_t, ir::SlotId>> givenValues;
    std::vector<Jump> jumps; ///< of frames that are still there (Jumps.h)
    ThreadId steps = 0;      ///< the thread for a step of which the program goes on, or went on last; 0: it runs

private:
    friend void dispatch(Session&, ParsedRequest);
    void loop();
    /// Waits for the client or the descriptor, some time.
    void waitForEither(int descriptor);
    /// Of the requests that wait, those that need no program are answered.
    void answerMeanwhile();
    bool takesLong() const;
    bool receive();
    void write(llvm::json::Object message);
    void respond(const Request&, Reply);
    /// Of the requests that wait, those that were cancelled, and what has cancelled them, are answered. What cancels
    /// the one that is handled is answered after that.
    void answerCancelled();
    void wait();

    std::deque<ParsedRequest> requests_;
    std::set<int64_t> cancelledRequests_;
    bool hasCancel_ = false;                                        ///< among those that have come since this was asked
    std::map<int64_t, ParsedRequest> answers_;                      ///< of the client, to what it was asked
    std::vector<std::pair<std::string, llvm::json::Object>> later_; ///< events that follow the response
    std::chrono::steady_clock::time_point begun_;                   ///< when that was
    bool endsEarly_ = false;                                        ///< what is handled, where the session ends
    size_t looked_ = 0;    ///< how many of the first requests that wait have been looked at while a program starts
    int64_t current_ = -1; ///< seq of the request that is handled; -1: none
    std::string currentCommand_;
    int64_t seq_ = 0;
};

/// Answers one request.
void dispatch(Session&, ParsedRequest);
/// Tells the client what the engine has to say.
void handleEngineEvents(Session&);
/// The program goes on: the session and who watches tasks know it from now on.
void goesOn(Session&);
/// Ids and results that are about the state of the program become stale: it goes on.
void forgetState(Session&);
/// Lets the program go, which runs on without a debugger.
void letRunOn(Session&);
/// The program has ended or was let go: everything about it becomes stale.
void endProgram(Session&);

} // namespace sx::debugger
