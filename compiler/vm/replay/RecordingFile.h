// Recordings: what entered a program from outside while it ran, as a file (docs/recording.md has the format).
//
// The header is written again after each event, so that the file is whole at every moment: a program may end in a way
// that leaves no time to close it.
#pragma once

#include "source/Result.h"
#include "source/Source.h"
#include "vm/time/CallResult.h"

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sx::vm {

/// Which program ran, and what it began with.
struct RecordingHead {
    std::string version;                  ///< of sx
    std::string target;                   ///< for which the program was compiled
    std::string hash;                     ///< of these and of the program's sources
    std::string file;                     ///< the program, as it was given
    std::string folder;                   ///< where it ran: absolute
    std::string options;                  ///< of the compilation, a line each
    std::vector<std::string> arguments;   ///< without the program itself
    std::vector<std::string> environment; ///< `NAME=value`
    std::vector<std::string> spec;        ///< descriptions of further functions, as texts
};

struct RecordingEvent {
    enum class Kind : uint8_t {
        Call = 1,     ///< a function of C has returned
        Callback = 2, ///< … has called a function of the program
        Signal = 3,   ///< the process was ended by a signal
        Turn = 4,     ///< another thread goes on
    };
    Kind kind{};
    std::string function;        ///< of a call: its symbol; "" behind a pointer
    CallResult result;           ///< of a call
    uint32_t callee = 0;         ///< of a callback: the number of the program's function
    std::vector<uint64_t> words; ///< of a callback: its arguments
    uint32_t thread = 0;         ///< of a turn: whose it is, counted from 1 in the order in which they were started
    uint64_t slices = 0;         ///< of a turn: so many the thread before had run since its last event; 0: it called C
    int signal = 0;
    uint64_t nanoseconds = 0; ///< of a signal: the processor time that the program had used since the event before
};

/// Appends to a file. Not for several threads at once.
class RecordingWriter {
public:
    /// Makes the file, or replaces the recording that it is. Fails with "cannot write `PATH`: REASON": so where the
    /// file is no recording and is not empty, which leaves it as it is.
    static Result<std::unique_ptr<RecordingWriter>> create(const std::string& path, const RecordingHead&);
    ~RecordingWriter();
    RecordingWriter(const RecordingWriter&) = delete;

    /// Fails as `create` does; then nothing more is written.
    Result<void> append(const RecordingEvent&);
    /// Something happened of which the recording does not know enough.
    Result<void> markIncomplete();
    bool isIncomplete() const { return isIncomplete_; }
    /// From now on `dropEvents` can take events back.
    void allowDropping() { canDrop_ = true; }
    /// Takes back the last `count` events.
    Result<void> dropEvents(uint64_t count);
    /// Of the file, which stays open; -1 after a failure.
    int descriptor() const { return file_; }
    /// Takes the file away, if it is a regular one.
    void discard();

private:
    explicit RecordingWriter(std::string path) : path_(std::move(path)) {}
    Result<void> write(const std::string& bytes);
    Result<void> writeHeader();
    Result<void> fail();

    std::string path_;
    int file_ = -1;
    /// Before an event.
    struct Mark {
        uint64_t length, checksum;
        size_t names;
    };
    bool isIncomplete_ = false, canDrop_ = false;
    std::vector<Mark> marks_;
    uint64_t length_ = 0, checksum_;                    ///< of what stands behind the header
    std::unordered_map<std::string, uint64_t> numbers_; ///< of functions that were named
};

class RecordingReader {
public:
    /// Reads the whole file. Fails with one sentence that names it: it is no recording, cut off, changed, of another
    /// version of the format.
    static Result<std::unique_ptr<RecordingReader>> open(const std::string& path);

    const RecordingHead& head() const { return head_; }
    bool isIncomplete() const { return isIncomplete_; }
    /// The next event, which stays the next one; null at the end.
    const RecordingEvent* peek() const { return next_ < events_.size() ? &events_[next_] : nullptr; }
    void skip() { ++next_; }
    /// How many were skipped.
    size_t position() const { return next_; }
    void goTo(size_t position) { next_ = position; }

private:
    RecordingReader() = default;
    bool parse(std::string_view body);

    RecordingHead head_;
    bool isIncomplete_ = false;
    std::vector<RecordingEvent> events_;
    size_t next_ = 0;
};

/// The head of a recording of a program that was compiled from these sources by this version of sx, with version,
/// target and hash: sixteen hexadecimal digits that change with each text, with sx and with the target, whatever the
/// order is in which the files were read.
RecordingHead headOf(const std::string& version, const SourceManager& sources);

/// The recording is of this program and of this sx. Else says so, with both hashes.
Result<void> expectIdentity(const std::string& path, const RecordingHead&, const RecordingHead& now);

} // namespace sx::vm
