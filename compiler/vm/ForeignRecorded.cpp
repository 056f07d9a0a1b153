// Calls of C in a program with a history: what is known of the function decides how its call is undone and done again.
#include "vm/ForeignRecorded.h"

#include "vm/Foreign.h"
#include "vm/History.h"
#include "vm/replay/Tape.h"
#include "vm/replay/ThreadCalls.h"
#include "vm/time/AddressList.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <netdb.h>
#include <string_view>
#include <unistd.h>

namespace sx::vm {

namespace {

/// The memory that a call writes; nothing where it is given no address.
struct Range {
    uint64_t address = 0, size = 0;
};

/// What may be written, before the call is made.
Range rangeBefore(const Written& w, const uint64_t* args) {
    if (w.argument == Written::ReturnedAddress || args[w.argument] == 0) return {};
    uint64_t size = w.bytes;
    if (w.isPointed) {
        uint32_t pointed = 0;
        if (args[w.countArgument] != 0)
            std::memcpy(&pointed, reinterpret_cast<const void*>(args[w.countArgument]), sizeof pointed);
        return {args[w.argument], pointed};
    }
    if (w.countArgument != Written::None) size *= args[w.countArgument];
    if (w.timesArgument != Written::None) size *= args[w.timesArgument];
    if (w.countArgument == Written::None && w.bytes == 0)
        size = std::strlen(reinterpret_cast<const char*>(args[w.argument])) + 1;
    return {args[w.argument], size};
}

/// What has been written, after it. `before` is what could be.
Range rangeAfter(const Written& w, const uint64_t* args, uint64_t result, Range before) {
    if (w.argument == Written::ReturnedAddress) {
        if (result == 0) return {};
        uint64_t size = w.bytes;
        if (w.countArgument != Written::None) size *= args[w.countArgument];
        return {result, size != 0 ? size : std::strlen(reinterpret_cast<const char*>(result)) + 1};
    }
    Range r = rangeBefore(w, args);
    if (w.isPointed) r.size = std::min(r.size, before.size);
    if (w.byResult)
        r.size = std::min(r.size, static_cast<uint64_t>(std::max<int64_t>(static_cast<int64_t>(result), 0)));
    return r;
}

void keepWritten(WriteLog& log, const KnownCall& call, const uint64_t* args) {
    for (const Written& w : call.writes)
        if (Range r = rangeBefore(w, args); r.size != 0) log.keep(r.address, r.size);
}

/// C may set it, where the program reads it by an address.
void keepErrno(History* h) {
    if (h) h->log.keep<int>(reinterpret_cast<uint64_t>(&errno));
}

/// An alignment that is no power of two, or smaller than libc takes: what it does with it. 0: it refuses, and has said
/// why in `error`.
uint64_t alignmentAsLibc(const KnownCall& call, void* target, uint64_t align, int& error) {
    void* block = nullptr;
    const int before = errno;
    if (call.kind == KnownCall::Kind::PosixMemalign) error = posix_memalign(&block, align, 1);
    else if (block = reinterpret_cast<void* (*)(size_t, size_t)>(target)(align, 1); !block) error = errno;
    std::free(block);
    errno = before;
    return block ? std::bit_ceil(std::max<uint64_t>(align, 1)) : 0;
}

/// What libc does with a block that it has not handed out, or has got back.
void endAtFree(void*) {
    static constexpr std::string_view Message = "free(): invalid pointer or double free\n";
    static_cast<void>(!write(STDERR_FILENO, Message.data(), Message.size()));
    std::abort();
}

/// A call of the program's own heap. Blocks of another one come from C code, and are left alone: taking them back could
/// not be undone.
uint64_t callHeap(Recording& recording, WriteLog& log, const KnownCall& call, void* target, const uint64_t* args) {
    std::scoped_lock lock(recording.heapMutex);
    ProgramHeap& heap = recording.heap;
    auto refused = [&](int error) -> uint64_t {
        log.keep<int>(reinterpret_cast<uint64_t>(&errno));
        errno = error;
        return 0;
    };
    auto orRefused = [&](uint64_t block) { return block != 0 ? block : refused(ENOMEM); };
    auto resized = [&](uint64_t old, uint64_t size) -> uint64_t {
        if (old == 0) return heap.allocate(log, size);
        if (size == 0) { // glibc frees it
            heap.release(log, old);
            return 0;
        }
        uint64_t held = heap.owns(old) ? heap.sizeOf(old) : malloc_usable_size(reinterpret_cast<void*>(old));
        uint64_t block = heap.allocate(log, size);
        if (block == 0) return 0;
        log.keep(block, std::min(held, size));
        std::memcpy(reinterpret_cast<void*>(block), reinterpret_cast<void*>(old), std::min(held, size));
        heap.release(log, old);
        return block;
    };
    switch (call.kind) {
    case KnownCall::Kind::Malloc: return orRefused(heap.allocate(log, args[0]));
    case KnownCall::Kind::Calloc: {
        uint64_t size = 0;
        if (__builtin_mul_overflow(args[0], args[1], &size)) return refused(ENOMEM);
        uint64_t block = heap.allocate(log, size);
        if (block == 0) return refused(ENOMEM);
        log.keep(block, size);
        std::memset(reinterpret_cast<void*>(block), 0, size);
        return block;
    }
    case KnownCall::Kind::Realloc: {
        uint64_t block = resized(args[0], args[1]);
        return block == 0 && args[1] != 0 ? refused(ENOMEM) : block;
    }
    case KnownCall::Kind::AlignedAlloc: {
        int error = 0;
        uint64_t align = std::has_single_bit(args[0]) ? args[0] : alignmentAsLibc(call, target, args[0], error);
        return align == 0 ? refused(error) : orRefused(heap.allocate(log, args[1], align));
    }
    case KnownCall::Kind::PosixMemalign: {
        int error = 0;
        bool isPlain = std::has_single_bit(args[1]) && args[1] >= sizeof(void*);
        uint64_t align = isPlain ? args[1] : alignmentAsLibc(call, target, args[1], error);
        if (align == 0) return static_cast<uint64_t>(error);
        uint64_t block = heap.allocate(log, args[2], align);
        if (block == 0) return ENOMEM;
        log.keep(args[0], sizeof block);
        std::memcpy(reinterpret_cast<void*>(args[0]), &block, sizeof block);
        return 0;
    }
    default: heap.release(log, args[0]); return 0;
    }
}

/// What lies at no address that can be read is left out.
void append(std::string& bytes, Range r) {
    std::string content;
    if (r.size != 0 && !copyChecked(r.address, r.size, content)) r.size = 0;
    bytes.append(reinterpret_cast<const char*>(&r.size), sizeof r.size);
    bytes.append(content, 0, r.size);
}

/// The list that getaddrinfo has made, which C gets back.
void appendAddresses(std::string& bytes, uint64_t where, uint64_t result) {
    uint64_t list = 0;
    if (result == 0 && where != 0) std::memcpy(&list, reinterpret_cast<const void*>(where), sizeof list);
    std::string flat = flattenAddressList(list);
    if (list != 0) freeaddrinfo(reinterpret_cast<addrinfo*>(list));
    append(bytes, {reinterpret_cast<uint64_t>(flat.data()), flat.size()});
}

/// A program that was changed may have less room for what a call gave than it had when it was recorded.
void expectRoom(Tape& tape, const std::string& function, const KnownCall& known, const CallResult& given,
                const std::vector<Range>& room) {
    std::string_view rest = given.memory;
    for (size_t i = 0; i < known.writes.size() && rest.size() >= sizeof(uint64_t); ++i) {
        const Written& w = known.writes[i];
        uint64_t size = 0;
        std::memcpy(&size, rest.data(), sizeof size);
        rest.remove_prefix(std::min<uint64_t>(rest.size(), sizeof size + size));
        const bool isText = w.countArgument == Written::None && w.bytes == 0 && !w.isPointed;
        if (w.argument == Written::ReturnedAddress || w.isAddressList || isText) continue;
        if (size > room[i].size) leaveAtSize(tape, function, room[i].size, size);
    }
}

} // namespace

CallResult resultOfCall(const KnownCall& known, const uint64_t* args, uint64_t value) {
    CallResult given;
    given.value = value;
    given.error = errno;
    for (const Written& w : known.writes) append(given.memory, rangeAfter(w, args, value, rangeBefore(w, args)));
    return given;
}

void keepBeforeCall(Thread& t, const KnownCall& known, const uint64_t* args) {
    keepErrno(t.history && !t.history->isSuspended() ? t.history.get() : nullptr);
    keepWritten(t.history ? t.history->log : t.program.options.recording->unlogged, known, args);
}

bool Foreign::callRecorded(Thread& t, Site& site, void* target, uint64_t* args, uint64_t& result) {
    History* h = t.history.get();
    Recording& recording = *program_.options.recording;
    WriteLog& log = h ? h->log : recording.unlogged;
    const KnownCall* known = site.known;
    const bool isSuspended = h && h->isSuspended();
    bool isEvaluation = isSuspended && !h->isIdle(); // what it allocates is no part of the program's run
    if (known && known->isOfHeap() && !isEvaluation) {
        const bool takesBlock = known->kind == KnownCall::Kind::Free || known->kind == KnownCall::Kind::Realloc;
        if (takesBlock && recording.heap.owns(args[0]) && !recording.heap.isLive(args[0]))
            return invoke(t, site, reinterpret_cast<void*>(&endAtFree), args, result);
        uint64_t value = callHeap(recording, log, *known, target, args);
        if (site.result.cls != ir::ValueClass::None) result = canonical(site.result, value);
        return true;
    }
    if (site.fiberCall != FiberCall::None && h && !h->isIdle()) {
        const bool hasResult = site.result.cls != ir::ValueClass::None;
        auto make = [&] { return invoke(t, site, target, args, result); };
        if (auto goesOn = callOfFibers(t, site.fiberCall, site.name, hasResult, args, result, make)) return *goesOn;
    }
    if (tape_ && tape_->isForsaken()) return invoke(t, site, target, args, result);
    const bool isStranger = !Turns::isKnown();
    if (isStranger && !site.threadCall) return invoke(t, site, target, args, result);
    // A thread that waits for itself can go back. A recording has these calls of several threads only.
    const bool isLock = site.threadCall && site.threadCall->kind == ThreadCall::Kind::Lock && !tape_->hasFile();
    if (site.threadCall && tape_->isLive() && !isEvaluation && (isStranger || isLock || tape_->turns.areMany()))
        return callOfThreadsInTurn(t, site, target, args, result);
    if (tape_ && site.ofThreads && (!known || tape_->turns.areMany()) && !isEvaluation)
        return callOfThreads(t, site, target, args, result);
    if (isEvaluation || (isSuspended && !tape_->hasFile() && !tape_->turns.areMany())) {
        bool isOwn = known && known->kind == KnownCall::Kind::Free && recording.heap.owns(args[0]);
        return isOwn || invoke(t, site, target, args, result);
    }
    if (known && known->kind == KnownCall::Kind::Leave) {
        result = 0;
        return true;
    }
    if (!known) return callUnknown(t, site, target, args, result);
    if (known->kind == KnownCall::Kind::Outside) return callOutside(t, site, *known, target, args, result);
    keepErrno(h);
    keepWritten(log, *known, args);
    if (site.inMemory) log.keep(args[site.args.size()], site.resultBytes);
    return invoke(t, site, target, args, result);
}

/// A thread begins, or waits for others: what it gave is kept, and is not called again.
bool Foreign::callOfThreads(Thread& t, Site& site, void* target, uint64_t* args, uint64_t& result) {
    bool isBegin = tapeRuleOf(site.symbol) == TapeRule::Thread;
    if (!isBegin) return callOutside(t, site, *site.ofThreads, target, args, result);
    if (tape_->turns.areMany()) outside(t, site, args, [&] { tape_->turns.awaitEvent(); });
    if (t.history) keepWritten(t.history->log, *site.ofThreads, args);
    if (!beginThread(t, site, args, result)) return false;
    // Slices count from now on.
    if (t.history && !t.history->isSuspended()) t.history->setAlarm(t, t.alarm + 1 + t.side.shift);
    return true;
}

/// What it does cannot be undone. With a tape its result is kept, and a replay can do without it.
bool Foreign::callUnknown(Thread& t, Site& site, void* target, uint64_t* args, uint64_t& result) {
    static const KnownCall OnlyResult{KnownCall::Kind::Outside, {}};
    TapeRule rule = tape_ ? tapeRuleOf(site.symbol) : TapeRule::Run;
    // One that only goes back does without a recording.
    const bool isOnlyLive = tape_ && !tape_->hasFile();
    if (rule == TapeRule::Refuse && !isOnlyLive)
        tape_->refuse("a program that calls " + code(site.symbol) + " cannot be recorded");
    bool isGiven = rule != TapeRule::Run && rule != TapeRule::Exit && tape_->isReplay() && !tape_->isLive();
    auto breakHistory = [&] {
        // Before its signal, where it can be gone back from, `abort` has done nothing.
        if (!t.history || t.history->isSuspended() || isGiven || site.symbol == "abort") return;
        t.history->breakAt("the call of " + (site.symbol.empty() ? "a C function behind a pointer" : site.symbol));
    };
    breakHistory();
    if (rule == TapeRule::Exit) tape_->turns.end();
    if (rule == TapeRule::Run || rule == TapeRule::Exit) return invoke(t, site, target, args, result);
    if (rule == TapeRule::Fork) return fork(t, site, args, result);
    if (rule == TapeRule::Keep && !tape_->isReplay()) tape_->noteUnknown(site.symbol);
    bool goesOn = callOutside(t, site, OnlyResult, target, args, result);
    breakHistory(); // other threads have run meanwhile
    return goesOn;
}

/// The first time it is called, and what it gives is kept; after going back it is given the same again.
bool Foreign::callOutside(Thread& t, Site& site, const KnownCall& known, void* target, uint64_t* args,
                          uint64_t& result) {
    History* h = t.history && !t.history->isSuspended() ? t.history.get() : nullptr;
    // An epoch may begin there: before the call has done anything.
    if (tape_->turns.areMany()) outside(t, site, args, [&] { tape_->turns.awaitEvent(); });
    const bool isGiven = tape_->isReplay();
    keepErrno(h);
    if (h) keepWritten(h->log, known, args);
    if (h && site.inMemory) h->log.keep(args[site.args.size()], site.resultBytes);
    CallResult given;
    std::vector<Range> before;
    for (const Written& w : known.writes) before.push_back(rangeBefore(w, args));
    if (!ask(t, site, target, args, given)) return false;
    if (isGiven) {
        expectRoom(*tape_, site.symbol, known, given, before);
    } else {
        for (size_t i = 0; i < before.size(); ++i) {
            const Written& w = known.writes[i];
            if (w.isAddressList) appendAddresses(given.memory, args[w.argument], given.value);
            else append(given.memory, rangeAfter(w, args, given.value, before[i]));
        }
        if (site.inMemory) append(given.memory, {args[site.args.size()], site.resultBytes});
        tape_->keepCall(site.symbol, given);
        if (tape_->outputs.isWritten(site.symbol, args, static_cast<int64_t>(given.value)))
            tape_->outputs.noteWritten(tape_->position() - 1);
    }
    uint64_t value = given.value;
    // What threads wait for is there, and others may have changed it since.
    bool isThere = &known == site.ofThreads && !isGiven;
    if (!isThere) place(t, site, known, given, args, value);
    errno = given.error;
    if (site.result.cls != ir::ValueClass::None) result = value;
    return true;
}

/// Writes what a call has given. `value` becomes the address of the program's copy where it is one of C's memory.
void Foreign::place(Thread& t, const Site& site, const KnownCall& known, const CallResult& given, const uint64_t* args,
                    uint64_t& value) {
    Recording& recording = *program_.options.recording;
    WriteLog& log = t.history ? t.history->log : recording.unlogged;
    std::string_view rest = given.memory;
    auto next = [&] {
        uint64_t size = 0;
        if (rest.size() >= sizeof size) std::memcpy(&size, rest.data(), sizeof size);
        rest.remove_prefix(std::min(rest.size(), sizeof size));
        std::string_view bytes = rest.substr(0, size);
        rest.remove_prefix(bytes.size());
        return bytes;
    };
    for (const Written& w : known.writes) {
        std::string_view bytes = next();
        if (bytes.empty()) continue;
        const bool isReturned = w.argument == Written::ReturnedAddress;
        uint64_t to = isReturned ? 0 : args[w.argument];
        if (isReturned || w.isAddressList) { // memory of C's own, which changes: the program gets a copy
            std::scoped_lock lock(recording.heapMutex);
            uint64_t copy = recording.heap.allocate(log, bytes.size());
            if (copy != 0) log.keep(copy, bytes.size());
            if (isReturned) value = copy;
            else std::memcpy(reinterpret_cast<void*>(to), &copy, sizeof copy);
            to = copy;
        }
        if (to != 0) std::memcpy(reinterpret_cast<void*>(to), bytes.data(), bytes.size());
        if (to != 0 && w.isAddressList) static_cast<void>(placeAddressList(to, bytes.size()));
    }
    if (!site.inMemory) return;
    std::string_view bytes = next();
    std::memcpy(reinterpret_cast<void*>(args[site.args.size()]), bytes.data(),
                std::min(bytes.size(), site.resultBytes));
}

} // namespace sx::vm
