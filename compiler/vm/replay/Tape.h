// What the calls of C of one program go through while it is recorded, or replayed.
//
// A tape that can be gone back on (`isLive`) has its events in memory, too: after going back it is a replay up
// to where the program has been furthest, and from there on it records again.
#pragma once

#include "vm/replay/OutputStreams.h"
#include "vm/replay/RecordingFile.h"
#include "vm/replay/Turns.h"

#include <array>
#include <atomic>
#include <deque>
#include <functional>

namespace sx::vm {

class Tape {
public:
    /// Tells the user. `isError`: it did not go as it was asked for.
    using Tell = std::function<void(bool isError, const std::string&)>;

    /// `goesBack`: events may be taken back, so the process both records and replays. Without a writer it is only for
    /// that.
    static std::unique_ptr<Tape> recordTo(std::unique_ptr<RecordingWriter>, Tell, bool goesBack = false);
    /// `areSignalsSeen`: a debugger has handlers for signals, which are to see that by which the recorded process was
    /// ended.
    static std::unique_ptr<Tape> replayFrom(std::shared_ptr<RecordingReader>, Tell, bool areSignalsSeen = false);
    ~Tape();
    Tape(const Tape&) = delete;

    /// What comes next was recorded: by another process, or before it was gone back.
    bool isReplay() const { return reader_ || isBehind_; }
    /// A recording stays: what is not needed to go back is kept, too.
    bool hasFile() const { return reader_ || writer_; }

    // ---- recording
    /// From now on the signals by which others end a process are noted before it ends. To be called at most once in a
    /// process.
    void watchSignals();
    void keepCall(const std::string& function, const CallResult&);
    void keepCallback(uint32_t callee, std::vector<uint64_t> words);
    /// All that is known of the call of this function is its result.
    void noteUnknown(const std::string& function);
    /// A debugger has changed the program. Nothing where it is a replay.
    void noteChange();
    /// The program does what cannot be recorded: the process ends with status 1, and the recording is taken away.
    [[noreturn]] void refuse(const std::string& what);
    /// In the calling thread a function of C runs whose call is kept: what it calls back has to be kept, too.
    static bool& isInCall();
    /// This process is a copy of the one that is recorded, which goes on without a tape.
    void forsake() { isForsaken_ = true; }
    bool isForsaken() const { return isForsaken_; }

    // ---- threads
    Turns turns{*this};
    void keepTurn(uint32_t thread, uint64_t slices);
    /// The next event, if it is a turn; null: it is none.
    const RecordingEvent* peekTurn() const;
    void takeTurn() { skip(); }
    /// A thread waits for ever: nothing more was recorded, or something else.
    [[noreturn]] void leaveInEnd();

    // ---- going back
    /// Of a recording: events may be taken back.
    bool isLive() const { return isLive_; }
    /// How many events were taken, or kept.
    size_t position() const { return reader_ ? reader_->position() : dropped_ + next_; }
    /// The events that follow come again.
    void goTo(size_t position);
    /// What comes next is to have its effect outside, as the first time. What was recorded of it is forgotten.
    void goOnFromHere();
    /// Nobody will go back to before this position.
    void forgetBefore(size_t position);
    /// What is kept in memory for going back, about.
    uint64_t heldBytes() const { return heldBytes_; }
    /// The event that was taken last had been taken before.
    bool wasTakenAgain() const { return reader_ ? reader_->position() <= lastGiven_ : isLive_; }

    // ---- replaying
    /// The function of the program that C called next, within a call of `function`; null: none before it returned.
    const RecordingEvent* takeCallback();
    /// What the call gave when it was recorded. Ends the process where the recording has something else, or where the
    /// process was ended then. `function` is "" behind a pointer.
    CallResult takeCall(const std::string& function);
    /// The program has ended by itself: says so if it had not when it was recorded.
    void finish();
    /// Nothing more was recorded.
    bool isAtEnd() const { return !peek(); }
    /// By a thread that is in a call of C. Where a debugger sees the signal, it is what ends the process then, or the
    /// thread is put back. `isOwn`: the program has sent it itself.
    [[noreturn]] void endBySignal(int signal, bool isOwn);
    /// Ends the process, which does something else than was recorded.
    [[noreturn]] void leave(const std::string& why);
    OutputStreams outputs;

private:
    friend int endingSignal(const Tape&);
    friend void noteOtherBytes(Tape&, const std::string& function);
    explicit Tape(Tell tell) : tell_(std::move(tell)) {}
    void keep(RecordingEvent);
    const RecordingEvent* peek() const;
    void skip();
    void markIncomplete(const std::string& why);
    void check(const Result<void>& written);
    void onSignal(int signal);
    void expectEnd();

    Tell tell_;
    std::unique_ptr<RecordingWriter> writer_;
    std::shared_ptr<RecordingReader> reader_;
    bool isLive_ = false;
    std::deque<RecordingEvent> events_; ///< where it is live
    size_t dropped_ = 0, next_ = 0;     ///< so many events were before these, and so many of these were taken
    std::atomic<bool> isBehind_{false}; ///< there are more: for threads that have not their turn, too
    uint64_t heldBytes_ = 0;
    size_t lastGiven_ = 0; ///< so many events had their effect outside before it was gone back
    bool isFailed_ = false, isForsaken_ = false, hasOtherBytes_ = false, areSignalsSeen_ = false;
    volatile bool isWriting_ = false;
    volatile int pending_ = 0; ///< a signal that came meanwhile
    uint64_t lastUse_ = 0;     ///< processor time at the last event, in nanoseconds
};

/// Of a replay: the signal by which the recorded process was ended, if nothing else came before; 0: none.
int endingSignal(const Tape&);

/// What is kept beside the known calls' own description.
enum class TapeRule : uint8_t {
    Keep,   ///< what it gives; a replay does not call it
    Run,    ///< nothing: it does the same again, or does not return
    Repeat, ///< what it gives; a replay calls it as well
    Thread, ///< a thread begins; one of the program's own functions
    Fork,   ///< a copy of the process goes on, of which nothing is kept
    Exit,   ///< the thread ends
    Refuse, ///< it cannot be recorded
};
/// Ends the process: a call has fewer bytes, or room for fewer, than what was recorded of it takes.
[[noreturn]] void leaveAtSize(Tape&, const std::string& function, uint64_t asked, uint64_t recorded);
/// Of a replay: a call wrote other bytes than it did when it was recorded. The first is told.
void noteOtherBytes(Tape&, const std::string& function);

/// Of functions that are not known as ones that do the same again.
TapeRule tapeRuleOf(const std::string& function);

} // namespace sx::vm
