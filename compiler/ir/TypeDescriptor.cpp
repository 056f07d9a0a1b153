// Descriptors are made on demand and bring those of the types they mention. A type's global is entered in
// the module before its data is built, so types that mention each other end the search.
#include "ir/TypeDescriptor.h"

#include "ir/DataBuilder.h"
#include "ir/TypeInfo.h"
#include "types/Layout.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

#include "llvm/ADT/Twine.h"

namespace sx::ir {

namespace {

std::vector<Member> variantsOf(const EnumInfo& info) {
    std::vector<Member> out;
    for (const Variant& v : info.variants)
        out.push_back({v.name, v.payload == TypeId::None ? TypeId::Void : v.payload,
                       info.isTagged ? info.payloadOffset : 0, v.value});
    return out;
}

uint64_t flagsOf(const TypeTable& types, TypeId t) {
    if (types.kind(t) == TypeKind::Protocol) return types.protocolInfo(t).isIdentity ? desc::FlagIdentity : 0;
    if (isInteger(types, t)) return types.isSigned(t) ? 0 : desc::FlagUnsigned;
    if (types.kind(t) != TypeKind::Enum) return 0;
    const EnumInfo& info = types.enumInfo(t);
    return (types.isSigned(info.backing) ? 0 : desc::FlagUnsigned) | (info.isFlags ? desc::FlagFlagsEnum : 0);
}

uint64_t describedBits(const TypeTable& types, TypeId t) {
    if (isNumeric(types, t)) return bitsOf(types, t);
    if (isErrorSet(types, t)) return 32;
    return types.kind(t) == TypeKind::Enum ? bitsOf(types, types.enumInfo(t).backing) : 0;
}

int64_t extraOf(const TypeTable& types, TypeId t) {
    if (isTaggedEnum(types, t)) return static_cast<int64_t>(types.enumInfo(t).payloadOffset);
    if (types.kind(t) != TypeKind::Optional) return 0;
    return absence(types, t) == Absence::Flag ? static_cast<int64_t>(optionalFlagOffset(types, t)) : -1;
}

class Describer {
public:
    explicit Describer(Module& m) : m_(m) {}

    GlobalId describe(TypeId t) {
        GlobalId g = globalOf(t);
        while (!pending_.empty()) {
            TypeId next = pending_.back();
            pending_.pop_back();
            build(next);
        }
        return g;
    }

private:
    GlobalId globalOf(TypeId t) {
        auto [it, isNew] = m_.typeDescriptors.try_emplace(t, GlobalId::None);
        if (!isNew) return it->second;
        it->second = static_cast<GlobalId>(m_.globals.size());
        Global g;
        g.name = ("type " + llvm::Twine(runtimeName(m_.types, t))).str();
        g.symbol = ("sx.type." + llvm::Twine(static_cast<uint32_t>(t))).str();
        if (!m_.types.isComplete(t)) g.symbol += "." + std::to_string(m_.globals.size()); // described again when it is
        g.align = 8;
        g.isConst = true;
        m_.globals.push_back(std::move(g));
        pending_.push_back(t);
        return it->second;
    }

    void mention(DataBuilder& data, uint64_t at, TypeId t) {
        globalOf(t);
        data.typeHandle(at, t);
    }

    void build(TypeId t) {
        const TypeTable& types = m_.types;
        GlobalId self = globalOf(t);
        bool sized = types.isComplete(t);
        std::vector<Member> members = sized ? membersOf(types, t) : std::vector<Member>{};
        DataBuilder data(self, desc::Total + members.size() * member::Total);

        data.word(desc::Category, static_cast<uint64_t>(categoryOf(types, t)));
        data.word(desc::Size, sized ? sizeOf(types, t) : 0);
        data.word(desc::Align, sized ? alignOf(types, t) : 1);
        std::string name = runtimeName(types, t), written = writtenName(types, t);
        data.string(desc::NamePtr, name);
        if (written != name) data.string(desc::WrittenPtr, written);
        bool counted = types.kind(t) == TypeKind::Array || types.kind(t) == TypeKind::Vector;
        data.word(desc::MemberCount, counted ? types.count(t) : members.size());
        if (!members.empty()) data.ownAddress(desc::Members, desc::Total);
        if (types.elem(t) != TypeId::None) mention(data, desc::Elem, types.elem(t));
        if (sized) {
            data.word(desc::Flags, flagsOf(types, t));
            data.word(desc::Bits, describedBits(types, t));
            data.word(desc::Extra, static_cast<uint64_t>(extraOf(types, t)));
        }
        if (m_.infosInDescriptors) data.address(desc::Info, describeInfo(m_, t));
        for (size_t i = 0; i < members.size(); ++i) buildMember(data, desc::Total + i * member::Total, members[i]);
        data.finish(m_.global(self));
    }

    void buildMember(DataBuilder& data, uint64_t at, const Member& m) {
        data.string(at + member::NamePtr, m_.types.names().text(m.name));
        mention(data, at + member::Type, m.type);
        data.word(at + member::Offset, m.offset);
        data.word(at + member::Value, static_cast<uint64_t>(m.value));
    }

    Module& m_;
    std::vector<TypeId> pending_; ///< have their global, not its data
};

/// In order of first mention, so that the globals of two equal modules are numbered alike.
std::vector<TypeId> mentionedTypes(const Module& m, size_t firstFunction, size_t firstGlobal) {
    std::vector<TypeId> out;
    for (const auto& fn : llvm::ArrayRef(m.functions).drop_front(firstFunction))
        for (const Instr& i : fn->instrs)
            if (i.op == Op::TypeHandle) out.push_back(static_cast<TypeId>(i.imm));
    for (const Global& g : llvm::ArrayRef(m.globals).drop_front(firstGlobal))
        for (const Reloc& r : g.init.relocs)
            if (r.kind == Reloc::Kind::TypeHandle) out.push_back(static_cast<TypeId>(r.id));
    return out;
}

void fillErrorNames(Module& m) {
    llvm::ArrayRef<Name> tags = m.types.tags();
    if (m.errorNames == GlobalId::None && tags.empty()) return;
    constexpr uint64_t Entry = 16;
    size_t count = tags.size() + 1;
    DataBuilder data(m.errorNameTable(), Module::ErrorNamesHeader + count * Entry);
    data.word(0, count);
    for (size_t i = 1; i < count; ++i)
        data.string(Module::ErrorNamesHeader + i * Entry, m.types.names().text(tags[i - 1]));
    data.finish(m.global(m.errorNames));
}

} // namespace

std::vector<Member> membersOf(const TypeTable& types, TypeId t) {
    std::vector<Member> out;
    TypeKind kind = types.kind(t);
    if (kind == TypeKind::Enum) return variantsOf(types.enumInfo(t));
    if (kind == TypeKind::Struct)
        for (const StructField& f : types.structInfo(t).fields) out.push_back({f.name, f.type, f.offset, 0});
    if (kind == TypeKind::Union)
        for (const UnionMember& m : types.unionInfo(t).members) out.push_back({m.name, m.type, m.offset, 0});
    if (kind == TypeKind::Tuple) {
        llvm::ArrayRef<TupleField> fields = types.tupleFields(t);
        for (unsigned i = 0; i < fields.size(); ++i)
            out.push_back({fields[i].name, fields[i].type, fieldOffset(types, t, i), 0});
    }
    return out;
}

TypeCategory categoryOf(const TypeTable& types, TypeId t) {
    switch (types.kind(t)) {
    case TypeKind::None:
    case TypeKind::Null: return TypeCategory::Other;
    case TypeKind::Void: return TypeCategory::Void;
    case TypeKind::NoReturn: return TypeCategory::NoReturn;
    case TypeKind::Bool: return TypeCategory::Bool;
    case TypeKind::Int: return TypeCategory::Int;
    case TypeKind::Float: return TypeCategory::Float;
    case TypeKind::String: return TypeCategory::String;
    case TypeKind::CString: return TypeCategory::CString;
    case TypeKind::Any: return TypeCategory::Any;
    case TypeKind::Type: return TypeCategory::Type;
    case TypeKind::Pointer: return TypeCategory::Pointer;
    case TypeKind::ManyPointer: return TypeCategory::ManyPointer;
    case TypeKind::Slice: return TypeCategory::Slice;
    case TypeKind::Array: return TypeCategory::Array;
    case TypeKind::Vector: return TypeCategory::Vector;
    case TypeKind::Optional: return TypeCategory::Optional;
    case TypeKind::Tuple: return TypeCategory::Tuple;
    case TypeKind::Function: return TypeCategory::Function;
    case TypeKind::Closure: return TypeCategory::Closure;
    case TypeKind::Struct: return TypeCategory::Struct;
    case TypeKind::Enum: return isTaggedEnum(types, t) ? TypeCategory::TaggedEnum : TypeCategory::Enum;
    case TypeKind::Union: return TypeCategory::Union;
    case TypeKind::ErrorSet: return TypeCategory::ErrorSet;
    case TypeKind::Protocol: return TypeCategory::Protocol;
    }
    return TypeCategory::Other;
}

GlobalId Module::errorNameTable() {
    if (errorNames != GlobalId::None) return errorNames;
    Global g;
    g.name = "error names";
    g.symbol = "sx_trace_error_names";
    g.align = 8;
    g.isConst = true;
    globals.push_back(std::move(g));
    return errorNames = static_cast<GlobalId>(globals.size() - 1);
}

GlobalId describeType(Module& m, TypeId t) { return Describer(m).describe(t); }

void finish(Module& m, size_t firstFunction, size_t firstGlobal) {
    for (TypeId t : mentionedTypes(m, firstFunction, firstGlobal)) describeType(m, t);
    bool isNew = m.errorNames == GlobalId::None || static_cast<size_t>(m.errorNames) >= firstGlobal;
    if (isNew) fillErrorNames(m);
}

} // namespace sx::ir
