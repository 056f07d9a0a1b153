// Everything that the threads of one interpreted program share: translated functions, globals, descriptors,
// foreign functions. One per module.
#pragma once

#include "ir/Comptime.h"
#include "ir/ForeignCode.h"
#include "source/Result.h"
#include "vm/Callees.h"
#include "vm/DebugHooks.h"
#include "vm/Descriptors.h"
#include "vm/Foreign.h"
#include "vm/Globals.h"
#include "vm/Signatures.h"
#include "vm/Traces.h"
#include "vm/code/Bytecode.h"
#include "vm/memory/Arena.h"
#include "vm/memory/StableList.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

namespace sx::vm {

struct Recording;
class Tape;

struct ProgramOptions {
    bool comptime = false;                   ///< IsComptime; checks accesses, counts steps, replaces the allocator
    uint64_t heapBytes = uint64_t{1} << 30;  ///< compile time only
    uint64_t stackBytes = uint64_t{1} << 26; ///< of frames, and as much again of large slots
    uint64_t steps = 200'000'000;            ///< compile time only
    DebugHooks* debugger = nullptr;          ///< told of what happens; the program runs in the debugger's own mode
    bool keepsHistory = false;               ///< under a debugger that can go back: what that needs is kept
    Recording* recording = nullptr;          ///< for a program with a history, or a tape
    Tape* tape = nullptr;                    ///< the program is recorded, or replayed
    /// Told why the process ends in a thread that C has started: nobody is there to return it to.
    std::function<void(const std::string&)> report;
    ir::ForeignLoader foreign; ///< the C code of the program; may be unset
};

class Program {
public:
    Program(ir::Module&, const ProgramOptions&);
    ~Program();
    Program(const Program&) = delete;

    ir::Module& module;
    const ProgramOptions options;
    Arena arena;
    Callees callees;
    Signatures signatures;
    Descriptors descriptors;
    Globals globals;
    Foreign foreign;
    Traces traces;

    /// Asks the owner of the module for a body before the first translation; null: bodies are there.
    std::string* output = nullptr; ///< collects what is written to standard output; null: it is written
    const std::function<bool(ir::FuncId)>* materialize = nullptr;
    ir::CompilerServices* services = nullptr; ///< for compile-time-only functions; null: they fail

    /// Threads that C has started run interpreted code at the same time. Whoever translates, resolves a position or
    /// prepares a call of C holds this; what is made under it does not move afterwards.
    std::recursive_mutex lock;
    std::atomic<unsigned> threads{0};        ///< that the program has started, and that run
    std::atomic<unsigned> foreignThreads{0}; ///< that run interpreted code now

    /// Where the next stack is wanted, so that a replay has the same addresses as the run that was recorded; 0:
    /// anywhere.
    uint64_t placeFor(uint64_t bytes);

    bool metRejected = false; ///< prepare failed because the owner refused a body

    /// Translates on the first call. Fails if there is no body or it is too large.
    Result<void> prepare(Callee&);

    /// The value of a function pointer: the Callee, or an address that C can call for externs and the C convention.
    uint64_t functionAddress(ir::FuncId);
    /// The function behind a function pointer; None for foreign addresses.
    ir::FuncId functionAt(uint64_t address) const;

    /// A message for Opcode::Fail.
    uint32_t addFailure(std::string message);
    const std::string& failure(uint32_t index) const { return failures_[index]; }

    /// The translated function, or null.
    const FunctionCode* codeOf(ir::FuncId) const;
    /// The one that contains the instruction, or null: looks through all of them.
    const FunctionCode* codeAt(const Insn*) const;

private:
    std::vector<std::unique_ptr<FunctionCode>> code_; ///< indexed by FuncId
    StableList<std::string> failures_;
    std::atomic<uint64_t> nextPlace_;
};

} // namespace sx::vm
