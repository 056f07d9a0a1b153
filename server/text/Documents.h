// The texts that an editor holds.
#pragma once

#include "server/text/Encoding.h"

#include <map>
#include <optional>
#include <string>

namespace sx::server {

struct Document {
    std::string uri; ///< as the client spells it
    int64_t version = 0;
    std::string text;
};

/// What becomes of a text: a part replaced, or (without a range) all of it.
struct Change {
    std::optional<Range> range{};
    std::string text{};
};

/// Applies a change to a text. Positions that lie beyond the text are its end.
void applyChange(std::string& text, const Change&, Encoding);

/// Open documents by absolute path.
using Documents = std::map<std::string, Document>;

} // namespace sx::server
