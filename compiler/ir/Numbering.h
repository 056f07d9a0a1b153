// What is left of a function when the blocks that its entry does not reach are gone, in the order of its text.
#pragma once

#include "ir/Ir.h"

namespace sx::ir {

/// The numbers that blocks and values get then; None: it goes.
class Numbering {
public:
    explicit Numbering(const Function&);

    BlockId of(BlockId b) const { return blocks_[raw(b)]; }
    ValueId of(ValueId v) const { return v == ValueId::None ? v : values_[raw(v)]; }
    uint32_t blockCount() const { return blockCount_; }
    uint32_t valueCount() const { return valueCount_; }

private:
    std::vector<BlockId> blocks_;
    std::vector<ValueId> values_;
    uint32_t blockCount_ = 0, valueCount_ = 0;
};

} // namespace sx::ir
