// Columns as the protocol counts them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sx::debugger {

/// UTF-16 units of a text, and how many bytes of it a number of units are. A byte that is no UTF-8 counts as one unit.
int64_t utf16Length(std::string_view text);
size_t bytesOfUnits(std::string_view text, int64_t units);

} // namespace sx::debugger
