// Machine code as it is: frames by their registers and what is in memory, symbols of the program.
#pragma once

#include "debugger/engine/MachineView.h"
#include "debugger/native/engine/StopPlaces.h"

namespace sx::debugger::native {

class NativeMachine final : public MachineView {
public:
    explicit NativeMachine(Native& n) : n_(n) {}

    bool mayLoadCode() const override { return n_.loadsCode; }
    std::optional<SourcePos> stopsAt(const CodePoint& point) const override { return stopPosition(n_, point); }
    const char* variant() const override { return "native"; }
    std::optional<uint64_t> slide() override { return n_.slide; }
    MachineStack stack(uint32_t thread, uint32_t most) override;
    std::vector<Instruction> disassemble(uint64_t address, int32_t offset, uint32_t count) override;
    std::vector<ProgramSymbol> symbols() override;
    uint64_t symbolAddress(const std::string& name) override;
    std::vector<MappedRegion> mappingsOfCore() override;
    /// While the program stands still only.
    void logFibers(bool on) override;

private:
    MachineFrame frameOf(const TargetFrame&, bool isInnermost) const;
    std::string nameOf(uint64_t address) const;
    std::string damageBetween(const TargetFrame& inner, const TargetFrame* outer);
    bool isCode(uint64_t address) const;
    bool keepsFramePointer(uint64_t pc) const;

    Native& n_;
    std::vector<MemoryRegion> regions_; ///< of the stack that is being walked
};

} // namespace sx::debugger::native
