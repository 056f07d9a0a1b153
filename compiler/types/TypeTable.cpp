#include "types/Derived.h"
#include "types/Tables.h"

#include <cassert>

namespace sx {

namespace {

/// A key of raw bytes for types made of many parts.
class ShapeKey {
public:
    explicit ShapeKey(TypeKind kind) { add(static_cast<uint32_t>(kind)); }
    void add(uint32_t word) {
        bytes_.append(reinterpret_cast<const char*>(&word), reinterpret_cast<const char*>(&word) + sizeof word);
    }
    void add(TypeId t) { add(static_cast<uint32_t>(t)); }
    void add(Name n) { add(static_cast<uint32_t>(n)); }
    void add(llvm::ArrayRef<TupleField> fields) {
        for (const TupleField& f : fields) {
            add(f.name);
            add(f.type);
        }
    }
    llvm::StringRef str() const { return {bytes_.data(), bytes_.size()}; }

private:
    llvm::SmallVector<char, 128> bytes_;
};

uint32_t indexOfLast(size_t size) { return static_cast<uint32_t>(size - 1); }

} // namespace

TypeTable::TypeTable(NameTable& names) : names_(names), tables_(std::make_unique<Tables>()) {
    types_.resize(raw(TypeId::FirstDerived));
    auto set = [&](TypeId t, TypeKind kind, unsigned bits = 0, bool isSigned = false) {
        types_[raw(t)] = {.kind = kind, .count = bits, .isSigned = isSigned};
    };
    set(TypeId::Void, TypeKind::Void);
    set(TypeId::NoReturn, TypeKind::NoReturn);
    set(TypeId::Bool, TypeKind::Bool);
    set(TypeId::String, TypeKind::String);
    set(TypeId::CString, TypeKind::CString);
    set(TypeId::Any, TypeKind::Any);
    set(TypeId::Type, TypeKind::Type);
    set(TypeId::Null, TypeKind::Null);
    set(TypeId::F32, TypeKind::Float, 32, true);
    set(TypeId::F64, TypeKind::Float, 64, true);
    set(TypeId::USize, TypeKind::Int, 64, false);
    set(TypeId::ISize, TypeKind::Int, 64, true);
    set(TypeId::InferredErrors, TypeKind::ErrorSet);
    tables_->errorSets.push_back({"!", {}}); // info 0, which the entry above names
    for (unsigned bits = 1; bits <= 64; ++bits) {
        set(integerType(bits, true), TypeKind::Int, bits, true);
        set(integerType(bits, false), TypeKind::Int, bits, false);
    }
}

TypeTable::~TypeTable() = default;

TypeId TypeTable::add(TypeData d) {
    types_.push_back(d);
    return static_cast<TypeId>(types_.size() - 1);
}

TypeId TypeTable::derived(TypeKind kind, TypeId elem, uint64_t count) {
    std::pair<uint64_t, uint64_t> key{uint64_t{static_cast<uint8_t>(kind)} << 32 | raw(elem), count};
    auto [it, isNew] = tables_->byPart.try_emplace(key, TypeId::None);
    if (isNew) it->second = add({.kind = kind, .elem = elem, .count = count});
    return it->second;
}

// ---- structural types

TypeId TypeTable::tupleOf(llvm::ArrayRef<TupleField> fields) {
    ShapeKey key(TypeKind::Tuple);
    key.add(fields);
    auto [it, isNew] = tables_->byShape.try_emplace(key.str(), TypeId::None);
    if (isNew) {
        tables_->tuples.emplace_back(fields.begin(), fields.end());
        it->second = add({.kind = TypeKind::Tuple, .info = indexOfLast(tables_->tuples.size())});
    }
    return it->second;
}

TypeId TypeTable::signature(TypeKind kind, FunctionInfo f) {
    ShapeKey key(kind);
    key.add(static_cast<uint32_t>(f.conv) << 1 | uint32_t{f.cVariadic});
    key.add(f.result);
    for (TypeId p : f.params) key.add(p);
    auto [it, isNew] = tables_->byShape.try_emplace(key.str(), TypeId::None);
    if (isNew) {
        tables_->functions.push_back(std::move(f));
        it->second = add({.kind = kind, .info = indexOfLast(tables_->functions.size())});
    }
    return it->second;
}

TypeId TypeTable::anonymousStruct(llvm::ArrayRef<TupleField> given, bool positional) {
    llvm::SmallVector<TupleField, 8> fields(given);
    if (positional)
        for (size_t i = 0; i < fields.size(); ++i) fields[i].name = names_.intern(std::to_string(i));
    ShapeKey key(TypeKind::Struct);
    key.add(uint32_t{positional});
    key.add(fields);
    if (auto it = tables_->byShape.find(key.str()); it != tables_->byShape.end()) return it->second;

    TypeId t = newStruct("");
    tables_->byShape[key.str()] = t;
    std::vector<StructField> parts;
    for (const TupleField& f : fields) parts.push_back({.name = f.name, .type = f.type});
    completeStruct(t, std::move(parts));
    tables_->structs[data(t).info].positional = positional;
    return t;
}

// ---- nominal types

TypeId TypeTable::newStruct(std::string name) {
    tables_->structs.emplace_back().name = std::move(name);
    return add({.kind = TypeKind::Struct, .info = indexOfLast(tables_->structs.size())});
}

TypeId TypeTable::newEnum(std::string name) {
    tables_->enums.emplace_back().name = std::move(name);
    return add({.kind = TypeKind::Enum, .info = indexOfLast(tables_->enums.size())});
}

TypeId TypeTable::newUnion(std::string name) {
    tables_->unions.emplace_back().name = std::move(name);
    return add({.kind = TypeKind::Union, .info = indexOfLast(tables_->unions.size())});
}

TypeId TypeTable::newErrorSet(std::string name, std::vector<Name> tags) {
    for (Name tag : tags) tagId(tag);
    tables_->errorSets.push_back({std::move(name), std::move(tags)});
    return add({.kind = TypeKind::ErrorSet, .info = indexOfLast(tables_->errorSets.size())});
}

TypeId TypeTable::newProtocol(std::string name) {
    tables_->protocols.emplace_back().name = std::move(name);
    return add({.kind = TypeKind::Protocol, .info = indexOfLast(tables_->protocols.size())});
}

void TypeTable::setWrittenName(TypeId t, std::string name) { tables_->writtenNames[t] = std::move(name); }

const std::string* TypeTable::givenName(TypeId t) const {
    auto it = tables_->writtenNames.find(t);
    return it == tables_->writtenNames.end() ? nullptr : &it->second;
}

void TypeTable::completeStruct(TypeId t, std::vector<StructField> fields) {
    assert(kind(t) == TypeKind::Struct);
    StructInfo& info = tables_->structs[data(t).info];
    assert(!info.complete);
    info.fields = std::move(fields);
    for (uint32_t i = 0; i < info.fields.size(); ++i) info.index.try_emplace(info.fields[i].name, i);
    info.complete = true;
}

void TypeTable::turnIntoEnum(TypeId t) {
    assert(kind(t) == TypeKind::Struct && !tables_->structs[data(t).info].complete);
    std::string name = tables_->structs[data(t).info].name;
    tables_->enums.emplace_back().name = std::move(name);
    types_[raw(t)] = {.kind = TypeKind::Enum, .info = indexOfLast(tables_->enums.size())};
}

void TypeTable::turnIntoTuple(TypeId t, TypeId tuple) {
    assert(kind(t) == TypeKind::Struct && !tables_->structs[data(t).info].complete && kind(tuple) == TypeKind::Tuple);
    types_[raw(t)] = data(tuple);
}

void TypeTable::completeEnum(TypeId t, EnumInfo given) {
    assert(kind(t) == TypeKind::Enum);
    EnumInfo& info = tables_->enums[data(t).info];
    assert(!info.complete);
    given.name = std::move(info.name);
    info = std::move(given);
    info.isTagged |= info.layoutStruct != TypeId::None;
    info.index.clear();
    for (uint32_t i = 0; i < info.variants.size(); ++i) {
        Variant& v = info.variants[i];
        if (v.payload == TypeId::Void) v.payload = TypeId::None;
        info.isTagged |= v.payload != TypeId::None;
        info.index.try_emplace(v.name, i);
    }
    // The tag of a tagged enum is an i64, unless a layout struct gives its first field (see the layout).
    if (info.backing == TypeId::None || info.isTagged) info.backing = TypeId::I64;
    info.payloadOffset = 8;
    info.complete = true;
}

void TypeTable::completeUnion(TypeId t, std::vector<UnionMember> members) {
    assert(kind(t) == TypeKind::Union);
    UnionInfo& info = tables_->unions[data(t).info];
    assert(!info.complete);
    info.members = std::move(members);
    info.complete = true;
}

void TypeTable::completeProtocol(TypeId t, ProtocolInfo given) {
    assert(kind(t) == TypeKind::Protocol);
    ProtocolInfo& info = tables_->protocols[data(t).info];
    assert(!info.complete);
    given.name = std::move(info.name);
    info = std::move(given);
    info.complete = true;
}

// ---- parts

const StructInfo& TypeTable::structInfo(TypeId t) const {
    assert(kind(t) == TypeKind::Struct);
    tables_->settle(*this, t);
    return tables_->structs[data(t).info];
}

const EnumInfo& TypeTable::enumInfo(TypeId t) const {
    assert(kind(t) == TypeKind::Enum);
    if (tables_->enums[data(t).info].layoutStruct != TypeId::None) tables_->settle(*this, t);
    return tables_->enums[data(t).info];
}

const UnionInfo& TypeTable::unionInfo(TypeId t) const {
    assert(kind(t) == TypeKind::Union);
    return tables_->unions[data(t).info];
}

const ErrorSetInfo& TypeTable::errorSetInfo(TypeId t) const {
    assert(kind(t) == TypeKind::ErrorSet);
    return tables_->errorSets[data(t).info];
}

const ProtocolInfo& TypeTable::protocolInfo(TypeId t) const {
    assert(kind(t) == TypeKind::Protocol);
    return tables_->protocols[data(t).info];
}

const FunctionInfo& TypeTable::functionInfo(TypeId t) const {
    assert(kind(t) == TypeKind::Function || kind(t) == TypeKind::Closure);
    return tables_->functions[data(t).info];
}

llvm::ArrayRef<TupleField> TypeTable::tupleFields(TypeId t) const {
    assert(kind(t) == TypeKind::Tuple);
    return tables_->tuples[data(t).info];
}

// ---- error tags

uint32_t TypeTable::tagId(Name tag) {
    auto [it, isNew] = tagIds_.try_emplace(tag, 0);
    if (isNew) {
        tags_.push_back(tag);
        it->second = static_cast<uint32_t>(tags_.size());
    }
    return it->second;
}

} // namespace sx
