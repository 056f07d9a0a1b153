#include "source/Names.h"

namespace sx {

NameTable::NameTable(std::span<const char* const> first) : map_(arena_) {
    texts_.push_back(std::string_view("", 0));
    mentioned_.push_back(false);
    counts_ = false;
    for (const char* text : first) intern(text);
    counts_ = true;
}

Name NameTable::intern(std::string_view text) {
    if (text.empty()) return Name::None;
    auto [entry, isNew] =
        map_.try_emplace(llvm::StringRef(text.data(), text.size()), static_cast<uint32_t>(texts_.size()));
    // The map's keys live in the arena and end with a NUL.
    if (isNew) {
        texts_.emplace_back(entry->getKeyData(), entry->getKeyLength());
        mentioned_.push_back(false);
    }
    mentioned_[entry->second] |= counts_;
    return static_cast<Name>(entry->second);
}

} // namespace sx
