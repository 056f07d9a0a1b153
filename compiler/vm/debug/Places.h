// Instructions that have a breakpoint in their place, and why.
#pragma once

#include "vm/debug/Debugger.h"

#include <map>
#include <unordered_map>

namespace sx::vm {

/// A breakpoint of the user of the debugger.
struct Breakpoint {
    int id = 0;
    ir::FuncId func{};
    bool isInstruction = false;                   ///< `where` is an index of an instruction; else of a statement
    static constexpr uint32_t First = UINT32_MAX; ///< the statement with which the function begins
    uint32_t where = 0;
    BreakpointOptions options;
    std::atomic<uint64_t> hits{0};
    bool isEntry = false; ///< stops once

    /// One more hit, after which the program stops or not.
    bool countHit();
};

class Places {
public:
    using Breakpoints = std::vector<std::shared_ptr<Breakpoint>>;

    /// What stands at the instruction; null: nothing.
    const Breakpoints* at(const Insn* i) const {
        auto it = places_.find(i);
        return it == places_.end() ? nullptr : &it->second.breakpoints;
    }

    /// The code of a function; null if it has none yet.
    using CodeOf = std::function<const FunctionCode*(ir::FuncId)>;
    /// Takes the place of one that has the id: where both stand at an instruction, one of them always does.
    void add(std::shared_ptr<Breakpoint>, const CodeOf&);
    void remove(int id, const CodeOf&);
    bool has(int id) const { return byId_.count(id) != 0; }
    /// Sets what was asked for before the function had its code.
    void translated(const FunctionCode&);

    /// What stands there, if anything does, is there for a step. Asked without the lock.
    static bool isOnlyMarked(const FunctionCode&, uint32_t index);

    /// For a step.
    void mark(const FunctionCode&, uint32_t index);
    void unmark(const Insn*);
    /// The code is gone.
    void forgetCode() { places_.clear(); }

private:
    struct Place {
        const FunctionCode* code = nullptr;
        uint32_t index = 0;
        unsigned marks = 0;
        Breakpoints breakpoints;
        bool isEmpty() const { return marks == 0 && breakpoints.empty(); }
    };
    Place& place(const FunctionCode&, uint32_t index);
    void release(std::unordered_map<const Insn*, Place>::iterator);
    void put(const std::shared_ptr<Breakpoint>&, const FunctionCode&);
    void takeOut(const std::shared_ptr<Breakpoint>&, const FunctionCode&);

    std::unordered_map<const Insn*, Place> places_;
    std::map<int, std::shared_ptr<Breakpoint>> byId_; ///< in the order in which they were set
};

} // namespace sx::vm
