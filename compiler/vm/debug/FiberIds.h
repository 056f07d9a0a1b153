// Numbers of threads for fibers.
#pragma once

#include "vm/debug/Stack.h"

#include <vector>

namespace sx::vm {

/// Fibers are numbered like threads, from the same count, in the order in which they were created, whether they have
/// begun or not: so a fiber has its number before anybody asks for it.
class FiberIds {
public:
    /// So many fibers have been created. `last`: the last number that was given, which rises.
    void see(uint32_t created, DebugThreadId& last) {
        if (created <= seen_) return;
        ranges_.push_back({seen_ + 1, last + 1});
        last += created - seen_;
        seen_ = created;
    }
    /// Of a fiber that was seen; 0: there is none.
    DebugThreadId of(uint32_t fiber) const {
        if (fiber == 0 || fiber > seen_) return 0;
        for (auto range = ranges_.rbegin(); range != ranges_.rend(); ++range)
            if (range->fiber <= fiber) return range->id + (fiber - range->fiber);
        return 0;
    }

private:
    struct Range {
        uint32_t fiber;
        DebugThreadId id;
    };
    uint32_t seen_ = 0;
    std::vector<Range> ranges_; ///< a new one begins where threads of the system were numbered in between
};

} // namespace sx::vm
