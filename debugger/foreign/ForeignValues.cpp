#include "debugger/foreign/ForeignValues.h"

#include "debugger/inspect/Bits.h"
#include "debugger/inspect/Texts.h"
#include "types/Derived.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace sx::debugger {

using Kind = ForeignType::Kind;

namespace {

constexpr unsigned NestingLimit = 8;
constexpr uint64_t SummaryParts = 8, SummaryBytes = 100;
constexpr uint64_t WholeValue = uint64_t{1} << 20; ///< bytes of a value that are taken at once

/// What a header is, as a struct of bit fields: all else follows.
TypeId headerType(ForeignTypes& types, const Formatters& formatters) {
    if (formatters.header.empty()) return TypeId::None;
    ForeignType header;
    header.kind = Kind::Struct;
    header.name = "header";
    header.size = formatters.headerBytes;
    for (const HeaderField& field : formatters.header) {
        ForeignType type;
        type.size = sizeof(uint64_t);
        type.name = "u" + std::to_string(field.bits);
        type.kind = Kind::Unsigned;
        type.isHex = field.isHex;
        if (!field.ifSet.empty()) {
            type.kind = Kind::Enum;
            type.enumerators = {{field.ifClear, 0}, {field.ifSet, 1}};
        }
        ForeignMember member;
        member.name = field.name;
        member.type = types.add(std::move(type));
        member.bitOffset = field.firstBit;
        member.bitSize = field.bits;
        header.members.push_back(std::move(member));
    }
    return types.add(std::move(header));
}

} // namespace

ForeignValues::ForeignValues(ForeignTypes& types, const Formatters& formatters, Program program)
    : types_(types), formatters_(formatters), program_(std::move(program)), header_(headerType(types, formatters)) {}

// ---- bytes

std::optional<std::vector<uint8_t>> ForeignValues::bytes(const Datum& datum) const {
    uint64_t size = sizeOf(datum.type);
    if (size > WholeValue) return std::nullopt;
    std::vector<uint8_t> out(size);
    if (datum.place == Datum::Place::Memory) {
        if (program_.memory.read(datum.address, out) != size) return std::nullopt;
        return out;
    }
    if (datum.place != Datum::Place::Hand || datum.bytes.size() < size || !datum.missing.empty()) return std::nullopt;
    std::copy_n(datum.bytes.begin(), size, out.begin());
    return out;
}

std::optional<uint64_t> ForeignValues::word(const Datum& datum) const {
    const ForeignType& type = types_.plain(datum.type);
    if (type.size == 0 || type.size > sizeof(uint64_t)) return std::nullopt;
    std::optional<std::vector<uint8_t>> all = bytes(datum);
    if (!all) return std::nullopt;
    uint64_t number = 0;
    std::memcpy(&number, all->data(), all->size());
    bool isSigned =
        type.kind == Kind::Signed || type.kind == Kind::Character || (type.kind == Kind::Enum && type.isSigned);
    unsigned unused = static_cast<unsigned>(64 - 8 * type.size);
    if (isSigned) number = static_cast<uint64_t>(static_cast<int64_t>(number << unused) >> unused);
    return number;
}

Datum ForeignValues::member(const Datum& whole, const ForeignMember& member) const {
    uint64_t size = sizeOf(member.type);
    if (member.bitSize == 0) return whole.part(member.offset, member.type, size);
    // The bits lie in at most nine bytes from the first of them on.
    uint64_t first = member.offset + member.bitOffset / 8;
    unsigned shift = member.bitOffset % 8, bytesWanted = (shift + member.bitSize + 7) / 8;
    std::vector<uint8_t> raw(bytesWanted);
    if (whole.lacksSome(first, bytesWanted)) return Datum::nowhere(member.type, Datum::OptimizedOut);
    if (whole.place == Datum::Place::Memory) {
        if (program_.memory.read(whole.address + first, raw) != raw.size())
            return Datum::nowhere(member.type, "<unreadable>");
    } else if (whole.place == Datum::Place::Hand && first + bytesWanted <= whole.bytes.size()) {
        std::copy_n(whole.bytes.begin() + static_cast<ptrdiff_t>(first), bytesWanted, raw.begin());
    } else {
        return Datum::nowhere(member.type, whole.note);
    }
    const ForeignType& type = types_.plain(member.type);
    bool isSigned = type.kind == Kind::Signed || (type.kind == Kind::Enum && type.isSigned);
    std::array<uint8_t, 8> bits = bitsOf(raw, shift, member.bitSize, isSigned);
    Datum found = Datum::held(member.type, llvm::ArrayRef(bits).take_front(std::min<uint64_t>(size, bits.size())));
    if (whole.place == Datum::Place::Memory) found.bits = {whole.address + first, shift, member.bitSize};
    return found;
}

Result<void> ForeignValues::assignBits(Datum& field, llvm::ArrayRef<uint8_t> value) const {
    const ForeignType& type = types_.plain(field.type);
    bool isSigned = type.kind == Kind::Signed || (type.kind == Kind::Enum && type.isSigned);
    return debugger::assignBits(program_.memory, field, value, isSigned);
}

// ---- single values

/// As a value of sx with the same bytes.
ForeignValues::View ForeignValues::plain(const Datum& datum, TypeId sxType, ShowOptions options) const {
    Datum same = datum;
    same.type = sxType;
    Row row = Values(program_.sx, program_.memory, program_.addresses).row(same, options);
    View v;
    v.text = row.text;
    v.presentation = row.presentation;
    if (sxType == TypeId::CString || sxType == TypeId::String) v.target = row.memoryReference;
    return v;
}

ForeignValues::View ForeignValues::number(const Datum& datum, ShowOptions options) const {
    const ForeignType& type = types_.plain(datum.type);
    auto bits = static_cast<unsigned>(8 * type.size);
    options.hex |= type.isHex;
    if (type.kind == Kind::Float && type.size == 4) return plain(datum, TypeId::F32, options);
    if (type.kind == Kind::Float && type.size == 8) return plain(datum, TypeId::F64, options);
    if (type.kind != Kind::Float && bits > 0 && bits <= 64)
        return plain(datum, integerType(bits, type.kind != Kind::Unsigned), options);
    View v;
    std::optional<std::vector<uint8_t>> all = bytes(datum);
    if (!all) {
        v.text = "<unreadable>";
    } else if (type.kind == Kind::Float && type.size == sizeof(long double)) {
        long double wide = 0;
        std::memcpy(&wide, all->data(), sizeof wide);
        char text[64];
        std::snprintf(text, sizeof text, "%.21Lg", wide);
        v.text = text;
    } else {
        v.text = "0x";
        for (size_t i = all->size(); i-- > 0;) v.text += hexText(0x100 | (*all)[i]).substr(3);
    }
    return v;
}

ForeignValues::View ForeignValues::enumeration(const Datum& datum) const {
    View v;
    std::optional<uint64_t> value = word(datum);
    if (!value) {
        v.text = "<unreadable>";
        return v;
    }
    const ForeignType& type = types_.plain(datum.type);
    uint64_t rest = *value;
    for (const ForeignEnumerator& e : type.enumerators) {
        if (static_cast<uint64_t>(e.value) != *value) continue;
        v.text = e.name;
        return v;
    }
    for (const ForeignEnumerator& e : type.enumerators) { // bits that were put together
        auto bit = static_cast<uint64_t>(e.value);
        if (bit == 0 || (bit & (bit - 1)) != 0 || (rest & bit) == 0) continue;
        v.text += (v.text.empty() ? "" : " | ") + e.name;
        rest &= ~bit;
    }
    if (rest != 0 || v.text.empty())
        v.text = type.isSigned ? std::to_string(static_cast<int64_t>(*value)) : std::to_string(*value);
    return v;
}

ForeignValues::View ForeignValues::pointer(const Datum& datum, ShowOptions options, unsigned depth) const {
    View v;
    std::optional<uint64_t> address = word(datum);
    TypeId target = types_.withoutAliases(types_.plain(datum.type).target);
    const ForeignType& pointee = types_.at(target);
    if (!address) {
        v.text = "<unreadable>";
        return v;
    }
    if (*address == 0) {
        v.text = "null";
        return v;
    }
    if (pointee.kind == Kind::Character && !datum.isRaw) {
        v = plain(datum, TypeId::CString, options);
        v.target = *address;
        return v;
    }
    v.text = hexText(*address);
    v.target = *address;
    if (pointee.kind == Kind::Function) {
        if (std::optional<CodeName> code = program_.addresses.codeAt(*address)) v.text = code->name;
        return v;
    }
    if (pointee.size == 0) return v;
    Datum inside = Datum::at(types_.plain(datum.type).target, *address);
    if (pointee.kind == Kind::Struct || pointee.kind == Kind::Union) {
        v.parts = view(inside, options, depth + 1).parts;
        if (!v.parts.empty()) return v;
    }
    v.parts.push_back({".*", ".*", true, inside});
    return v;
}

/// Characters are a text up to the first that is 0.
ForeignValues::View ForeignValues::array(const Datum& datum, ShowOptions options) const {
    const ForeignType& type = types_.plain(datum.type);
    View v;
    v.base = datum;
    v.elem = type.target;
    v.elements = type.count;
    if (types_.plain(type.target).kind != Kind::Character || datum.isRaw) {
        v.hasSummary = true;
        return v;
    }
    uint64_t most = options.clipboard ? WholeTextLimit : TextLimit;
    std::vector<uint8_t> text(std::min(type.count, most));
    size_t read = datum.place == Datum::Place::Memory ? program_.memory.read(datum.address, text)
                                                      : std::min<size_t>(datum.bytes.size(), text.size());
    if (datum.place != Datum::Place::Memory) std::copy_n(datum.bytes.begin(), read, text.begin());
    if (read < text.size()) {
        v.text = "<unreadable>";
        return v;
    }
    auto end = std::find(text.begin(), text.end(), 0);
    bool isCut = end == text.end() && type.count > most;
    v.text = quoted({reinterpret_cast<const char*>(text.data()), static_cast<size_t>(end - text.begin())}, isCut) +
             (isCut ? "…" : "");
    return v;
}

ForeignValues::View ForeignValues::structure(const Datum& datum, ShowOptions options) const {
    const ForeignType& type = types_.plain(datum.type);
    // The strings of sx programs.
    if (type.name == "string" && type.members.size() == 2 && type.size == 16 && !datum.isRaw)
        return plain(datum, TypeId::String, options);
    View v;
    v.hasSummary = true;
    for (const ForeignMember& m : type.members) v.parts.push_back({m.name, "." + m.name, true, member(datum, m)});
    return v;
}

/// It is shown part by part, of which some may be there and others not.
bool ForeignValues::hasParts(TypeId id) const {
    const ForeignType& type = types_.plain(id);
    if (type.kind == Kind::Array) return types_.plain(type.target).kind != Kind::Character;
    return type.kind == Kind::Struct || type.kind == Kind::Union;
}

ForeignValues::View ForeignValues::viewByType(const Datum& datum, ShowOptions options, unsigned depth) const {
    if (!datum.missing.empty() && !hasParts(datum.type)) {
        View v;
        v.text = Datum::OptimizedOut;
        return v;
    }
    switch (types_.plain(datum.type).kind) {
    case Kind::Bool: return sizeOf(datum.type) == 1 ? plain(datum, TypeId::Bool, options) : number(datum, options);
    case Kind::Character: {
        View v = number(datum, options);
        std::optional<uint64_t> byte = word(datum);
        if (byte && *byte >= 0x20 && *byte < 0x7F && !options.hex)
            v.text += std::string(" '") + static_cast<char>(*byte) + "'";
        return v;
    }
    case Kind::Signed:
    case Kind::Unsigned:
    case Kind::Float: return number(datum, options);
    case Kind::Enum: return enumeration(datum);
    case Kind::Pointer: return pointer(datum, options, depth);
    case Kind::Array: return array(datum, options);
    case Kind::Struct:
    case Kind::Union: return structure(datum, options);
    case Kind::Void:
    case Kind::Function:
    case Kind::Alias:
    case Kind::Other: break;
    }
    View v;
    v.text = types_.plain(datum.type).kind == Kind::Void ? "void" : "<" + types_.nameOf(datum.type) + ">";
    return v;
}

ForeignValues::View ForeignValues::view(const Datum& datum, ShowOptions options, unsigned depth) const {
    View v;
    if (datum.place == Datum::Place::Nowhere || datum.lacksAll(0, datum.bytes.size())) {
        v.text = datum.note.empty() ? Datum::OptimizedOut : datum.note;
        return v;
    }
    if (depth > NestingLimit) {
        v.text = "…";
        return v;
    }
    if (!datum.isRaw)
        if (std::optional<View> shown = special(datum, options, depth)) return *shown;
    return viewByType(datum, options, depth);
}

// ---- parts

ForeignValues::Part ForeignValues::element(const View& view, uint64_t index) const {
    uint64_t size = sizeOf(view.elem);
    std::string name = "[" + std::to_string(index) + "]";
    return {name, name, true, view.base.part(index * size, view.elem, size)};
}

std::string ForeignValues::partText(const Datum& datum, unsigned depth) const {
    View v = view(datum, {}, depth);
    if (!v.hasSummary) return v.text;
    bool isSequence = v.elem != TypeId::None, isEmpty = v.elements == 0 && v.parts.empty();
    if (isSequence) return v.text + (isEmpty ? "[]" : "[…]");
    return v.text + (isEmpty ? "{}" : "{…}");
}

std::string ForeignValues::textOf(const View& view, unsigned depth) const {
    if (!view.hasSummary) return view.text;
    bool isSequence = view.elem != TypeId::None;
    uint64_t count = isSequence ? view.elements : view.parts.size();
    std::string out = isSequence ? "[" : "{";
    for (uint64_t i = 0; i < count; ++i) {
        std::string before = i > 0 ? ", " : "";
        if (i == SummaryParts) {
            out += before + "…";
            break;
        }
        Part part = isSequence ? element(view, i) : view.parts[i];
        std::string shown = (isSequence ? "" : part.name + ": ") + partText(part.datum, depth + 1);
        bool fits = out.size() + before.size() + shown.size() < SummaryBytes;
        out += before + (fits ? shown : "…");
        if (!fits) break;
    }
    return view.text + out + (isSequence ? "]" : "}");
}

Row ForeignValues::row(const Datum& datum, ShowOptions options) const {
    View v = view(datum, options);
    Row row;
    row.text = textOf(v, 0);
    row.type = nameOf(datum.type);
    row.presentation = v.presentation;
    row.presentation.isVirtual |= datum.isRaw;
    row.presentation.isReadOnly |= datum.place == Datum::Place::Nowhere;
    row.indexed = v.elements;
    row.named = v.parts.size();
    row.memoryReference = v.target;
    if (!v.target && datum.place == Datum::Place::Memory) row.memoryReference = datum.address;
    return row;
}

std::vector<Child> ForeignValues::children(const Datum& datum, llvm::StringRef evaluateName, Page page) const {
    View v = view(datum, {});
    uint64_t named = v.parts.size();
    uint64_t first = page.filter == ChildFilter::Named ? v.elements : 0;
    uint64_t total = page.filter == ChildFilter::Indexed ? v.elements
                     : page.filter == ChildFilter::Named ? named
                                                         : v.elements + named;
    uint64_t begin = std::min(page.start, total), most = page.count == 0 ? Page::Unpaged : page.count;
    uint64_t end = begin + std::min(most, total - begin);
    std::vector<Child> out;
    for (uint64_t i = begin + first; i < end + first; ++i) {
        Part part = i < v.elements ? element(v, i) : v.parts[i - v.elements];
        std::string path = part.hasExpression ? selected(evaluateName, part.suffix) : "";
        out.push_back({part.name, std::move(part.datum), std::move(path)});
    }
    if (page.count == 0 && end < total)
        out.push_back({"…", Datum::nowhere(TypeId::None, std::to_string(total - end) + " more"), ""});
    return out;
}

} // namespace sx::debugger
