#include "debugger/session/Jumps.h"

#include "debugger/session/Frames.h"

#include "llvm/ADT/STLExtras.h"

namespace sx::debugger {

static std::optional<FrameHandle> innermost(Session& s, ThreadId thread) {
    Frames top = s.engine->frames(thread, 0, 1);
    if (top.frames.empty() || top.frames[0].func == ir::FuncId::None) return std::nullopt;
    return FrameHandle{thread, 0, top.frames[0]};
}

std::set<ir::SlotId> variablesWithValues(Session& s, ThreadId thread) {
    std::set<ir::SlotId> all;
    if (std::optional<FrameHandle> frame = innermost(s, thread))
        for (const Variable& v : declaredLocals(s, *frame))
            if (hasValue(s, *frame, v)) all.insert(v.slot);
    return all;
}

void noteJump(Session& s, ThreadId thread, const std::set<ir::SlotId>& before) {
    std::optional<FrameHandle> frame = innermost(s, thread);
    if (!frame) return;
    const ir::Function& fn = s.program->module.fn(frame->frame.func);
    if (frame->frame.statement >= fn.statements.size()) return;
    Jump jump{thread, frame->frame.address, frame->frame.func, fn.statements[frame->frame.statement].first, {}};
    for (const Variable& v : declaredLocals(s, *frame))
        if (before.count(v.slot) == 0) jump.passed.insert(v.slot);
    llvm::erase_if(s.jumps, [&](const Jump& j) { return j.thread == thread && j.frame == jump.frame; });
    if (!jump.passed.empty()) s.jumps.push_back(std::move(jump));
}

/// While another thread steps, or all run, a frame may end and another one begin in its place.
void forgetJumps(Session& s) {
    if (s.jumps.empty()) return;
    llvm::erase_if(s.jumps, [&](const Jump& j) {
        if (s.steps != j.thread) return true;
        constexpr uint32_t Most = 1000; // frames that a step may have added
        std::vector<Frame> frames = s.engine->frames(j.thread, 0, Most).frames;
        return llvm::none_of(frames, [&](const Frame& f) { return f.func == j.func && f.address == j.frame; });
    });
}

bool isPassedOver(Session& s, const FrameHandle& frame, ir::SlotId slot, ir::ValueId point, bool isDone) {
    const ir::Function& fn = s.program->module.fn(frame.frame.func);
    return llvm::any_of(s.jumps, [&](const Jump& j) {
        bool isOfFrame = j.thread == frame.thread && j.frame == frame.frame.address && j.func == frame.frame.func;
        return isOfFrame && j.passed.count(slot) != 0 &&
               !s.program->initialValues(j.func).mayGetValue(fn, slot, j.to, point, isDone);
    });
}

} // namespace sx::debugger
