// Memory for the constants of a program that runs in the interpreter: a write through a pointer faults there, as it
// does in the read-only data of a compiled program.
#pragma once

#include <cstdint>

namespace sx::vm {

class ConstantMemory {
public:
    /// At the address `wanted`, if that is not 0 and nothing is there.
    explicit ConstantMemory(uint64_t wanted = 0) : wanted_(wanted) {}
    ~ConstantMemory();
    ConstantMemory(const ConstantMemory&) = delete;

    /// Zeroed memory, which may be written until `seal`. Null if there is no room left.
    void* allocate(uint64_t size, uint64_t align);
    /// Nothing that was allocated may be written any more.
    void seal();

private:
    uint64_t wanted_, base_ = 0, reserved_ = 0, used_ = 0;
    uint64_t sealed_ = 0; ///< bytes of whole pages that are read-only now; what lies beyond may be written
};

} // namespace sx::vm
