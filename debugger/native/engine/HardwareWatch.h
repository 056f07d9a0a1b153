// What the debug registers of the processor can do here.
#pragma once

#include <cstdint>
#include <vector>

namespace sx::debugger::native {

/// Whether a write to watched memory stops a process. It is tried once, with a process of its own: virtual machines
/// take the registers and never answer. False where the variable SX_HARDWARE_WATCHES is `off`.
bool hardwareWatches();

/// A part of memory that one register can watch.
struct AddressPiece {
    uint64_t address = 0, size = 0;
};
/// `size` bytes from `address` on as pieces of 1, 2, 4 or 8 bytes, each at a multiple of its size.
std::vector<AddressPiece> alignedPieces(uint64_t address, uint64_t size);

} // namespace sx::debugger::native
