#include "vm/Bake.h"

#include "types/Derived.h"
#include "types/Layout.h"
#include "types/Predicates.h"

#include <algorithm>
#include <cstring>

namespace sx::vm {

using ir::ConstData;
using ir::GlobalId;
using ir::Reloc;

namespace {

constexpr uint64_t LargestConstant = uint64_t{1} << 28;

uint64_t wordAt(uint64_t address) {
    uint64_t v;
    std::memcpy(&v, reinterpret_cast<const void*>(address), sizeof v);
    return v;
}

void putBytes(ConstData& data, uint64_t at, uint64_t from, uint64_t size) {
    std::memcpy(data.bytes.data() + at, reinterpret_cast<const void*>(from), size);
}

} // namespace

Result<ConstData> Baker::bake(TypeId t, uint64_t from) {
    ConstData out;
    out.bytes.assign(sizeOf(types_, t), 0);
    if (!value(t, from, {out, 0})) return Failure{error_};
    return out;
}

bool Baker::reject(const std::string& why) {
    std::string path;
    for (const std::string& step : path_) path += step;
    if (!path.empty() && path.front() == '.') path.erase(0, 1);
    error_ = "the result cannot be stored as a constant: " + (path.empty() ? "it " : code(path) + " ") + why;
    return false;
}

bool Baker::rejectMemory(uint64_t address, const std::string& what) {
    if (program_.arena.isFreed(address)) return reject(what + " memory that was freed");
    if (thread_.onStack(address, 1)) return reject(what + " a variable of a function that has returned");
    return reject(what + " memory that is not a part of the evaluation");
}

bool Baker::part(TypeId t, uint64_t from, Place to, const std::string& step) {
    path_.push_back(step);
    bool ok = value(t, from, to);
    if (ok) path_.pop_back();
    return ok;
}

bool Baker::value(TypeId t, uint64_t from, Place to) {
    bool isField = std::exchange(isField_, false);
    switch (types_.kind(t)) {
    case TypeKind::None:
    case TypeKind::Void:
    case TypeKind::NoReturn: return true;
    case TypeKind::Bool:
    case TypeKind::Int:
    case TypeKind::Float:
    case TypeKind::ErrorSet: return scalarValue(t, from, to);
    case TypeKind::Null: return true;
    case TypeKind::String: return text(from, to);
    case TypeKind::CString: return cstring(from, to);
    case TypeKind::Any: return anyValue(from, to);
    case TypeKind::Type: return typeHandle(from, to);
    case TypeKind::Pointer:
    case TypeKind::ManyPointer: isField_ = isField; return pointer(t, from, to);
    case TypeKind::Slice: isField_ = isField; return slice(t, from, to);
    case TypeKind::Array:
    case TypeKind::Vector: return elements(types_.elem(t), types_.count(t), from, to);
    case TypeKind::Optional: isField_ = isField; return optional(t, from, to);
    case TypeKind::Tuple:
    case TypeKind::Struct: return fields(t, from, to);
    case TypeKind::Function: return functionPointer(from, to);
    case TypeKind::Closure: return closure(from, to);
    case TypeKind::Enum: return isTaggedEnum(types_, t) ? tagged(t, from, to) : scalarValue(t, from, to);
    case TypeKind::Union: return unionValue(t, from, to);
    case TypeKind::Protocol: return protocol(t, from, to);
    }
    return true;
}

// ---- values made of bytes and parts

bool Baker::scalarValue(TypeId t, uint64_t from, Place to) {
    putBytes(to.data, to.at, from, sizeOf(types_, t));
    return true;
}

bool Baker::fields(TypeId t, uint64_t from, Place to) {
    auto field = [&](TypeId type, uint64_t offset, Name name, size_t index, bool isStruct) {
        std::string step = "." + (name == Name::None ? std::to_string(index) : std::string(types_.names().text(name)));
        isField_ = isStruct;
        return part(type, from + offset, {to.data, to.at + offset}, step);
    };
    if (types_.kind(t) == TypeKind::Struct) {
        std::vector<StructField> list = types_.structInfo(t).fields;
        for (size_t i = 0; i < list.size(); ++i)
            if (!field(list[i].type, fieldOffset(types_, t, static_cast<unsigned>(i)), list[i].name, i, true))
                return false;
        return true;
    }
    std::vector<TupleField> list = types_.tupleFields(t).vec();
    for (size_t i = 0; i < list.size(); ++i)
        if (!field(list[i].type, fieldOffset(types_, t, static_cast<unsigned>(i)), list[i].name, i, false))
            return false;
    return true;
}

bool Baker::elements(TypeId elem, uint64_t count, uint64_t from, Place to) {
    uint64_t size = sizeOf(types_, elem);
    if (isPlainData(elem) && isScalar(types_, elem)) {
        putBytes(to.data, to.at, from, count * size);
        return true;
    }
    for (uint64_t i = 0; i < count; ++i)
        if (!part(elem, from + i * size, {to.data, to.at + i * size}, "[" + std::to_string(i) + "]")) return false;
    return true;
}

bool Baker::optional(TypeId t, uint64_t from, Place to) {
    TypeId payload = types_.elem(t);
    if (absence(types_, t) == Absence::NullWord) return wordAt(from) == 0 || value(payload, from, to);
    uint64_t flag = optionalFlagOffset(types_, t);
    if (*reinterpret_cast<const uint8_t*>(from + flag) == 0) return true;
    to.data.bytes[to.at + flag] = 1;
    return value(payload, from, to);
}

bool Baker::tagged(TypeId t, uint64_t from, Place to) {
    const EnumInfo& info = types_.enumInfo(t);
    // The header may hold more than the tag where a struct gives the layout.
    putBytes(to.data, to.at, from, std::min(info.payloadOffset, sizeOf(types_, t)));
    unsigned bits = info.backing == TypeId::None ? 64 : bitsOf(types_, info.backing);
    uint64_t tag = 0;
    std::memcpy(&tag, reinterpret_cast<const void*>(from), bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8);
    for (const Variant& v : info.variants) {
        if (ir::lowBits(bits, static_cast<uint64_t>(v.value)) != ir::lowBits(bits, tag)) continue;
        if (v.payload == TypeId::None) return true;
        uint64_t offset = info.payloadOffset;
        return part(v.payload, from + offset, {to.data, to.at + offset},
                    "." + std::string(types_.names().text(v.name)));
    }
    return true;
}

bool Baker::unionValue(TypeId t, uint64_t from, Place to) {
    if (!isPlainData(t)) return reject("is a union with a pointer in it, whose contents are not known");
    putBytes(to.data, to.at, from, sizeOf(types_, t));
    return true;
}

bool Baker::isPlainData(TypeId t) {
    switch (types_.kind(t)) {
    case TypeKind::None:
    case TypeKind::Void:
    case TypeKind::NoReturn:
    case TypeKind::Bool:
    case TypeKind::Int:
    case TypeKind::Float:
    case TypeKind::Null:
    case TypeKind::ErrorSet: return true;
    case TypeKind::String:
    case TypeKind::CString:
    case TypeKind::Any:
    case TypeKind::Type:
    case TypeKind::Pointer:
    case TypeKind::ManyPointer:
    case TypeKind::Slice:
    case TypeKind::Function:
    case TypeKind::Closure:
    case TypeKind::Protocol: return false;
    case TypeKind::Array:
    case TypeKind::Vector:
    case TypeKind::Optional: return isPlainData(types_.elem(t));
    case TypeKind::Tuple:
        return std::ranges::all_of(types_.tupleFields(t), [&](const TupleField& f) { return isPlainData(f.type); });
    case TypeKind::Struct:
        return std::ranges::all_of(types_.structInfo(t).fields,
                                   [&](const StructField& f) { return isPlainData(f.type); });
    case TypeKind::Enum:
        return std::ranges::all_of(types_.enumInfo(t).variants, [&](const Variant& v) {
            return v.payload == TypeId::None || isPlainData(v.payload);
        });
    case TypeKind::Union:
        return std::ranges::all_of(types_.unionInfo(t).members,
                                   [&](const UnionMember& m) { return isPlainData(m.type); });
    }
    return false;
}

// ---- values with addresses

bool Baker::isReadable(uint64_t address, uint64_t size) {
    if (thread_.onStack(address, size)) return thread_.inFrameOf(evaluated_, address, size);
    ArenaView arena = program_.arena.view();
    if (address - arena.base >= arena.size) return false;
    if (program_.arena.allows(address, size, Access::Read)) return true;
    return false;
}

void Baker::reference(GlobalId g, uint64_t offset, Place to) {
    to.data.relocs.push_back({Reloc::Kind::Global, to.at, static_cast<uint32_t>(g), static_cast<int64_t>(offset)});
}

bool Baker::globalReference(uint64_t address, Place to) {
    Globals::Found found = program_.globals.find(address);
    if (found.global == GlobalId::None || found.global == program_.module.errorNames) return false;
    reference(found.global, found.offset, to);
    return true;
}

GlobalId Baker::newGlobal(TypeId t, uint64_t size, uint32_t align) {
    std::vector<ir::Global>& globals = program_.module.globals;
    ir::Global g;
    g.name = "compile-time data";
    g.symbol = "sx.data." + std::to_string(globals.size());
    g.type = t;
    g.size = size;
    g.align = align;
    g.isConst = true;
    globals.push_back(std::move(g));
    return static_cast<GlobalId>(globals.size() - 1);
}

bool Baker::object(TypeId elem, uint64_t count, uint64_t address, Place to) {
    if (globalReference(address, to)) return true;
    uint64_t size = 0;
    if (__builtin_mul_overflow(count, sizeOf(types_, elem), &size) || size > LargestConstant)
        return reject("is larger than a constant can be");
    if (!isReadable(address, std::max<uint64_t>(size, 1))) return rejectMemory(address, "refers to");
    if (isField_ && program_.arena.ownsHeap(address)) return reject("owns heap memory");
    isField_ = false;
    auto [it, isNew] = made_.try_emplace({address, elem, count}, GlobalId::None);
    if (isNew) {
        bool isArray = count != 1;
        it->second = newGlobal(isArray ? arrayOf(types_, count, elem) : elem, size,
                               static_cast<uint32_t>(alignOf(types_, elem)));
        GlobalId g = it->second;
        program_.module.global(g).isConst = false; // the memory was writable, and the pointer says nothing else
        ConstData data;
        data.bytes.assign(size, 0);
        if (!(isArray ? elements(elem, count, address, {data, 0}) : part(elem, address, {data, 0}, ".*"))) return false;
        program_.module.global(g).init = std::move(data);
    }
    reference(made_.at({address, elem, count}), 0, to);
    return true;
}

bool Baker::text(uint64_t from, Place to) {
    uint64_t address = wordAt(from), length = wordAt(from + 8);
    if (length == 0) return true;
    if (length > LargestConstant)
        return reject("is a string of " + std::to_string(static_cast<int64_t>(length)) + " bytes");
    putBytes(to.data, to.at + 8, from + 8, 8);
    Globals::Found found = program_.globals.find(address);
    if (found.global != GlobalId::None && program_.module.global(found.global).isConst && globalReference(address, to))
        return true;
    if (!isReadable(address, length)) return rejectMemory(address, "is a string in");
    auto [it, isNew] = made_.try_emplace({address, TypeId::U8, length}, GlobalId::None);
    if (isNew) {
        it->second = newGlobal(TypeId::None, length + 1, 1); // a NUL after it, as after literals
        ir::Global& g = program_.module.global(it->second);
        g.mergeable = true;
        g.init.bytes.assign(length + 1, 0);
        putBytes(g.init, 0, address, length);
    }
    reference(it->second, 0, to);
    return true;
}

bool Baker::cstring(uint64_t from, Place to) {
    uint64_t address = wordAt(from);
    if (address == 0 || globalReference(address, to)) return true;
    uint64_t length = 0;
    for (; isReadable(address + length, 1); ++length) {
        if (*reinterpret_cast<const char*>(address + length) != 0) continue;
        GlobalId g = newGlobal(TypeId::None, length + 1, 1);
        program_.module.global(g).init.bytes.assign(length + 1, 0);
        putBytes(program_.module.global(g).init, 0, address, length);
        reference(g, 0, to);
        return true;
    }
    return rejectMemory(address, "is a C string in");
}

bool Baker::slice(TypeId t, uint64_t from, Place to) {
    uint64_t address = wordAt(from), length = wordAt(from + 8);
    if (length == 0) return true;
    putBytes(to.data, to.at + 8, from + 8, 8);
    if (sizeOf(types_, types_.elem(t)) == 0) return true;
    return object(types_.elem(t), length, address, to);
}

bool Baker::pointer(TypeId t, uint64_t from, Place to) {
    uint64_t address = wordAt(from);
    if (address == 0 || globalReference(address, to)) return true;
    if (program_.functionAt(address) != ir::FuncId::None) return reject("is a function reference");
    if (types_.kind(t) == TypeKind::ManyPointer) {
        return reject(program_.arena.ownsHeap(address) ? "owns heap memory"
                                                       : "is a pointer to an unknown number of elements");
    }
    TypeId elem = types_.elem(t);
    if (elem == TypeId::Void || !types_.isComplete(elem)) return reject("is a pointer to a value of unknown type");
    return object(elem, 1, address, to);
}

bool Baker::closure(uint64_t from, Place to) {
    if (wordAt(from) != 0 && wordAt(from + 8) != 0) return reject("is a closure with captured values");
    return functionPointer(from, to);
}

/// The initializer of a global may name functions; the result of a `#run` may not, which the checker looks after.
bool Baker::functionPointer(uint64_t from, Place to) {
    uint64_t word = wordAt(from);
    if (word == 0) return true;
    ir::FuncId f = program_.functionAt(word);
    if (f == ir::FuncId::None) return reject("is a function reference");
    to.data.relocs.push_back({Reloc::Kind::Function, to.at, static_cast<uint32_t>(f), 0});
    return true;
}

bool Baker::typeHandle(uint64_t from, Place to) {
    uint64_t handle = wordAt(from);
    if (handle == 0) return true;
    TypeId t = program_.descriptors.typeOf(handle);
    if (t == TypeId::None) return reject("is not the value of a type");
    to.data.relocs.push_back({Reloc::Kind::TypeHandle, to.at, static_cast<uint32_t>(t), 0});
    return true;
}

bool Baker::anyValue(uint64_t from, Place to) {
    uint64_t address = wordAt(from);
    TypeId t = program_.descriptors.typeOf(wordAt(from + 8));
    if (!typeHandle(from + 8, {to.data, to.at + 8})) return false;
    if (address == 0 || t == TypeId::None || sizeOf(types_, t) == 0) return true;
    return object(t, 1, address, to);
}

/// {ctx, type_id, vtable} or, inline, {ctx, type_id, fn…}.
bool Baker::protocol(TypeId t, uint64_t from, Place to) {
    uint64_t receiver = wordAt(from);
    if (receiver == 0) return true;
    TypeId concrete = program_.descriptors.typeOf(wordAt(from + 8));
    if (!typeHandle(from + 8, {to.data, to.at + 8})) return false;
    for (uint64_t offset = 16; offset < sizeOf(types_, t); offset += 8) {
        uint64_t word = wordAt(from + offset);
        if (word == 0 || globalReference(word, {to.data, to.at + offset})) continue;
        ir::FuncId f = program_.functionAt(word);
        if (f == ir::FuncId::None) return reject("is a protocol value with unknown methods");
        to.data.relocs.push_back({Reloc::Kind::Function, to.at + offset, static_cast<uint32_t>(f), 0});
    }
    if (globalReference(receiver, to)) return true;
    if (concrete == TypeId::None) return reject("is a protocol value of an unknown type");
    return object(concrete, 1, receiver, to);
}

} // namespace sx::vm
