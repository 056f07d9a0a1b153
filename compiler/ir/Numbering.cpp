#include "ir/Numbering.h"

namespace sx::ir {

namespace {

std::vector<bool> reachableBlocks(const Function& fn) {
    std::vector<bool> reached(fn.blocks.size());
    std::vector<BlockId> work{BlockId{0}};
    reached[0] = true;
    while (!work.empty()) {
        const Block& block = fn.blocks[raw(work.back())];
        work.pop_back();
        if (block.instrs.empty()) continue;
        for (const Target& t : fn.targetsOf(fn.instr(block.instrs.back()))) {
            if (reached[raw(t.block)]) continue;
            reached[raw(t.block)] = true;
            work.push_back(t.block);
        }
    }
    return reached;
}

} // namespace

Numbering::Numbering(const Function& fn)
    : blocks_(fn.blocks.size(), BlockId::None), values_(fn.instrs.size(), ValueId::None) {
    const std::vector<bool> reached = reachableBlocks(fn);
    for (uint32_t b = 0; b < fn.blocks.size(); ++b) {
        if (!reached[b]) continue;
        blocks_[b] = static_cast<BlockId>(blockCount_++);
        for (ValueId v : fn.blocks[b].instrs) values_[raw(v)] = static_cast<ValueId>(valueCount_++);
    }
}

} // namespace sx::ir
