// The instructions that an interpreted program has run last, recorded on the threads that run them.
#pragma once

#include "debugger/vm/Wire.h"
#include "vm/debug/Debugger.h"

#include <deque>
#include <map>
#include <mutex>

namespace sx::debugger {

class InstructionTrace {
public:
    static constexpr size_t Most = 10'000; ///< that are kept

    /// A thread stands before an instruction: the one where it stood before has run.
    void before(vm::Thread&);
    /// Recording begins, while threads may stand somewhere.
    void begin(const std::vector<vm::DebugFrame>& innermost);
    /// The places whose changes are noted, as VmMachine::tracePlaces writes them.
    void watch(WireReader&);
    /// Those after the first `seen`: how many there were, and what is still known.
    void put(WireWriter&, uint64_t seen) const;

private:
    struct Step {
        const vm::FunctionCode* code = nullptr;
        uint32_t index = 0;
        std::vector<std::pair<uint32_t, uint64_t>> changed;
        std::vector<std::pair<uint32_t, std::vector<uint8_t>>> written;
    };
    struct Watched {
        uint32_t id = 0;
        uint64_t address = 0;
        std::vector<uint8_t> bytes;
        vm::DebugThreadId thread = 0;
        uint64_t frame = 0; ///< 0: it is of none
    };
    /// Where a thread stands, with the registers of its frame.
    struct Place {
        const vm::FunctionCode* code = nullptr;
        uint32_t index = 0;
        const uint64_t* regs = nullptr;
        std::vector<uint64_t> held;
    };
    void noteWrites(Step&, vm::Thread&);
    static Place placeOf(const vm::FunctionCode&, uint32_t index, const uint64_t* regs);

    mutable std::mutex mutex_;
    std::map<const vm::Thread*, Place> places_;
    std::map<vm::DebugThreadId, Place> begun_; ///< where threads stood when recording began
    std::vector<Watched> watched_;
    std::deque<Step> steps_;
    uint64_t total_ = 0;
};

} // namespace sx::debugger
