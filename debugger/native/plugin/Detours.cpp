#include "debugger/native/plugin/Detours.h"

#include "debugger/native/plugin/SignalInfo.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

namespace sx::debugger::native {

using namespace lldb;

namespace {

/// It does the same wherever it stands, and goes on behind itself.
bool canStandElsewhere(SBInstruction instruction, SBTarget& target) {
    const char* name = instruction.GetMnemonic(target);
    const char* operands = instruction.GetOperands(target);
    if (!name || !operands || instruction.DoesBranch()) return false;
    std::string_view mnemonic = name;
    constexpr std::string_view Known[] = {"mov", "lea", "add", "sub", "cmp", "test", "xor",
                                          "and", "or",  "inc", "dec", "nop", "push", "pop"};
    bool isKnown = std::any_of(std::begin(Known), std::end(Known), [&](auto k) { return mnemonic.starts_with(k); });
    return isKnown && std::string_view(operands).find("rip") == std::string_view::npos;
}

/// A jump to one place, and nothing else; 0: it is none.
uint64_t jumpTarget(const std::vector<uint8_t>& code, uint64_t pc) {
    constexpr uint8_t Near = 0xe9, Short = 0xeb;
    int32_t distance = 0;
    if (code.size() == 5 && code[0] == Near) std::memcpy(&distance, &code[1], sizeof distance);
    else if (code.size() == 2 && code[0] == Short) distance = static_cast<int8_t>(code[1]);
    else return 0;
    return pc + code.size() + static_cast<uint64_t>(int64_t{distance});
}

} // namespace

void Detours::enter(SBTarget& target, SBProcess& process, SBFrame frame, uint64_t pc) {
    Way& way = ways_[pc];
    ++way.passes;
    // For new memory lldb has the program make a system call, and loses a signal that waits.
    bool isDue = way.passes >= Often && !way.isTried;
    if (isDue && (page_ != 0 || !hasWaitingSignals(static_cast<int>(process.GetProcessID()))))
        make(target, process, pc, way);
    if (way.at != 0) frame.SetPC(way.at);
}

void Detours::make(SBTarget& target, SBProcess& process, uint64_t pc, Way& way) {
    way.isTried = true;
    SBInstruction instruction = target.ReadInstructions(target.ResolveLoadAddress(pc), 1).GetInstructionAtIndex(0);
    if (!instruction.IsValid()) return;
    SBError error;
    std::vector<uint8_t> code(instruction.GetByteSize());
    SBData data = instruction.GetData(target);
    if (data.ReadRawData(error, 0, code.data(), code.size()) != code.size()) return;
    way.size = code.size();
    uint64_t back = pc + code.size();
    if (uint64_t to = jumpTarget(code, pc)) {
        back = to;
        code.clear();
    } else if (!canStandElsewhere(instruction, target)) {
        return;
    }
    if (page_ == 0) page_ = process.AllocateMemory(PageSize, ePermissionsReadable | ePermissionsExecutable, error);
    if (error.Fail() || page_ == LLDB_INVALID_ADDRESS) page_ = 0;
    if (page_ == 0 || used_ + MostBytes > PageSize) return;
    const uint8_t jump[] = {0xff, 0x25, 0, 0, 0, 0}; // jmp [rip]: to the address that follows
    code.insert(code.end(), std::begin(jump), std::end(jump));
    const auto* bytes = reinterpret_cast<const uint8_t*>(&back);
    code.insert(code.end(), bytes, bytes + sizeof back);
    if (process.WriteMemory(page_ + used_, code.data(), code.size(), error) != code.size()) return;
    way.at = page_ + used_;
    used_ += MostBytes;
}

uint64_t Detours::wayAround(uint64_t pc) const {
    auto known = ways_.find(pc);
    return known == ways_.end() ? 0 : known->second.at;
}

uint64_t Detours::placeOf(uint64_t pc) const {
    if (page_ == 0 || pc - page_ >= PageSize) return pc;
    for (const auto& [from, way] : ways_)
        if (way.at != 0 && pc - way.at < MostBytes) return pc == way.at ? from : from + way.size;
    return pc;
}

} // namespace sx::debugger::native
