// Signals that end a process: how one does as another process did that was recorded.
#pragma once

#include <csignal>
#include <cstdint>

namespace sx::vm {

/// Ends the process by the signal, whatever it has a handler for.
[[noreturn]] void dieBy(int signal);

/// Who sees the signal that ended the recorded process, where somebody has a handler for it.
enum class SignalFor : uint8_t {
    Itself,  ///< the calling thread, as if it had sent it
    Thread,  ///< the calling thread, as from another process: `isRecordedSignal`
    Process, ///< whichever thread, as from another process
};
/// False: nobody has a handler for it.
bool giveToHandler(int signal, SignalFor);

/// In the handler: the thread has given it itself, in a call of C.
bool isRecordedSignal(const siginfo_t&);

} // namespace sx::vm
