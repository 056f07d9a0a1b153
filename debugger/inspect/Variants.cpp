// Values that are made of others: optionals, enums with payloads, tuples, structs, unions, closures.
#include "debugger/inspect/Reader.h"
#include "types/Failable.h"
#include "types/Layout.h"

namespace sx::debugger {

namespace {

/// Puts `suffix` before the path of a view of what it selects.
View through(std::string suffix, View inside) {
    if (inside.path) inside.path = suffix + *inside.path;
    return inside;
}

/// `.circle(3)`; with children: `.box` and the payload's own.
View wrapped(std::string text, View inside) {
    if (inside.kind == View::Kind::Plain || inside.isPointer) {
        inside.text = text + "(" + inside.text + ")";
        return inside;
    }
    inside.text = inside.text.empty() ? text : text + " " + inside.text;
    inside.hasSummary = false;
    return inside;
}

} // namespace

View Reader::parts(const Datum& datum) {
    if (datum.place == Datum::Place::Memory && !canRead(datum.address, sizeOf(types_, datum.type)))
        return unreadable(datum);
    View v;
    v.kind = View::Kind::Parts;
    v.hasSummary = true;
    v.base = datum;
    return v;
}

// ---- optionals

View Reader::optional(const Datum& datum) {
    TypeId payload = types_.elem(datum.type);
    if (absence(types_, datum.type) == Absence::NullWord) {
        std::optional<uint64_t> first = word(datum);
        if (!first) return unreadable(datum);
        if (*first == 0) return View::of("null");
    } else {
        std::optional<uint64_t> flag = word(datum, optionalFlagOffset(types_, datum.type), 1);
        if (!flag) return unreadable(datum);
        if (*flag > 1) return View::of("<bad optional: neither absent nor present, but " + std::to_string(*flag) + ">");
        if (*flag == 0) return View::of("null");
    }
    return through("!", viewInside(partOf(types_, datum, 0, payload)));
}

// ---- enums with payloads

View Reader::taggedEnum(const Datum& datum) {
    const EnumInfo& info = types_.enumInfo(datum.type);
    uint64_t size = sizeOf(types_, info.backing);
    std::optional<uint64_t> tag = word(datum, 0, size);
    if (!tag) return unreadable(datum);
    uint64_t mask = size >= 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * size) - 1;
    for (const Variant& variant : info.variants) {
        if ((static_cast<uint64_t>(variant.value) & mask) != *tag) continue;
        std::string name = "." + nameText(types_, variant.name);
        if (variant.payload == TypeId::None || sizeOf(types_, variant.payload) == 0) return View::of(name);
        return through(name, wrapped(name, viewInside(partOf(types_, datum, info.payloadOffset, variant.payload))));
    }
    return View::of("<bad tag " + std::to_string(*tag) + ">");
}

// ---- tuples and failable results

View Reader::tuple(const Datum& datum) {
    return isFailable(types_, datum.type) && !datum.isRaw ? failable(datum) : parts(datum);
}

View Reader::failable(const Datum& datum) {
    llvm::ArrayRef<TupleField> fields = types_.tupleFields(datum.type);
    auto last = static_cast<unsigned>(fields.size() - 1);
    Datum error = partOf(types_, datum, fieldOffset(types_, datum.type, last), fields.back().type);
    std::optional<uint64_t> tag = scalar(error);
    if (!tag) return unreadable(datum);
    View v;
    if (*tag != 0) {
        v = errorValue(error);
        v.presentation.hasFailed = true;
    } else if (fields.size() == 2) {
        v = wrapped("ok", viewInside(partOf(types_, datum, 0, fields.front().type)));
        v.path = std::nullopt; // what a failed result would have is not there: only `try` leads to it
    } else {
        v.text = "ok";
        if (fields.size() > 2) {
            v.kind = View::Kind::Results;
            v.base = datum;
            v.path = std::nullopt;
        }
    }
    v.presentation.isVirtual = true;
    return v;
}

// ---- structs

View Reader::structure(const Datum& datum) {
    if (!datum.isRaw)
        if (std::optional<View> v = collection(datum)) return *v;
    return parts(datum);
}

// ---- closures

View Reader::closure(const Datum& datum) {
    std::optional<uint64_t> code = word(datum, 0), environment = word(datum, 8);
    if (!code || !environment) return unreadable(datum);
    if (*code == 0) return View::of("null");
    std::optional<CodeName> found = addresses_.codeAt(*code);
    if (!found) return View::of("<no code at " + hexText(*code) + ">");
    View v = View::of(found->name);
    v.target = *code;
    if (found->captures.empty() || *environment == 0) return v;
    const ir::Capture& last = found->captures.back();
    if (!canRead(*environment, last.offset + sizeOf(types_, last.type))) {
        v.text += " <captures at " + hexText(*environment) + " cannot be read>";
        return v;
    }
    v.kind = View::Kind::Captures;
    v.base = Datum::at(TypeId::Void, *environment);
    v.captures = found->captures;
    v.path = std::nullopt;
    return v;
}

} // namespace sx::debugger
