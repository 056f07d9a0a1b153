// The compiler's side: asks the executable that knows C.
#pragma once

#include "source/Result.h"

#include <string>
#include <vector>

namespace sx::cimport {

/// What the headers declare, as declarations of the language; or the C compiler's messages, or why nobody can read
/// them. `headers` are absolute paths or names in the system's folders; `options` those of a C compiler.
Result<std::string> readHeaders(const std::vector<std::string>& headers, const std::vector<std::string>& options);

} // namespace sx::cimport
