// How messages name things. docs/diagnostics.md says how a message is written.
#pragma once

#include <string>
#include <string_view>

namespace sx {

/// A piece of code, a name or an option in a message: `x`, in backticks.
inline std::string code(std::string_view text) {
    std::string quoted = "`";
    quoted += text;
    return quoted += '`';
}

} // namespace sx
