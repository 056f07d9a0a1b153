// What compile-time code gets instead of some C functions: the heap of the evaluation, and ends of the process that
// are not those of the compiler.
#include "vm/Thread.h"

#include <cstdlib>
#include <cstring>

#include <sys/uio.h>
#include <unistd.h>

namespace sx::vm {

bool copyChecked(uint64_t from, uint64_t size, std::string& out) {
    out.resize(size);
    iovec to{out.data(), size}, source{reinterpret_cast<void*>(from), size};
    return process_vm_readv(getpid(), &to, 1, &source, 1, 0) == static_cast<ssize_t>(size);
}

namespace {

uint64_t address(void* p) { return reinterpret_cast<uint64_t>(p); }

uint64_t allocate(Thread& t, uint64_t size) {
    void* block = t.program.arena.allocate(size);
    if (!block)
        t.fail("out of memory: the evaluation uses more than " + std::to_string(t.program.options.heapBytes >> 20) +
               " MiB");
    return address(block);
}

uint64_t doMalloc(Thread& t, const uint64_t* args) { return allocate(t, args[0]); }

uint64_t doCalloc(Thread& t, const uint64_t* args) {
    uint64_t size = 0;
    if (__builtin_mul_overflow(args[0], args[1], &size)) size = UINT64_MAX;
    uint64_t block = allocate(t, size);
    if (block) std::memset(reinterpret_cast<void*>(block), 0, size); // a block may be used again
    return block;
}

uint64_t doFree(Thread& t, const uint64_t* args) {
    if (args[0] == 0) return 0;
    switch (t.program.arena.release(reinterpret_cast<void*>(args[0]))) {
    case Arena::FreeResult::Freed: break;
    case Arena::FreeResult::Foreign: // what a C function returned, unless it is no heap memory at all
        if (t.onStack(args[0], 1) || t.program.globals.find(args[0]).global != ir::GlobalId::None)
            t.fail("freed memory that is not on the heap");
        else std::free(reinterpret_cast<void*>(args[0]));
        break;
    case Arena::FreeResult::AlreadyFreed: t.fail("freed the same memory twice"); break;
    case Arena::FreeResult::NotABlock: t.fail("freed an address that is not the start of an allocation"); break;
    }
    return 0;
}

uint64_t doRealloc(Thread& t, const uint64_t* args) {
    if (args[0] == 0) return allocate(t, args[1]);
    if (!t.program.arena.ownsHeap(args[0])) return address(std::realloc(reinterpret_cast<void*>(args[0]), args[1]));
    if (!t.program.arena.allows(args[0], 1, Access::Write)) {
        t.fail("used memory after it was freed");
        return 0;
    }
    uint64_t block = address(t.program.arena.reallocate(reinterpret_cast<void*>(args[0]), args[1]));
    if (!block)
        t.fail("out of memory: the evaluation uses more than " + std::to_string(t.program.options.heapBytes >> 20) +
               " MiB");
    return block;
}

uint64_t doAlignedAlloc(Thread& t, const uint64_t* args) {
    if (args[0] <= Arena::Granule) return allocate(t, args[1]);
    t.fail("memory with an alignment of more than " + std::to_string(Arena::Granule) +
           " bytes cannot be allocated at compile time");
    return 0;
}

/// Output may have to wait until the program is known to be right. A bad address fails as the system call does.
uint64_t doWrite(Thread& t, const uint64_t* args) {
    constexpr uint64_t LargestText = uint64_t{1} << 30;
    int descriptor = static_cast<int>(args[0]);
    std::string text;
    bool isHeld = t.program.output && descriptor == STDOUT_FILENO && args[2] <= LargestText &&
                  copyChecked(args[1], args[2], text);
    if (!isHeld) return static_cast<uint64_t>(::write(descriptor, reinterpret_cast<const void*>(args[1]), args[2]));
    t.program.output->append(text);
    return args[2];
}

uint64_t doExit(Thread& t, const uint64_t* args) {
    t.exit(static_cast<int>(args[0] & 0xff));
    return 0;
}

uint64_t doAbort(Thread& t, const uint64_t*) {
    t.fail("the code called `abort`");
    return 0;
}

uint64_t noThreads(Thread& t, const uint64_t*) {
    t.fail("threads cannot be started at compile time");
    return 0;
}

uint64_t noFibers(Thread& t, const uint64_t*) {
    t.fail("fibers cannot be started at compile time");
    return 0;
}

uint64_t noExitHandlers(Thread& t, const uint64_t*) {
    t.fail("nothing can be left to run at the end of the compiler process");
    return 0;
}

uint64_t noProcesses(Thread& t, const uint64_t*) {
    t.fail("the compiler process cannot be duplicated or replaced at compile time");
    return 0;
}

} // namespace

Override comptimeOverride(const std::string& symbol) {
    static constexpr std::pair<const char*, Override> Table[] = {
        {"malloc", doMalloc},
        {"calloc", doCalloc},
        {"realloc", doRealloc},
        {"free", doFree},
        {"aligned_alloc", doAlignedAlloc},
        {"exit", doExit},
        {"_exit", doExit},
        {"_Exit", doExit},
        {"abort", doAbort},
        {"pthread_create", noThreads},
        {"sx_fiber_create", noFibers},
        {"write", doWrite},
        {"atexit", noExitHandlers},
        {"on_exit", noExitHandlers},
        {"fork", noProcesses},
        {"vfork", noProcesses},
        {"execv", noProcesses},
        {"execve", noProcesses},
        {"execvp", noProcesses},
    };
    for (auto [name, override] : Table)
        if (symbol == name) return override;
    return nullptr;
}

} // namespace sx::vm
