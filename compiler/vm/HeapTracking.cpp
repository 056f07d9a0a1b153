// The allocator of an interpreted program whose heap is tracked (docs/heap.md): the registry gets to know the
// interpreted frames.
#include "vm/HeapTracking.h"
#include "vm/History.h"
#include "vm/Thread.h"

#include "heap.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace sx::vm {

namespace {

constexpr size_t DefaultAlign = 16;

struct Frames {
    explicit Frames(const Thread& t) {
        t.walkFrames([&](const FunctionCode* code, const Insn* at, uint64_t*) {
            if (code)
                words[count++] = static_cast<uint64_t>(code->func) << 32 | code->spans[code->indexOf(at)].begin.raw;
            return count < SX_HEAP_FRAMES;
        });
    }
    uint64_t words[SX_HEAP_FRAMES];
    unsigned count = 0;
};

// ---- what is taken back, in a program with a recording: for the thread that runs

WriteLog* currentLog() {
    Thread* t = Thread::current();
    if (!t) return nullptr;
    return t->history ? &t->history->log : &t->program.options.recording->unlogged;
}

/// What the debugger's own calls allocate is no part of the program's run.
bool isEvaluation() {
    const Thread* t = Thread::current();
    return !t || (t->history && t->history->isSuspended() && !t->history->isIdle());
}

void keep(const void* memory, size_t size) {
    if (WriteLog* log = currentLog()) log->keep(reinterpret_cast<uint64_t>(memory), size);
}

void* allocate(size_t size, size_t align) {
    if (isEvaluation()) {
        void* block = nullptr;
        if (align <= DefaultAlign) return std::malloc(size);
        return posix_memalign(&block, align, size) == 0 ? block : nullptr;
    }
    Recording& recording = *Thread::current()->program.options.recording;
    std::scoped_lock lock(recording.heapMutex);
    return reinterpret_cast<void*>(recording.heap.allocate(*currentLog(), size, std::max(align, DefaultAlign)));
}

/// A block of C code's stays: that it is gone could not be taken back.
void release(void* block) {
    Thread* t = Thread::current();
    auto address = reinterpret_cast<uint64_t>(block);
    bool isOwn = t && t->program.options.recording->heap.owns(address);
    if (!isEvaluation()) {
        std::scoped_lock lock(t->program.options.recording->heapMutex);
        if (isOwn) static_cast<void>(t->program.options.recording->heap.release(*currentLog(), address));
    } else if (!isOwn) {
        std::free(block);
    }
}

constexpr sx_heap_undo Undo{keep, allocate, release};

uint64_t give(const Thread& t, uint64_t size, uint64_t align) {
    Frames frames(t);
    return reinterpret_cast<uint64_t>(sx_heap_allocate(size, align, frames.words, frames.count));
}

uint64_t trackMalloc(Thread& t, const uint64_t* args) { return give(t, args[0], 0); }

uint64_t trackCalloc(Thread& t, const uint64_t* args) {
    uint64_t size = 0;
    if (__builtin_mul_overflow(args[0], args[1], &size)) size = UINT64_MAX;
    uint64_t block = give(t, size, 0);
    if (block && t.program.options.recording) keep(reinterpret_cast<void*>(block), size);
    if (block) std::memset(reinterpret_cast<void*>(block), 0, size);
    return block;
}

uint64_t trackRealloc(Thread& t, const uint64_t* args) {
    Frames frames(t);
    return reinterpret_cast<uint64_t>(
        sx_heap_resize(reinterpret_cast<void*>(args[0]), args[1], frames.words, frames.count));
}

uint64_t trackAlignedAlloc(Thread& t, const uint64_t* args) { return give(t, args[1], args[0]); }

uint64_t trackPosixMemalign(Thread& t, const uint64_t* args) {
    if (args[1] < sizeof(void*) || (args[1] & (args[1] - 1)) != 0) return EINVAL;
    uint64_t block = give(t, args[2], args[1]);
    if (block == 0) return ENOMEM;
    if (t.program.options.recording) keep(reinterpret_cast<void*>(args[0]), sizeof block);
    std::memcpy(reinterpret_cast<void*>(args[0]), &block, sizeof block);
    return 0;
}

uint64_t trackFree(Thread& t, const uint64_t* args) {
    Frames frames(t);
    sx_heap_release(reinterpret_cast<void*>(args[0]), frames.words, frames.count);
    return 0;
}

} // namespace

void beginHeapTracking(bool isRecorded) {
    if (!sx_heap_decide(/*force=*/false)) return;
    sx_heap_set_packed();
    if (isRecorded) sx_heap_set_undo(&Undo);
}

Override heapOverride(const std::string& symbol) {
    static constexpr std::pair<const char*, Override> Table[] = {
        {"malloc", trackMalloc},
        {"calloc", trackCalloc},
        {"realloc", trackRealloc},
        {"free", trackFree},
        {"aligned_alloc", trackAlignedAlloc},
        {"posix_memalign", trackPosixMemalign},
    };
    if (!sx_heap_is_on()) return nullptr;
    for (auto [name, override] : Table)
        if (symbol == name) return override;
    return nullptr;
}

void* heapReplacement(const std::string& symbol) {
    return reinterpret_cast<void*>(sx_heap_replacement(symbol.c_str()));
}

} // namespace sx::vm
