// The error return trace of a stopped thread: read from the program's memory, and told by the runtime's own renderer.
#pragma once

#include "debugger/session/Session.h"

namespace sx::debugger {

/// One line of the trace as the stack shows it.
struct TraceLine {
    bool isLabel = false;          ///< a link, an omission: no frame
    std::string text;              ///< of a label; of a frame its function
    std::string file;              ///< as traces name it
    uint32_t line = 0, column = 0; ///< 1-based, bytes; 0: not known
};

struct ErrorTrace {
    std::string error; ///< the name of the newest error; empty: nothing is in flight, or it has none
    bool inFlight = false;
    std::vector<TraceLine> lines; ///< of the newest error, the label with its name first
    llvm::json::Object json;      ///< `chains` and `in_flight` of `sxErrorTrace`
    std::string rendered;         ///< as the program would print it
};

/// What is in flight in a thread.
ErrorTrace errorTraceOf(Session&, ThreadId);
/// The trace of an error variable.
ErrorTrace errorTraceAt(Session&, const TracePlace&);
/// Where the trace of an error variable of a frame is: it keeps a copy, or is a handler's, whose error is in flight.
/// Nothing where it has none, or holds no error.
std::optional<TracePlace> tracePlaceOf(Session&, const FrameHandle&, ir::SlotId, const Datum& value);

/// The file of the program that traces name so.
std::optional<FileId> fileOfTrace(const Session&, const std::string& tracePath);

} // namespace sx::debugger
