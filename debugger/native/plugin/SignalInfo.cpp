#include "debugger/native/plugin/SignalInfo.h"

#include <csignal>
#include <cstdio>
#include <string_view>

namespace sx::debugger::native {

using namespace lldb;

/// lldb asks its server without saying for which thread, and the server takes the one that has stopped last.
static void chooseThread(SBProcess& process, SBThread& thread) {
    const char* plugin = process.GetPluginName();
    if (!plugin || std::string_view(plugin) != "gdb-remote") return;
    char command[96];
    std::snprintf(command, sizeof command, "process plugin packet send Hgp%llx.%llx",
                  static_cast<unsigned long long>(process.GetProcessID()),
                  static_cast<unsigned long long>(thread.GetThreadID()));
    SBCommandReturnObject done;
    process.GetTarget().GetDebugger().GetCommandInterpreter().HandleCommand(command, done, /*add_to_history=*/false);
}

bool SignalInfo::isSent() const { return signal != 0 && code <= 0 && code != SI_TIMER; }

SignalInfo signalInfoOf(SBProcess& process, SBThread& thread) {
    chooseThread(process, thread);
    SBValue info = thread.GetSiginfo();
    auto number = [](SBValue value) { return static_cast<int>(value.GetValueAsSigned()); };
    return {number(info.GetChildMemberWithName("si_signo")), number(info.GetChildMemberWithName("si_code")),
            number(info.GetValueForExpressionPath("._sifields._kill.si_pid"))};
}

void setOrigin(ThreadStop& stop, const SignalInfo& info) {
    if (info.signal != stop.signal || info.signal == 0) return;
    stop.hasOrigin = true;
    stop.isSent = info.isSent();
    stop.isByThread = info.code == SI_TKILL;
    stop.sender = info.sender;
}

} // namespace sx::debugger::native
