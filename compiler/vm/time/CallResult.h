// What a call of C gave.
#pragma once

#include <cstdint>
#include <string>

namespace sx::vm {

struct CallResult {
    uint64_t value = 0; ///< as a register holds it
    int error = 0;      ///< `errno` afterwards
    std::string memory; ///< each range that it wrote: eight bytes with its size, then its bytes
};

} // namespace sx::vm
