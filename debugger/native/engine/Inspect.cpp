// What the session asks of a program that stands still.
#include "debugger/native/engine/NativeEngine.h"

#include <algorithm>

namespace sx::debugger::native {

std::vector<ThreadInfo> NativeEngine::threads() {
    std::vector<ThreadInfo> out;
    std::map<SystemThread, std::string> names;
    if (target_ && state_ != State::Running && state_ != State::Ended)
        for (const TargetThread& thread : target_->threads()) names[thread.thread] = thread.name;
    for (auto& [thread, id] : threadIds_) {
        std::string name = id == 1 ? "main" : names[thread];
        if (name.empty()) name = "thread";
        out.push_back({id, name + " (" + std::to_string(thread) + ")"});
    }
    std::sort(out.begin(), out.end(), [](auto& a, auto& b) { return a.id < b.id; });
    return out;
}

Frames NativeEngine::frames(ThreadId id, uint32_t start, uint32_t count) {
    Frames out;
    Result<SystemThread> thread = systemThread(id);
    if (!thread || state_ == State::Running) return out;
    for (uint32_t i = 0; i < count; ++i) {
        const StackFrame* f = stack_.shown(*thread, start + i);
        if (!f) break;
        out.frames.push_back(f->frame);
    }
    out.total = stack_.total(*thread);
    return out;
}

// ---- variables

/// Of two of one name and line the one that is visible.
const TargetVariable* NativeEngine::variable(SystemThread thread, uint32_t number, const ir::Function& fn,
                                             ir::SlotId slot) {
    auto [known, isNew] = variables_.try_emplace({thread, number});
    if (isNew) known->second = target_->variables(thread, number);
    const ir::Slot& wanted = fn.slots[static_cast<uint32_t>(slot)];
    std::string_view name = program_.module.types.names().text(wanted.name);
    uint32_t line = wanted.span.isValid() ? program_.module.sources.resolve(wanted.span.begin).line : 0;
    const TargetVariable* found = nullptr;
    for (const TargetVariable& v : known->second)
        if (v.name == name && v.line == line && (!found || (v.inScope && !found->inScope))) found = &v;
    return found;
}

SlotPlace NativeEngine::slot(ThreadId id, uint32_t frame, ir::SlotId slot) {
    SlotPlace place;
    place.why = "optimized out";
    Result<SystemThread> thread = systemThread(id);
    const StackFrame* f = thread ? stack_.shown(*thread, frame) : nullptr;
    if (!f || f->frame.func == ir::FuncId::None) return place;
    const TargetVariable* found = variable(*thread, f->number, program_.module.fn(f->frame.func), slot);
    if (!found || (found->address == 0 && !found->error.empty())) return place;
    place.why.clear();
    place.kind = found->address != 0 ? SlotPlace::Kind::Memory : SlotPlace::Kind::Register;
    place.address = found->address;
    place.bytes = found->bytes;
    return place;
}

Result<void> NativeEngine::writeSlot(ThreadId id, uint32_t frame, ir::SlotId slot, const std::vector<uint8_t>& bytes) {
    Result<SystemThread> thread = systemThread(id);
    if (!thread) return thread.failure();
    const StackFrame* f = stack_.shown(*thread, frame);
    if (!f || f->frame.func == ir::FuncId::None) return Failure{"there is no such variable"};
    const TargetVariable* found = variable(*thread, f->number, program_.module.fn(f->frame.func), slot);
    if (!found) return Failure{"there is no such variable"};
    std::string problem = target_->writeVariable(*thread, f->number, found->name, found->line, bytes);
    variables_.clear();
    return problem.empty() ? Result<void>() : Failure{problem};
}

std::vector<RegisterValue> NativeEngine::registers(ThreadId id, uint32_t frame) {
    std::vector<RegisterValue> out;
    Result<SystemThread> thread = systemThread(id);
    const StackFrame* f = thread ? stack_.shown(*thread, frame) : nullptr;
    if (!f) return out;
    for (TargetRegister& r : target_->registers(*thread, f->number))
        out.push_back({std::move(r.name), std::move(r.text)});
    return out;
}

} // namespace sx::debugger::native
