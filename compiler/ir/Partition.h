// How a large program is divided into parts that are compiled side by side.
#pragma once

#include "ir/Ir.h"

namespace sx::ir {

/// What the entry and the exports reach belongs to one part each. The parts are numbered from 0; the entry, what it
/// calls, and the data that several parts use are in part 0. A division depends on nothing but the module and the
/// number, so that the same program always becomes the same code.
class Partition {
public:
    static constexpr uint32_t MostParts = 16;

    /// Functions in the order of their ids, and as many instructions in each part. `count`: 1 to MostParts.
    Partition(const Module&, uint32_t count);

    bool isIn(FuncId f, uint32_t part) const { return functions_[static_cast<uint32_t>(f)].part == part; }
    bool isIn(GlobalId g, uint32_t part) const { return globals_[static_cast<uint32_t>(g)].part == part; }
    /// Whether a part other than its own names it.
    bool isShared(FuncId f) const { return functions_[static_cast<uint32_t>(f)].isShared; }
    bool isShared(GlobalId g) const { return globals_[static_cast<uint32_t>(g)].isShared; }

private:
    static constexpr uint32_t NoPart = UINT32_MAX; ///< not reached
    struct Place {
        uint32_t part = NoPart;
        bool isShared = false;
    };

    void placeFunctions(const Module&, uint32_t count);
    void placeGlobals(const Module&);

    std::vector<Place> functions_, globals_;
};

/// How many instructions the code has that is emitted.
uint64_t codeSize(const Module&);

/// In how many parts to compile the module: `wanted`, or if that is 0 one for every so many instructions. 1 for what
/// has no entry and no exports, or has assembly beside its functions, whose names are known in one part only.
uint32_t partsOf(const Module&, uint32_t wanted);

} // namespace sx::ir
