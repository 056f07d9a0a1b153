// Words of other languages, each with what a message says of it.
#pragma once

#include <span>
#include <string_view>

namespace sx {

struct KnownWord {
    std::string_view word, help;
};

/// The help for a word; "": the table does not have it.
constexpr std::string_view helpFor(std::string_view word, std::span<const KnownWord> table) {
    for (const KnownWord& known : table)
        if (known.word == word) return known.help;
    return {};
}

} // namespace sx
