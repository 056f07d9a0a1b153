#include "debugger/inspect/Utf16.h"

#include "llvm/Support/ConvertUTF.h"

#include <utility>

namespace sx::debugger {

namespace {

/// Bytes and UTF-16 units of the character that a text begins with.
std::pair<size_t, unsigned> firstCharacter(std::string_view text) {
    const auto* at = reinterpret_cast<const llvm::UTF8*>(text.data());
    unsigned bytes = llvm::getNumBytesForUTF8(*at);
    if (bytes > text.size() || !llvm::isLegalUTF8Sequence(at, at + bytes)) return {1, 1};
    return {bytes, bytes == 4 ? 2 : 1};
}

} // namespace

int64_t utf16Length(std::string_view text) {
    int64_t units = 0;
    while (!text.empty()) {
        auto [bytes, u] = firstCharacter(text);
        text.remove_prefix(bytes);
        units += u;
    }
    return units;
}

size_t bytesOfUnits(std::string_view text, int64_t units) {
    size_t done = 0;
    for (int64_t at = 0; at < units && done < text.size();) {
        auto [bytes, u] = firstCharacter(text.substr(done));
        done += bytes;
        at += u;
    }
    return done;
}

} // namespace sx::debugger
