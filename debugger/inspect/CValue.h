// What functions of C in the program take and give.
#pragma once

#include "types/TypeTable.h"

#include <cstdint>
#include <vector>

namespace sx::debugger {

/// A value on its way to or from a function of C.
struct CValue {
    TypeId type{};
    uint64_t bits = 0;            ///< of a scalar, zero-extended
    std::vector<uint8_t> bytes{}; ///< of anything else, as they lie in memory
};

} // namespace sx::debugger
