#include "debugger/vm/Registers.h"

#include "debugger/inspect/Datum.h"
#include "types/Layout.h"

namespace sx::debugger {

static constexpr size_t MostFrames = 1000; ///< of a stack that are looked at

bool hasVariables(const vm::DebugFrame& f) {
    if (!f.code) return false;
    uint32_t first = vm::firstStatement(*f.code);
    return f.statement != vm::DebugFrame::NoStatement || first == UINT32_MAX || f.index >= first;
}

void settleRegister(const Program& program, const vm::DebugFrame& frame, ir::SlotId slot) {
    vm::SlotLocation place = vm::slotLocation(frame, slot);
    if (!place.isRegister) return;
    TypeId type = program.module.fn(frame.func).slots[static_cast<size_t>(slot)].type;
    const auto* bytes = reinterpret_cast<const uint8_t*>(place.word);
    *place.word = toRegister(program.types, type, {bytes, sizeOf(program.types, type)});
}

std::optional<vm::DebugFrame> frameWith(const Program& program, const vm::Debugger& debugger, uint64_t address) {
    vm::DebugThreadId thread = vm::threadWithStackAt(debugger, address);
    if (thread == 0) return std::nullopt;
    for (const vm::DebugFrame& f : debugger.frames(thread, 0, MostFrames)) {
        const ir::Function* fn = f.code ? &program.module.fn(f.func) : nullptr;
        for (size_t i = 0; fn && i < fn->slots.size(); ++i) {
            vm::SlotLocation at = vm::slotLocation(f, static_cast<ir::SlotId>(i));
            uint64_t size = at.isRegister ? sizeof(uint64_t) : fn->slots[i].size;
            if (address - at.address < size) return f;
        }
    }
    return std::nullopt;
}

void settleRegistersAt(const Program& program, const vm::Debugger& debugger, uint64_t address, uint64_t size) {
    std::optional<vm::DebugFrame> f = frameWith(program, debugger, address);
    if (!f || !hasVariables(*f)) return;
    for (size_t i = 0; i < program.module.fn(f->func).slots.size(); ++i) {
        auto slot = static_cast<ir::SlotId>(i);
        uint64_t at = vm::slotLocation(*f, slot).address;
        if (at < address + size && address < at + sizeof(uint64_t)) settleRegister(program, *f, slot);
    }
}

void settleRegistersOf(const Program& program, const vm::Debugger& debugger, vm::DebugThreadId thread) {
    for (const vm::DebugFrame& f : debugger.frames(thread, 0, MostFrames))
        for (size_t i = 0; hasVariables(f) && i < program.module.fn(f.func).slots.size(); ++i)
            settleRegister(program, f, static_cast<ir::SlotId>(i));
}

} // namespace sx::debugger
