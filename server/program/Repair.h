// Making a text that does not parse into one that does, at the same positions: what cannot be read becomes white space.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sx::server {

/// How much goes: what is tried first keeps most.
enum class RepairLevel : uint8_t {
    Dots,       ///< dots that no name follows yet
    Statements, ///< the statement around each error
    Items,      ///< the item of the module around each error
    Unbalanced, ///< these, and items whose brackets do not match
    Everything, ///< the whole text
};

/// The text without what stands at the errors, which are byte offsets. What stays has the place that it had; braces
/// that are missing at the end are added there.
///
/// A dot that no name follows becomes white space, or a `;` at the end of a line; where it begins an operand (`return
/// .`) it becomes the name `_`, so that the check can tell which type is expected there (`sema::Uses::expected`).
std::string repaired(std::string_view text, const std::vector<uint32_t>& errors, RepairLevel);

} // namespace sx::server
