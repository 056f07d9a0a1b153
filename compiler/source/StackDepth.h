// How deep recursion over a program may go: as deep as the stack of the thread that compiles it.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>

namespace sx {

namespace detail {
extern thread_local uintptr_t lowestFrame; ///< 0: not known yet
uintptr_t findLowestFrame();
} // namespace detail

/// Whether so little of the calling thread's stack is left that a recursive step must not be taken. The reserve is
/// large enough to report that.
inline bool stackIsLow() {
    uintptr_t lowest = detail::lowestFrame ? detail::lowestFrame : detail::findLowestFrame();
    return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) < lowest;
}

/// Runs `work` to its end on a stack for programs that are nested deeply: the calling thread switches to one, unless it
/// stands on one. `work` must return; it may throw nothing.
void withLargeStack(llvm::function_ref<void()> work);

} // namespace sx
