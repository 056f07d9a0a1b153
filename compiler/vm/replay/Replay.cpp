#include "vm/replay/Replay.h"

#include "vm/replay/RecordSpec.h"

#include <cstdlib>

namespace sx::vm {

namespace {

/// That of this process becomes that of a recording.
void restoreEnvironment(const std::vector<std::string>& variables) {
    clearenv();
    for (const std::string& v : variables)
        if (size_t eq = v.find('='); eq != std::string::npos && eq > 0)
            setenv(v.substr(0, eq).c_str(), v.c_str() + eq + 1, 1);
}

} // namespace

Result<std::unique_ptr<Tape>> beginReplay(std::shared_ptr<RecordingReader> reader, KnownCalls& known, Tape::Tell tell,
                                          bool areSignalsSeen) {
    for (const std::string& text : reader->head().spec)
        if (Result<void> read = parseRecordSpec(text, known); !read) return read.failure();
    restoreEnvironment(reader->head().environment);
    return Tape::replayFrom(std::move(reader), std::move(tell), areSignalsSeen);
}

} // namespace sx::vm
