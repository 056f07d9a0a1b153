// The adapter does not die of a crash, whoever's it is: the library that reads the program may be at fault. Another
// instance of this program takes the place of the process, answers what is open, and serves the client on.
#pragma once

#include "debugger/protocol/Connection.h"
#include "debugger/protocol/Handover.h"

#include <optional>
#include <string>
#include <vector>

namespace sx::debugger {

struct Session;

/// The option that names the descriptor of a handover.
constexpr const char* SuccessionOption = "--after-crash";

/// From now on signals that say that this process is broken start its successor, with the same arguments and the option
/// above. Connection and session must outlive the process. Once a process.
void beginSuccession(char** arguments, Connection&, const Session&);

/// What the process before this one has left.
struct Inheritance {
    Handover about;
    std::vector<OpenRequest> open;
    std::string unsent, unread;
};
/// Lets go of what else that process had open: a program that it had attached to goes on, without breakpoints. Nothing:
/// it cannot be read.
std::optional<Inheritance> readInheritance(int descriptor);

} // namespace sx::debugger
