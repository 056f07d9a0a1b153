#include "debugger/native/plugin/SignalInfo.h"

#include "debugger/engine/Signals.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string_view>

namespace sx::debugger::native {

using namespace lldb;

std::string askServer(SBProcess& process, const std::string& packet) {
    constexpr std::string_view Answer = "response: ";
    const char* plugin = process.GetPluginName();
    if (!plugin || std::string_view(plugin) != "gdb-remote") return "";
    SBCommandReturnObject done;
    process.GetTarget().GetDebugger().GetCommandInterpreter().HandleCommand(
        ("process plugin packet send " + packet).c_str(), done, /*add_to_history=*/false);
    std::string text = done.GetOutput() ? done.GetOutput() : "";
    size_t at = text.find(Answer);
    if (at == std::string::npos) return "";
    text.erase(0, at + Answer.size());
    return text.substr(0, text.find('\n'));
}

/// lldb asks its server without saying for which thread, and the server takes the one that has stopped last.
static void chooseThread(SBProcess& process, SBThread& thread) {
    char command[64];
    std::snprintf(command, sizeof command, "Hgp%llx.%llx", static_cast<unsigned long long>(process.GetProcessID()),
                  static_cast<unsigned long long>(thread.GetThreadID()));
    askServer(process, command);
}

bool SignalInfo::isSent() const { return signal != 0 && code <= 0 && code != SI_TIMER; }

SignalInfo signalInfoOf(SBProcess& process, SBThread& thread) {
    chooseThread(process, thread);
    SBValue value = thread.GetSiginfo();
    SBData data = value.GetData();
    SBError error;
    siginfo_t info{};
    size_t size = std::min<size_t>(data.GetByteSize(), sizeof info);
    if (value.GetError().Fail() || data.ReadRawData(error, 0, &info, size) != size) info = {};
    return {info.si_signo, info.si_code, info.si_signo != 0 ? info.si_pid : 0, info};
}

namespace {

uint64_t waitingIn(const std::string& folder) {
    const SignalSets sets = signalSetsOf(folder).value_or(SignalSets());
    return sets.waiting & ~sets.blocked;
}

} // namespace

bool hasWaitingSignals(int process) {
    std::error_code error;
    std::string of = "/proc/" + std::to_string(process) + "/task";
    for (const auto& thread : std::filesystem::directory_iterator(of, error))
        if (waitingIn(thread.path()) != 0) return true;
    return false;
}

bool isWaiting(int process, SystemThread thread, int signal) {
    std::string of = "/proc/" + std::to_string(process) + "/task/" + std::to_string(thread);
    return (waitingIn(of) >> (signal - 1) & 1) != 0;
}

void setOrigin(ThreadStop& stop, const SignalInfo& info) {
    if (info.signal != stop.signal || info.signal == 0) return;
    stop.hasOrigin = true;
    stop.isSent = info.isSent();
    stop.isByThread = info.code == SI_TKILL;
    stop.sender = info.sender;
}

} // namespace sx::debugger::native
