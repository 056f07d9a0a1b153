// What one process hands over to the next that serves the same client, when it has crashed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sx::debugger {

/// What is known of a session without asking anybody, in memory that a signal's handler can write to a file.
struct SessionRecord {
    int64_t lastSeq = 0; ///< of what was sent
    bool isInitialized = false, linesStartAt1 = true, columnsStartAt1 = true;
    bool hasProgram = false; ///< a program was being debugged
    bool isAttached = false; ///< … that the session had attached to
    int process = 0;         ///< the system's number of it; 0: it is not known
};

/// A request that was not answered.
struct OpenRequest {
    static constexpr size_t MostName = 48;
    int64_t seq = 0;
    char command[MostName] = ""; ///< may be cut
};

/// The same of a process: its descriptors stay open when another program takes its place.
struct Handover {
    int signal = 0; ///< that has ended the work
    int in = -1, out = -1, life = -1;
    size_t open = 0;               ///< requests that follow; the first is the one that was being handled
    size_t unsent = 0, unread = 0; ///< bytes that follow: what the client was still to get, and what it has sent
    SessionRecord session;
};

} // namespace sx::debugger
