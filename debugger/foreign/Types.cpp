#include "debugger/foreign/Types.h"

namespace sx::debugger {

using Kind = ForeignType::Kind;

ForeignTypes::ForeignTypes() {
    auto basic = [&](Kind kind, const char* name, uint64_t size) {
        ForeignType made;
        made.kind = kind;
        made.name = name;
        made.size = size;
        return add(std::move(made));
    };
    voidType = basic(Kind::Void, "void", 0);
    boolType = basic(Kind::Bool, "bool", 1);
    signedType = basic(Kind::Signed, "i64", 8);
    unsignedType = basic(Kind::Unsigned, "u64", 8);
    floatType = basic(Kind::Float, "f64", 8);
}

TypeId ForeignTypes::add(ForeignType type) {
    types_.push_back(std::move(type));
    return static_cast<TypeId>(First + types_.size() - 1);
}

/// A number that was never given out, as one that a client made up, is that of nothing.
const ForeignType& ForeignTypes::at(TypeId id) const {
    size_t index = static_cast<uint32_t>(id) - First;
    return owns(id) && index < types_.size() ? types_[index] : types_.front();
}

/// Debug information may hold a circle.
TypeId ForeignTypes::withoutAliases(TypeId id) const {
    for (int most = 64; most > 0 && at(id).kind == Kind::Alias; --most) id = at(id).target;
    return at(id).kind == Kind::Alias ? voidType : id;
}

TypeId ForeignTypes::pointerTo(TypeId id) {
    auto [known, isNew] = pointers_.try_emplace(id);
    if (!isNew) return known->second;
    ForeignType made;
    made.kind = Kind::Pointer;
    made.isOfSx = at(id).isOfSx;
    made.name = made.isOfSx ? "*" + at(id).name : at(id).name + " *";
    made.size = sizeof(uint64_t);
    made.target = id;
    return known->second = add(std::move(made));
}

TypeId ForeignTypes::withCounts(TypeId id, const std::vector<uint64_t>& counts) {
    constexpr uint64_t Most = uint64_t{1} << 40; // bytes
    TypeId element = id;
    bool isOpen = false;
    for (size_t i = 0; i < counts.size(); ++i) {
        const ForeignType& array = plain(element);
        if (array.kind != Kind::Array) return id;
        isOpen |= array.count == 0 && counts[i] != 0;
        element = array.target;
    }
    if (!isOpen) return id;
    auto [known, isNew] = counted_.try_emplace({id, counts}, id);
    if (!isNew) return known->second;
    std::string inner = nameOf(element), dimensions;
    for (size_t i = counts.size(); i-- > 0;) {
        ForeignType made;
        made.kind = Kind::Array;
        made.target = element;
        uint64_t size = sizeOf(element);
        made.count = size == 0 || counts[i] > Most / size ? 0 : counts[i];
        made.size = size * made.count;
        dimensions = "[" + std::to_string(counts[i]) + "]" + dimensions;
        made.name = inner + " " + dimensions;
        element = add(std::move(made));
    }
    return known->second = element;
}

std::optional<std::pair<TypeId, int64_t>> ForeignTypes::enumerator(const std::string& name) const {
    for (size_t i = 0; i < types_.size(); ++i)
        for (const ForeignEnumerator& e : types_[i].enumerators)
            if (e.name == name) return std::pair(static_cast<TypeId>(First + i), e.value);
    return std::nullopt;
}

} // namespace sx::debugger
