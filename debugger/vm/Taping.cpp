#include "debugger/vm/Taping.h"

#include "source/Paths.h"
#include "vm/History.h"
#include "vm/replay/RecordSpec.h"
#include "vm/replay/Replay.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "heap.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace sx::debugger {

namespace {

vm::RecordingHead headOf(const Program& program, const StartRequest& request) {
    vm::RecordingHead head = vm::headOf(SX_VERSION, program.sources);
    head.file = request.program;
    head.folder = request.cwd;
    head.options = "-O" + std::to_string(program.options.optLevel);
    for (const std::string& path : program.options.libraryPaths) head.options += "\n-L\n" + path;
    for (const std::string& test : program.options.tests) head.options += "\n--test\n" + test;
    head.arguments = request.args;
    if (!request.recordSpec.empty()) head.spec = {request.recordSpec};
    return head;
}

/// The environment of a replay is the recorded one: what the session wants of the heap is said here. Else the heap is
/// tracked as it was.
void decideHeapTracking(const StartRequest& request) {
    const std::string& options = request.replay->head().options;
    bool wasTracked = llvm::is_contained(llvm::split(options, '\n'), llvm::StringRef("--heap=track"));
    if (request.trackHeap.value_or(wasTracked)) static_cast<void>(sx_heap_decide(/*force=*/true));
    else if (request.trackHeap) unsetenv("SX_HEAP");
}

} // namespace

Result<void> readReplay(StartRequest& request, std::string& file, std::string& cwd) {
    auto reader = vm::RecordingReader::open(request.replayFile);
    if (!reader) return reader.failure();
    const vm::RecordingHead& head = (*reader)->head();
    if (file.empty()) {
        file = head.file;
        cwd = head.folder;
    }
    request.args = head.arguments;
    request.program = head.file;
    request.record = true;
    request.replay = std::move(*reader);
    return {};
}

std::vector<std::string> recordedOptions(const StartRequest& request) {
    std::vector<std::string> words;
    for (llvm::StringRef word : llvm::split(request.replay->head().options, '\n')) words.push_back(word.str());
    return words;
}

Result<void> expectSameProgram(const Program& program, const StartRequest& request) {
    if (!request.replay) return {};
    const vm::RecordingHead& then = request.replay->head();
    vm::RecordingHead now = headOf(program, request);
    const ProgramOptions& given = program.options;
    const std::string was = joinPath(then.folder, then.file), is = joinPath(given.workingDirectory, given.file);
    std::error_code missing;
    if (was != is && !std::filesystem::equivalent(was, is, missing)) now.file = given.file;
    return vm::expectIdentity(request.replayFile, then, now);
}

Result<void> readSpec(StartRequest& request, const std::string& path) {
    vm::KnownCalls known;
    Result<std::string> text = vm::readRecordSpec(path, known);
    if (!text) return text.failure();
    request.recordSpec = std::move(*text);
    return {};
}

Result<std::unique_ptr<vm::RecordingWriter>> openRecording(const Program& program, const StartRequest& request) {
    if (request.recordingFile.empty()) return std::unique_ptr<vm::RecordingWriter>();
    vm::RecordingHead head = headOf(program, request);
    std::vector<std::string> removed;
    for (const auto& [name, value] : request.environment) {
        if (value) head.environment.push_back(name + "=" + *value);
        removed.push_back(name + "=");
    }
    for (char** e = environ; *e; ++e) {
        std::string_view variable = *e;
        bool isReplaced = std::any_of(removed.begin(), removed.end(),
                                      [&](const std::string& name) { return variable.substr(0, name.size()) == name; });
        if (!isReplaced) head.environment.emplace_back(variable);
    }
    return vm::RecordingWriter::create(request.recordingFile, head);
}

std::unique_ptr<vm::Tape> makeTape(const StartRequest& request, std::unique_ptr<vm::RecordingWriter> writer,
                                   vm::Recording& recording) {
    auto tell = [](bool isError, const std::string& message) {
        std::fprintf(stderr, "%s: %s\n", isError ? "error" : "warning", message.c_str());
    };
    // The texts were read before the program was started.
    if (!request.recordSpec.empty()) static_cast<void>(vm::parseRecordSpec(request.recordSpec, recording.known));
    if (writer) return vm::Tape::recordTo(std::move(writer), tell, /*goesBack=*/true);
    if (!request.replay) return nullptr;
    Result<std::unique_ptr<vm::Tape>> tape =
        vm::beginReplay(request.replay, recording.known, tell, /*areSignalsSeen=*/true);
    decideHeapTracking(request);
    return tape ? std::move(*tape) : nullptr; // the descriptions were read when it was made
}

} // namespace sx::debugger
