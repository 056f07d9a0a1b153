// The target over liblldb.
#pragma once

#include "debugger/native/plugin/Calls.h"
#include "debugger/native/plugin/Detours.h"
#include "debugger/native/plugin/EventQueue.h"
#include "debugger/native/plugin/OwnSignals.h"
#include "debugger/native/plugin/ServerLine.h"
#include "debugger/native/target/Target.h"

#include "lldb/API/LLDB.h"

#include <map>
#include <set>

namespace sx::debugger::native {

class LldbTarget final : public Target {
public:
    LldbTarget();
    ~LldbTarget() override;

    std::string launch(const LaunchOptions&) override;
    std::string attach(int pid, const std::string& program) override;
    std::string openCore(const std::string& core, const std::string& program) override;
    std::string addStacks(const std::vector<ParkedStack>&) override;
    int eventDescriptor() const override { return events_.descriptor(); }
    std::optional<TargetEvent> nextEvent() override;

    std::string resume(const std::vector<SystemThread>& held, const std::set<uint64_t>& filtered) override;
    std::string stepInstruction(SystemThread) override;
    std::string interrupt() override;
    void addBreakpoints(const std::vector<uint64_t>& addresses) override;
    void removeBreakpoints(const std::vector<uint64_t>& addresses) override;
    std::string addWatchpoint(uint64_t address, uint64_t size) override;
    void removeWatchpoint(uint64_t address) override;
    void kill() override;
    std::string detach() override;
    int processId() const override;

    std::vector<TargetThread> threads() override;
    std::vector<ThreadStop> stops() override;
    std::vector<TargetFrame> frames(SystemThread, uint32_t start, uint32_t count) override;
    std::vector<TargetVariable> variables(SystemThread, uint32_t frame, const std::string& global) override;
    std::vector<TargetRegister> registers(SystemThread, uint32_t frame) override;
    std::optional<uint64_t> readRegister(SystemThread, uint32_t frame, const std::string& name) override;
    std::string writeRegister(SystemThread, uint32_t frame, const std::string& name, uint64_t value) override;
    std::string writeVariable(SystemThread, uint32_t frame, const std::string& name, uint32_t line,
                              const std::vector<uint8_t>& bytes) override;
    size_t readMemory(uint64_t address, void* out, size_t size) override;
    bool writeMemory(uint64_t address, const void* bytes, size_t size) override;
    std::string call(SystemThread, const ProgramCall&, uint64_t& result) override;
    uint64_t allocate(size_t size) override;
    std::vector<MemoryRegion> regions() override;

    std::vector<TargetModule> modules() override;
    std::optional<TargetSymbol> symbolAt(uint64_t address) override;
    uint64_t symbolAddress(const std::string& name) override;
    uint64_t functionAddress(const std::string& name) override;
    std::vector<TargetInstruction> disassemble(uint64_t address, uint32_t count) override;
    TargetCommand command(const std::string& line) override;

private:
    std::string openProgram(const std::string& program);
    void chooseSignals();
    void leaveDetours(TargetEvent&);

    lldb::SBDebugger debugger_;
    lldb::SBTarget target_;
    lldb::SBProcess process_;
    std::map<uint64_t, lldb::SBBreakpoint> breakpoints_;
    std::map<uint64_t, lldb::SBWatchpoint> watchpoints_;
    std::vector<SystemThread> held_;       ///< that do not run with the others
    std::set<SystemThread> atBreakpoints_; ///< that have stopped there, and not in a call
    std::set<uint64_t> removed_;           ///< breakpoints that are gone since the program stopped last
    std::set<uint64_t> disabled_;          ///< breakpoints that are away until the program stops
    SystemThread entering_ = 0;            ///< makes one step, by which it gets a signal; 0: none does
    bool isInterrupted_ = false;           ///< since the program was let go on
    Detours detours_;
    OwnSignals ownSignals_;
    bool isCore_ = false, isKilled_ = false;
    std::string core_;
    std::set<SystemThread> added_; ///< threads that stand for stacks of a core file
    EventQueue events_;
    ServerLine line_;
    ProgramCalls calls_{*this, target_, process_, events_, ownSignals_};
};

/// Gives a program that stands at its entry the descriptors of this process that `stdio` names, and SIGPIPE as it is by
/// default, by running a few system calls in it: what started it ignores that signal. Returns why it failed, or
/// nothing.
std::string prepare(lldb::SBProcess&, const std::vector<int>& stdio);

/// It has ended, and whoever has started it has not heard of that, or it is gone. lldb will say so, and would wait for
/// seconds for an answer to what it is asked meanwhile.
bool isDead(int pid);

/// The path by which another process can open a descriptor of this one.
std::string pathOfDescriptor(int descriptor);

/// What an lldb call says went wrong, or nothing.
std::string messageOf(const lldb::SBError&);

} // namespace sx::debugger::native
