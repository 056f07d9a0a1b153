// What the session asks of a program that stands still.
#include "debugger/native/engine/Events.h"
#include "debugger/native/engine/FilteredHits.h"
#include "debugger/native/engine/NativeEngine.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace sx::debugger::native {

std::vector<ThreadInfo> NativeEngine::threads() {
    std::vector<ThreadInfo> out;
    for (auto& [thread, id] : n_.threadIds)
        out.push_back({id, (id == 1 ? "main (" : "thread (") + std::to_string(thread) + ")", 0, thread});
    for (const FiberRecord& r : fibersNow(n_).records)
        if (ThreadId id = n_.fibers.ids.of(r.number); id != 0 && r.state != FiberState::Done)
            out.push_back({id, "fiber " + std::to_string(id), r.number, 0});
    std::sort(out.begin(), out.end(), [](auto& a, auto& b) { return a.id < b.id; });
    return out;
}

Frames NativeEngine::frames(ThreadId id, uint32_t start, uint32_t count) {
    Frames out;
    if (n_.hit.place) {
        if (start == 0 && count > 0) out.frames.push_back(frameAtHit(n_));
        return out;
    }
    Result<SystemThread> thread = systemThread(n_, id);
    if (!thread || n_.state == RunState::Running) return out;
    for (uint32_t i = 0; i < count; ++i) {
        const StackFrame* f = n_.stack.shown(*thread, start + i);
        if (!f) break;
        out.frames.push_back(f->frame);
    }
    out.total = n_.stack.total(*thread);
    return out;
}

// ---- variables

static uint64_t fromFramePointer(Native& n, SystemThread thread, const StackFrame& f, int64_t offset) {
    std::optional<uint64_t> base = n.target->readRegister(thread, f.number, "rbp");
    return base ? *base + static_cast<uint64_t>(offset) : 0;
}

/// Of several of one name and line it is the one in the slot's own block; where that is not known each is the slot in
/// the same order, or else the one that is visible.
static const TargetVariable* variable(Native& n, SystemThread thread, const StackFrame& f, ir::SlotId slot) {
    auto [known, isNew] = n.variables.try_emplace({thread, f.number});
    if (isNew) known->second = n.target->variables(thread, f.number);
    const ir::Function& fn = n.program.module.fn(f.frame.func);
    const ir::Slot& wanted = fn.slots[static_cast<uint32_t>(slot)];
    std::string_view name = n.program.module.types.names().text(wanted.name);
    uint32_t line = lineOf(n, wanted);
    std::vector<const TargetVariable*> found;
    for (const TargetVariable& v : known->second)
        if (v.name == name && v.line == line) found.push_back(&v);
    if (found.size() > 1) {
        const ImageBlock* block = n.slots.blockOf(f.copy, slot);
        uint64_t address = block && block->frameOffset ? fromFramePointer(n, thread, f, *block->frameOffset) : 0;
        for (const TargetVariable* v : found)
            if (address != 0 && v->address == address) return v;
        size_t before = 0, all = 0;
        for (uint32_t i = 0; i < fn.slots.size(); ++i) {
            const ir::Slot& other = fn.slots[i];
            if (!other.isVariable || other.name != wanted.name || lineOf(n, other) != line) continue;
            before += i < static_cast<uint32_t>(slot);
            ++all;
        }
        if (all == found.size()) return found[before];
    }
    for (const TargetVariable* v : found)
        if (v->inScope) return v;
    return found.empty() ? nullptr : found.front();
}

/// lldb knows a variable within its block only. Where `main` has let go of an error, or a block is about to end, the
/// frame still has it.
static uint64_t addressInFrame(Native& n, SystemThread thread, const StackFrame& f, ir::SlotId id) {
    const CodeCopy& copy = n.image.copies()[f.copy];
    auto trace = copy.traces.find(static_cast<uint32_t>(id));
    if (trace != copy.traces.end()) return fromFramePointer(n, thread, f, trace->second);
    if (const ImageBlock* block = n.slots.blockOf(f.copy, id))
        return block->frameOffset ? fromFramePointer(n, thread, f, *block->frameOffset) : 0;
    const ir::Slot& slot = n.program.module.fn(f.frame.func).slots[static_cast<uint32_t>(id)];
    std::string_view name = n.program.module.types.names().text(slot.name);
    uint32_t line = lineOf(n, slot);
    for (const ImageBlock& block : copy.blocks)
        if (block.variable == name && block.line == line && block.frameOffset)
            return fromFramePointer(n, thread, f, *block.frameOffset);
    return 0;
}

/// lldb takes the size of the expression that gives the length for the length.
static std::vector<uint64_t> countsOf(Native& n, SystemThread thread, const StackFrame& f, ir::SlotId slot) {
    std::vector<uint64_t> counts;
    for (const ArrayLength& length : n.image.lengthsOf(f.frame.func, slot)) {
        counts.push_back(length.count);
        if (!length.isInFrame) continue;
        uint64_t base = length.fromCfa ? f.cfa : n.target->readRegister(thread, f.number, "rbp").value_or(0);
        uint64_t number = n.memory.word(base + static_cast<uint64_t>(length.offset)).value_or(0);
        counts.back() = number + (length.isLast ? 1 : 0);
    }
    return counts;
}

/// What the optimizer has left out of a variable: lldb takes zeros for it.
static std::vector<ByteRange> missingOf(const Native& n, SystemThread thread, const StackFrame& f,
                                        const TargetVariable& found) {
    bool isThere = (f.isInnermost && n.stack.place().parked != thread) || f.isInterrupted;
    uint64_t at = n.toFile(f.frame.pc) - (isThere ? 0 : 1); // a caller is in its call
    uint64_t size = found.bytes.size();
    for (const ImageGap& gap : n.image.copies()[f.copy].gaps) {
        if (gap.variable != found.name || gap.line != found.line || !gap.at.contains(at)) continue;
        std::vector<ByteRange> missing = gap.missing;
        if (gap.size < size) missing.push_back({gap.size, size - gap.size});
        return missing;
    }
    return {};
}

SlotPlace NativeEngine::slot(ThreadId id, uint32_t frame, ir::SlotId slot) {
    if (n_.hit.place) return slotAtHit(n_, slot);
    SlotPlace place;
    place.why = "optimized out";
    Result<SystemThread> thread = systemThread(n_, id);
    const StackFrame* f = thread ? n_.stack.shown(*thread, frame) : nullptr;
    if (!f || f->frame.func == ir::FuncId::None) return place;
    if (uint64_t fixed = n_.image.staticAddress(f->frame.func, slot)) {
        place.kind = SlotPlace::Kind::Memory;
        place.address = n_.toRun(fixed);
        return place;
    }
    const TargetVariable* found = variable(n_, *thread, *f, slot);
    if (!found || (found->address == 0 && !found->error.empty())) {
        place.address = addressInFrame(n_, *thread, *f, slot);
        if (place.address != 0) place.kind = SlotPlace::Kind::Memory;
        return place;
    }
    place.why.clear();
    place.kind = found->address != 0 ? SlotPlace::Kind::Memory : SlotPlace::Kind::Register;
    place.address = found->address;
    place.bytes = found->bytes;
    if (place.kind == SlotPlace::Kind::Register) place.missing = missingOf(n_, *thread, *f, *found);
    place.counts = countsOf(n_, *thread, *f, slot);
    return place;
}

std::optional<SlotPlace> NativeEngine::threadLocal(ThreadId id, uint32_t frame, ir::GlobalId global) {
    if (!n_.image.isThreadLocal(global)) return std::nullopt;
    SlotPlace place;
    place.why = "each thread has its own";
    if (n_.hit.place) return place;
    Result<SystemThread> thread = systemThread(n_, id);
    const StackFrame* f = thread ? n_.stack.shown(*thread, frame) : nullptr;
    if (!f) return place;
    const ir::Global& wanted = n_.program.module.global(global);
    std::vector<TargetVariable> found = n_.target->variables(*thread, f->number, wanted.name);
    // A local of that name hides it.
    uint32_t line = wanted.span.isValid() ? n_.program.module.sources.resolve(wanted.span.begin).line : 0;
    std::erase_if(found, [&](const TargetVariable& v) { return v.line != 0 && line != 0 && v.line != line; });
    place.address = found.empty() ? 0 : found.front().address;
    if (place.address != 0) place.kind = SlotPlace::Kind::Memory;
    else place.why += ", which cannot be found here" + (found.empty() ? "" : ": " + found.front().error);
    return place;
}

Result<void> NativeEngine::writeSlot(ThreadId id, uint32_t frame, ir::SlotId slot, const std::vector<uint8_t>& bytes) {
    Result<SystemThread> thread = systemThread(n_, id);
    if (!thread) return thread.failure();
    const StackFrame* f = n_.stack.shown(*thread, frame);
    if (!f || f->frame.func == ir::FuncId::None) return Failure{"there is no such variable"};
    const TargetVariable* found = variable(n_, *thread, *f, slot);
    if (!found) return Failure{"there is no such variable"};
    const std::string name = found->name;
    std::string problem = n_.target->writeVariable(*thread, f->number, found->name, found->line, bytes);
    n_.variables.clear();
    if (!problem.empty()) return Failure{code(name) + " cannot be set: " + problem};
    // lldb takes any value, also where a constant or an expression is all that there is of the variable.
    found = variable(n_, *thread, *f, slot);
    if (!found || found->bytes != bytes || !missingOf(n_, *thread, *f, *found).empty())
        return Failure{"the optimizer has left no place for a value of " + code(name)};
    return {};
}

std::vector<RegisterValue> NativeEngine::registers(ThreadId id, uint32_t frame) {
    std::vector<RegisterValue> out;
    Result<SystemThread> thread = systemThread(n_, id);
    const StackFrame* f = thread ? n_.stack.shown(*thread, frame) : nullptr;
    if (!f) return out;
    for (TargetRegister& r : n_.target->registers(*thread, f->number)) {
        bool isInCall = n_.stack.place().parked == *thread && f->isInnermost && r.name == "rip";
        if (isInCall) r.text = "0x" + llvm::utohexstr(f->frame.pc, /*LowerCase=*/true, /*Width=*/16);
        out.push_back({std::move(r.name), r.text.empty() ? "<not known here>" : std::move(r.text)});
    }
    return out;
}

} // namespace sx::debugger::native
