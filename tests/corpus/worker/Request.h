// What a test sends to the worker process, and where.
#pragma once

#include <cstdint>

namespace corpus {

constexpr int Caller = 3; ///< the worker's descriptor of the socket between them

/// Comes before the folder and the arguments, each with a zero at its end. The answer is an int32_t: the exit status.
struct RequestHeader {
    uint32_t size;             ///< of what follows, in bytes
    uint32_t processorSeconds; ///< after which the worker is killed (SIGPROF); 0: without a limit
};

} // namespace corpus
