// Maps of the library: a child for each entry, named by its key. They are known by their name and layout (std/map.sx,
// std/json.sx).
#include "debugger/inspect/Reader.h"
#include "types/Layout.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

namespace sx::debugger {

namespace {

/// The field of a struct with this name and kind, or null.
const StructField* fieldOf(const TypeTable& types, TypeId t, llvm::StringRef name, TypeKind kind) {
    if (types.kind(t) != TypeKind::Struct) return nullptr;
    for (const StructField& f : types.structInfo(t).fields)
        if (types.names().text(f.name) == std::string_view(name)) return types.kind(f.type) == kind ? &f : nullptr;
    return nullptr;
}

const StructField* numberOf(const TypeTable& types, TypeId t, llvm::StringRef name) {
    for (const StructField& f : types.structInfo(t).fields)
        if (types.names().text(f.name) == std::string_view(name)) return isInteger(types, f.type) ? &f : nullptr;
    return nullptr;
}

} // namespace

std::optional<View> MapReader::view(const Datum& datum) {
    std::string written = writtenName(r_.types_, datum.type);
    llvm::StringRef name = written;
    if (name.starts_with("HashMap(")) {
        for (const char* field : {"metadata", "keys", "values"})
            if (!fieldOf(r_.types_, datum.type, field, TypeKind::ManyPointer)) return std::nullopt;
        if (!numberOf(r_.types_, datum.type, "cap") || !numberOf(r_.types_, datum.type, "count")) return std::nullopt;
        return hashMap(datum);
    }
    bool isOrdered = name.starts_with("IndexMap(");
    if (!isOrdered && name != "Object") return std::nullopt;
    const StructField* items = fieldOf(r_.types_, datum.type, isOrdered ? "entries" : "items", TypeKind::ManyPointer);
    const StructField* count = numberOf(r_.types_, datum.type, isOrdered ? "ecount" : "len");
    if (!items || !count || !r_.types_.isComplete(r_.types_.elem(items->type))) return std::nullopt;
    TypeId item = r_.types_.elem(items->type);
    if (r_.types_.kind(item) != TypeKind::Struct) return std::nullopt;
    MapEntries e;
    e.items = isOrdered ? ".entries" : ".items";
    e.keyStep = ".key";
    e.valueStep = isOrdered ? ".value" : ".val";
    std::optional<uint64_t> start = r_.word(datum, items->offset), length = r_.word(datum, count->offset);
    if (!start || !length) return unreadable(datum);
    for (const StructField& f : r_.types_.structInfo(item).fields) {
        std::string step = "." + nameText(r_.types_, f.name);
        if (step != e.keyStep && step != e.valueStep) continue;
        (step == e.keyStep ? e.key : e.value) = f.type;
        (step == e.keyStep ? e.keys : e.values) = *start + f.offset;
    }
    if (e.key == TypeId::None || e.value == TypeId::None) return std::nullopt;
    e.keyStride = e.valueStride = sizeOf(r_.types_, item);
    e.places = *length;
    return entriesView(e, static_cast<int64_t>(*length));
}

/// A bucket is in use where its byte of `metadata` says so.
View MapReader::hashMap(const Datum& datum) {
    auto number = [&](const StructField* f) { return r_.word(datum, f->offset, sizeOf(r_.types_, f->type)); };
    auto array = [&](const char* name) { return fieldOf(r_.types_, datum.type, name, TypeKind::ManyPointer); };
    const StructField *keys = array("keys"), *values = array("values");
    std::optional<uint64_t> marks = number(array("metadata")), cap = number(numberOf(r_.types_, datum.type, "cap"));
    std::optional<uint64_t> count = number(numberOf(r_.types_, datum.type, "count"));
    std::optional<uint64_t> firstKey = number(keys), firstValue = number(values);
    if (!marks || !cap || !count || !firstKey || !firstValue) return unreadable(datum);
    MapEntries e;
    e.key = r_.types_.elem(keys->type);
    e.value = r_.types_.elem(values->type);
    e.keys = *firstKey;
    e.values = *firstValue;
    if (!r_.types_.isComplete(e.key) || !r_.types_.isComplete(e.value))
        return View::of("len " + std::to_string(*count));
    e.keyStride = sizeOf(r_.types_, e.key);
    e.valueStride = sizeOf(r_.types_, e.value);
    e.marks = *marks;
    e.places = *cap;
    auto length = static_cast<int64_t>(*count);
    if (*cap > LengthLimit || (0 <= length && *cap < *count))
        return View::of("<bad capacity " + std::to_string(static_cast<int64_t>(*cap)) + " of length " +
                        std::to_string(length) + ">");
    if (std::string bad = r_.spanProblem(e.marks, static_cast<int64_t>(*cap), 1, "map"); !bad.empty())
        return View::of(bad);
    return entriesView(e, length);
}

View MapReader::entriesView(MapEntries entries, int64_t count) {
    auto places = static_cast<int64_t>(entries.places);
    View v;
    v.text = count < 0 ? "<bad length " + std::to_string(count) + ">" : "";
    if (v.text.empty()) v.text = r_.spanProblem(entries.keys, places, entries.keyStride, "map");
    if (v.text.empty()) v.text = r_.spanProblem(entries.values, places, entries.valueStride, "map");
    if (!v.text.empty()) return v;
    v.text = "len " + std::to_string(count);
    v.kind = View::Kind::Entries;
    v.count = static_cast<uint64_t>(count);
    v.entries = entries;
    return v;
}

std::optional<uint64_t> MapReader::usedPlace(const View& view, uint64_t index) {
    constexpr uint64_t ChunkSize = uint64_t{1} << 16;
    const MapEntries& e = view.entries;
    if (e.marks == 0) return index < e.places ? std::optional(index) : std::nullopt;
    if (r_.cursor_.marks != e.marks || index < r_.cursor_.index) {
        r_.cursor_ = {};
        r_.cursor_.marks = e.marks;
    }
    for (; r_.cursor_.place < e.places; ++r_.cursor_.place) {
        if (r_.cursor_.place >= r_.cursor_.start + r_.cursor_.bytes.size()) {
            r_.cursor_.start = r_.cursor_.place;
            r_.cursor_.bytes.resize(std::min(ChunkSize, e.places - r_.cursor_.place));
            if (!r_.readAt(e.marks + r_.cursor_.start, r_.cursor_.bytes)) break;
        }
        if (r_.cursor_.bytes[r_.cursor_.place - r_.cursor_.start] < MapEntries::Used) continue;
        if (r_.cursor_.index == index) return r_.cursor_.place;
        ++r_.cursor_.index;
    }
    r_.cursor_ = {};
    return std::nullopt;
}

/// Of a set, whose values take no bytes, the key itself.
Child MapReader::entry(const View& view, llvm::StringRef base, uint64_t index) {
    const MapEntries& e = view.entries;
    Child c;
    c.name = "[" + std::to_string(index) + "]";
    c.datum = Datum::nowhere(TypeId::None, "<no entry>");
    std::optional<uint64_t> place = usedPlace(view, index);
    if (!place) return c;
    std::string at = "[" + std::to_string(*place) + "]";
    Datum key = Datum::at(e.key, e.keys + *place * e.keyStride);
    bool isSet = e.valueStride == 0;
    c.datum = isSet ? key : Datum::at(e.value, e.values + *place * e.valueStride);
    std::string row = e.marks != 0 ? (isSet ? ".keys" : ".values") + at
                                   : e.items.str() + at + (isSet ? e.keyStep : e.valueStep).str();
    c.evaluateName = selected(base, row);
    if (isSet) return c;
    std::string text = r_.textOf(r_.viewInside(key));
    // Keys that are cut may look alike.
    bool isCut = text.find("…") != std::string::npos;
    c.name = "[" + text + "]" + (isCut ? " " + at : "");
    return c;
}

} // namespace sx::debugger
