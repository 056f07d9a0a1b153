#include "debugger/native/engine/FilteredHits.h"

#include "debugger/native/engine/Events.h"
#include "debugger/native/engine/Fibers.h"
#include "ir/CodeMarks.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sx::debugger::native {

namespace {

/// Behind a prologue the caller's frame pointer and the return address are all that lies between.
constexpr uint64_t FrameAboveFramePointer = 2 * sizeof(uint64_t);

/// What is wanted there are breakpoints of one statement, each with a condition.
bool hasConditionsOnly(const Native& n, uint64_t address, uint32_t statement) {
    auto places = n.places.find(address);
    if (places == n.places.end()) return false;
    for (auto& [id, at] : places->second) {
        auto request = n.breakpoints.find(id);
        if (request == n.breakpoints.end() || request->second.condition.empty() || at != statement) return false;
    }
    return true;
}

/// Others want to hear of the place, too.
bool isSharedPlace(const Native& n, uint64_t address) {
    auto isAt = [&](const auto& pending) { return pending.address == address; };
    if (n.errorPlaces.count(address) != 0 || n.panics.count(address) != 0) return true;
    if (address == n.announcement || address == n.unhandled) return true;
    if (std::any_of(n.pendingErrors.begin(), n.pendingErrors.end(), isAt)) return true;
    if (std::any_of(n.pendingWrites.begin(), n.pendingWrites.end(), isAt)) return true;
    if (!n.step) return false;
    const StepPlan& step = *n.step;
    return step.starts.count(address) != 0 || step.entries.count(address) != 0 || address == step.returnTo ||
           address == step.backTo;
}

/// Where a variable of the frame is all the time, from the frame pointer on; nothing: elsewhere, or there are several
/// of its name.
std::optional<int64_t> offsetOf(const Native& n, const FilteredPlace& place, ir::SlotId id) {
    const CodeCopy& copy = n.image.copies()[place.copy];
    const ir::Slot& slot = n.program.module.fn(place.frame.func).slots[static_cast<uint32_t>(id)];
    if (const ImageBlock* block = n.slots.blockOf(place.copy, id)) return block->frameOffset;
    std::string_view name = n.program.module.types.names().text(slot.name);
    uint32_t line = lineOf(n, slot);
    std::optional<int64_t> found;
    unsigned count = 0;
    auto add = [&](const std::string& other, uint32_t at, std::optional<int64_t> offset) {
        if (other != name || at != line) return;
        found = offset;
        ++count;
    };
    for (const ImageBlock& block : copy.blocks) add(block.variable, block.line, block.frameOffset);
    for (const ImageParameter& p : copy.parameters) add(p.name, p.line, p.frameOffset);
    return count == 1 ? found : std::nullopt;
}

} // namespace

void noteIgnored(Native& n) {
    if (n.lastStop.reason != Stop::Reason::Breakpoint) return;
    Result<SystemThread> thread = systemThread(n, n.lastStop.thread);
    const StackFrame* f = thread ? n.stack.shown(*thread, 0) : nullptr;
    if (!f || f->number != 0 || f->frame.inlined || !f->frame.atStatement || f->copy == UINT32_MAX) return;
    if (f->frame.func == ir::FuncId::None || n.image.isForeign(f->frame.func)) return;
    if (n.filtered.count(f->frame.pc) != 0 || !hasConditionsOnly(n, f->frame.pc, f->frame.statement)) return;
    std::optional<uint64_t> base = n.target->readRegister(*thread, 0, "rbp");
    if (!base || f->cfa != *base + FrameAboveFramePointer) return;
    n.filtered.emplace(f->frame.pc, FilteredPlace{f->frame, f->copy});
}

std::set<uint64_t> filteredPlaces(const Native& n) {
    std::set<uint64_t> all;
    if (!n.interrupted.empty() || n.pauseWanted || n.runsByCommand) return all;
    for (auto& [address, place] : n.filtered)
        if (hasConditionsOnly(n, address, place.frame.statement) && !isSharedPlace(n, address)) all.insert(address);
    return all;
}

/// The answer; it may come too late.
static void settle(Native& n, bool goesOn) {
    if (!n.hit.place) return;
    FilteredHit hit = std::exchange(n.hit, {});
    n.memory.forget();
    hit.settle(goesOn);
}

void handleHit(Native& n, const TargetEvent& event) {
    const ThreadStop& stop = event.stops.front();
    auto place = n.filtered.find(stop.pc);
    auto thread = n.threadIds.find(stop.thread);
    auto wanted = n.places.find(stop.pc);
    bool isDecided = n.state == RunState::Running && !n.whenStill && !n.pauseWanted && place != n.filtered.end() &&
                     wanted != n.places.end() && thread != n.threadIds.end();
    if (!isDecided) return event.settle(false);
    n.memory.forget();
    n.lastBreaks[stop.thread] = stop.pc;
    n.hit = {&place->second, event.framePointer, event.settle};
    Event told;
    told.kind = Event::Kind::Hit;
    told.settle = [&n](bool goesOn) { settle(n, goesOn); };
    told.stop.reason = Stop::Reason::Breakpoint;
    told.stop.thread = thread->second;
    for (auto& [id, statement] : wanted->second) told.stop.breakpoints.push_back(id);
    post(n, std::move(told));
}

void forgetHit(Native& n) {
    n.hit = {};
    std::erase_if(n.events, [](const Event& event) { return event.kind == Event::Kind::Hit; });
}

Frame frameAtHit(const Native& n) {
    Frame frame = n.hit.place->frame;
    frame.address = n.hit.framePointer + FrameAboveFramePointer;
    return frame;
}

SlotPlace slotAtHit(const Native& n, ir::SlotId slot) {
    SlotPlace place;
    place.why = "not known before the program stops";
    uint64_t fixed = n.image.staticAddress(n.hit.place->frame.func, slot);
    std::optional<int64_t> offset = offsetOf(n, *n.hit.place, slot);
    if (fixed == 0 && !offset) return place;
    place.kind = SlotPlace::Kind::Memory;
    place.address = fixed != 0 ? n.toRun(fixed) : n.hit.framePointer + static_cast<uint64_t>(*offset);
    return place;
}

} // namespace sx::debugger::native
