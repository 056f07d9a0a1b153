// The one type table of a compilation. A type is a 32-bit id; equal types have equal ids, so comparing
// types is comparing integers. Structural types (pointers, slices, tuples, …) are interned by their parts,
// nominal ones (structs, enums, unions, error sets, protocols) get a new id per declaration or instance.
//
// The table makes types and keeps their parts and layouts; it knows nothing of syntax or of where a type was declared.
// What follows from those is asked in the headers beside this one: Derived.h, Predicates.h, Failable.h, Layout.h,
// TypeNames.h, Parts.h, MachineForm.h.
#pragma once

#include "source/Names.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sx {

/// Builtin types have fixed ids. Integers of width N are `integerType(N, signed)`.
enum class TypeId : uint32_t {
    None = 0, ///< no type: an erroneous expression, "not known yet"
    Void,
    NoReturn,
    Bool,
    String,
    CString,
    Any,
    Type,
    F32,
    F64,
    USize,
    ISize,
    InferredErrors, ///< the error set behind a bare `!`
    Null,           ///< of a `null` without target type; never stored
    FirstInt = 16,  ///< i1..i64 are FirstInt+0..63, u1..u64 FirstInt+64..127
    I8 = FirstInt + 7,
    I16 = FirstInt + 15,
    I32 = FirstInt + 31,
    I64 = FirstInt + 63,
    U8 = FirstInt + 64 + 7,
    U16 = FirstInt + 64 + 15,
    U32 = FirstInt + 64 + 31,
    U64 = FirstInt + 64 + 63,
    FirstDerived = FirstInt + 128,
};

enum class TypeKind : uint8_t {
    None,
    Void,
    NoReturn,
    Bool,
    Int,
    Float,
    String,
    CString,
    Any,
    Type,
    Null,
    Pointer,
    ManyPointer,
    Slice,
    Array,
    Vector,
    Optional,
    Tuple,
    Function,
    Closure,
    Struct,
    Enum,
    Union,
    ErrorSet,
    Protocol,
};

/// Calling convention of a function type. Sx functions take a hidden context pointer first (when the
/// program has a context); C functions do not.
enum class CallConv : uint8_t { Sx, C };

struct TupleField {
    Name name = Name::None;
    TypeId type{};
};

/// Names to indices; of a few without a table of their own.
using NameIndex = llvm::SmallDenseMap<Name, uint32_t, 8>;

struct StructField {
    Name name = Name::None;
    TypeId type{};
    uint64_t offset = 0;     ///< bytes; filled in by layout
    bool hasDefault = false; ///< the default expression is sema's business
};
struct StructInfo {
    std::string name; ///< display name; "" for an anonymous struct
    std::vector<StructField> fields;
    bool complete = false, positional = false; ///< positional: an anonymous struct with fields 0, 1, …
    NameIndex index;                           ///< field name to index
};
/// A bit field of a record of C, which code reaches by functions.
struct BitField {
    Name name = Name::None;
    TypeId type{};
    uint64_t offset = 0;           ///< bytes, of the word that it lies in
    uint32_t shift = 0, count = 0; ///< bits, from the word's lowest one on
    bool isSigned = false;         ///< its highest bit is its sign
};
/// The types that were made of structs and unions of C, with their bit fields: a debugger fills it, who shows them.
struct RecordsOfC {
    llvm::DenseMap<TypeId, std::vector<BitField>> bitFields;

    /// Null: the type is none of them.
    const std::vector<BitField>* find(TypeId t) const {
        auto known = bitFields.find(t);
        return known == bitFields.end() ? nullptr : &known->second;
    }
};
struct Variant {
    Name name = Name::None;
    int64_t value = 0;
    TypeId payload{}; ///< None: no payload
};
struct EnumInfo {
    std::string name;
    std::vector<Variant> variants;
    TypeId backing{};      ///< integer type of a plain enum or of the tag
    TypeId layoutStruct{}; ///< T3: `enum struct {…}`
    bool isFlags = false, isTagged = false, complete = false;
    uint64_t payloadOffset = 8;
    NameIndex index;
};
/// `offset` and `arm` are the declarer's: a promoted member has its offset within its anonymous struct.
struct UnionMember {
    Name name = Name::None;
    TypeId type{};
    uint64_t offset = 0;
    uint32_t arm = 0;
};
struct UnionInfo {
    std::string name;
    std::vector<UnionMember> members;
    bool complete = false;
}; ///< promoted members included
struct ErrorSetInfo {
    std::string name;
    std::vector<Name> tags;
};
struct ProtocolMethodInfo {
    Name name = Name::None;
    std::vector<TypeId> params; ///< after self; None where it mentions Self
    TypeId result{};
    bool dispatchable = true, hasDefault = false;
    uint32_t slot = 0; ///< among dispatchable methods
};
struct ProtocolInfo {
    std::string name;
    std::vector<ProtocolMethodInfo> methods;
    bool isInline = false, isIdentity = false, complete = false;
};
struct FunctionInfo {
    std::vector<TypeId> params;
    TypeId result{};
    CallConv conv = CallConv::Sx;
    bool cVariadic = false;
};

/// Size and alignment in bytes.
struct Extent {
    uint64_t size = 0, align = 1;
};

class TypeTable {
public:
    explicit TypeTable(NameTable& names);
    ~TypeTable();
    TypeTable(const TypeTable&) = delete;

    // ---- making types
    /// A type of one part: a pointer, slice, array, vector or optional (Derived.h has a function for each).
    TypeId derived(TypeKind, TypeId elem, uint64_t count = 0);
    /// A function or closure type.
    TypeId signature(TypeKind, FunctionInfo);
    TypeId tupleOf(llvm::ArrayRef<TupleField>);
    /// Anonymous struct by shape (same ordered names and types: same type).
    TypeId anonymousStruct(llvm::ArrayRef<TupleField>, bool positional);
    /// New nominal types, incomplete until their parts are set.
    TypeId newStruct(std::string name);
    TypeId newEnum(std::string name);
    TypeId newUnion(std::string name);
    TypeId newErrorSet(std::string name, std::vector<Name> tags);
    TypeId newProtocol(std::string name);
    void completeStruct(TypeId, std::vector<StructField> fields);
    /// A struct without parts so far is an enum, or is that tuple, from now on: only code that runs while compiling
    /// declares a type before it knows what it will be.
    void turnIntoEnum(TypeId);
    void turnIntoTuple(TypeId, TypeId tuple);
    /// Keeps the name; sets index, payloadOffset, isTagged and backing (given or i64; the tag's of a tagged
    /// one). A `void` payload becomes None.
    void completeEnum(TypeId, EnumInfo info);
    void completeUnion(TypeId, std::vector<UnionMember>);
    void completeProtocol(TypeId, ProtocolInfo info);

    // ---- asking
    TypeKind kind(TypeId t) const { return data(t).kind; }
    TypeId elem(TypeId t) const { return data(t).elem; }     ///< pointee, element, payload
    uint64_t count(TypeId t) const { return data(t).count; } ///< array length, vector lanes, bits of an Int or Float
    bool isSigned(TypeId t) const { return data(t).isSigned != 0; } ///< of an Int; true for isize
    const StructInfo& structInfo(TypeId) const;
    const EnumInfo& enumInfo(TypeId) const;
    const UnionInfo& unionInfo(TypeId) const;
    const ErrorSetInfo& errorSetInfo(TypeId) const;
    const ProtocolInfo& protocolInfo(TypeId) const;
    const FunctionInfo& functionInfo(TypeId) const; ///< of a Function or Closure
    llvm::ArrayRef<TupleField> tupleFields(TypeId) const;

    // ---- layout
    /// Its size is known: every type it holds by value has its parts.
    bool isComplete(TypeId) const;
    /// The type holds a value of itself, directly or through others: it has no finite size, its extent counts
    /// the inner one as empty. Pointers, slices, closures and protocols end the search.
    bool containsItselfByValue(TypeId) const;
    Extent extent(TypeId) const; ///< of a complete type

    // ---- names
    /// Of a nominal type that is written otherwise than its declaration names it: an instance.
    void setWrittenName(TypeId, std::string);
    const std::string* givenName(TypeId) const; ///< what setWrittenName said; null: nothing

    // ---- error tags: ids 1, 2, 3, … in order of first appearance
    uint32_t tagId(Name tag);
    llvm::ArrayRef<Name> tags() const { return tags_; } ///< tags()[i] has id i + 1

    size_t size() const { return types_.size(); }
    NameTable& names() const { return names_; }

    RecordsOfC recordsOfC;

private:
    struct TypeData {
        TypeKind kind{};
        TypeId elem{};
        uint64_t count = 0; ///< array length; bit width; flags
        uint32_t info = 0;  ///< index into the side table of the kind
        uint8_t isSigned = 0;
    };
    struct Tables;
    TypeId add(TypeData);
    const TypeData& data(TypeId t) const { return types_[static_cast<uint32_t>(t)]; }

    NameTable& names_;
    std::vector<TypeData> types_;
    std::unique_ptr<Tables> tables_;
    std::vector<Name> tags_;
    llvm::DenseMap<Name, uint32_t> tagIds_;
};

} // namespace sx
