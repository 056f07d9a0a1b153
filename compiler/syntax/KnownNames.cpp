#include "syntax/KnownNames.h"

namespace sx {
namespace {

constexpr const char* texts[] = {
#define KEYWORD(name, spelling) spelling,
#include "syntax/Tokens.def"
    "Tuple", "Closure", "self", "flags", "c", "naked", "volatile",
};
static_assert(std::size(texts) == static_cast<size_t>(KnownName::end) - 1);

} // namespace

std::span<const char* const> knownNames() { return texts; }

std::vector<std::string_view> keywords() { return {texts, texts + keywordCount}; }

} // namespace sx
