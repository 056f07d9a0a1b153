#include "vm/replay/Tape.h"

#include "vm/replay/EndingSignal.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <thread>
#include <unistd.h>
#include <utility>

namespace sx::vm {

namespace {

/// Signals by which a process is ended from outside.
constexpr int Ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM};

/// Who is told in a handler, which is given nothing but the number.
Tape*& watcher() {
    static Tape* tape = nullptr;
    return tape;
}

uint64_t processorTime() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(t.tv_nsec);
}

std::string shown(const std::string& function) {
    return function.empty() ? "a C function behind a pointer" : code(function);
}

} // namespace

TapeRule tapeRuleOf(const std::string& function) {
    static constexpr std::pair<const char*, TapeRule> Rules[] = {
        {"exit", TapeRule::Run},
        {"_exit", TapeRule::Run},
        {"_Exit", TapeRule::Run},
        {"quick_exit", TapeRule::Run},
        {"abort", TapeRule::Run},
        {"__assert_fail", TapeRule::Run},
        {"atexit", TapeRule::Repeat},
        {"qsort", TapeRule::Run},
        {"bsearch", TapeRule::Run},
        {"printf", TapeRule::Repeat},
        {"puts", TapeRule::Repeat},
        {"putchar", TapeRule::Repeat},
        {"putc", TapeRule::Repeat},
        {"fputs", TapeRule::Repeat},
        {"fputc", TapeRule::Repeat},
        {"fflush", TapeRule::Repeat},
        {"sx_trace_print", TapeRule::Repeat},
        {"sx_trace_report_unhandled", TapeRule::Repeat},
        {"setenv", TapeRule::Repeat},
        {"unsetenv", TapeRule::Repeat},
        {"putenv", TapeRule::Repeat},
        {"clearenv", TapeRule::Repeat},
        {"mprotect", TapeRule::Repeat},
        {"madvise", TapeRule::Repeat},
        {"pthread_create", TapeRule::Thread},
        {"thrd_create", TapeRule::Thread},
        {"pthread_exit", TapeRule::Exit},
        {"thrd_exit", TapeRule::Exit},
        {"fork", TapeRule::Fork},
        {"vfork", TapeRule::Fork},
        {"_Fork", TapeRule::Fork},
        {"clone", TapeRule::Refuse},
    };
    for (auto [name, rule] : Rules)
        if (function == name) return rule;
    // The runtime's functions do the same again; what they print is printed again.
    return function.rfind("sx_", 0) == 0 ? TapeRule::Run : TapeRule::Keep;
}

// ---- recording

std::unique_ptr<Tape> Tape::recordTo(std::unique_ptr<RecordingWriter> writer, Tell tell, bool goesBack) {
    std::unique_ptr<Tape> tape(new Tape(std::move(tell)));
    tape->writer_ = std::move(writer);
    tape->isLive_ = goesBack;
    if (tape->writer_ && goesBack) tape->writer_->allowDropping();
    tape->lastUse_ = processorTime();
    return tape;
}

Tape::~Tape() {
    if (watcher() == this) watcher() = nullptr;
}

void Tape::watchSignals() {
    watcher() = this;
    for (int signal : Ending) {
        struct sigaction now {
        }, mine{};
        if (sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
        mine.sa_handler = [](int number) {
            if (Tape* tape = watcher()) tape->onSignal(number);
            else dieBy(number);
        };
        sigfillset(&mine.sa_mask);
        sigaction(signal, &mine, nullptr);
    }
}

void Tape::onSignal(int signal) {
    if (isWriting_) { // after that
        pending_ = signal;
        return;
    }
    RecordingEvent e;
    e.kind = RecordingEvent::Kind::Signal;
    e.signal = signal;
    e.nanoseconds = processorTime() - lastUse_;
    if (!isFailed_ && !isForsaken_) static_cast<void>(writer_->append(e));
    dieBy(signal);
}

static uint64_t bytesOf(const RecordingEvent& e) {
    return sizeof e + e.function.size() + e.result.memory.size() + e.words.size() * sizeof(uint64_t);
}

void Tape::keep(RecordingEvent e) {
    if (isForsaken_) return;
    if (e.kind != RecordingEvent::Kind::Turn) {
        Turns::onEvent();
        turns.noteBeyond();
    }
    if (writer_ && !isFailed_) {
        isWriting_ = true;
        Result<void> kept = writer_->append(e);
        lastUse_ = processorTime();
        isWriting_ = false;
        check(kept);
        if (pending_ != 0) onSignal(pending_);
    }
    if (!isLive_) return;
    heldBytes_ += bytesOf(e);
    events_.push_back(std::move(e));
    ++next_;
}

const RecordingEvent* Tape::peek() const {
    if (reader_) return reader_->peek();
    return next_ < events_.size() ? &events_[next_] : nullptr;
}

void Tape::skip() {
    if (reader_) return reader_->skip();
    ++next_;
    isBehind_ = next_ < events_.size();
}

void Tape::keepCall(const std::string& function, const CallResult& result) {
    RecordingEvent e;
    e.kind = RecordingEvent::Kind::Call;
    e.function = function;
    e.result = result;
    keep(e);
}

void Tape::keepCallback(uint32_t callee, std::vector<uint64_t> words) {
    RecordingEvent e;
    e.kind = RecordingEvent::Kind::Callback;
    e.callee = callee;
    e.words = std::move(words);
    keep(e);
}

bool& Tape::isInCall() {
    static thread_local bool isIn = false;
    return isIn;
}

void Tape::keepTurn(uint32_t thread, uint64_t slices) {
    RecordingEvent e;
    e.kind = RecordingEvent::Kind::Turn;
    e.thread = thread;
    e.slices = slices;
    keep(e);
}

const RecordingEvent* Tape::peekTurn() const {
    const RecordingEvent* e = peek();
    return e && e->kind == RecordingEvent::Kind::Turn ? e : nullptr;
}

void Tape::leaveInEnd() {
    leave(peek() ? "the threads of the program do not run as they did" : "the recording ends while a thread waits");
}

void Tape::check(const Result<void>& written) {
    if (written || isFailed_) return;
    isFailed_ = true;
    tell_(true, "recording ends: " + written.error());
}

void Tape::markIncomplete(const std::string& why) {
    if (isFailed_ || isForsaken_ || !writer_ || writer_->isIncomplete()) return;
    check(writer_->markIncomplete());
    if (!isFailed_) tell_(false, "the recording is incomplete: " + why);
}

void Tape::noteUnknown(const std::string& function) {
    markIncomplete("of " + shown(function) + " only the result is recorded");
}

void noteOtherBytes(Tape& tape, const std::string& function) {
    if (!std::exchange(tape.hasOtherBytes_, true))
        tape.tell_(false, "the program writes other bytes than it did, by the call of " + shown(function));
}

void Tape::noteChange() {
    if (writer_) markIncomplete("the debugger has changed the program");
}

void Tape::goTo(size_t position) {
    if (!reader_) {
        next_ = position - dropped_;
        isBehind_ = next_ < events_.size();
        return;
    }
    lastGiven_ = std::max(lastGiven_, reader_->position());
    reader_->goTo(position);
}

void Tape::goOnFromHere() {
    if (reader_) {
        lastGiven_ = reader_->position();
        return;
    }
    outputs.forgetFrom(position());
    if (writer_ && !isFailed_) check(writer_->dropEvents(events_.size() - next_));
    while (events_.size() > next_) {
        heldBytes_ -= bytesOf(events_.back());
        events_.pop_back();
    }
    isBehind_ = false;
}

void Tape::forgetBefore(size_t position) {
    outputs.forgetBefore(position);
    while (dropped_ < position && next_ > 0) {
        heldBytes_ -= bytesOf(events_.front());
        events_.pop_front();
        ++dropped_;
        --next_;
    }
}

void Tape::refuse(const std::string& what) {
    if (writer_ && !isFailed_) writer_->discard();
    std::fflush(nullptr);
    tell_(true, what);
    _exit(1);
}

// ---- replaying

std::unique_ptr<Tape> Tape::replayFrom(std::shared_ptr<RecordingReader> reader, Tell tell, bool areSignalsSeen) {
    std::unique_ptr<Tape> tape(new Tape(std::move(tell)));
    tape->reader_ = std::move(reader);
    tape->areSignalsSeen_ = areSignalsSeen;
    return tape;
}

const RecordingEvent* Tape::takeCallback() {
    turns.awaitEvent();
    const RecordingEvent* e = peek();
    if (!e || e->kind != RecordingEvent::Kind::Callback) return nullptr;
    skip();
    Turns::onEvent();
    return e;
}

void Tape::leave(const std::string& why) {
    std::fflush(nullptr);
    tell_(true, why);
    _exit(1);
}

void Tape::endBySignal(int signal, bool isOwn) {
    std::fflush(nullptr);
    const bool isSeen = areSignalsSeen_ && giveToHandler(signal, isOwn ? SignalFor::Itself : SignalFor::Thread);
    while (isSeen) pause();
    dieBy(signal);
}

int endingSignal(const Tape& tape) {
    const RecordingEvent* e = tape.peek();
    return e && e->kind == RecordingEvent::Kind::Signal ? e->signal : 0;
}

/// Where the process was ended while it computed, no call follows at which it could be ended again. What it does until
/// then cannot be seen from outside, so some time more does not matter.
void Tape::expectEnd() {
    const RecordingEvent* e = reader_->peek();
    if (!e || e->kind != RecordingEvent::Kind::Signal) return;
    uint64_t limit = processorTime() + 2 * e->nanoseconds + 500'000'000;
    std::thread([limit, signal = e->signal, isSeen = areSignalsSeen_] {
        while (processorTime() < limit) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        if (!isSeen || !giveToHandler(signal, SignalFor::Process)) dieBy(signal);
    }).detach();
}

CallResult Tape::takeCall(const std::string& function) {
    turns.awaitEvent();
    const RecordingEvent* e = peek();
    const std::string why = reader_ && reader_->isIncomplete() ? ": it is incomplete" : "";
    if (!e) leave("the recording ends before the call of " + shown(function) + why);
    if (e->kind == RecordingEvent::Kind::Signal) dieBy(e->signal);
    if (e->kind != RecordingEvent::Kind::Call || e->function != function)
        leave("the program calls " + shown(function) + " where the recording has " +
              (e->kind == RecordingEvent::Kind::Call   ? shown(e->function)
               : e->kind == RecordingEvent::Kind::Turn ? "the turn of another thread"
                                                       : "a call of the program by C") +
              why);
    CallResult result = e->result;
    skip();
    Turns::onEvent();
    if (!wasTakenAgain()) expectEnd();
    return result;
}

void leaveAtSize(Tape& tape, const std::string& function, uint64_t asked, uint64_t recorded) {
    tape.leave("the program calls " + shown(function) + " for " + std::to_string(asked) +
               " bytes where the recording has a call of " + shown(function) + " that gave " +
               std::to_string(recorded));
}

void Tape::finish() {
    if (!reader_) return;
    const RecordingEvent* e = reader_->peek();
    if (e && e->kind == RecordingEvent::Kind::Signal) {
        std::fflush(nullptr);
        dieBy(e->signal);
    }
    if (e) tell_(true, "the program has ended before the end of the recording");
}

} // namespace sx::vm
