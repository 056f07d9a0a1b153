#include "ir/TypeInfo.h"

#include "ir/DataBuilder.h"
#include "ir/TypeDescriptor.h"
#include "types/Layout.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <optional>

namespace sx::ir {

namespace {

/// The variant of `TypeInfo` for a type.
const char* variantFor(const TypeTable& types, TypeId t) {
    if (t == TypeId::USize) return "usize";
    if (t == TypeId::ISize) return "isize";
    switch (types.kind(t)) {
    case TypeKind::None:
    case TypeKind::Null:
    case TypeKind::Void: return "void";
    case TypeKind::NoReturn: return "noreturn";
    case TypeKind::Bool: return "bool";
    case TypeKind::Int: return "int";
    case TypeKind::Float: return "float";
    case TypeKind::String: return "string";
    case TypeKind::CString: return "cstring";
    case TypeKind::Any: return "any";
    case TypeKind::Type: return "type_value";
    case TypeKind::Pointer: return "pointer";
    case TypeKind::ManyPointer: return "many_pointer";
    case TypeKind::Slice: return "slice";
    case TypeKind::Array: return "array";
    case TypeKind::Vector: return "vector";
    case TypeKind::Optional: return "optional";
    case TypeKind::Tuple: return "tuple";
    case TypeKind::Function: return "function";
    case TypeKind::Closure: return "closure";
    case TypeKind::Struct: return "struct";
    case TypeKind::Enum: return "enum";
    case TypeKind::Union: return "union";
    case TypeKind::ErrorSet: return "error_set";
    case TypeKind::Protocol: return "protocol";
    }
    return "void";
}

/// The fields that this file writes: of the payload of a variant, and of the elements of its list.
struct PayloadShape {
    const char* variant;
    std::vector<const char*> fields, elementFields;
};

const std::vector<PayloadShape>& payloadShapes() {
    static const std::vector<PayloadShape> shapes = {
        {"enum", {"variants"}, {"name", "payload"}},
        {"struct", {"fields"}, {"name", "type", "offset"}},
        {"tuple", {"elements"}, {}},
        {"union", {"arms"}, {"name", "type", "offset"}},
        {"int", {"bits", "signed"}, {}},
        {"float", {"bits"}, {}},
        {"array", {"elem", "len"}, {}},
        {"vector", {"elem", "lanes"}, {}},
        {"slice", {"elem"}, {}},
        {"pointer", {"pointee"}, {}},
        {"many_pointer", {"pointee"}, {}},
        {"optional", {"inner"}, {}},
    };
    return shapes;
}

std::optional<unsigned> fieldIndex(const TypeTable& types, TypeId t, llvm::StringRef name) {
    if (types.kind(t) != TypeKind::Struct) return std::nullopt;
    const StructInfo& info = types.structInfo(t);
    auto it = info.index.find(types.names().intern(name));
    if (it == info.index.end()) return std::nullopt;
    return it->second;
}

TypeId fieldType(const TypeTable& types, TypeId t, llvm::StringRef name) {
    std::optional<unsigned> i = fieldIndex(types, t, name);
    return i ? types.structInfo(t).fields[*i].type : TypeId::None;
}

TypeId variantPayload(const TypeTable& types, TypeId info, llvm::StringRef name) {
    const EnumInfo& e = types.enumInfo(info);
    auto it = e.index.find(types.names().intern(name));
    return it == e.index.end() ? TypeId::None : e.variants[it->second].payload;
}

/// Writes one description. The global holds the value itself, then its list, then the names in it.
class InfoWriter {
public:
    InfoWriter(Module& m, TypeId t, GlobalId self)
        : m_(m), types_(m.types), t_(t), kind_(m.types.kind(t)),
          members_(m.types.isComplete(t) ? membersOf(m.types, t) : std::vector<Member>{}),
          listAt_((sizeOf(m.types, m.typeInfo) + 7) / 8 * 8), data_(self, listAt_ + listBytes()) {}

    void write(Global& g) {
        const EnumInfo& info = types_.enumInfo(m_.typeInfo);
        const Variant& v = info.variants[info.index.find(types_.names().intern(variantFor(types_, t_)))->second];
        data_.word(0, static_cast<uint64_t>(v.value));
        payload_ = v.payload;
        at_ = info.payloadOffset;
        payload();
        data_.finish(g);
    }

private:
    uint64_t offsetOf(TypeId t, llvm::StringRef field) const {
        return fieldOffset(types_, t, *fieldIndex(types_, t, field));
    }
    uint64_t at(llvm::StringRef field) const { return at_ + offsetOf(payload_, field); }
    const char* listName() const {
        return kind_ == TypeKind::Enum     ? "variants"
               : kind_ == TypeKind::Struct ? "fields"
               : kind_ == TypeKind::Union  ? "arms"
                                           : "elements";
    }

    /// The type of what the list holds; None if the description has no list.
    TypeId listElement() const {
        if (kind_ != TypeKind::Enum && kind_ != TypeKind::Struct && kind_ != TypeKind::Union &&
            kind_ != TypeKind::Tuple)
            return TypeId::None;
        return types_.elem(fieldType(types_, variantPayload(types_, m_.typeInfo, variantFor(types_, t_)), listName()));
    }
    uint64_t listBytes() const {
        TypeId element = listElement();
        return element == TypeId::None ? 0 : members_.size() * sizeOf(types_, element);
    }

    void payload() {
        switch (kind_) {
        case TypeKind::Enum:
        case TypeKind::Struct:
        case TypeKind::Union:
        case TypeKind::Tuple: return list();
        case TypeKind::Int:
            if (payload_ == TypeId::None) return; // usize, isize
            data_.word(at("bits"), bitsOf(types_, t_));
            data_.byte(at("signed"), types_.isSigned(t_));
            return;
        case TypeKind::Float: data_.word(at("bits"), bitsOf(types_, t_)); return;
        case TypeKind::Array:
            data_.typeHandle(at("elem"), types_.elem(t_));
            data_.word(at("len"), types_.count(t_));
            return;
        case TypeKind::Vector:
            data_.typeHandle(at("elem"), types_.elem(t_));
            data_.word(at("lanes"), types_.count(t_));
            return;
        case TypeKind::Slice: data_.typeHandle(at("elem"), types_.elem(t_)); return;
        case TypeKind::Pointer:
        case TypeKind::ManyPointer: data_.typeHandle(at("pointee"), types_.elem(t_)); return;
        case TypeKind::Optional: data_.typeHandle(at("inner"), types_.elem(t_)); return;
        case TypeKind::None:
        case TypeKind::Void:
        case TypeKind::NoReturn:
        case TypeKind::Bool:
        case TypeKind::String:
        case TypeKind::CString:
        case TypeKind::Any:
        case TypeKind::Type:
        case TypeKind::Null:
        case TypeKind::Function:
        case TypeKind::Closure:
        case TypeKind::ErrorSet:
        case TypeKind::Protocol: return;
        }
    }

    void list() {
        if (members_.empty()) return;
        TypeId element = listElement();
        uint64_t slice = at(listName()), size = sizeOf(types_, element);
        data_.ownAddress(slice, listAt_);
        data_.word(slice + 8, members_.size());
        for (size_t i = 0; i < members_.size(); ++i) {
            const Member& m = members_[i];
            uint64_t place = listAt_ + i * size;
            if (kind_ == TypeKind::Tuple) {
                data_.typeHandle(place, m.type);
                continue;
            }
            data_.string(place + offsetOf(element, "name"), types_.names().text(m.name));
            data_.typeHandle(place + offsetOf(element, kind_ == TypeKind::Enum ? "payload" : "type"), m.type);
            if (kind_ != TypeKind::Enum) data_.word(place + offsetOf(element, "offset"), m.offset);
        }
    }

    Module& m_;
    const TypeTable& types_;
    TypeId t_;
    TypeKind kind_;
    std::vector<Member> members_;
    uint64_t listAt_;
    DataBuilder data_;
    TypeId payload_{};
    uint64_t at_ = 0;
};

} // namespace

bool isTypeInfo(const TypeTable& types, TypeId t) {
    if (!isTaggedEnum(types, t) || !types.isComplete(t)) return false;
    static constexpr const char* Plain[] = {"bool",    "string",   "cstring",   "void", "function",
                                            "closure", "protocol", "error_set", "any",  "noreturn",
                                            "usize",   "isize",    "type_value"};
    const EnumInfo& info = types.enumInfo(t);
    for (const char* name : Plain)
        if (!info.index.count(types.names().intern(name))) return false;
    for (const PayloadShape& shape : payloadShapes()) {
        TypeId payload = variantPayload(types, t, shape.variant);
        for (const char* field : shape.fields)
            if (fieldType(types, payload, field) == TypeId::None) return false;
        if (shape.elementFields.empty()) continue;
        TypeId list = fieldType(types, payload, shape.fields.front());
        if (types.kind(list) != TypeKind::Slice) return false;
        for (const char* field : shape.elementFields)
            if (fieldType(types, types.elem(list), field) == TypeId::None) return false;
    }
    return true;
}

GlobalId describeInfo(Module& m, TypeId t) {
    if (auto known = m.typeInfos.find(t); known != m.typeInfos.end()) return known->second;
    auto self = static_cast<GlobalId>(m.globals.size());
    Global g;
    g.name = ("description of " + llvm::Twine(runtimeName(m.types, t))).str();
    g.symbol = ("sx.info." + llvm::Twine(m.globals.size())).str();
    g.align = 8;
    g.isConst = true;
    InfoWriter(m, t, self).write(g);
    m.globals.push_back(std::move(g));
    if (m.types.isComplete(t)) m.typeInfos[t] = self; // else it says more later
    return self;
}

void referToInfos(Module& m) {
    if (m.infosInDescriptors) return;
    m.infosInDescriptors = true;
    std::vector<std::pair<TypeId, GlobalId>> known(m.typeDescriptors.begin(), m.typeDescriptors.end());
    std::sort(known.begin(), known.end());
    for (auto [type, descriptor] : known) {
        GlobalId info = describeInfo(m, type);
        m.global(descriptor).init.relocs.push_back({Reloc::Kind::Global, desc::Info, static_cast<uint32_t>(info), 0});
    }
}

} // namespace sx::ir
