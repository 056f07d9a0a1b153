// Types of programs in other languages, as debug information has them.
//
// They have numbers of the same kind as sx types, from another range, so that a Datum is a value of either.
#pragma once

#include "ir/Ir.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sx::debugger {

/// A part of a struct or a union.
struct ForeignMember {
    std::string name; ///< empty: its own members count as those of what is around it
    TypeId type{};
    uint64_t offset = 0;                 ///< in bytes
    uint32_t bitOffset = 0, bitSize = 0; ///< of a bit field, from `offset` on, the lowest is 0; bitSize 0: it is none
};

struct ForeignEnumerator {
    std::string name;
    int64_t value = 0;
};

struct ForeignType {
    enum class Kind : uint8_t {
        Void,
        Bool,
        Character, ///< of one byte
        Signed,
        Unsigned,
        Float,
        Pointer,  ///< to `target`
        Array,    ///< `count` times `target`
        Struct,   ///< with `members`
        Union,    ///< likewise
        Enum,     ///< an integer with `enumerators`
        Function, ///< what a pointer to code points to
        Alias,    ///< another name for `target`
        Other,    ///< bytes of which nothing more is known
    };
    Kind kind = Kind::Other;
    bool isSigned = false; ///< Enum
    bool isHex = false;    ///< a number that is shown in hexadecimal
    bool isOfSx = false;   ///< pointers to it are spelled as in sx
    std::string name;      ///< as the source spells it; made up where it has none
    uint64_t size = 0;
    TypeId target{};
    uint64_t count = 0;
    std::vector<ForeignMember> members;
    std::vector<ForeignEnumerator> enumerators;

    /// A number, or what counts as one, that has no sign.
    bool isUnsigned() const {
        return kind == Kind::Unsigned || kind == Kind::Pointer || (kind == Kind::Enum && !isSigned);
    }
};

class ForeignTypes {
public:
    ForeignTypes();

    /// Whether a number is one of these types.
    static bool owns(TypeId id) { return static_cast<uint32_t>(id) >= First; }

    TypeId add(ForeignType type);
    ForeignType& edit(TypeId id) { return types_[static_cast<uint32_t>(id) - First]; }
    /// A number that was given out.
    const ForeignType& at(TypeId id) const;
    /// What remains without other names for it.
    TypeId withoutAliases(TypeId id) const;
    const ForeignType& plain(TypeId id) const { return at(withoutAliases(id)); }
    uint64_t sizeOf(TypeId id) const { return plain(id).size; }
    std::string nameOf(TypeId id) const { return at(id).name; }
    TypeId pointerTo(TypeId id);
    /// An array whose type does not say how many elements it has, with their number in each dimension, the outermost
    /// first. Another type stays as it is.
    TypeId withCounts(TypeId id, const std::vector<uint64_t>& counts);

    /// An enumerator of any type by its name.
    std::optional<std::pair<TypeId, int64_t>> enumerator(const std::string& name) const;

    // What expressions make.
    TypeId voidType{}, boolType{}, signedType{}, unsignedType{}, floatType{};

private:
    static constexpr uint32_t First = 1u << 28;
    std::deque<ForeignType> types_;
    std::map<TypeId, TypeId> pointers_;
    std::map<std::pair<TypeId, std::vector<uint64_t>>, TypeId> counted_;
};

} // namespace sx::debugger
