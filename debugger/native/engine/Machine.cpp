#include "debugger/native/engine/Machine.h"

#include "debugger/inspect/Datum.h"
#include "debugger/native/engine/Events.h"
#include "debugger/native/engine/Positions.h"
#include "types/MachineForm.h"

#include "debug_fiber.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sx::debugger::native {

namespace {

/// Nothing calls these.
bool isOutermost(const TargetFrame& f) {
    static constexpr const char* Names[] = {"_start",  "main",     "clone",         "clone3",
                                            "__clone", "__clone3", "sx_fiber_start"};
    return !f.inlined && std::find(std::begin(Names), std::end(Names), f.symbol) != std::end(Names);
}

} // namespace

bool NativeMachine::isCode(uint64_t address) const {
    return std::any_of(regions_.begin(), regions_.end(),
                       [&](const MemoryRegion& r) { return r.executable && address >= r.start && address < r.end; });
}

/// Of the function that has its code there, by what is known beside the executable; empty: there is none.
std::string NativeMachine::nameOf(uint64_t address) const {
    for (uint32_t copy : n_.image.copiesAt(address)) {
        const CodeCopy& code = n_.image.copies()[copy];
        if (code.depth == 0 && code.func != ir::FuncId::None) return n_.program.module.fn(code.func).name;
    }
    return "";
}

MachineFrame NativeMachine::frameOf(const TargetFrame& from, bool isInnermost) const {
    MachineFrame f{from.pc, from.sp, from.fp, from.name.empty() ? from.symbol : from.name, {}, from.file, from.line};
    uint64_t lookup = n_.toFile(from.pc) - (isInnermost ? 0 : 1); // of a caller: the call
    if (from.inlined) return f;
    if (isMadeUp(f.symbol)) f.symbol = nameOf(lookup);
    if (const ImageRow* row = n_.image.rowAt(lookup); row && row->hasFile && row->line != 0)
        f.at = positionAt(n_.program.module.sources, row->file, row->line, row->column);
    return f;
}

/// The function of the program around a call begins with `push %rbp; mov %rsp, %rbp`.
bool NativeMachine::keepsFramePointer(uint64_t pc) const {
    static constexpr std::array<uint8_t, 4> Begin = {0x55, 0x48, 0x89, 0xe5};
    for (uint32_t copy : n_.image.copiesAt(n_.toFile(pc) - 1)) {
        const CodeCopy& code = n_.image.copies()[copy];
        std::array<uint8_t, 4> bytes{};
        if (code.depth == 0 && n_.target->readMemory(n_.toRun(code.entry), bytes.data(), bytes.size()) == bytes.size())
            return bytes == Begin;
    }
    return false;
}

/// Why nothing can be said of who has called a frame; "" where `outer` is right. lldb may have walked before memory was
/// changed, and guesses where a frame is damaged: what stands in memory counts.
std::string NativeMachine::damageBetween(const TargetFrame& inner, const TargetFrame* outer) {
    if (inner.inlined || isOutermost(inner)) return "";
    bool hasFrame =
        inner.fp != 0 && inner.cfa == inner.fp + 2 * WordSize; // what began with a push of the frame pointer
    uint64_t saved[2] = {0, 0};
    if (hasFrame && n_.target->readMemory(inner.fp, saved, sizeof saved) != sizeof saved)
        return "the frame at " + hexText(inner.fp) + " cannot be read";
    if (hasFrame && !isCode(saved[1])) return "the return address " + hexText(saved[1]) + " lies in no code";
    if (!outer) return "nobody is found who has called the function: the frame before it is damaged";
    if (!isCode(outer->pc)) return "the pc " + hexText(outer->pc) + " lies in no code";
    if (outer->cfa <= inner.cfa && outer->cfa != 0)
        return "the frame of the caller, " + hexText(outer->cfa) + ", does not lie behind its callee's";
    if (hasFrame && saved[1] != outer->pc)
        return "the return address " + hexText(saved[1]) + " is not that of the call, " + hexText(outer->pc);
    bool isOther =
        keepsFramePointer(outer->pc) ? saved[0] != outer->cfa - 2 * WordSize : saved[0] != outer->fp && outer->fp != 0;
    if (hasFrame && !outer->inlined && isOther)
        return "the saved frame pointer " + hexText(saved[0]) + " is not that of the caller, " +
               hexText(keepsFramePointer(outer->pc) ? outer->cfa - 2 * WordSize : outer->fp);
    return "";
}

MachineStack NativeMachine::stack(uint32_t id, uint32_t most) {
    MachineStack out;
    Result<SystemThread> thread = systemThread(n_, id);
    if (!thread || !n_.target || n_.state == RunState::Running) return out;
    regions_ = n_.target->regions();
    constexpr uint32_t MostHidden = 32; ///< frames of the runtime
    std::vector<TargetFrame> frames = n_.target->frames(*thread, 0, most + MostHidden + 1);
    const Stack::Place& place = n_.stack.place();
    bool isAfterCall = place.parked == *thread || place.afterCall == *thread;
    for (size_t i = 0; i < frames.size() && out.frames.size() < most; ++i) {
        if (i == 0 && !isCode(frames[0].pc)) {
            out.damage = "the pc " + hexText(frames[0].pc) + " lies in no code";
            break;
        }
        if (isRuntimeWork(frames[i].symbol)) out.frames.clear();
        if (!isRuntime(frames[i].symbol)) out.frames.push_back(frameOf(frames[i], i == 0 && !isAfterCall));
        if (isOutermost(frames[i])) break;
        if (out.frames.size() == most) break;
        out.damage = damageBetween(frames[i], i + 1 < frames.size() ? &frames[i + 1] : nullptr);
        if (!out.damage.empty()) break;
    }
    return out;
}

std::vector<MappedRegion> NativeMachine::mappingsOfCore() {
    std::vector<MappedRegion> out;
    if (!n_.isCore || !n_.target) return out;
    for (const MemoryRegion& r : n_.target->regions()) {
        std::string permissions = {r.readable ? 'r' : '-', r.writable ? 'w' : '-', r.executable ? 'x' : '-'};
        out.push_back({r.name, r.start, r.end, std::move(permissions)});
    }
    return out;
}

std::vector<ProgramSymbol> NativeMachine::symbols() {
    std::vector<ProgramSymbol> out;
    for (const CodeCopy& copy : n_.image.copies()) {
        if (copy.depth != 0 || copy.func == ir::FuncId::None || copy.ranges.empty()) continue;
        if (n_.image.isForeign(copy.func) && !n_.image.isForeign()) continue; // C code is left out
        const ir::Function& fn = n_.program.module.fn(copy.func);
        out.push_back(
            {fn.name, n_.toRun(copy.entry), copy.ranges.front().end - copy.ranges.front().begin, true, fn.span.begin});
    }
    for (size_t i = 0; i < n_.program.module.globals.size(); ++i) {
        const ir::Global& g = n_.program.module.globals[i];
        if (ForeignTypes::owns(g.type) && !n_.image.isForeign()) continue;
        if (g.isExtern || g.type == TypeId::None || (!g.span.isValid() && !n_.image.isForeign())) continue;
        if (std::optional<uint64_t> address = n_.addresses.addressOf(static_cast<ir::GlobalId>(i)))
            out.push_back({g.name, *address, g.size, false, g.span.begin});
    }
    std::stable_sort(out.begin(), out.end(), [](auto& a, auto& b) { return a.address < b.address; });
    return out;
}

uint64_t NativeMachine::symbolAddress(const std::string& name) {
    if (uint64_t address = n_.image.symbol(name)) return n_.toRun(address);
    return n_.target ? n_.target->symbolAddress(name) : 0;
}

void NativeMachine::logFibers(bool on) {
    uint64_t records = n_.addresses.fiberRecords();
    uint32_t logs = on ? 1 : 0;
    auto* bytes = reinterpret_cast<const uint8_t*>(&logs);
    if (records != 0 && n_.state != RunState::Running)
        n_.memory.write(records + offsetof(sx_debug_fiber_list, logs), {bytes, sizeof logs});
}

} // namespace sx::debugger::native
