// Values of number and string tokens, decoded when the parser meets them.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace sx {

/// The value of an integer token. False if it exceeds 64 bits; `noDigits` for a lone base prefix.
enum class IntStatus : uint8_t { Ok, TooLarge, NoDigits };
IntStatus decodeInt(std::string_view text, uint64_t& value);

/// The value of a float token; nullopt if it is beyond the range of f64.
std::optional<double> decodeFloat(std::string_view text);
/// Its value as an `f32`, rounded once.
std::optional<float> decodeFloat32(std::string_view text);

/// The content of a string token (with its quotes). Without escapes it is a part of `text` itself.
llvm::StringRef decodeString(std::string_view text, llvm::BumpPtrAllocator&);

/// The content of a heredoc token, which runs from `#string` to the closing word: a part of `text`.
llvm::StringRef decodeHeredoc(std::string_view text);

} // namespace sx
