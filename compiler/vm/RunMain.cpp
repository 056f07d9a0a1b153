#include "vm/RunMain.h"

#include "source/UndefinedSymbols.h"
#include "vm/CrashReport.h"
#include "vm/HeapTracking.h"
#include "vm/History.h"
#include "vm/Thread.h"
#include "vm/replay/Tape.h"

#include "llvm/ADT/ScopeExit.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <pthread.h>

namespace sx::vm {

namespace {

/// The arguments as C gets them. Those of a program with a tape lie in its heap: at the same addresses in each run.
class ProgramArguments {
public:
    ProgramArguments(const std::vector<std::string>& argv, Recording* heap) {
        for (const std::string& a : argv) texts_.push_back(placed(heap, const_cast<char*>(a.c_str()), a.size() + 1));
        texts_.push_back(nullptr);
        list_ = placed(heap, texts_.data(), texts_.size() * sizeof(char*));
    }
    char** list() const { return list_; }

private:
    template <typename T> static T* placed(Recording* heap, T* what, uint64_t bytes) {
        uint64_t block = heap ? heap->heap.allocate(heap->unlogged, bytes) : 0;
        if (block == 0) return what;
        return static_cast<T*>(std::memcpy(reinterpret_cast<void*>(block), what, bytes));
    }
    std::vector<char*> texts_;
    char** list_;
};

std::atomic<Program*> running{nullptr};

/// While it lives, a copy that the program makes of its process can translate. Only the thread that makes it is in
/// there: what another one held would be held for ever.
class TranslatesInCopies {
public:
    explicit TranslatesInCopies(Program& program) {
        running = &program;
        static const int isSeenTo = pthread_atfork(
            [] {
                if (Program* p = running) p->lock.lock();
            },
            [] {
                if (Program* p = running) p->lock.unlock();
            },
            [] {
                if (Program* p = running) new (&p->lock) std::recursive_mutex; // it is not this thread's any more
            });
        static_cast<void>(isSeenTo);
    }
    ~TranslatesInCopies() { running = nullptr; }
    TranslatesInCopies(const TranslatesInCopies&) = delete;
};

} // namespace

Result<int> runMain(ir::Module& module, const std::vector<std::string>& argv,
                    std::function<void(const std::string&)> report, const ForeignSymbols& symbols, DebugHooks* debugger,
                    ir::ForeignLoader foreign, Recording* recording, Tape* tape) {
    if (module.entry == ir::FuncId::None) return Failure{"the program has no `main`"};
    ProgramOptions options;
    options.stackBytes = uint64_t{1} << 30; // address space: what is not touched costs nothing
    options.heapBytes = 1 << 16;            // unused: the program has malloc
    options.report = std::move(report);
    options.debugger = debugger;
    options.recording = recording;
    options.keepsHistory = recording && debugger;
    std::unique_ptr<Tape> ownTape;
    if (options.keepsHistory && !tape) {
        ownTape = Tape::recordTo(
            nullptr, [](bool, const std::string&) {}, /*goesBack=*/true);
        tape = ownTape.get();
    }
    options.tape = tape;
    options.foreign = std::move(foreign);
    beginHeapTracking(recording != nullptr);
    Program program(module, options);
    const TranslatesInCopies forks(program);
    for (const auto& [symbol, address] : symbols) program.foreign.define(symbol, address);

    // What was recorded does without C.
    if (!tape || !tape->isReplay())
        if (std::string text = undefinedSymbols(program.foreign.allMissing()); !text.empty()) return Failure{text};

    ProgramArguments arguments(argv, tape ? recording : nullptr);
    uint64_t words[] = {argv.size(), reinterpret_cast<uint64_t>(arguments.list())};

    sx_trace_set_resolver(program.traces.resolver());
    CrashReport crashes;
    if (tape) tape->turns.beginFirst();
    auto gone = llvm::make_scope_exit([&] {
        if (debugger) debugger->onProgramGone();
    });
    Thread thread(program);
    if (debugger) {
        debugger->onProgramStart(program);
        debugger->onThreadStart(thread);
    }
    uint64_t result = 0;
    size_t count = std::min<size_t>(module.fn(module.entry).params.size(), std::size(words));
    Thread::Outcome outcome = thread.call(program.callees.at(module.entry), llvm::ArrayRef(words, count), result);
    if (tape && outcome == Thread::Outcome::Returned) tape->finish();
    if (debugger && outcome == Thread::Outcome::Returned) debugger->onProgramEnd(static_cast<int>(result));
    if (outcome != Thread::Outcome::Returned) {
        if (debugger) debugger->onThreadEnd(thread);
        return Failure{thread.error};
    }
    // What is registered has to run while there is something to run it, and threads may go on until the process ends.
    if (program.foreign.hasSite("atexit") || program.foreign.hasSite("pthread_create") || program.foreignThreads != 0) {
        Thread::current() = &thread;
        std::exit(static_cast<int>(result));
    }
    if (debugger) debugger->onThreadEnd(thread);
    return static_cast<int>(result);
}

} // namespace sx::vm
