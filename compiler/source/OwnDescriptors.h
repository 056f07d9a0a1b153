// Files, pipes and sockets that we hold open in a process that runs somebody's program.
#pragma once

namespace sx {

/// Moves a descriptor of ours to a high number, which no other program gets (close-on-exec): the program is given the
/// numbers that it would be given without us, and what it writes to numbers that it never opened reaches nobody. Closes
/// the given one, which is the caller's. Returns the new one; the given one where there is no room, or where it is high
/// or negative already.
int keepAway(int descriptor);

} // namespace sx
