// Interprets the IR of expressions, and of functions of the program that they call, over the memory of a stopped
// program.
//
// This is not the bytecode interpreter: that one works on addresses of its own process, while here each access is one
// of a program that may lie in another, and none may change it.
#pragma once

#include "debugger/evaluate/LocalAddresses.h"
#include "debugger/evaluate/Transfer.h"
#include "source/Result.h"

#include <chrono>
#include <functional>
#include <optional>

namespace sx::debugger {

struct Limits {
    std::chrono::milliseconds time{2000};
    std::function<bool()> isCancelled; ///< asked now and then; null: never
    size_t frames = 100'000;
    size_t values = size_t{1} << 24; ///< of all calls that have not returned
};

class Machine {
public:
    Machine(const ir::Module& module, EvaluationMemory& memory, LocalAddresses& addresses)
        : module_(module), memory_(memory), addresses_(addresses) {}

    /// What a run may do to the program: nothing, or write to it; and with a host call its C functions.
    struct Rights {
        bool mayWrite = false;
        Host* host = nullptr;
    };
    /// Runs a function to its end; the result is a scalar's bits, zero-extended. What the function's own variables hold
    /// stays until the memory is reset. Where it fails before the program was asked to call more than its allocator,
    /// what it has written to the program is undone; where it comes to what no call of the debugger may do, what it has
    /// written since it last called more.
    Result<uint64_t> run(ir::FuncId function, llvm::ArrayRef<uint64_t> args, Rights rights, Limits limits = {});
    /// Where the last run would have written to the program, which ended it; nothing: it was no such thing.
    std::optional<uint64_t> refusedWrite() const { return refusedWrite_; }

private:
    struct Frame {
        const ir::Function* fn;
        size_t values;        ///< index of its first value in `values_`
        size_t args;          ///< and of its arguments in `args_`
        uint64_t stackTop;    ///< before it
        uint64_t destination; ///< of an aggregate result
        std::vector<uint64_t> slots;
        ir::BlockId block{0};
        size_t next = 0; ///< within the block
    };
    using Step = bool; ///< false: it failed, and `failure_` says why

    // ---- Machine.cpp: values, calls, control
    Result<uint64_t> runToEnd(ir::FuncId function, llvm::ArrayRef<uint64_t> args);
    Step enter(const ir::Function& fn, llvm::ArrayRef<uint64_t> args, uint64_t destination);
    Step leave(const ir::Instr& ret);
    bool stepsOn();
    Step execute(const ir::Instr& i, uint64_t& out);
    Step compute(const ir::Instr& i, uint64_t& out);
    Step arithmetic(const ir::Instr& i, uint64_t& out);
    Step cast(const ir::Instr& i, uint64_t& out);
    Step address(const ir::Instr& i, uint64_t& out);
    /// `address`: of a function of C that is called through a pointer; else 0.
    Step call(const ir::Instr& i, const ir::Function& fn, unsigned firstArg, uint64_t address = 0);
    Step callIndirect(const ir::Instr& i);
    Step branch(const ir::Instr& i);
    Step go(const ir::Target& target);
    Step panic(const ir::Instr& i);
    Step isInTime(bool looks = false);

    // ---- MachineMemory.cpp
    Step access(const ir::Instr& i, uint64_t& out);
    Step load(TypeId type, uint64_t from, uint64_t& out);
    Step store(TypeId type, uint64_t to, uint64_t value);
    Step read(uint64_t from, llvm::MutableArrayRef<uint8_t> into);
    Step write(uint64_t to, llvm::ArrayRef<uint8_t> bytes);
    Step copy(uint64_t to, uint64_t from, uint64_t size);
    Step fill(uint64_t to, uint8_t byte, uint64_t size);
    Step equal(uint64_t a, uint64_t b, uint64_t size, uint64_t& out);
    Step update(const ir::Instr& i, uint64_t& out);
    Step compareExchange(const ir::Instr& i, uint64_t& out);

    // ---- KnownFunctions.cpp: functions of C that only work on what they are given
    Step callC(const ir::Function& fn, llvm::ArrayRef<uint64_t> args, llvm::ArrayRef<TypeId> types,
               uint64_t destination, uint64_t& out);
    Step callInProgram(const ir::Function& fn, uint64_t address, llvm::ArrayRef<uint64_t> args,
                       llvm::ArrayRef<TypeId> types, uint64_t destination, uint64_t& out);
    bool callsProgram() const { return rights_.mayWrite && rights_.host && rights_.host->callsProgram(); }
    Step allocate(uint64_t size, uint64_t& out);
    Step textLength(uint64_t text, uint64_t& out);
    bool isEnding() const;
    Step keepLastWords(uint64_t text, uint64_t size, uint64_t& out);
    Step compareMemory(uint64_t a, uint64_t b, uint64_t size, uint64_t& out);

    /// `isRefused`: it has come to what no call of the debugger may do.
    Step fail(std::string why, bool isRefused = false) {
        isRefused_ = isRefused;
        failure_ = std::move(why);
        return false;
    }
    uint64_t value(ir::ValueId v) const { return values_[frames_.back().values + static_cast<uint32_t>(v)]; }
    uint64_t operand(const ir::Instr& i, unsigned k) const { return value(frames_.back().fn->operandsOf(i)[k]); }
    TypeId operandType(const ir::Instr& i, unsigned k) const {
        return frames_.back().fn->instr(frames_.back().fn->operandsOf(i)[k]).type;
    }

    const ir::Module& module_;
    EvaluationMemory& memory_;
    LocalAddresses& addresses_;
    std::vector<Frame> frames_;
    std::vector<uint64_t> values_, args_;
    uint64_t result_ = 0;
    std::string failure_;
    std::optional<uint64_t> refusedWrite_;
    std::string lastWords_; ///< of code that ends the process
    Rights rights_;
    bool hasCalled_ = false; ///< in the program, something that cannot be undone
    bool isRefused_ = false; ///< see `fail`
    /// Blocks of the program that are to be freed; not before the end, as it may be undone that they are not used.
    std::vector<std::pair<const ir::Function*, uint64_t>> heldFrees_;
    size_t settledFrees_ = 0; ///< of these, those that are not undone any more
    Limits limits_;
    std::chrono::steady_clock::time_point end_, nextAsk_;
    uint32_t steps_ = 0;
};

} // namespace sx::debugger
