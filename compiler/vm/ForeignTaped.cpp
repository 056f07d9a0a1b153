// Calls of C in a program that is recorded, or replayed: what the world says to the program.
#include "vm/Foreign.h"
#include "vm/History.h"
#include "vm/replay/Tape.h"

#include <cerrno>
#include <sys/mman.h>
#include <sys/uio.h>
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

} // namespace

/// The result, and `errno`; of a replay also the memory.
bool Foreign::ask(Thread& t, Site& site, void* target, uint64_t* args, CallResult& given) {
    // What the program maps lies where a replay can have it again.
    bool isMapping = tape_ && site.symbol == "mmap" && args[0] == 0;
    if (isMapping) args[0] = program_.placeFor(args[1]);
    if (isMapping && !tape_->isReplay() && !(args[3] & MAP_ANONYMOUS)) tape_->noteUnknown(site.symbol);
    if (tape_ && tape_->isReplay()) return takeFromTape(t, site, target, args, given);
    bool wasInCall = tape_ && std::exchange(tape_->isInCall, true);
    bool ok = invoke(t, site, target, args, given.value);
    given.error = errno;
    if (tape_) tape_->isInCall = wasInCall;
    return ok;
}

bool Foreign::takeFromTape(Thread& t, Site& site, void* target, uint64_t* args, CallResult& given) {
    if (!runCallbacks(t, site, args)) return false;
    // The program has ended itself, by a signal that leaves no time to note it.
    if (tape_->isAtEnd() && site.symbol == "raise") tape_->endBySignal(static_cast<int>(args[0]));
    if (tape_->isAtEnd() && site.symbol == "kill") tape_->endBySignal(static_cast<int>(args[1]));
    given = tape_->takeCall(site.symbol);
    auto value = static_cast<int64_t>(given.value);
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
    }
    return true;
}

/// What the call wrote to the streams that the program began with goes to those of this process.
void Foreign::writeAgain(const Site& site, const uint64_t* args, int64_t written) {
    bool isVector = site.symbol == "writev";
    bool isWrite = site.symbol == "write" || isVector || site.symbol == "pwrite" || site.symbol == "send";
    int stream = isWrite ? tape_->outputs.streamOf(static_cast<int>(args[0])) : 0;
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
