// What C headers declare, as declarations of the language.
#pragma once

#include <string>
#include <vector>

namespace sx::cimport {

/// What was read, or why it could not be.
struct HeaderText {
    bool ok = false;
    std::string text; ///< the declarations, or the C compiler's messages
};

/// Reads `headers` one after another, as if each were included. `options` are those of the C compiler. The text has a
/// line for each declaration; a line `//- NAME: REASON` stands for what the language has no form for.
HeaderText readHeaders(const std::vector<std::string>& headers, const std::vector<std::string>& options);

} // namespace sx::cimport
