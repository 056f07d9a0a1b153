#include "syntax/BuiltinTypes.h"

#include "syntax/WordTable.h"

#include <algorithm>

namespace sx {
namespace {

constexpr std::string_view names[] = {
#define BUILTIN_TYPE(spelling, name, isReserved) spelling,
#define USUAL_INTEGER(spelling) spelling,
#include "syntax/BuiltinTypes.def"
};

} // namespace

std::optional<IntegerName> integerName(std::string_view word) {
    if (word.size() < 2 || word.size() > 3 || (word[0] != 'i' && word[0] != 'u') || word[1] == '0') return std::nullopt;
    unsigned width = 0;
    for (char c : word.substr(1)) {
        if (c < '0' || c > '9') return std::nullopt;
        width = width * 10 + static_cast<unsigned>(c - '0');
    }
    if (width > 64) return std::nullopt;
    return IntegerName{width, word[0] == 'i'};
}

std::span<const std::string_view> builtinTypeNames() { return names; }

bool isBuiltinTypeName(std::string_view word) {
    return std::find(std::begin(names), std::end(names), word) != std::end(names) || integerName(word);
}

bool isReservedTypeName(std::string_view word) {
#define BUILTIN_TYPE(spelling, name, isReserved) \
    if (isReserved && word == spelling) return true;
#include "syntax/BuiltinTypes.def"
    return integerName(word).has_value();
}

bool isTypeWord(std::string_view word) { return isBuiltinTypeName(word) || !foreignType(word).empty(); }

std::string_view foreignType(std::string_view word) {
    static constexpr KnownWord table[] = {
#define FOREIGN_TYPE(word, help) {word, help},
#include "syntax/ForeignTypes.def"
    };
    return helpFor(word, table);
}

} // namespace sx
