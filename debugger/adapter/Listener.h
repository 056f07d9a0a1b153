// Sessions over TCP.
#pragma once

#include "debugger/adapter/Guardian.h"
#include "debugger/adapter/Options.h"

#include <functional>

namespace sx::debugger {

/// Opens the socket. Refuses addresses that others can reach unless the options allow it.
Result<int> openListener(const AdapterOptions&);
/// The port of an open one.
uint16_t portOf(int listener);
/// Accepts connections for ever; each is served by `serve` in a guarded process of its own: see GuardedWork.
[[noreturn]] void acceptSessions(int listener, const std::function<int(int connection, int life, Spare spare)>& serve);

} // namespace sx::debugger
