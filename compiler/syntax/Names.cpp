#include "syntax/Names.h"

#include "syntax/KnownNames.h"

#include <cassert>

namespace sx {

NameTable::NameTable() : map_(arena_) {
    texts_.push_back(std::string_view("", 0));
#define KEYWORD(name, spelling) intern(spelling);
#include "syntax/Tokens.def"
    for (const char* word : {"Tuple", "Closure", "self", "flags", "c", "naked", "volatile"}) intern(word);
    assert(texts_.size() == static_cast<size_t>(KnownName::end));
}

Name NameTable::intern(std::string_view text) {
    if (text.empty()) return Name::None;
    auto [entry, isNew] =
        map_.try_emplace(llvm::StringRef(text.data(), text.size()), static_cast<uint32_t>(texts_.size()));
    // The map's keys live in the arena and end with a NUL.
    if (isNew) texts_.emplace_back(entry->getKeyData(), entry->getKeyLength());
    return static_cast<Name>(entry->second);
}

} // namespace sx
