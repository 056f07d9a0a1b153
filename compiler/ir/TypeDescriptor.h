// Run-time type descriptors: what a value of type `Type` points at.
//
// `any`, type switches, reflection with run-time types and the formatter read these. They are ordinary
// constant globals of the module, built once after checking, so every machine sees the same bytes.
#pragma once

#include "ir/Ir.h"

namespace sx::ir {

/// The category of a type, as type switches name them. Stable numbers: the first word of a descriptor.
enum class TypeCategory : int64_t {
    Other = 0,
    Int,
    Float,
    Bool,
    String,
    Void,
    Struct,
    Enum,
    TaggedEnum,
    Union,
    Vector,
    Array,
    Slice,
    Pointer,
    ManyPointer,
    Optional,
    ErrorSet,
    Closure,
    Type,
    Tuple,
    Function,
    CString,
    Any,
    Protocol,
    NoReturn,
};

/// Byte offsets of the fields of a descriptor.
namespace desc {
constexpr uint64_t Category = 0; ///< i64, TypeCategory
constexpr uint64_t Size = 8;     ///< i64 bytes
constexpr uint64_t Align = 16;   ///< i64 bytes
constexpr uint64_t NamePtr = 24; ///< string: the name that the program sees
constexpr uint64_t NameLen = 32;
constexpr uint64_t MemberCount =
    40;                          ///< i64: fields, variants, tuple elements, union members; array length; vector lanes
constexpr uint64_t Members = 48; ///< address of MemberCount member records (structs, tuples, unions, enums), else null
constexpr uint64_t Elem = 56;    ///< Type: pointee, element, payload of an optional; null if none
constexpr uint64_t Flags = 64;   ///< i64: the bits below
constexpr uint64_t Bits = 72;    ///< i64: width of an int or float; of the tag of an enum; 32 for error sets
constexpr uint64_t Extra = 80;   ///< i64: payload offset of a tagged enum; flag offset of an optional, -1 if null-word
constexpr uint64_t Info =
    88; ///< address of the type's description (ir/TypeInfo.h); null unless the module refers to them
constexpr uint64_t WrittenPtr =
    96; ///< string, for debuggers: the name as the program's text has it; null where it is that of NamePtr
constexpr uint64_t WrittenLen = 104;
constexpr uint64_t Total = 112;
/// Unsigned: an int, or an enum whose backing integer is (its values are zero-extended). Identity: a protocol.
constexpr uint64_t FlagUnsigned = 1, FlagFlagsEnum = 2, FlagIdentity = 4;
} // namespace desc
/// Byte offsets of a member record.
namespace member {
constexpr uint64_t NamePtr = 0, NameLen = 8; ///< string; "" for positional tuple elements
constexpr uint64_t Type = 16;   ///< Type of the field or payload (`void`'s descriptor if a variant has none)
constexpr uint64_t Offset = 24; ///< i64 bytes; a variant: the payload offset
constexpr uint64_t Value = 32;  ///< i64: value of an enum variant
constexpr uint64_t Total = 40;
} // namespace member

TypeCategory categoryOf(const TypeTable&, TypeId);

/// A field, variant, tuple element or union member. The offset of a variant is that of its payload, whose type is
/// `void` if it has none.
struct Member {
    Name name;
    TypeId type;
    uint64_t offset;
    int64_t value;
};
/// Those of a type whose layout is known; none if it has no such parts.
std::vector<Member> membersOf(const TypeTable&, TypeId);

/// Makes the descriptor of one type, and of the types it mentions, unless they are there already. A type
/// without a known layout gets size 0 and no members.
GlobalId describeType(Module&, TypeId);

/// Builds the descriptor globals of every type that a TypeHandle instruction or relocation names, and of the
/// types these mention, and fills in the error name table. Call after the last function is built and
/// before any machine takes the module. A later call adds what is new since; it looks at functions and globals from
/// these numbers on.
void finish(Module&, size_t firstFunction = 0, size_t firstGlobal = 0);

} // namespace sx::ir
