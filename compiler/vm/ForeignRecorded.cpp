// Calls of C in a program with a history: what is known of the function decides how its call is undone and done again.
#include "vm/Foreign.h"
#include "vm/History.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <malloc.h>

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
    if (w.countArgument != Written::None) size *= args[w.countArgument];
    return {args[w.argument], size};
}

/// What has been written, after it.
Range rangeAfter(const Written& w, const uint64_t* args, uint64_t result) {
    if (w.argument == Written::ReturnedAddress) {
        if (result == 0) return {};
        return {result, w.bytes != 0 ? w.bytes : std::strlen(reinterpret_cast<const char*>(result)) + 1};
    }
    Range r = rangeBefore(w, args);
    if (w.byResult)
        r.size = std::min(r.size, static_cast<uint64_t>(std::max<int64_t>(static_cast<int64_t>(result), 0)));
    return r;
}

void keepWritten(WriteLog& log, const KnownCall& call, const uint64_t* args) {
    for (const Written& w : call.writes)
        if (Range r = rangeBefore(w, args); r.size != 0) log.keep(r.address, r.size);
}

/// A call of the program's own heap. Blocks of another one come from C code, and are left alone: taking them back could
/// not be undone.
uint64_t callHeap(Recording& recording, WriteLog& log, const KnownCall& call, const uint64_t* args) {
    std::scoped_lock lock(recording.heapMutex);
    ProgramHeap& heap = recording.heap;
    auto resized = [&](uint64_t old, uint64_t size) -> uint64_t {
        if (old == 0) return heap.allocate(log, size);
        uint64_t held = heap.owns(old) ? heap.sizeOf(old) : malloc_usable_size(reinterpret_cast<void*>(old));
        uint64_t block = heap.allocate(log, size);
        if (block == 0) return 0;
        log.keep(block, std::min(held, size));
        std::memcpy(reinterpret_cast<void*>(block), reinterpret_cast<void*>(old), std::min(held, size));
        heap.release(log, old);
        return block;
    };
    switch (call.kind) {
    case KnownCall::Kind::Malloc: return heap.allocate(log, args[0]);
    case KnownCall::Kind::Calloc: {
        uint64_t size = 0;
        if (__builtin_mul_overflow(args[0], args[1], &size)) return 0;
        uint64_t block = heap.allocate(log, size);
        if (block == 0) return 0;
        log.keep(block, size);
        std::memset(reinterpret_cast<void*>(block), 0, size);
        return block;
    }
    case KnownCall::Kind::Realloc: return resized(args[0], args[1]);
    case KnownCall::Kind::AlignedAlloc: return heap.allocate(log, args[1], args[0]);
    case KnownCall::Kind::PosixMemalign: {
        uint64_t block = heap.allocate(log, args[2], args[1]);
        if (block == 0) return ENOMEM;
        log.keep(args[0], sizeof block);
        std::memcpy(reinterpret_cast<void*>(args[0]), &block, sizeof block);
        return 0;
    }
    default: heap.release(log, args[0]); return 0;
    }
}

void append(std::string& bytes, Range r) {
    bytes.append(reinterpret_cast<const char*>(&r.size), sizeof r.size);
    bytes.append(reinterpret_cast<const char*>(r.address), r.size);
}

} // namespace

bool Foreign::callRecorded(Thread& t, Site& site, void* target, uint64_t* args, uint64_t& result) {
    History& h = *t.history;
    const KnownCall* known = site.known;
    bool isEvaluation = h.isSuspended() && !h.isIdle(); // what it allocates is no part of the program's run
    if (known && known->isOfHeap() && !isEvaluation) {
        uint64_t value = callHeap(h.recording, h.log, *known, args);
        if (site.result.cls != ir::ValueClass::None) result = canonical(site.result, value);
        return true;
    }
    if (h.isSuspended()) {
        bool isOwn = known && known->kind == KnownCall::Kind::Free && h.recording.heap.owns(args[0]);
        return isOwn || invoke(t, site, target, args, result);
    }
    if (known && known->kind == KnownCall::Kind::Leave) {
        result = 0;
        return true;
    }
    if (!known || (site.inMemory && known->kind == KnownCall::Kind::Outside)) {
        h.breakAt("the call of " + (site.symbol.empty() ? "a C function behind a pointer" : site.symbol));
        return invoke(t, site, target, args, result);
    }
    if (known->kind == KnownCall::Kind::Outside) return callOutside(t, site, target, args, result);
    keepWritten(h.log, *known, args);
    if (site.inMemory) h.log.keep(args[site.args.size()], site.resultBytes);
    return invoke(t, site, target, args, result);
}

/// The first time it is called, and what it gives is kept; after going back it is given the same again.
bool Foreign::callOutside(Thread& t, Site& site, void* target, uint64_t* args, uint64_t& result) {
    History& h = *t.history;
    const KnownCall& known = *site.known;
    keepWritten(h.log, known, args);
    const History::Result* given = h.takeResult();
    History::Result fresh;
    if (!given) {
        uint64_t value = 0;
        if (!invoke(t, site, target, args, value)) return false;
        fresh.error = errno;
        fresh.value = value;
        for (const Written& w : known.writes) append(fresh.memory, rangeAfter(w, args, value));
        h.keepResult(std::move(fresh));
        given = &h.lastResult();
    }
    uint64_t value = given->value;
    const char* at = given->memory.data();
    for (const Written& w : known.writes) {
        uint64_t size = 0;
        std::memcpy(&size, at, sizeof size);
        at += sizeof size;
        if (size == 0) continue;
        uint64_t to = rangeBefore(w, args).address;
        if (w.argument == Written::ReturnedAddress) { // memory of C's own, which changes: the program gets a copy
            std::scoped_lock lock(h.recording.heapMutex);
            value = to = h.recording.heap.allocate(h.log, size);
            if (to != 0) h.log.keep(to, size);
        }
        if (to != 0) std::memcpy(reinterpret_cast<void*>(to), at, size);
        at += size;
    }
    errno = given->error;
    if (site.result.cls != ir::ValueClass::None) result = value;
    return true;
}

} // namespace sx::vm
