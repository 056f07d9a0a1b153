// The interpreter's breakpoints that a breakpoint of the session stands for: one place, or several.
#pragma once

#include "vm/debug/Debugger.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

namespace sx::debugger {

/// All but `breakpointsAt` is for the agent's thread alone.
class BreakpointPlaces {
public:
    explicit BreakpointPlaces(vm::Debugger& debugger) : debugger_(debugger) {}

    using Hits = std::shared_ptr<std::atomic<uint64_t>>;
    struct Place {
        ir::FuncId func;
        uint32_t where; ///< a statement, or with `isInstruction` an index
        bool isInstruction = false;
        int number = 0; ///< of the interpreter's breakpoint
    };

    /// The breakpoint is asked for with these words, and has so many places. One that is asked for again stays, with
    /// its hits, and null is returned, where it has all of them; else its places are added, and it is ended.
    Hits begin(uint32_t id, std::string request, size_t count);
    /// The number of a place. One that the breakpoint had stays, without a moment in which the program could get past
    /// it.
    int add(uint32_t id, Place);
    /// Takes away the places that the breakpoint had and has no more.
    void end(uint32_t id);
    void remove(uint32_t id);
    void removeAll();

    /// The session's breakpoints, each once.
    std::vector<uint32_t> breakpointsAt(llvm::ArrayRef<int> numbers);

private:
    struct Asked {
        std::string request;
        Hits hits;
        std::vector<Place> places, before;
    };
    void takeAway(llvm::ArrayRef<Place>);

    vm::Debugger& debugger_;
    std::map<uint32_t, Asked> asked_; ///< by the session's id
    int next_ = 1;
    std::mutex mutex_;
    std::map<int, uint32_t> ids_; ///< the session's id of each place
};

} // namespace sx::debugger
