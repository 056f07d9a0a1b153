// What the terminal knows of the session and of the program in it. State that
// requests and events change; what is done with it is said by free functions, a
// header for each theme.
#pragma once

#include "debugger/terminal/client/Client.h"
#include "debugger/terminal/target/SourceTexts.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sx::terminal {

/// What is debugged, and how.
struct Start {
    std::string program;                   ///< as it was given
    std::vector<std::string> args;         ///< of the program
    std::string engine;                    ///< `native`, `vm`; empty: the adapter chooses
    std::vector<std::string> libraryPaths; ///< where libraries of C are looked for first
    bool trackHeap = false;                ///< objects have ids
    bool record = false;                   ///< history is kept, to go backwards
    bool feedInput = false;                ///< standard input is what the user types, and not empty
};

enum class State : uint8_t {
    New,    ///< nothing was sent
    Failed, ///< the program could not be loaded
    Loaded, ///< it has not begun
    Running,
    Stopped,
    Ended,
};

/// Why and where the program stands.
struct StopInfo {
    int64_t thread = 1;
    std::string reason;      ///< of the protocol
    std::string description; ///< a sentence, where there is one
    std::string text;        ///< more about it
};

struct StackRow {
    int64_t id = 0;
    std::string name;
    SourceFile file;
    int64_t line = 0, column = 0; ///< from 1, the column in bytes; 0: none
    std::string address;          ///< of the instruction, `0x…`; empty: none
    bool isLabel = false;         ///< a line of text
    bool isSubtle = false;        ///< not the user's code
    bool isTrace = false;         ///< the label of the error return trace, and what follows
};

struct BreakpointRow {
    enum class Kind : uint8_t { Line, Function, Data, Errors };
    Kind kind = Kind::Line;
    int64_t number = 0;    ///< for the user; counts from 1
    SourceFile file;       ///< of Line: that was asked for
    int64_t line = 0;      ///< that was asked for
    std::string what;      ///< of Function its name, of Data the expression, of Errors
                           ///< the filter
    std::string condition; ///< of Errors: names of tags
    std::string dataId;
    int64_t id = 0; ///< the adapter's
    bool isVerified = false;
    std::string message;                      ///< why it is not
    SourceFile actualFile;                    ///< where it is; a path "": not known
    int64_t actualLine = 0, actualColumn = 0; ///< 0: not known
};

/// A request that lets the program go on, sent again at each stop that it leads to.
struct Repeated {
    std::string request;
    int64_t left = 0; ///< times that it is still to be sent
};

struct Debuggee {
    Debuggee(Client& client, Start start) : client(client), start(std::move(start)), sources(client) {}

    Client& client;
    Start start;
    SourceTexts sources;
    State state = State::New;
    std::string failure; ///< why it could not be loaded
    Object capabilities; ///< of the adapter
    bool isInitialized = false;
    bool isConfigured = false;
    StopInfo stop;
    Repeated repeated;
    int64_t thread = 1;          ///< the one that is looked at
    std::vector<StackRow> stack; ///< of `thread`; empty: not asked for since the last stop
    bool isStackWhole = false;   ///< `stack` reaches the outermost frame
    size_t frame = 0;            ///< which of `stack` is looked at
    std::optional<int64_t> exitCode;
    std::vector<BreakpointRow> breakpoints;
    int64_t nextNumber = 1;
    uint64_t changes = 0; ///< counts what may have changed what is shown
    uint64_t stops = 0;

    /// Text of the program (`stdout`, `stderr`) and of the adapter (`console`).
    std::function<void(const std::string& category, const std::string& text)> onOutput = [](auto&, auto&) {};
};

// ---- Running.cpp
/// Has the adapter say what it can do. Fails where none is at the end of the connection; `address`: where that was made
/// to, or "" for an adapter that was started.
Result<void> meetAdapter(Debuggee&, const std::string& address);
/// Has the adapter load the program, if that was not tried yet. It does not
/// begin.
Result<void> load(Debuggee&);
/// Lets the program begin: for the first time, or again, as its sources are now.
Result<void> begin(Debuggee&);
/// Sends a request that lets the program go on (`next`, `continue`, …), `count` times: again at each stop, until the
/// program stops for another reason than the request has (the end of a step; a breakpoint) or ends.
Result<void> resume(Debuggee&, const std::string& request, Object more = {}, int64_t count = 1);
/// Takes the events that have arrived.
void takeEvents(Debuggee&);
/// Waits until the program stands still or has ended. False: the adapter has
/// gone.
bool awaitStop(Debuggee&);
/// Ends the program and the session. Gives up after five seconds: when the
/// connection ends, so does the program.
void disconnect(Debuggee&);
/// Why nothing can be asked of the program now; empty: it stands still.
std::string notStopped(const Debuggee&);

// ---- Stack.cpp
/// The rows of the stack, at least `count` where there are as many. Empty where
/// the program does not stand still.
const std::vector<StackRow>& stackOf(Debuggee&, size_t count);
/// The row that is looked at; null where there is none.
const StackRow* currentRow(Debuggee&);
/// `FUNCTION at FILE:LINE:COL`, or the name alone where there is no place.
std::string placeOf(Debuggee&, const StackRow&);
/// A path as it is shown: below the program's folder as that was given, else as
/// it is.
std::string shownPath(const Debuggee&, const std::string& path);
/// A path as it is meant by one who types it: a file beside the program, or as
/// seen from here.
std::string meantPath(const Debuggee&, const std::string& typed);

} // namespace sx::terminal
