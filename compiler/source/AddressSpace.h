// How much address space a process may still reserve.
#pragma once

#include <cstdint>

namespace sx {

/// `wanted` bytes, or a quarter of what the limit of the process (`ulimit -v`) leaves where that is less, so that the
/// reservations that follow find something as well.
uint64_t shareOfAddressSpace(uint64_t wanted);

} // namespace sx
