// The engine for machine code: what the session asks, over a program under lldb.
#pragma once

#include "debugger/native/engine/Calls.h"
#include "debugger/native/engine/Machine.h"

namespace sx::debugger::native {

class NativeEngine final : public Engine {
public:
    /// `program` must outlive the engine.
    explicit NativeEngine(NativeProgram program);
    ~NativeEngine() override;

    int eventDescriptor() const override { return n_.descriptor; }
    std::vector<Event> poll() override;

    Result<void> start(const StartRequest&) override;
    Result<void> run(bool stopOnEntry) override;

    void setBreakpoint(const BreakpointRequest&) override;
    void removeBreakpoint(uint32_t id) override;
    void setErrorFilters(const std::vector<ErrorFilter>&) override;
    void applyChanges() override;
    FilterScope filterScope(ErrorEvent) const override;
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
    std::optional<SlotPlace> threadLocal(ThreadId, uint32_t frame, ir::GlobalId) override;
    SlotPlace slot(ThreadId, uint32_t frame, ir::SlotId) override;
    Result<void> writeSlot(ThreadId, uint32_t frame, ir::SlotId, const std::vector<uint8_t>&) override;
    std::vector<RegisterValue> registers(ThreadId, uint32_t frame) override;
    TraceSource trace(ThreadId) override;
    std::optional<Returned> returned(ThreadId) override;

    uint64_t allocate(uint64_t bytes) override;
    Memory& memory() override { return n_.memory; }
    Addresses& addresses() override { return n_.addresses; }
    MachineView& machine() override { return machine_; }
    Caller* caller() override { return n_.isCore ? nullptr : &caller_; }
    Result<std::string> command(const std::string&) override;

    void terminate() override;
    void kill() override;
    void detach() override;
    bool evaluatesConditions() const override { return false; }
    int processId() const override;

private:
    Native n_;
    NativeMachine machine_{n_};
    NativeCaller caller_{n_};
};

} // namespace sx::debugger::native
