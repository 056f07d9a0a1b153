#include "types/NameLimit.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

namespace sx {

void limitName(std::string& text, size_t start) {
    constexpr size_t HashDigits = 16;
    constexpr llvm::StringRef Cut = "…";
    if (text.size() - start <= LongestTypeName) return;
    uint64_t hash = llvm::xxh3_64bits(llvm::StringRef(text).drop_front(start));
    size_t end = start + LongestTypeName - HashDigits - Cut.size();
    auto isInsideCharacter = [&] { return (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80; }; // of UTF-8
    while (end > start && isInsideCharacter()) --end;
    text.resize(end);
    text += Cut;
    text += llvm::utohexstr(hash, /*LowerCase=*/true, HashDigits);
}

} // namespace sx
