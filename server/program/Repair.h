// Making a text that does not parse into one that does, at the same positions: what cannot be read becomes white space.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sx::server {

/// How much goes: what is tried first keeps most.
enum class RepairLevel : uint8_t {
    Statements, ///< the statement around each error
    Items,      ///< the item of the module around each error
    Unbalanced, ///< these, and items whose brackets do not match
    Everything, ///< the whole text
};

/// The text without what stands at the errors, which are byte offsets. It has as many bytes as before.
std::string repaired(std::string_view text, const std::vector<uint32_t>& errors, RepairLevel);

} // namespace sx::server
