// Beginning and end: launch, attach, core files, signals, detach.
#include "debugger/engine/ProcessFiles.h"
#include "debugger/engine/Signals.h"
#include "debugger/native/plugin/CoreFile.h"
#include "debugger/native/plugin/CoreNotes.h"
#include "debugger/native/plugin/LldbTarget.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sx::debugger::native {

using namespace lldb;

std::string LldbTarget::openProgram(const std::string& program) {
    SBError error;
    target_ = debugger_.CreateTarget(program.c_str(), nullptr, nullptr, /*add_dependent_modules=*/false, error);
    return target_.IsValid() ? "" : "`" + program + "` is no program that could be read: " + messageOf(error);
}

namespace {

/// lldb can open files as 0, 1 and 2 for the program. The rest is done in the program itself.
bool isOpenedByLldb(const std::vector<int>& stdio) {
    if (stdio.size() > 3) return false;
    for (int descriptor : stdio) {
        struct stat about {};
        if (descriptor < 0 || fstat(descriptor, &about) != 0) return false;
        if (!S_ISFIFO(about.st_mode) && !S_ISCHR(about.st_mode)) return false;
    }
    return true;
}

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
    std::vector<const char*> out;
    for (const std::string& text : texts) out.push_back(text.c_str());
    out.push_back(nullptr);
    return out;
}

void openStreams(SBLaunchInfo& info, const std::vector<int>& stdio) {
    for (int number = 0; number < 3; ++number) {
        bool isInput = number == 0;
        std::string path = "/dev/null";
        if (isOpenedByLldb(stdio) && number < static_cast<int>(stdio.size())) path = pathOfDescriptor(stdio[number]);
        info.AddOpenFileAction(number, path.c_str(), isInput, !isInput);
    }
}

} // namespace

bool isDead(int pid) {
    if (::kill(pid, 0) != 0) return errno == ESRCH;
    return ProcessStatus(pid).isZombie();
}

std::string pathOfDescriptor(int descriptor) {
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(descriptor);
}

std::string LldbTarget::launch(const LaunchOptions& options) {
    if (std::string problem = openProgram(options.program); !problem.empty()) return problem;
    SBLaunchInfo info(pointers(options.args).data());
    info.SetEnvironmentEntries(pointers(options.environment).data(), /*append=*/false);
    if (!options.cwd.empty()) info.SetWorkingDirectory(options.cwd.c_str());
    info.SetLaunchFlags(eLaunchFlagStopAtEntry | eLaunchFlagDisableASLR | eLaunchFlagDebug);
    info.SetDetachOnError(false);
    openStreams(info, options.stdio);
    info.SetListener(events_.listener());
    SBError error;
    line_.noteBefore();
    process_ = target_.Launch(info, error);
    line_.noteAfter();
    if (error.Fail() || !process_.IsValid()) return "the program could not be started: " + messageOf(error);
    if (process_.GetState() != eStateStopped) return "the program ended before it began";
    chooseSignals();
    events_.watchExit(target_);
    bool isOpened = isOpenedByLldb(options.stdio);
    if (std::string problem = prepare(process_, isOpened ? std::vector<int>() : options.stdio); !problem.empty())
        return problem;
    events_.begin(debugger_, process_);
    return {};
}

std::string LldbTarget::attach(int pid, const std::string& program) {
    if (std::string problem = openProgram(program); !problem.empty()) return problem;
    SBError error;
    line_.noteBefore();
    process_ = target_.AttachToProcessWithID(events_.listener(), static_cast<lldb::pid_t>(pid), error);
    line_.noteAfter();
    if (error.Fail() || !process_.IsValid()) {
        if (isDead(pid)) return "the process " + std::to_string(pid) + " has ended";
        return "the process " + std::to_string(pid) + " could not be attached to: " + messageOf(error);
    }
    chooseSignals();
    events_.watchExit(target_);
    events_.begin(debugger_, process_);
    return {};
}

std::string LldbTarget::openCore(const std::string& core, const std::string& program) {
    if (std::string problem = openProgram(program); !problem.empty()) return problem;
    SBError error;
    if (!isSoundCore(core)) return "`" + core + "` is no core file that could be read";
    process_ = target_.LoadCore(core.c_str(), error);
    isCore_ = true;
    core_ = core;
    if (error.Fail() || !process_.IsValid()) return "`" + core + "` is no core file that could be read";
    std::string headers = headersOf(program);
    std::optional<uint64_t> at = headersInCore(core);
    std::string there(headers.size(), '\0');
    bool isKnown =
        at && !headers.empty() && process_.ReadMemory(*at, there.data(), there.size(), error) == there.size();
    return isKnown && there != headers ? "`" + core + "` is the core file of another program, or of another build of it"
                                       : "";
}

std::string LldbTarget::addStacks(const std::vector<ParkedStack>& stacks) {
    const char* folder = getenv("TMPDIR");
    std::string path = std::string(folder && *folder ? folder : "/tmp") + "/sx-core-XXXXXX";
    int descriptor = mkstemp(path.data());
    if (descriptor < 0) return "there is no room for a copy of the core file";
    close(descriptor);
    std::string problem = copyCore(core_, path, stacks);
    if (problem.empty()) {
        SBError error;
        process_ = target_.LoadCore(path.c_str(), error);
        if (error.Fail() || !process_.IsValid()) process_ = target_.LoadCore(core_.c_str(), error);
        else
            for (const ParkedStack& stack : stacks) added_.insert(stack.thread);
        if (added_.empty()) problem = "the copy of the core file cannot be read";
    }
    unlink(path.c_str());
    return problem;
}

/// Those that say that the program is broken stop it, those that end it do (the engine passes on what the program
/// expects), and SIGINT does, which does not reach it; others pass silently.
void LldbTarget::chooseSignals() {
    SBUnixSignals signals = process_.GetUnixSignals();
    for (int32_t i = 0, count = signals.GetNumSignals(); i < count; ++i) {
        int32_t signal = signals.GetSignalAtIndex(i);
        bool stops = saysBroken(signal) || signal == SIGINT || endsFromOutside(signal);
        bool isLldbs = signal == SIGTRAP || signal == SIGSTOP; // it stops and steps by these
        signals.SetShouldStop(signal, stops || isLldbs);
        signals.SetShouldNotify(signal, stops || isLldbs);
        signals.SetShouldSuppress(signal, signal == SIGINT || isLldbs);
    }
}

void LldbTarget::kill() {
    if (!process_.IsValid() || isCore_) return;
    int pid = processId();
    isKilled_ = pid > 0 && ::kill(pid, SIGKILL) == 0;
}

std::string LldbTarget::detach() {
    removeBreakpoints([&] {
        std::vector<uint64_t> all;
        for (auto& [address, breakpoint] : breakpoints_) all.push_back(address);
        return all;
    }());
    ownSignals_.sendKept(process_);
    return messageOf(process_.Detach());
}

int LldbTarget::processId() const {
    return process_.IsValid() ? static_cast<int>(const_cast<SBProcess&>(process_).GetProcessID()) : 0;
}

} // namespace sx::debugger::native
