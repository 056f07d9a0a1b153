// Loads of promoted slots whose value is used in later blocks.
//
// Checks of bounds and of null split straight code into many blocks, each with one predecessor. On such a path a
// load needs no instruction as long as the slot is not written between it and the uses, as within one block.
#include "vm/translate/Analysis.h"

#include <algorithm>

namespace sx::vm {

using ir::BlockId;
using ir::Op;
using ir::SlotId;
using ir::ValueId;

void Analysis::forwardAcrossBlocks() {
    if (loadsReadElsewhere_.empty()) return;
    for (BlockId b : layout_)
        for (ValueId v : block(b).instrs) {
            if (instr(v).op != Op::Store) continue;
            SlotId s = promotedSlot(fn_.operandsOf(instr(v))[0]);
            if (s != SlotId::None)
                stores_[{static_cast<uint32_t>(s), static_cast<uint32_t>(b)}].push_back(plan(v).position);
        }
    for (const auto& [load, reads] : loadsReadElsewhere_) {
        SlotId s = promotedSlot(fn_.operandsOf(instr(load))[0]);
        if (plan(load).home != ValuePlan::Home::Register || !keepsItsSlot(load, s)) continue;
        at(load).home = ValuePlan::Home::SlotRead;
        for (auto [b, position] : reads) {
            uint32_t& last = readFromOutside_[{static_cast<uint32_t>(s), static_cast<uint32_t>(b)}];
            last = std::max(last, position);
        }
    }
}

/// A store at `before` itself is the use.
bool Analysis::isStoredIn(SlotId s, BlockId b, uint32_t after, uint32_t before) const {
    auto it = stores_.find({static_cast<uint32_t>(s), static_cast<uint32_t>(b)});
    if (it == stores_.end()) return false;
    return std::any_of(it->second.begin(), it->second.end(), [&](uint32_t p) { return p >= after && p < before; });
}

/// On the way from the load to each use, which must be the only way, nothing is stored in the slot, and no debugger
/// stops.
bool Analysis::keepsItsSlot(ValueId load, SlotId s) const {
    constexpr unsigned LongestWay = 64;
    const ValuePlan& p = plan(load);
    auto isPassed = [&](BlockId b, uint32_t from) {
        return !isStoredIn(s, b, from, UINT32_MAX) && staysWithin(b, from, block(b).instrs.size());
    };
    if (!isPassed(p.block, p.position + 1)) return false;
    for (auto [useBlock, position] : loadsReadElsewhere_.find(load)->second) {
        if (isStoredIn(s, useBlock, 0, position) || !staysWithin(useBlock, 0, position + 1)) return false;
        unsigned steps = 0;
        for (BlockId b = onlyPredecessor_[static_cast<uint32_t>(useBlock)]; b != p.block;
             b = onlyPredecessor_[static_cast<uint32_t>(b)])
            if (b == BlockId::None || ++steps > LongestWay || !isPassed(b, 0)) return false;
    }
    return true;
}

/// A load of another block is read here after the position.
bool Analysis::isReadFromOutside(SlotId s, BlockId b, uint32_t after) const {
    auto it = readFromOutside_.find({static_cast<uint32_t>(s), static_cast<uint32_t>(b)});
    return it != readFromOutside_.end() && it->second > after;
}

} // namespace sx::vm
