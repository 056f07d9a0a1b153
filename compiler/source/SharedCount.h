// Numbers for things of one kind, from a count that other kinds get theirs from, too.
#pragma once

#include <cstdint>
#include <vector>

namespace sx {

/// The things are counted by themselves, from 1 in the order in which they were made: fibers, whose numbers for a
/// debugger are of the same count as those of threads. So each has its number before anybody asks for it.
class SharedCount {
public:
    /// So many have been made. `last`: the last number of the common count, which rises.
    void see(uint32_t made, uint32_t& last) {
        if (made <= seen_) return;
        bool goesOn = !ranges_.empty() && ranges_.back().number + (seen_ + 1 - ranges_.back().first) == last + 1;
        if (!goesOn) ranges_.push_back({seen_ + 1, last + 1});
        last += made - seen_;
        seen_ = made;
    }
    /// Of one that was seen; 0: there is none.
    uint32_t of(uint32_t thing) const {
        if (thing == 0 || thing > seen_) return 0;
        for (auto range = ranges_.rbegin(); range != ranges_.rend(); ++range)
            if (range->first <= thing) return range->number + (thing - range->first);
        return 0;
    }

private:
    struct Range {
        uint32_t first, number;
    };
    uint32_t seen_ = 0;
    std::vector<Range> ranges_; ///< a new one begins where others were numbered in between
};

} // namespace sx
