// Sizes, alignments and offsets, as a C compiler for the 64-bit target lays types out.
//
// A layout is computed when it is first asked for and kept. It may be asked for before every part of a
// type is declared (a struct names a later one), so offsets in an info are set by `settle` as soon as all
// parts are known, and never change after that.
#include "types/Layout.h"
#include "types/Parts.h"
#include "types/Predicates.h"
#include "types/Tables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cassert>

namespace sx {

namespace {

constexpr Extent Word{8, 8}, Pair{16, 8};
/// Larger sizes count as this one: no arithmetic on sizes can overflow, and nothing so large can exist.
constexpr uint64_t SaturatedSize = uint64_t{1} << 56;

Extent clamped(uint64_t size, uint64_t align) {
    return {std::min(size, SaturatedSize), std::min(align, SaturatedSize)};
}

uint64_t product(uint64_t count, uint64_t size) {
    return std::min(llvm::SaturatingMultiply(count, size), SaturatedSize);
}

/// Places fields one after the other.
class FieldPlacer {
public:
    uint64_t place(Extent field) {
        uint64_t offset = llvm::alignTo(end_, field.align);
        end_ = std::min(offset + field.size, SaturatedSize);
        align_ = std::max(align_, field.align);
        return offset;
    }
    Extent extent() const { return clamped(llvm::alignTo(end_, align_), align_); }

private:
    uint64_t end_ = 0, align_ = 1;
};

Extent intExtent(unsigned bits) {
    uint64_t bytes = bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
    return {bytes, bytes};
}

Extent protocolExtent(const ProtocolInfo& info) {
    if (!info.isInline) return {24, 8};
    auto slots = llvm::count_if(info.methods, [](const ProtocolMethodInfo& m) { return m.dispatchable; });
    return {16 + 8 * static_cast<uint64_t>(slots), 8};
}

} // namespace

// ---- completeness

bool TypeTable::Tables::isDeclared(const TypeTable& types, TypeId t) const {
    uint32_t info = types.data(t).info;
    switch (types.kind(t)) {
    case TypeKind::Struct: return structs[info].complete;
    case TypeKind::Enum: return enums[info].complete;
    case TypeKind::Union: return unions[info].complete;
    case TypeKind::Protocol: return protocols[info].complete;
    case TypeKind::None:
    case TypeKind::Void:
    case TypeKind::NoReturn:
    case TypeKind::Bool:
    case TypeKind::Int:
    case TypeKind::Float:
    case TypeKind::String:
    case TypeKind::CString:
    case TypeKind::Any:
    case TypeKind::Type:
    case TypeKind::Null:
    case TypeKind::Pointer:
    case TypeKind::ManyPointer:
    case TypeKind::Slice:
    case TypeKind::Array:
    case TypeKind::Vector:
    case TypeKind::Optional:
    case TypeKind::Tuple:
    case TypeKind::Function:
    case TypeKind::Closure:
    case TypeKind::ErrorSet: return true;
    }
    return true;
}

bool TypeTable::Tables::forEachPart(const TypeTable& types, TypeId t, llvm::function_ref<bool(TypeId)> visit) const {
    uint32_t info = types.data(t).info;
    switch (types.kind(t)) {
    case TypeKind::Array:
    case TypeKind::Vector:
    case TypeKind::Optional: return visit(types.elem(t));
    case TypeKind::Tuple: return llvm::all_of(tuples[info], [&](const TupleField& f) { return visit(f.type); });
    case TypeKind::Struct:
        return llvm::all_of(structs[info].fields, [&](const StructField& f) { return visit(f.type); });
    case TypeKind::Union:
        return llvm::all_of(unions[info].members, [&](const UnionMember& m) { return visit(m.type); });
    case TypeKind::Enum: {
        const EnumInfo& e = enums[info];
        if (e.layoutStruct != TypeId::None && !visit(e.layoutStruct)) return false;
        return llvm::all_of(e.variants,
                            [&](const Variant& v) { return v.payload == TypeId::None || visit(v.payload); });
    }
    case TypeKind::None:
    case TypeKind::Void:
    case TypeKind::NoReturn:
    case TypeKind::Bool:
    case TypeKind::Int:
    case TypeKind::Float:
    case TypeKind::String:
    case TypeKind::CString:
    case TypeKind::Any:
    case TypeKind::Type:
    case TypeKind::Null:
    case TypeKind::Pointer:
    case TypeKind::ManyPointer:
    case TypeKind::Slice:
    case TypeKind::Function:
    case TypeKind::Closure:
    case TypeKind::ErrorSet:
    case TypeKind::Protocol: return true;
    }
    return true;
}

void TypeTable::Tables::clearMarks(llvm::ArrayRef<TypeId> visited) {
    for (TypeId t : visited) layout(t).seen = false;
}

bool TypeTable::Tables::allDeclared(const TypeTable& types, TypeId t, llvm::SmallDenseSet<TypeId>& visited) {
    if (layout(t).complete || visited.contains(t)) return true;
    if (!isDeclared(types, t)) return false;
    visited.insert(t);
    return forEachPart(types, t, [&](TypeId part) { return allDeclared(types, part, visited); });
}

bool TypeTable::Tables::isComplete(const TypeTable& types, TypeId t) {
    if (layout(t).complete) return true;
    llvm::SmallDenseSet<TypeId> visited; // no marks: several threads may ask for a type that is never completed
    bool complete = allDeclared(types, t, visited);
    if (complete)
        for (TypeId v : visited) layout(v).complete = true;
    return complete;
}

bool TypeTable::Tables::reaches(const TypeTable& types, TypeId from, TypeId target, std::vector<TypeId>& visited,
                                bool& unsure) {
    layout(from).seen = true;
    visited.push_back(from);
    bool found = !forEachPart(types, from, [&](TypeId part) {
        if (layout(part).finite) return true;
        if (part == target) return false;
        if (!layout(part).seen) return !reaches(types, part, target, visited, unsure);
        unsure = true;
        return true;
    });
    if (!isDeclared(types, from)) unsure = true;
    if (!found && !unsure) layout(from).finite = true;
    return found;
}

bool TypeTable::Tables::containsItself(const TypeTable& types, TypeId t) {
    if (layout(t).finite) return false;
    std::vector<TypeId> visited;
    bool unsure = false;
    bool found = reaches(types, t, t, visited, unsure);
    clearMarks(visited);
    return found;
}

bool TypeTable::isComplete(TypeId t) const { return tables_->isComplete(*this, t); }
bool TypeTable::containsItselfByValue(TypeId t) const { return tables_->containsItself(*this, t); }

// ---- layout

Extent TypeTable::Tables::structExtent(const TypeTable& types, StructInfo& info) {
    FieldPlacer placer;
    for (StructField& f : info.fields) f.offset = placer.place(extent(types, f.type));
    return placer.extent();
}

Extent TypeTable::Tables::tupleExtent(const TypeTable& types, llvm::ArrayRef<TupleField> fields) {
    FieldPlacer placer;
    for (const TupleField& f : fields) placer.place(extent(types, f.type));
    return placer.extent();
}

Extent TypeTable::Tables::enumExtent(const TypeTable& types, EnumInfo& info) {
    if (!info.isTagged) return info.backing == TypeId::None ? Word : intExtent(bitsOf(types, info.backing));
    if (info.layoutStruct != TypeId::None) {
        Extent whole = extent(types, info.layoutStruct);
        const StructInfo& layout = types.structInfo(info.layoutStruct);
        if (!layout.fields.empty() && isInteger(types, layout.fields.front().type))
            info.backing = layout.fields.front().type;
        info.payloadOffset = layout.fields.size() > 1 ? layout.fields.back().offset : whole.size;
        return whole;
    }
    uint64_t payload = 0;
    bool hasPayload = false;
    for (const Variant& v : info.variants) {
        if (v.payload == TypeId::None) continue;
        hasPayload = true;
        payload = std::max(payload, extent(types, v.payload).size);
    }
    return clamped(8 + llvm::alignTo(hasPayload ? payload : 8, 8), 8);
}

Extent TypeTable::Tables::unionExtent(const TypeTable& types, const UnionInfo& info) {
    if (info.members.empty()) return Word;
    // Members of one anonymous struct share an arm; a member that is not at 0 tells such an arm, whose size
    // is that of the struct.
    struct Arm {
        uint64_t end = 0, align = 1;
        bool isStruct = false;
    };
    llvm::DenseMap<uint32_t, Arm> arms;
    for (const UnionMember& m : info.members) {
        Extent e = extent(types, m.type);
        Arm& arm = arms[m.arm];
        arm.end = std::max(arm.end, std::min(m.offset + e.size, SaturatedSize));
        arm.align = std::max(arm.align, e.align);
        arm.isStruct |= m.offset != 0;
    }
    uint64_t size = 0, align = 1;
    for (const auto& [_, arm] : arms) {
        size = std::max(size, arm.isStruct ? llvm::alignTo(arm.end, arm.align) : arm.end);
        align = std::max(align, arm.align);
    }
    return isUnionOfC(info) ? clamped(llvm::alignTo(size, align), align) : clamped(size, 8);
}

Extent TypeTable::Tables::compute(const TypeTable& types, TypeId t) {
    uint32_t info = types.data(t).info;
    switch (types.kind(t)) {
    case TypeKind::None:
    case TypeKind::Void:
    case TypeKind::NoReturn: return {};
    case TypeKind::Bool: return {1, 1};
    case TypeKind::Int:
    case TypeKind::Float: return intExtent(bitsOf(types, t));
    case TypeKind::ErrorSet: return {4, 4};
    case TypeKind::CString:
    case TypeKind::Type:
    case TypeKind::Null:
    case TypeKind::Pointer:
    case TypeKind::ManyPointer:
    case TypeKind::Function: return Word;
    case TypeKind::String:
    case TypeKind::Slice:
    case TypeKind::Any:
    case TypeKind::Closure: return Pair;
    case TypeKind::Array: {
        Extent elem = extent(types, types.elem(t));
        return {product(types.count(t), elem.size), elem.align};
    }
    case TypeKind::Vector: {
        uint64_t bytes = product(types.count(t), extent(types, types.elem(t)).size);
        uint64_t size = bytes == 0 ? 0 : llvm::PowerOf2Ceil(bytes);
        return {size, std::max<uint64_t>(size, 1)};
    }
    case TypeKind::Optional: {
        Extent payload = extent(types, types.elem(t));
        if (absence(types, t) == Absence::NullWord) return payload;
        return clamped(llvm::alignTo(payload.size + 1, payload.align), payload.align);
    }
    case TypeKind::Tuple: return tupleExtent(types, tuples[info]);
    case TypeKind::Struct: return structExtent(types, structs[info]);
    case TypeKind::Enum: return enumExtent(types, enums[info]);
    case TypeKind::Union: return unionExtent(types, unions[info]);
    case TypeKind::Protocol: return protocolExtent(protocols[info]);
    }
    return {};
}

Extent TypeTable::Tables::extent(const TypeTable& types, TypeId t) {
    if (layout(t).known) return layout(t).extent;
    if (layout(t).sizing) return {}; // contains itself: the inner one counts as empty
    if (!isComplete(types, t)) {
        assert(false && "the layout of an incomplete type was asked for");
        return {};
    }
    layout(t).sizing = true;
    Extent e = compute(types, t);
    layout(t) = {.extent = e, .known = true, .complete = true, .finite = layout(t).finite};
    return e;
}

void TypeTable::Tables::settle(const TypeTable& types, TypeId t) {
    if (!layout(t).known && !layout(t).sizing && isComplete(types, t)) extent(types, t);
}

Extent TypeTable::extent(TypeId t) const { return tables_->extent(*this, t); }

void settleLayouts(const TypeTable& types) {
    for (uint32_t i = 0; i < types.size(); ++i)
        if (auto t = static_cast<TypeId>(i); types.isComplete(t)) types.extent(t);
}

uint64_t fieldOffset(const TypeTable& types, TypeId t, unsigned index) {
    if (types.kind(t) == TypeKind::Struct) {
        const StructInfo& info = types.structInfo(t);
        return index < info.fields.size() ? info.fields[index].offset : 0;
    }
    FieldPlacer placer;
    uint64_t offset = 0;
    for (const TupleField& f : types.tupleFields(t).take_front(index + 1)) offset = placer.place(types.extent(f.type));
    return offset;
}

Absence absence(const TypeTable& types, TypeId optional) {
    assert(types.kind(optional) == TypeKind::Optional);
    TypeId payload = types.elem(optional);
    bool hasNullWord = isPointerLike(types, payload) || types.kind(payload) == TypeKind::Closure ||
                       types.kind(payload) == TypeKind::Protocol;
    return hasNullWord ? Absence::NullWord : Absence::Flag;
}

uint64_t optionalFlagOffset(const TypeTable& types, TypeId optional) {
    assert(absence(types, optional) == Absence::Flag);
    return sizeOf(types, types.elem(optional));
}

} // namespace sx
