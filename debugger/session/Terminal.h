// Programs in a terminal of the client's.
//
// The interpreter's program is a process there by itself. Machine code is started by the adapter, as always, with the
// streams of a small process that the client starts in the terminal: it passes on the signals of what is typed there,
// and ends with the program.
#pragma once

#include "debugger/session/Session.h"

namespace sx::debugger {

/// Has the client start a command in a terminal. `console`: `integratedTerminal` or `externalTerminal`.
Result<void> askForTerminal(Session&, const std::string& console, const std::string& title, llvm::json::Array command,
                            const StartRequest& start);

/// The adapter's end of the process in the terminal.
class Terminal {
public:
    Terminal() = default;
    ~Terminal() { close(/*ended=*/false); }
    Terminal(const Terminal&) = delete;

    /// Opens a terminal. The program's first three streams are its streams, and its environment is that of the process
    /// in it.
    Result<void> open(Session&, const std::string& console, const std::string& title, StartRequest& start);
    /// The program has the streams.
    void started();
    /// Readable when something has been typed, or the terminal is gone; -1: there is none.
    int descriptor() const { return connection_; }
    /// What has happened: `i`: somebody interrupts; `q`: or wants the program to quit; 0: nothing; -1: the terminal is
    /// gone.
    int next();
    /// The program, a process, lives on without the adapter: the terminal stays its own until it ends.
    void letRunOn(int pid);
    /// `ended`: the program has come to its end.
    void close(bool ended);

private:
    int connection_ = -1;
    std::vector<int> streams_;
};

/// The process in the terminal: serves the adapter that waits at `PORT:TOKEN`. Returns the exit status.
int serveTerminal(const std::string& address);

/// Does what the terminal asks for.
void handleTerminal(Session&);

} // namespace sx::debugger
