// Types of the library that show what they mean. They are known by their name and layout; `[raw]` shows that.
#include "debugger/inspect/Reader.h"
#include "types/Layout.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

namespace sx::debugger {

namespace {

/// A struct has fields of these names, in this order.
bool hasFields(const TypeTable& types, TypeId t, std::initializer_list<llvm::StringRef> names) {
    const std::vector<StructField>& fields = types.structInfo(t).fields;
    return fields.size() == names.size() &&
           std::equal(names.begin(), names.end(), fields.begin(), [&](llvm::StringRef name, const StructField& field) {
               return types.names().text(field.name) == std::string_view(name);
           });
}

} // namespace

std::optional<View> Reader::collection(const Datum& datum) {
    const StructInfo& info = types_.structInfo(datum.type);
    if (std::optional<View> v = concurrencyView(types_, memory_, addresses_, datum)) return v;
    if (std::optional<View> v = MapReader(*this).view(datum)) {
        v->raw = datum;
        return v;
    }
    if (!llvm::StringRef(writtenName(types_, datum.type)).starts_with("List(")) return std::nullopt;
    if (!hasFields(types_, datum.type, {"items", "cap"}) || types_.kind(info.fields[0].type) != TypeKind::Slice ||
        !isInteger(types_, info.fields[1].type))
        return std::nullopt;
    View v = list(datum);
    v.raw = datum;
    return v;
}

View Reader::list(const Datum& datum) {
    const StructInfo& info = types_.structInfo(datum.type);
    Datum items = partOf(types_, datum, info.fields[0].offset, info.fields[0].type);
    std::optional<uint64_t> length = word(items, 8);
    std::optional<uint64_t> capacity = word(datum, info.fields[1].offset, sizeOf(types_, info.fields[1].type));
    if (!length || !capacity) return unreadable(datum);
    auto len = static_cast<int64_t>(*length), cap = static_cast<int64_t>(*capacity);
    if (cap < 0 || *capacity > LengthLimit || (0 < cap && cap < len))
        return View::of("<bad capacity " + std::to_string(cap) + " of length " + std::to_string(len) + ">");
    View v = slice(items);
    if (v.kind == View::Kind::Elements) v.text += ", cap " + std::to_string(cap);
    v.step = ".items";
    return v;
}

} // namespace sx::debugger
