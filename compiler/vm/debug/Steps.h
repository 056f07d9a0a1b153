// Steps: where they end, and what has to be marked in the code for that.
#pragma once

#include "vm/debug/Places.h"
#include "vm/debug/ThreadState.h"

namespace sx::vm {

class Steps {
public:
    Steps(Places& places, const Debugger& debugger) : places_(places), debugger_(debugger) {}

    using ThreadState = Debugger::ThreadState;

    /// Begins a step of a thread that stands still. Fails where there is no frame of interpreted code.
    Result<void> begin(ThreadState&, Debugger::Step, const StepOptions&);
    /// The thread stands right after a call, and at the statement that such a step would end at: it ends without a
    /// move, where nothing else stops there.
    bool endsInPlace(ThreadState&, Debugger::Step, const StepOptions&) const;
    /// Gives up the step, if there is one.
    void end(ThreadState&);
    /// The thread stops within its step: that goes on, or is dropped, when it is known what is to come of the stop.
    void suspend(ThreadState&);
    void goOn(ThreadState&);
    void drop(ThreadState&);
    /// The thread is at an instruction with a breakpoint. True: the step ends here.
    bool reaches(ThreadState&);
    /// A step that ends is shown at the call that it has come back from, and the next statement begins here.
    static bool isBeforeNext(const ThreadState&);
    /// Whether the step is one into a call from here to that function.
    bool leadsInto(const ThreadState&, ir::FuncId callee) const;
    /// The step ends where the first statement of the function begins, in the frame given.
    void enter(ThreadState&, const FunctionCode& callee, uint64_t* frame);

    bool isUserCode(ir::FuncId) const;
    Program* program = nullptr;

private:
    void watchFrame(ThreadState&, const FunctionCode&, uint64_t* frame, bool stopsWithin);
    void beginReturn(ThreadState&);
    void mark(StepPlan&, const FunctionCode&, uint32_t index);
    void unmark(StepPlan&);
    bool endsAt(const StepPlan&, uint32_t index) const;
    bool isOtherLine(const StepPlan&, uint32_t statement) const;
    bool arrives(ThreadState&);
    void keepResult(ThreadState&);

    Places& places_;
    const Debugger& debugger_;
    uint64_t last_ = 0; ///< number of a step
};

/// The index of the instruction after the call at `index`, which may be that of its Extra word.
uint32_t indexAfterCall(const FunctionCode&, uint32_t index);
bool isReturn(const FunctionCode&, uint32_t index);

} // namespace sx::vm
