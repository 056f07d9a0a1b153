#include "source/Names.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/xxhash.h"

#include <cstring>

namespace sx {

namespace {

constexpr size_t FirstPlaces = 4096;

uint64_t hashOf(std::string_view text) { return llvm::xxh3_64bits(llvm::StringRef(text.data(), text.size())); }

} // namespace

NameTable::NameTable(std::span<const char* const> first) : entries_(FirstPlaces) {
    texts_.push_back(std::string_view("", 0));
    mentioned_.push_back(false);
    counts_ = false;
    for (const char* text : first) intern(text);
    counts_ = true;
}

Name NameTable::intern(std::string_view text) {
    if (text.empty()) return Name::None;
    const uint64_t hash = hashOf(text);
    const uint32_t upper = static_cast<uint32_t>(hash >> 32);
    for (size_t place = hash;; ++place) {
        Entry& entry = entries_[place & (entries_.size() - 1)];
        if (entry.name == Name::None) return add(text, entry, upper);
        if (entry.hash != upper || this->text(entry.name) != text) continue;
        mentioned_[static_cast<uint32_t>(entry.name)] |= counts_;
        return entry.name;
    }
}

Name NameTable::add(std::string_view text, Entry& entry, uint32_t hash) {
    auto* copy = static_cast<char*>(arena_.Allocate(text.size() + 1, 1));
    std::memcpy(copy, text.data(), text.size());
    copy[text.size()] = 0;
    const auto name = static_cast<Name>(texts_.size());
    texts_.emplace_back(copy, text.size());
    mentioned_.push_back(counts_);
    entry = {hash, name};
    if (2 * texts_.size() > entries_.size()) grow();
    return name;
}

void NameTable::grow() {
    std::vector<Entry> larger(2 * entries_.size());
    for (size_t i = 1; i < texts_.size(); ++i) {
        const uint64_t hash = hashOf(texts_[i]);
        size_t place = hash & (larger.size() - 1);
        while (larger[place].name != Name::None) place = (place + 1) & (larger.size() - 1);
        larger[place] = {static_cast<uint32_t>(hash >> 32), static_cast<Name>(i)};
    }
    entries_ = std::move(larger);
}

} // namespace sx
