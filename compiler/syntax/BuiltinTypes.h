// The names of the types that the language has by itself, and of those that other languages have.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace sx {

/// An integer type, as its name tells it.
struct IntegerName {
    unsigned width; ///< in bits, 1 to 64
    bool isSigned;
};
/// The integer type that a word names, `u24`; nothing: it names none.
std::optional<IntegerName> integerName(std::string_view word);

/// All such names, for those who offer or suggest them; of the integers the usual widths.
std::span<const std::string_view> builtinTypeNames();
/// Whether a word names a type of the language: one of those, or an integer of any width.
bool isBuiltinTypeName(std::string_view word);
/// Whether a word names one that no declaration may be called after.
bool isReservedTypeName(std::string_view word);

/// A word is written as names of types are: with a capital letter.
inline bool isTypeLike(std::string_view word) { return !word.empty() && word[0] >= 'A' && word[0] <= 'Z'; }
/// Whether a word names a type, of this language or of another.
bool isTypeWord(std::string_view word);
/// The help for a type name of another language (ForeignTypes.def); "": it is none.
std::string_view foreignType(std::string_view word);

} // namespace sx
