// What was written and nobody has read yet.
#pragma once

#include <initializer_list>

namespace sx::debugger {

/// Waits until everything that was written to pipes and sockets is read, a tenth of a second at most. Other files count
/// as read.
void awaitRead(std::initializer_list<int> descriptors);

} // namespace sx::debugger
