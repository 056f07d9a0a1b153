#include "driver/Recordings.h"

#include "driver/Report.h"
#include "source/Paths.h"
#include "vm/History.h"
#include "vm/RunMain.h"
#include "vm/replay/RecordSpec.h"
#include "vm/replay/Replay.h"

#include "llvm/ADT/StringExtras.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace sx::driver {

namespace {

/// What the compilation was asked for, a line each.
std::string optionLines(const Invocation& in) {
    std::string lines = recordedOptions(in);
    for (char& c : lines)
        if (c == ' ') c = '\n';
    for (const std::string& path : in.libraryPaths) lines += "\n-L\n" + joinPath(workingDirectory(), path);
    for (const std::string& test : in.tests) lines += "\n--test\n" + test;
    if (in.trackHeap) lines += "\n--heap=track";
    return lines + "\n--comptime-steps\n" + std::to_string(in.comptimeSteps);
}

vm::RecordingHead headOf(const Invocation& in, const SourceManager& sources) {
    vm::RecordingHead head = vm::headOf(SX_VERSION, sources);
    head.file = in.file;
    head.folder = workingDirectory();
    head.options = optionLines(in);
    head.arguments = in.programArgs;
    for (char** e = environ; *e; ++e) head.environment.emplace_back(*e);
    return head;
}

void tell(bool isError, const std::string& message) {
    if (isError) printError(message);
    else std::fprintf(stderr, "warning: %s\n", message.c_str());
}

/// The tape of the run, or why there is none.
Result<std::unique_ptr<vm::Tape>> tapeFor(const Invocation& in, const SourceManager& sources, vm::KnownCalls& known) {
    vm::RecordingHead now = headOf(in, sources);
    if (in.recording) {
        if (Result<void> same = vm::expectIdentity(in.replay, in.recording->head(), now); !same) return same.failure();
        return vm::beginReplay(in.recording, known, tell);
    }
    if (!in.recordSpec.empty()) {
        Result<std::string> text = vm::readRecordSpec(in.recordSpec, known);
        if (!text) return text.failure();
        now.spec = {*text};
    }
    auto writer = vm::RecordingWriter::create(in.record, now);
    if (!writer) return writer.failure();
    auto tape = vm::Tape::recordTo(std::move(*writer), tell);
    tape->watchSignals();
    return tape;
}

} // namespace

Result<Invocation> replayedInvocation(const Invocation& in) {
    auto reader = vm::RecordingReader::open(in.replay);
    if (!reader) return reader.failure();
    const vm::RecordingHead& head = (*reader)->head();
    if (in.file.empty() && chdir(head.folder.c_str()) != 0)
        return Failure{"cannot enter " + code(head.folder) +
                       ", where the program was recorded: " + std::strerror(errno)};
    std::vector<std::string> args{"run", "--vm"};
    for (llvm::StringRef option : llvm::split(head.options, '\n')) args.push_back(option.str());
    args.push_back(in.file.empty() ? head.file : in.file);
    args.push_back("--");
    args.insert(args.end(), head.arguments.begin(), head.arguments.end());
    Result<Invocation> out = parseCommandLine(args);
    if (!out) return Failure{"the recording " + code(in.replay) + " was made with other options: " + out.error()};
    out->replay = in.replay;
    out->recording = std::move(*reader);
    out->warnings = WarningPolicy::Off; // they were shown when it was recorded
    return out;
}

Result<int> runTaped(const Invocation& in, ir::Module& module, ir::ForeignLoader foreign) {
    // As long as the process, which the program may end.
    auto* recording = new vm::Recording(1 << 16);
    auto tape = tapeFor(in, module.sources, recording->known);
    if (!tape) return tape.failure();
    std::string name = in.recording ? in.recording->head().file : in.file;
    std::vector<std::string> argv{name};
    argv.insert(argv.end(), in.programArgs.begin(), in.programArgs.end());
    auto report = [](const std::string& message) { printError(message); };
    return vm::runMain(module, argv, report, {}, nullptr, std::move(foreign), recording, tape->release());
}

} // namespace sx::driver
