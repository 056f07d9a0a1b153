// How an adapter is reached: started as a child, or over a socket.
#pragma once

#include "source/Result.h"

#include <string>
#include <vector>

namespace sx::terminal {

/// Two descriptors of an adapter that the caller owns.
struct AdapterEnds {
    int in = -1;  ///< what it says
    int out = -1; ///< what it is told; may be the same
};

/// Starts `executable` with these options as a child, in a session of its own: neither it nor the
/// program that it debugs has this terminal. It ends when its input does.
/// `quiet`: what it writes to standard error is dropped, since a screen is
/// there; else it goes where ours goes.
Result<AdapterEnds> startAdapter(const std::string& executable, const std::vector<std::string>& options, bool quiet);

/// Connects to `[HOST:]PORT`; the host is this machine where it is not given.
Result<AdapterEnds> connectAdapter(const std::string& address);

} // namespace sx::terminal
