#include "codegen/DebugTypes.h"

#include "ir/TypeDescriptor.h"
#include "types/Failable.h"
#include "types/Layout.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

#include "llvm/BinaryFormat/Dwarf.h"

namespace sx::codegen {

namespace dw = llvm::dwarf;

namespace {

constexpr uint64_t WordBytes = 8, WordBits = 64;

} // namespace

llvm::DIType* DebugTypes::type(TypeId t) {
    if (auto it = made_.find(t); it != made_.end()) return llvm::cast_or_null<llvm::DIType>(it->second.get());
    llvm::DIType* made = make(t);
    made_[t].reset(made);
    return made;
}

llvm::DIType* DebugTypes::make(TypeId t) {
    if (!types_.isComplete(t)) return declare(t, dw::DW_TAG_structure_type); // named by a pointer, and never laid out
    switch (types_.kind(t)) {
    case TypeKind::None:
    case TypeKind::Void:
    case TypeKind::NoReturn: return nullptr;
    case TypeKind::Bool: return basic(t, dw::DW_ATE_boolean);
    case TypeKind::Int:
    case TypeKind::Float: return number(t);
    case TypeKind::CString: return builder_.createTypedef(pointerTo(character()), "cstring", nullptr, 0, nullptr);
    case TypeKind::Type: return builder_.createTypedef(pointerTo(typeHandle()), "Type", nullptr, 0, nullptr);
    case TypeKind::Null: return untypedPointer();
    case TypeKind::Pointer:
    case TypeKind::ManyPointer: return pointer(t);
    case TypeKind::Function: return codePointer(t);
    case TypeKind::Array:
    case TypeKind::Vector: return array(t);
    case TypeKind::Optional: return optional(t);
    case TypeKind::ErrorSet: return errorSet(t);
    case TypeKind::Union: return unionType(t);
    case TypeKind::Enum: return isTaggedEnum(types_, t) ? taggedEnum(t) : plainEnum(t);
    case TypeKind::String:
    case TypeKind::Any:
    case TypeKind::Slice:
    case TypeKind::Tuple:
    case TypeKind::Closure:
    case TypeKind::Struct:
    case TypeKind::Protocol: return structure(t);
    }
    llvm_unreachable("no such kind of type");
}

// ---- scalars

llvm::DIType* DebugTypes::basic(TypeId t, unsigned encoding) {
    return builder_.createBasicType(writtenName(types_, t), bits(t), encoding);
}

llvm::DIType* DebugTypes::base(TypeId number) {
    llvm::TrackingMDNodeRef& known = bases_[number];
    if (!known) {
        unsigned integer = types_.isSigned(number) ? dw::DW_ATE_signed : dw::DW_ATE_unsigned;
        unsigned encoding = types_.kind(number) == TypeKind::Float ? unsigned(dw::DW_ATE_float) : integer;
        known.reset(basic(number, encoding));
    }
    return llvm::cast<llvm::DIType>(known.get());
}

/// lldb calls base types as C does, whatever their names are: it shows `i64` only as that of a typedef.
llvm::DIType* DebugTypes::number(TypeId t) {
    return builder_.createTypedef(base(t), writtenName(types_, t), nullptr, 0, nullptr);
}

/// What texts are made of: a byte that debuggers show as a character.
llvm::DIType* DebugTypes::character() {
    if (!character_) character_ = builder_.createBasicType("char", 8, dw::DW_ATE_unsigned_char);
    return character_;
}

llvm::DIType* DebugTypes::word() { return type(TypeId::I64); }

llvm::DIType* DebugTypes::untypedPointer() {
    if (!untypedPointer_) untypedPointer_ = builder_.createPointerType(nullptr, WordBits);
    return untypedPointer_;
}

/// A run-time type descriptor: the parts that a formatter reads.
llvm::DIType* DebugTypes::typeHandle() {
    if (typeHandle_) return typeHandle_;
    llvm::DICompositeType* handle = builder_.createStructType(
        nullptr, "TypeDescriptor", nullptr, 0, ir::desc::Total * 8, 0, llvm::DINode::FlagZero, nullptr, {});
    define(handle, {{"category", word(), ir::desc::Category},
                    {"size", word(), ir::desc::Size},
                    {"name", type(TypeId::String), ir::desc::NamePtr}});
    return typeHandle_ = handle;
}

llvm::DIType* DebugTypes::pointerTo(llvm::DIType* pointee) { return builder_.createPointerType(pointee, WordBits); }

llvm::DIType* DebugTypes::pointer(TypeId t) {
    return pointerTo(
        type(types_.elem(t))); // ends: a structure that leads back here is known before its parts are asked for
}

llvm::DIType* DebugTypes::codePointer(TypeId t) {
    const FunctionInfo& info = types_.functionInfo(t);
    llvm::SmallVector<llvm::Metadata*, 8> parts{type(info.result)};
    for (TypeId param : info.params) parts.push_back(type(param));
    return pointerTo(builder_.createSubroutineType(builder_.getOrCreateTypeArray(parts)));
}

// ---- sequences

llvm::DIType* DebugTypes::array(TypeId t) {
    llvm::Metadata* range = builder_.getOrCreateSubrange(0, static_cast<int64_t>(types_.count(t)));
    llvm::DINodeArray ranges = builder_.getOrCreateArray({range});
    llvm::DIType* elem = type(types_.elem(t));
    if (!elem) elem = builder_.createUnspecifiedType("void"); // an array in DWARF has elements of some type
    if (types_.kind(t) == TypeKind::Vector) return builder_.createVectorType(bits(t), 0, elem, ranges);
    return builder_.createArrayType(bits(t), 0, elem, ranges);
}

// ---- enums

/// The variants, or the tags of an error set.
llvm::DINodeArray DebugTypes::enumerators(TypeId t) {
    llvm::SmallVector<llvm::Metadata*, 16> list;
    if (isErrorSet(types_, t)) {
        // A set that was inferred names no tags of its own: any tag of the program may be in it.
        list.push_back(
            builder_.createEnumerator("no error", 0, /*IsUnsigned=*/true)); // also tells a formatter what it is
        llvm::ArrayRef<Name> tags =
            t == TypeId::InferredErrors ? types_.tags() : llvm::ArrayRef<Name>(types_.errorSetInfo(t).tags);
        for (Name tag : tags)
            list.push_back(builder_.createEnumerator(text(tag), types_.tagId(tag), /*IsUnsigned=*/true));
        return builder_.getOrCreateArray(list);
    }
    const EnumInfo& info = types_.enumInfo(t);
    bool isUnsigned = info.backing != TypeId::None && isInteger(types_, info.backing) && !types_.isSigned(info.backing);
    for (const Variant& variant : info.variants)
        list.push_back(builder_.createEnumerator(text(variant.name), static_cast<uint64_t>(variant.value), isUnsigned));
    return builder_.getOrCreateArray(list);
}

llvm::DIType* DebugTypes::plainEnum(TypeId t) {
    return builder_.createEnumerationType(nullptr, writtenName(types_, t), nullptr, 0, bits(t), 0, enumerators(t),
                                          base(types_.enumInfo(t).backing));
}

llvm::DIType* DebugTypes::errorSet(TypeId t) {
    return builder_.createEnumerationType(nullptr, writtenName(types_, t), nullptr, 0, bits(t), 0, enumerators(t),
                                          base(TypeId::U32));
}

llvm::DIType* DebugTypes::tagType(TypeId t) {
    const EnumInfo& info = types_.enumInfo(t);
    TypeId integer =
        info.layoutStruct == TypeId::None ? info.backing : types_.structInfo(info.layoutStruct).fields.front().type;
    return builder_.createEnumerationType(nullptr, writtenName(types_, t) + ".tag", nullptr, 0, bits(integer), 0,
                                          enumerators(t), base(integer));
}

/// A variant part would say which payload is the one. But lldb reads it in programs of Rust only.
llvm::DIType* DebugTypes::taggedEnum(TypeId t) {
    llvm::DICompositeType* whole = declare(t, dw::DW_TAG_structure_type);
    const EnumInfo& info = types_.enumInfo(t);
    std::vector<Member> payloads;
    uint64_t size = 0;
    for (const Variant& variant : info.variants) {
        if (variant.payload == TypeId::None || sizeOf(types_, variant.payload) == 0) continue; // the tag says it all
        payloads.push_back({text(variant.name), type(variant.payload), 0});
        size = std::max(size, bits(variant.payload));
    }
    std::vector<Member> members{{"tag", tagType(t), 0}};
    if (!payloads.empty()) {
        std::string identifier = "sx.payloads." + std::to_string(static_cast<uint32_t>(t));
        llvm::DICompositeType* either =
            builder_.createUnionType(nullptr, "", nullptr, 0, size, 0, llvm::DINode::FlagZero, {}, 0, identifier);
        define(either, payloads);
        // gdb fails on two members of one name.
        bool hasTag = llvm::any_of(payloads, [](const Member& m) { return m.name == "tag"; });
        members.push_back({hasTag ? "payload" : "", either, info.payloadOffset});
    }
    define(whole, members);
    return whole;
}

// ---- structures

/// Registered before its parts are known, which may mention it.
llvm::DICompositeType* DebugTypes::declare(TypeId t, unsigned tag) {
    std::string identifier = "sx.type." + std::to_string(static_cast<uint32_t>(t)); // two types of one name stay two
    llvm::DICompositeType* made;
    if (!types_.isComplete(t)) {
        made = builder_.createForwardDecl(tag, writtenName(types_, t), nullptr, nullptr, 0, 0, 0, 0, identifier);
    } else if (tag == dw::DW_TAG_union_type) {
        made = builder_.createUnionType(nullptr, writtenName(types_, t), nullptr, 0, bits(t), 0, llvm::DINode::FlagZero,
                                        {}, 0, identifier);
    } else {
        made = builder_.createStructType(nullptr, writtenName(types_, t), nullptr, 0, bits(t), 0,
                                         llvm::DINode::FlagZero, nullptr, {}, 0, nullptr, identifier);
    }
    made_[t].reset(made);
    return made;
}

void DebugTypes::define(llvm::DICompositeType*& whole, llvm::ArrayRef<Member> members) {
    llvm::SmallVector<llvm::Metadata*, 8> list;
    for (const Member& m : members) {
        if (!m.type) continue; // `void` takes no place
        list.push_back(builder_.createMemberType(whole, m.name, nullptr, 0, m.type->getSizeInBits(), 0, m.offset * 8,
                                                 llvm::DINode::FlagZero, m.type));
    }
    builder_.replaceArrays(whole, builder_.getOrCreateArray(list));
}

llvm::DIType* DebugTypes::structure(TypeId t) {
    llvm::DICompositeType* whole = declare(t, dw::DW_TAG_structure_type);
    define(whole, membersOf(t));
    return whole;
}

llvm::DIType* DebugTypes::unionType(TypeId t) {
    llvm::DICompositeType* whole = declare(t, dw::DW_TAG_union_type);
    std::vector<Member> members;
    for (const UnionMember& m : types_.unionInfo(t).members) members.push_back({text(m.name), type(m.type), m.offset});
    define(whole, members);
    return whole;
}

llvm::DIType* DebugTypes::optional(TypeId t) {
    TypeId payload = types_.elem(t);
    bool hasFlag = absence(types_, t) == Absence::Flag;
    if (!hasFlag && isScalar(types_, t))
        return builder_.createTypedef(type(payload), writtenName(types_, t), nullptr, 0, nullptr);
    llvm::DICompositeType* whole = declare(t, dw::DW_TAG_structure_type);
    std::vector<Member> members{{"value", type(payload), 0}};
    if (hasFlag) members.push_back({"present", type(TypeId::Bool), optionalFlagOffset(types_, t)});
    define(whole, members);
    return whole;
}

std::vector<DebugTypes::Member> DebugTypes::membersOf(TypeId t) {
    switch (types_.kind(t)) {
    case TypeKind::String: return {{"ptr", pointerTo(character()), 0}, {"len", word(), WordBytes}};
    case TypeKind::Slice: return {{"ptr", pointerTo(type(types_.elem(t))), 0}, {"len", word(), WordBytes}};
    case TypeKind::Any: return {{"data", untypedPointer(), 0}, {"type", type(TypeId::Type), WordBytes}};
    case TypeKind::Closure: return {{"code", codePointer(t), 0}, {"env", untypedPointer(), WordBytes}};
    case TypeKind::Tuple: return tupleMembers(t);
    case TypeKind::Protocol: return protocolMembers(t);
    case TypeKind::Struct: {
        std::vector<Member> members;
        unsigned index = 0;
        for (const StructField& field : types_.structInfo(t).fields) {
            uint64_t offset = fieldOffset(types_, t, index);
            std::string name = field.name == Name::None || types_.structInfo(t).positional ? "_" + std::to_string(index)
                                                                                           : text(field.name);
            members.push_back({std::move(name), type(field.type), offset});
            ++index;
        }
        return members;
    }
    case TypeKind::None:
    case TypeKind::Void:
    case TypeKind::NoReturn:
    case TypeKind::Bool:
    case TypeKind::Int:
    case TypeKind::Float:
    case TypeKind::CString:
    case TypeKind::Type:
    case TypeKind::Null:
    case TypeKind::Pointer:
    case TypeKind::ManyPointer:
    case TypeKind::Array:
    case TypeKind::Vector:
    case TypeKind::Optional:
    case TypeKind::Function:
    case TypeKind::Enum:
    case TypeKind::Union:
    case TypeKind::ErrorSet: break;
    }
    llvm_unreachable("not a structure");
}

std::vector<DebugTypes::Member> DebugTypes::tupleMembers(TypeId t) {
    std::vector<Member> members;
    std::vector<TupleField> fields = types_.tupleFields(t);
    bool isFailable = sx::isFailable(types_, t);
    for (unsigned i = 0; i < fields.size(); ++i) {
        bool isError = isFailable && i + 1 == fields.size();
        std::string name = isError                            ? "error"
                           : fields[i].name != Name::None     ? text(fields[i].name)
                           : isFailable && fields.size() == 2 ? "value"
                                                              : "_" + std::to_string(i);
        members.push_back({std::move(name), type(fields[i].type), fieldOffset(types_, t, i)});
    }
    return members;
}

std::vector<DebugTypes::Member> DebugTypes::protocolMembers(TypeId t) {
    std::vector<Member> members{{"ctx", untypedPointer(), 0}, {"type", type(TypeId::Type), WordBytes}};
    const ProtocolInfo& info = types_.protocolInfo(t);
    if (!info.isInline) {
        members.push_back({"vtable", untypedPointer(), 2 * WordBytes});
        return members;
    }
    for (const ProtocolMethodInfo& method : info.methods)
        if (method.dispatchable)
            members.push_back({text(method.name), untypedPointer(), (2 + method.slot) * WordBytes});
    return members;
}

llvm::DIType* DebugTypes::captures(const ir::Function& closure) {
    const ir::Capture& last = closure.captures.back();
    uint64_t size = last.offset + sizeOf(types_, last.type);
    std::string name = closure.symbol + ".captures";
    llvm::DICompositeType* whole = builder_.createStructType(nullptr, name, nullptr, 0, size * 8, 0,
                                                             llvm::DINode::FlagZero, nullptr, {}, 0, nullptr, name);
    std::vector<Member> members;
    for (const ir::Capture& c : closure.captures) members.push_back({text(c.name), type(c.type), c.offset});
    define(whole, members);
    return whole;
}

} // namespace sx::codegen
