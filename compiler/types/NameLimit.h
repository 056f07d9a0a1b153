// How long a name of a type may be. Each level of `P(T, T)` doubles the name where it is written out.
#pragma once

#include <cstddef>
#include <string>

namespace sx {

constexpr size_t LongestTypeName = 4096; ///< bytes

/// Cuts what `text` has from `start` on where it is longer than that: its beginning stays, then come `…` and a hash of
/// all of it, so that different names stay different, and the same in every compilation.
void limitName(std::string& text, size_t start = 0);

} // namespace sx
