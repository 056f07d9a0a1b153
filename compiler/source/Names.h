// Interned identifiers: a name is a 32-bit number, equal texts have equal numbers.
#pragma once

#include "llvm/Support/Allocator.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sx {

/// 0 is the empty name.
enum class Name : uint32_t { None = 0 };

class NameTable {
public:
    /// The texts of `first`, which differ, get the names 1, 2, 3, …
    explicit NameTable(std::span<const char* const> first = {});
    Name intern(std::string_view text);
    size_t size() const { return texts_.size(); } ///< names are below it
    /// The text lives as long as the table and is NUL-terminated.
    std::string_view text(Name n) const { return texts_[static_cast<uint32_t>(n)]; }

    /// Whether `intern` was asked for the name while mentions counted, as they do unless told otherwise.
    bool isMentioned(Name n) const { return mentioned_[static_cast<uint32_t>(n)]; }
    void countMentions(bool count) { counts_ = count; }

private:
    /// A place of the hash table, which is searched from the text's own place on.
    struct Entry {
        uint32_t hash = 0;      ///< the upper half; the lower one has chosen the place
        Name name = Name::None; ///< None: the place is free
    };

    Name add(std::string_view text, Entry& entry, uint32_t hash);
    void grow();

    llvm::BumpPtrAllocator arena_;
    std::vector<Entry> entries_; ///< a power of two, at most half of them taken
    std::vector<std::string_view> texts_;
    std::vector<uint8_t> mentioned_; ///< by name
    bool counts_ = true;
};

} // namespace sx
