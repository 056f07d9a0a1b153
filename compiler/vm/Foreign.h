// Calls between interpreted code and C, both ways, through libffi.
#pragma once

#include "ir/ForeignCode.h"
#include "vm/CTypes.h"
#include "vm/CallUndo.h"
#include "vm/ForeignFibers.h"
#include "vm/Signatures.h"
#include "vm/code/Scalar.h"
#include "vm/memory/StableList.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace sx::vm {

class Program;
class Thread;
struct KnownCall;
struct CallResult;
class Tape;
struct ThreadCall;

/// Stands in for a C function. `args` are register words; the result is canonicalised by the caller. It may stop the
/// thread.
using Override = uint64_t (*)(Thread&, const uint64_t* args);

class Foreign {
public:
    explicit Foreign(Program&);
    ~Foreign();
    Foreign(const Foreign&) = delete;

    /// Makes a symbol known that dlsym does not see.
    void define(const std::string& name, void* address) { symbols_[name] = address; }
    /// The address of a C symbol, or null.
    void* symbol(const std::string& name);

    /// Says so if only compiled code has the symbol; "" if not.
    std::string definedInAssembly(const std::string& symbol) const;
    /// Why there is no such function.
    std::string missing(const std::string& symbol) const;

    /// The symbols of C that the program needs and nobody has. Of the assembly of the program that is only known where
    /// it is called.
    std::set<std::string> allMissing();

    /// The site for calls of an extern with arguments of these types (more than its parameters if it is variadic).
    uint32_t site(const ir::Function& callee, llvm::ArrayRef<TypeId> args);
    /// What is said of the function that a site calls: "the C function `f`".
    const std::string& nameOf(uint32_t site) const { return sites_[site].name; }
    /// Code that was translated calls this C function.
    bool hasSite(const std::string& symbol) const { return called_.count(symbol) != 0; }
    /// Calls it; `args` are the words of the outgoing area. False: the thread has stopped.
    bool call(Thread&, uint32_t site, uint64_t* args, uint64_t& result);
    /// Calls a C function behind a pointer.
    bool callPointer(Thread&, IndirectSite&, uint64_t target, uint64_t* args, uint64_t& result);

    /// Code that C may call for an interpreted function; null if its types have no C form.
    void* nativeEntry(ir::FuncId);
    /// The function behind such code; None for other addresses.
    ir::FuncId functionAt(uint64_t address) const;
    /// The stack of a fiber is about to go while its function has not returned: what the interpreter has for it goes.
    void giveUpFiber(uint32_t fiber);

private:
    struct Site {
        std::string name;    ///< for messages: "the C function `f`"
        std::string problem; ///< why it cannot be called
        ffi_cif cif{};
        std::vector<ffi_type*> argTypes;
        std::vector<TypeId> args;
        enum class Way : uint8_t { Scalar, Address, Nothing };
        std::vector<Way> ways; ///< by argument, how libffi is given it
        unsigned fixed = 0;    ///< arguments from here on are variadic
        void* target = nullptr;
        Override override = nullptr;
        std::string symbol;                   ///< "" of a function behind a pointer
        const KnownCall* known = nullptr;     ///< for programs with a history or a tape
        const KnownCall* ofThreads = nullptr; ///< … with a tape
        ScalarKind result;
        bool inMemory = false;
        bool isEnd = false;       ///< the process ends with it
        bool isThreadEnd = false; ///< the thread does
        const ThreadCall* threadCall =
            nullptr; ///< of programs that can be gone back in; null: it does not wait for threads
        FiberCall fiberCall = FiberCall::None;
        MemoryCall memoryCall = MemoryCall::None;
        int begins = -1; ///< the argument that is the start routine of a thread
        uint64_t resultBytes = 0;
        int split = -1; ///< the argument whose two words libffi is given as two
    };
    struct Closure;

    void* ownSymbol(const std::string& name); ///< of the program's C code, which is loaded for it; null if it has none
    void provideExports();                    ///< as many as there are by now
    void defineRuntime(); ///< the runtime's functions: linked into the compiler, where dlsym need not see them
    uint32_t addSite(std::string name, llvm::ArrayRef<TypeId> args, unsigned fixed, TypeId result);
    /// `mayWait`: other threads have their turn meanwhile.
    bool invoke(Thread&, Site&, void* target, uint64_t* args, uint64_t& result, bool mayWait = false);
    void outside(Thread&, Site&, uint64_t* args, llvm::function_ref<void()> act);
    // ---- with a history or a tape: ForeignRecorded.cpp
    bool callRecorded(Thread&, Site&, void* target, uint64_t* args, uint64_t& result);
    bool callUnknown(Thread&, Site&, void* target, uint64_t* args, uint64_t& result);
    bool callOfThreads(Thread&, Site&, void* target, uint64_t* args, uint64_t& result);
    /// Of a program that can be gone back in: the thread waits for its turn, and not in C.
    bool callOfThreadsInTurn(Thread&, Site&, void* target, uint64_t* args, uint64_t& result);
    bool callOutside(Thread&, Site&, const KnownCall&, void* target, uint64_t* args, uint64_t& result);
    void place(Thread&, const Site&, const KnownCall&, const CallResult&, const uint64_t* args, uint64_t& value);
    // ---- with a tape: ForeignTaped.cpp
    bool ask(Thread&, Site&, void* target, uint64_t* args, CallResult& given);
    void endWhereRecorded(Thread&, Site&, uint64_t* args);
    bool takeFromTape(Thread&, Site&, void* target, uint64_t* args, CallResult& given);
    bool runCallbacks(Thread&, Site&, uint64_t* args);
    bool beginThread(Thread&, Site&, uint64_t* args, uint64_t& result);
    bool fork(Thread&, Site&, uint64_t* args, uint64_t& result);
    void writeAgain(const Site&, const uint64_t* args, int64_t written);
    // ---- fibers: Fibers.cpp
    /// Interpreted code begins in a fiber, in a Thread of its own; it has left it for good.
    void onFiberBegin(uint32_t fiber, Thread&);
    void onFiberEnd(uint32_t fiber);
    uint64_t promote(TypeId, uint64_t word) const;
    bool runClosure(const Closure&, Thread&, void* result, void** args); ///< false: the thread has stopped
    static void enter(ffi_cif*, void* result, void** args, void* closure);

    Program& program_;
    Tape* const tape_; ///< null where the program is neither recorded nor replayed
    CTypes types_;
    std::unordered_map<std::string, void*> symbols_;
    StableList<Site> sites_;
    std::unordered_map<const ir::Function*, uint32_t> siteOf_; ///< of externs without variadic arguments
    std::unordered_set<std::string> called_;                   ///< the symbols that have a site
    std::vector<std::unique_ptr<Closure>> closures_;
    std::mutex fiberMutex_;
    std::unordered_map<uint32_t, Thread*> fiberThreads_; ///< of fibers that have begun, on whose stacks these lie
    std::unordered_map<uint64_t, ir::FuncId> closureOf_;
    bool librariesLoaded_ = false;
    std::unique_ptr<ir::ForeignCode> own_; ///< the program's C code, once it is loaded
    bool ownAsked_ = false;
    std::string ownProblem_;         ///< why it could not be loaded
    std::vector<size_t> unprovided_; ///< exports that it does not know yet
};

/// The stand-in for a C function at compile time, or null.
Override comptimeOverride(const std::string& symbol);
/// What does the work of a service of the compiler, or null.
Override serviceOverride(const std::string& symbol);
/// Copies memory of this process that may not be there; false if it is not.
bool copyChecked(uint64_t from, uint64_t size, std::string& out);

} // namespace sx::vm
