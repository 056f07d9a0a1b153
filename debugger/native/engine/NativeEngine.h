// The engine for machine code: what the session asks, over a program under lldb.
#pragma once

#include "debugger/native/engine/PageCache.h"
#include "debugger/native/engine/Stack.h"

#include <deque>
#include <set>

namespace sx::debugger::native {

/// A step that is under way.
struct StepPlan {
    StepRequest request;
    SystemThread thread = 0;
    uint64_t cfa = 0;           ///< of the frame in which the step may end
    uint32_t copy = UINT32_MAX; ///< that it began in
    uint32_t startStatement = UINT32_MAX;
    std::set<uint64_t> starts;               ///< statements of the frame
    std::set<uint64_t> entries;              ///< functions that the step may enter
    uint64_t returnTo = 0, returnCfa = 0;    ///< where it goes on if the frame returns, and in which frame; 0: nowhere
    ir::FuncId returning = ir::FuncId::None; ///< the function whose result is there then
    uint64_t backTo = 0; ///< in a call that has come back to the same code: where the frame goes on; 0: in none
};

/// A watched piece of memory.
struct Watch {
    uint32_t id = 0;
    uint64_t address = 0, size = 0;
    uint64_t frameCfa = 0; ///< it ends with this frame; 0: never
    SystemThread thread = 0;
    std::vector<uint8_t> bytes;
};

class NativeEngine final : public Engine, private Addresses {
public:
    /// `program` must outlive the engine.
    explicit NativeEngine(NativeProgram program);
    ~NativeEngine() override;

    int eventDescriptor() const override { return descriptor_; }
    std::vector<Event> poll() override;

    Result<void> start(const StartRequest&) override;
    Result<void> run() override;

    void setBreakpoint(const BreakpointRequest&) override;
    void removeBreakpoint(uint32_t id) override;
    void setErrorFilters(const std::vector<ErrorFilter>&) override;
    std::string filterProblem(ErrorEvent) const override;
    Result<void> setWatch(uint32_t id, uint64_t address, uint64_t size) override;
    Result<void> setWatchSlot(uint32_t id, ThreadId, uint32_t frame, ir::SlotId) override;
    void removeWatch(uint32_t id) override;

    Result<void> resume() override;
    Result<void> ignoreStop() override;
    Result<void> step(const StepRequest&) override;
    Result<void> pause() override;
    Result<void> goTo(ThreadId, CodePoint) override;
    Result<void> restartFrame(ThreadId, uint32_t frame) override;

    std::vector<ThreadInfo> threads() override;
    Frames frames(ThreadId, uint32_t start, uint32_t count) override;
    SlotPlace slot(ThreadId, uint32_t frame, ir::SlotId) override;
    Result<void> writeSlot(ThreadId, uint32_t frame, ir::SlotId, const std::vector<uint8_t>&) override;
    std::vector<RegisterValue> registers(ThreadId, uint32_t frame) override;
    TraceSource trace(ThreadId) override;
    std::optional<Returned> returned(ThreadId) override;

    uint64_t allocate(uint64_t bytes) override;
    Memory& memory() override { return memory_; }
    Addresses& addresses() override { return *this; }
    std::vector<Instruction> disassemble(uint64_t address, int32_t offset, uint32_t count) override;
    Result<std::string> command(const std::string&) override;

    void terminate() override;
    void kill() override;
    void detach() override;
    bool evaluatesConditions() const override { return false; }
    int processId() const override;

private:
    // ---- Addresses (Code.cpp)
    std::optional<CodeName> codeAt(uint64_t address) override;
    std::optional<ir::FuncId> functionAt(uint64_t address) override;
    TypeId typeAt(uint64_t descriptor) override;
    std::optional<uint64_t> descriptorOf(TypeId) override;
    std::optional<uint64_t> addressOf(ir::GlobalId) override;
    std::optional<uint64_t> addressOf(ir::FuncId) override;

    // ---- NativeEngine.cpp
    Result<void> open(const std::string& executable);
    std::string begin(const StartRequest&);
    void planEntry();
    void loaded();
    Result<void> go();
    bool tellsAnother();
    void syncBreakpoints();
    void notify();
    void post(Event);
    void postStop(Stop);
    uint64_t toRun(uint64_t fileAddress) const { return fileAddress + slide_; }
    uint64_t toFile(uint64_t address) const { return address - slide_; }
    Result<SystemThread> systemThread(ThreadId) const;
    ThreadId threadId(SystemThread);

    // ---- Events.cpp
    void handle(const TargetEvent&);
    void handleStop(const TargetEvent&);
    void updateThreads();
    /// Nothing where the program is to go on.
    std::optional<Stop> decide(const ThreadStop&);
    std::optional<Stop> decideSignal(const ThreadStop&);
    std::optional<Stop> decideBreakpoint(const ThreadStop&);
    std::optional<Stop> userBreakpoint(const ThreadStop&, std::optional<uint32_t> after = std::nullopt);
    Stop makeStop(Stop::Reason, SystemThread);

    // ---- Errors.cpp
    std::optional<Stop> errorStop(const ThreadStop&);
    std::optional<Stop> errorStopOf(const ThreadStop&, ErrorEvent);
    std::optional<Stop> errorStopAt(const ThreadStop&, const ErrorPlace&);
    std::optional<Stop> panicStop(const ThreadStop&);
    bool isWanted(ErrorEvent, uint64_t tag) const;
    uint64_t tagInFlight(SystemThread);
    uint64_t traceState(SystemThread);
    std::string panicText(const ThreadStop&, const std::string& function);
    std::string textAt(uint64_t address, uint64_t length);

    // ---- Step.cpp
    Result<void> beginStep(StepPlan);
    void planFrame(StepPlan&, const StackFrame& at, bool stopsWithin);
    void planReturn(StepPlan&, uint32_t number);
    void planEntries(StepPlan&);
    void addEntries(StepPlan&, ir::FuncId, std::set<ir::FuncId>& seen, bool& indirect);
    /// Whether the step ends where its thread stands.
    bool stepEnds(uint64_t pc);
    bool enters(uint64_t pc);
    bool returns(uint64_t cfa);
    bool isStepStop(ir::FuncId, bool intoLibrary) const;
    std::optional<uint32_t> followingStatement(SystemThread);
    std::optional<uint32_t> currentStatement(SystemThread);
    void keepResult(ir::FuncId, SystemThread);

    // ---- Watches.cpp
    Result<void> addWatch(Watch);
    std::optional<Stop> stepWatched(const ThreadStop&);
    bool isWatching() const { return !watches_.empty(); }

    // ---- Inspect.cpp
    const TargetVariable* variable(SystemThread, uint32_t number, const ir::Function&, ir::SlotId);

    NativeProgram program_;
    ProgramImage image_;
    std::unique_ptr<Target> target_;
    PageCache memory_{target_};
    Stack stack_;
    uint64_t slide_ = 0;
    int descriptor_ = -1, ownEvents_ = -1;
    std::vector<Event> events_;

    enum class State : uint8_t { None, Loaded, Running, Stopped, Ended } state_ = State::None;
    bool stopsAtEntry_ = false, isAttached_ = false, pauseWanted_ = false, isCore_ = false, isTerminating_ = false;
    std::deque<Stop> waiting_;                   ///< stops of other threads, to be told when the user goes on
    std::map<SystemThread, ThreadId> threadIds_; ///< of threads that live
    ThreadId lastThreadId_ = 0;

    std::map<uint32_t, BreakpointRequest> breakpoints_;
    std::map<uint64_t, std::vector<std::pair<uint32_t, uint32_t>>> places_; ///< address: ids and statements
    std::set<uint64_t> set_;                                                ///< breakpoints that lldb has
    std::vector<ErrorFilter> filters_;
    std::map<uint64_t, ErrorPlace> errorPlaces_; ///< that filters want, by address
    std::map<uint64_t, std::string> panics_;     ///< functions that panic, by address
    uint64_t unhandled_ = 0; ///< the function that reports an error that has left `main`; 0: no filter wants it
    /// An event that has happened when a call is over.
    struct PendingError {
        ErrorPlace place;
        SystemThread thread = 0;
        uint64_t address = 0, cfa = 0;
    };
    std::vector<PendingError> pendingErrors_;
    std::set<int> endingSignals_; ///< those by which the program ends itself after a stop that said so
    std::optional<StepPlan> step_, ignoredStep_;
    bool stepsInstruction_ = false;
    std::vector<Watch> watches_;
    uint64_t watchReturn_ = 0;    ///< where code returns to that is run through; 0: single steps
    bool watchInProgram_ = false; ///< the last single step was in code of the program
    std::optional<Returned> returned_;
    SystemThread returnedThread_ = 0;
    std::map<std::pair<SystemThread, uint32_t>, std::vector<TargetVariable>> variables_;
    std::map<std::string, TypeId> descriptors_; ///< by symbol
};

} // namespace sx::debugger::native
