// The registry of what an interpreted program allocates (docs/heap.md).
#pragma once

#include "vm/Foreign.h"

namespace sx::vm {

/// Before a program runs in this process: its heap is tracked if the environment, or who started it, says so. With a
/// recording the blocks are of its heap, and the history has what the registry changes.
void beginHeapTracking(bool isRecorded);
/// What stands in for a function of the C allocator while the heap is tracked; null: nothing does.
Override heapOverride(const std::string& symbol);
/// The same for whoever calls it through a pointer.
void* heapReplacement(const std::string& symbol);

} // namespace sx::vm
