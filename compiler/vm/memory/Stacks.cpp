#include "vm/memory/Stacks.h"

#include "vm/memory/Reserve.h"

#include <algorithm>

namespace sx::vm {

/// No frame, with its outgoing area, is larger: its registers are addressed with 16 bits.
static constexpr uint64_t LargestFrameWords = uint64_t{1} << 16;

std::unique_ptr<Stacks> Stacks::make(uint64_t stackBytes, bool hasSpare, PlaceFor placeFor) {
    const uint64_t spare = hasSpare ? SpareBytes : 0;
    const uint64_t beyondLimit = 2 * LargestFrameWords * 8 + spare;
    static_assert(2 * LargestFrameWords * 8 + SpareBytes < LeastOfMore / 2);
    std::unique_ptr<Stacks> s(new Stacks);
    s->frameBytes = stackBytes + beyondLimit;
    s->frames = tryReserve(s->frameBytes, placeFor(s->frameBytes));
    s->farBytes = stackBytes + spare;
    s->far = s->frames ? tryReserve(s->farBytes, placeFor(s->farBytes)) : nullptr;
    if (!s->far) return nullptr;
    // As far as there was address space.
    s->frameLimit = std::min(stackBytes, s->frameBytes - beyondLimit);
    s->farLimit = std::min(stackBytes, s->farBytes - spare);
    return s;
}

Stacks::~Stacks() {
    if (frames) release(frames, frameBytes);
    if (far) release(far, farBytes);
}

std::unique_ptr<Stacks>& Stacks::ofNewThread() {
    static thread_local std::unique_ptr<Stacks> stacks;
    return stacks;
}

} // namespace sx::vm
