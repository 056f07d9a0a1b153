// Sees to it that nothing is left running: a process between the adapter and what it starts.
#pragma once

#include <functional>

namespace sx::debugger {

/// Names a process that is to live on, with its children; a launched program with all that it has started.
using Spare = std::function<void(int pid, bool isLaunched)>;

/// What runs below a guardian. `life` has ended when it polls as hung up: then the work is to come to its end, too.
using GuardedWork = std::function<int(int life, Spare spare)>;

/// Starts a guardian, which starts `work` in a process of its own. When that ends, or when all copies of `life`'s other
/// end are closed (whoever holds it has ended, however it did) and the work has had some seconds to end by itself, and
/// to let go of what it has attached to, the guardian kills every process that was started below it and not spared, and
/// ends with the exit status of `work`. Returns the guardian's process id; -1 with errno set.
int startGuarded(int life, const GuardedWork& work);

/// Waits for a process. Returns its exit status, 128 + N for signal N.
int waitFor(int pid);

} // namespace sx::debugger
