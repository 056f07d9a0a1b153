// How long a call in the program may take.
#pragma once

#include <chrono>
#include <functional>

namespace sx::debugger {

struct CallLimits {
    std::chrono::milliseconds time{2000};
    std::function<bool()> isCancelled{}; ///< asked now and then while the call runs; null: never
};

} // namespace sx::debugger
