// Calls of C in a program that is recorded, or replayed: what the world says to the program.
#include "vm/Foreign.h"
#include "vm/History.h"
#include "vm/ThreadEnds.h"
#include "vm/replay/Tape.h"

#include <cerrno>
#include <cstdio>
#include <optional>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <threads.h>
#include <unistd.h>
#include <utility>

namespace sx::vm {

namespace {

/// As much as there is room for.
void writeAll(int stream, const char* bytes, size_t size) {
    while (size > 0) {
        ssize_t n = ::write(stream, bytes, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        bytes += n;
        size -= static_cast<size_t>(n);
    }
}

/// How much a call that writes somewhere has to write; nothing: it is none such.
std::optional<uint64_t> bytesOffered(const std::string& function, const uint64_t* args) {
    if (function == "write" || function == "pwrite" || function == "send") return args[2];
    if (function != "writev") return std::nullopt;
    uint64_t all = 0;
    const auto* parts = reinterpret_cast<const iovec*>(args[1]);
    for (uint64_t i = 0; i < args[2]; ++i) all += parts[i].iov_len;
    return all;
}

} // namespace

/// Of what a call of a function that `bytesOffered` knows has written: what a recording keeps in the place of memory.
static std::string checksumOfWritten(const std::string& function, const uint64_t* args, uint64_t written) {
    uint64_t hash = 0xcbf29ce484222325; // FNV-1a
    auto add = [&](uint64_t address, uint64_t size) {
        std::string bytes;
        if (!copyChecked(address, size, bytes)) bytes.clear(); // a changed program may have other memory there
        for (char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
        written -= size;
    };
    if (function != "writev") add(args[1], written);
    for (auto* part = reinterpret_cast<const iovec*>(args[1]); written > 0; ++part)
        add(reinterpret_cast<uint64_t>(part->iov_base), std::min(written, uint64_t{part->iov_len}));
    return {reinterpret_cast<const char*>(&hash), sizeof hash};
}

/// The result, and `errno`; of a replay also the memory.
bool Foreign::ask(Thread& t, Site& site, void* target, uint64_t* args, CallResult& given) {
    // What the program maps lies where a replay can have it again.
    bool isMapping = site.symbol == "mmap" && args[0] == 0;
    if (isMapping) args[0] = program_.placeFor(args[1]);
    if (isMapping && !tape_->isReplay() && !(args[3] & MAP_ANONYMOUS)) tape_->noteUnknown(site.symbol);
    if (tape_->isReplay()) return takeFromTape(t, site, target, args, given);
    bool wasInCall = std::exchange(Tape::isInCall(), true);
    // What threads print comes in the order of their turns: a replay prints it again.
    bool isPrint = tapeRuleOf(site.symbol) == TapeRule::Repeat || site.symbol == "dprintf" ||
                   tape_->outputs.streamOfWrite(site.symbol, args);
    bool ok = invoke(t, site, target, args, given.value, /*mayWait=*/!isPrint);
    given.error = errno;
    Tape::isInCall() = wasInCall;
    const auto value = static_cast<int64_t>(given.value);
    tape_->outputs.note(site.symbol, args, site.args.size(), value);
    const bool givesMemory = site.known && !site.known->writes.empty(); // as a description may say of any function
    if (tape_->hasFile() && value > 0 && !givesMemory && bytesOffered(site.symbol, args))
        given.memory = checksumOfWritten(site.symbol, args, given.value);
    return ok;
}

/// Ends the process where the recorded one was ended by a signal, in this call of C or while it waited in it.
void Foreign::endWhereRecorded(Thread& t, Site& site, uint64_t* args) {
    int signal = endingSignal(*tape_);
    const bool sends = site.symbol == "raise" || site.symbol == "kill" || site.symbol == "pthread_kill";
    // The program has ended itself, by a signal that leaves no time to note it.
    if (signal == 0 && sends && tape_->isAtEnd()) signal = static_cast<int>(args[site.symbol == "raise" ? 0 : 1]);
    if (signal != 0) outside(t, site, args, [&] { tape_->endBySignal(signal, sends); });
}

bool Foreign::takeFromTape(Thread& t, Site& site, void* target, uint64_t* args, CallResult& given) {
    if (tape_->turns.areMany()) outside(t, site, args, [&] { tape_->turns.awaitEvent(); });
    if (!runCallbacks(t, site, args)) return false;
    endWhereRecorded(t, site, args);
    given = tape_->takeCall(site.symbol);
    if (tape_->wasTakenAgain()) return !t.stopped(); // it has had its effect
    auto value = static_cast<int64_t>(given.value);
    if (tape_->outputs.isWritten(site.symbol, args, value)) tape_->outputs.noteWritten(tape_->position() - 1);
    std::optional<uint64_t> offered = value > 0 ? bytesOffered(site.symbol, args) : std::nullopt;
    if (offered && given.value > *offered) leaveAtSize(*tape_, site.symbol, *offered, given.value);
    const bool givesMemory = site.known && !site.known->writes.empty();
    if (offered && !givesMemory && given.memory != checksumOfWritten(site.symbol, args, given.value))
        noteOtherBytes(*tape_, site.symbol);
    bool isPrint =
        site.symbol == "dprintf" && tape_->outputs.streamOf(static_cast<int>(args[0])) == static_cast<int>(args[0]);
    if (isPrint || tapeRuleOf(site.symbol) == TapeRule::Repeat) {
        uint64_t ignored = 0;
        if (!invoke(t, site, target, args, ignored)) return false;
    }
    if (site.symbol == "mmap" && value != -1) {
        void* p = mmap(reinterpret_cast<void*>(given.value), args[1], PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (p == MAP_FAILED) t.fail("the memory that the program had mapped cannot be had again");
    }
    writeAgain(site, args, value);
    tape_->outputs.note(site.symbol, args, site.args.size(), value);
    return !t.stopped();
}

// ---- threads, and copies of the process

namespace {

/// What a thread of the program begins with.
struct Beginning {
    Tape& tape;
    Turns::Identity id;
    uint64_t start, argument;
    bool givesInt; ///< as the functions of `thrd_create` do
};

/// What `thrd_create` gives where `pthread_create` gives this.
uint64_t asThrdResult(int error) {
    if (error == 0) return thrd_success;
    return error == ENOMEM ? thrd_nomem : thrd_error;
}

void* runThread(void* beginning) {
    std::unique_ptr<Beginning> b(static_cast<Beginning*>(beginning));
    b->tape.turns.begin(b->id);
    auto* argument = reinterpret_cast<void*>(b->argument);
    void* result = b->givesInt ? reinterpret_cast<void*>(intptr_t{reinterpret_cast<int (*)(void*)>(b->start)(argument)})
                               : reinterpret_cast<void* (*)(void*)>(b->start)(argument);
    b->tape.turns.end(reinterpret_cast<uint64_t>(result));
    return result;
}

} // namespace

/// `pthread_create`, `thrd_create`: the thread is a real one when it is replayed, too.
bool Foreign::beginThread(Thread& t, Site& site, uint64_t* args, uint64_t& result) {
    const bool isC11 = site.symbol == "thrd_create";
    if (tape_->turns.areMany()) outside(t, site, args, [&] { tape_->turns.awaitEvent(); });
    const bool isReplay = tape_->isReplay();
    CallResult given;
    if (isReplay) {
        endWhereRecorded(t, site, args);
        given = tape_->takeCall(site.symbol);
    }
    if (isReplay && tape_->wasTakenAgain()) { // the thread is there, and waits for its turn
        if (given.value == 0) tape_->turns.announce(/*isThere=*/true);
    } else if (!isReplay || given.value == 0) {
        const uint64_t* start = args + (isC11 ? 1 : 2);
        Turns::Identity id = tape_->turns.announce();
        uint64_t counted[2] = {start[0], start[1]};
        const bool hasMemory = countThread(program_, counted);
        auto* beginning = new Beginning{*tape_, id, counted[0], counted[1], isC11};
        // What the program has asked for was no call of C when it is replayed; who joins it asks the recording.
        pthread_t own{};
        auto* attributes = isC11 || isReplay ? nullptr : reinterpret_cast<const pthread_attr_t*>(args[1]);
        int error = isC11 ? ENOMEM : EAGAIN;
        if (hasMemory) outside(t, site, args, [&] { error = pthread_create(&own, attributes, &runThread, beginning); });
        if (error != 0) {
            delete beginning;
            if (hasMemory) forgetThread(counted);
            tape_->turns.takeBack();
        } else if (isReplay) {
            pthread_detach(own);
        }
        if (!isReplay) {
            given.value = isC11 ? asThrdResult(error) : static_cast<uint64_t>(error);
            uint64_t size = error == 0 ? sizeof own : 0;
            given.memory.assign(reinterpret_cast<const char*>(&size), sizeof size);
            given.memory.append(reinterpret_cast<const char*>(&own), size);
            if (error == 0) tape_->turns.noteHandle(id.number, own);
            tape_->keepCall(site.symbol, given);
        }
    }
    place(t, site, *site.ofThreads, given, args, given.value);
    if (site.result.cls != ir::ValueClass::None) result = given.value;
    return !t.stopped();
}

/// Only the number of the copy is kept: it goes on by itself, and is not there when this is replayed.
bool Foreign::fork(Thread& t, Site& site, uint64_t* args, uint64_t& result) {
    CallResult given;
    if (tape_->isReplay()) {
        if (!takeFromTape(t, site, nullptr, args, given)) return false;
    } else {
        std::fflush(nullptr); // else the copy would have what is left to write, too
        if (!invoke(t, site, reinterpret_cast<void*>(&::fork), args, given.value)) return false;
        given.error = errno;
        if (given.value == 0) tape_->forsake();
        else tape_->keepCall(site.symbol, given);
    }
    errno = given.error;
    if (site.result.cls != ir::ValueClass::None) result = given.value;
    return !t.stopped();
}

/// What C called back before it returned.
bool Foreign::runCallbacks(Thread& t, Site& site, uint64_t* args) {
    while (const RecordingEvent* e = tape_->takeCallback()) {
        ir::FuncId f = static_cast<ir::FuncId>(e->callee);
        if (e->callee >= program_.module.functions.size() || program_.module.fn(f).isExtern) continue;
        uint64_t* savedTop = std::exchange(t.top, args + site.args.size() + 1);
        const std::string* savedForeign = std::exchange(t.foreign, &site.name);
        uint64_t ignored = 0;
        Thread::Outcome outcome = t.call(program_.callees.at(f), e->words, ignored);
        t.foreign = savedForeign;
        t.top = savedTop;
        if (outcome != Thread::Outcome::Returned) return false;
        if (tape_->turns.areMany()) outside(t, site, args, [&] { tape_->turns.awaitEvent(); });
    }
    return true;
}

/// What the call wrote to the streams that the program began with goes to those of this process.
void Foreign::writeAgain(const Site& site, const uint64_t* args, int64_t written) {
    bool isVector = site.symbol == "writev";
    int stream = tape_->outputs.streamOfWrite(site.symbol, args);
    if (stream == 0 || written <= 0) return;
    auto left = static_cast<size_t>(written);
    if (!isVector) return writeAll(stream, reinterpret_cast<const char*>(args[1]), left);
    for (auto* part = reinterpret_cast<const iovec*>(args[1]); left > 0; ++part) {
        size_t size = std::min(left, part->iov_len);
        writeAll(stream, static_cast<const char*>(part->iov_base), size);
        left -= size;
    }
}

} // namespace sx::vm
