// The agent: a thread in the process of an interpreted program that carries out what the session asks, and tells it
// what happens. Private to debugger/vm: what it does at questions stands in AgentRunning.cpp and AgentValues.cpp.
#pragma once

#include "debugger/vm/AgentMachine.h"
#include "debugger/vm/BreakpointCode.h"
#include "debugger/vm/BreakpointPlaces.h"
#include "debugger/vm/ConsoleTypes.h"
#include "debugger/vm/KeptMemory.h"
#include "debugger/vm/OutsideSignals.h"
#include "debugger/vm/OwnProcess.h"
#include "debugger/vm/Wire.h"
#include "vm/debug/Debugger.h"
#include "vm/debug/TimeTravel.h"

#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <set>

namespace sx::debugger {

class ProgramAgent {
public:
    /// `isRemote`: the program goes on when the session is gone.
    ProgramAgent(Program& program, int control, int events, bool isRemote);

    /// Serves questions on a thread of its own, until the session is gone.
    void serve();
    void waitForRun();
    vm::Debugger& debugger() { return debugger_; }
    void stopAtEntry();
    void tellEnd(int code);
    /// A signal has come that would end the program.
    void onSignal(const SeenSignal&);

private:
    vm::Debugger::Events told();
    ir::FuncId mainFunction() const;
    void makeGlobals();
    void tellStop(const vm::Stop&);
    void tellSignal(vm::DebugThreadId);
    void tell(const Event&);
    void tellLog(const std::string&);

    /// The answer to a question.
    std::string answer(WireReader);
    std::string answerAboutState(Command, WireReader&);
    std::string answerAboutCode(Command, WireReader&);
    static std::string done(const Result<void>& r = {});

    void detach();
    void goOn();
    void pause();
    std::string damageByUser();
    void setBreakpoint(WireReader&);
    void setErrorFilters(WireReader&);
    SourcePos shownAt(const vm::DebugFrame&, bool isInnermost) const;
    ir::ScopeId scopeOf(const vm::DebugFrame&) const;
    Result<void> step(WireReader&);
    std::string threads();
    std::string frames(WireReader&);
    std::string slot(WireReader&);
    Result<void> writeSlot(WireReader&);
    std::string registers(WireReader&);
    std::string trace(WireReader&);
    std::string returned(WireReader&);
    std::string runExpression(WireReader&);
    std::optional<vm::DebugFrame> frame(ThreadId, uint32_t index);
    static void putPlace(WireWriter&, const SlotPlace&);
    SlotPlace placeOf(const vm::SlotLocation&, TypeId) const;

    Program& program_;
    int control_, events_;
    int owner_; ///< the process that is debugged: a copy of it that the program makes is not
    vm::Debugger debugger_;
    vm::TimeTravel time_{debugger_};
    OwnProcess own_;
    KeptMemory kept_; ///< of the session's console
    AgentMachine machine_{program_, debugger_};
    lower::ExpressionCompiler compiler_; ///< of conditions: what it makes stays
    LearnedTypes types_{program_, compiler_};
    SharedEvaluator evaluator_{*program_.sema, own_, own_};
    BreakpointHost host_{
        compiler_, evaluator_, program_, debugger_, Values(program_.types, own_, own_), [this](const std::string& t) {
            tellLog(t);
        }};
    std::mutex speaking_;
    std::atomic<bool> mayRun_{false};
    std::atomic<bool> hasGlobals_{false};
    bool isRemote_, isDetached_ = false;
    bool hasWritten_ = false;    ///< the user has, into memory
    std::atomic<int> signal_{0}; ///< that ends the program when it goes on; 0: none
    std::atomic<Stop::Sender> sender_{};
    std::atomic<bool> isSignalTold_{false};  ///< the session knows of `signal_`
    std::atomic<bool> isSentInCall_{false};  ///< a thread of the program stands in the call that sends `signal_`
    std::atomic<bool> isInterrupted_{false}; ///< by a SIGINT from outside, and has not paused since
    std::atomic<bool> pausesAtEntry_{false}; ///< it was to pause before it had begun
    std::set<int> watches_;
    std::deque<std::vector<uint64_t>> results_; ///< of expressions that the program has run: they stay
    BreakpointPlaces breakpoints_{debugger_};
};

} // namespace sx::debugger
