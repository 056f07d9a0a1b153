// Values that formatters know.
#include "debugger/foreign/ForeignValues.h"

#include <algorithm>

namespace sx::debugger {

using Kind = ForeignType::Kind;

namespace {

constexpr uint64_t MostScopes = 1 << 16;

} // namespace

std::optional<ForeignValues::View> ForeignValues::special(const Datum& datum, ShowOptions options,
                                                          unsigned depth) const {
    unsigned width = 0;
    const Formatter* f = formatters_.find(types_, datum.type, width);
    if (!f) {
        if (types_.plain(datum.type).kind != Kind::Pointer) return std::nullopt;
        std::optional<uint64_t> address = word(datum);
        return address && isInNursery(*address) ? object(datum, options, depth) : std::nullopt;
    }
    switch (f->kind) {
    case Formatter::Kind::Sentinel: return sentinel(datum, width);
    case Formatter::Kind::Object: return object(datum, options, depth);
    case Formatter::Kind::FatPointer: return fatPointer(datum, *f, options, depth);
    case Formatter::Kind::Result: return result(datum, *f, depth);
    }
    return std::nullopt;
}

std::optional<Datum> ForeignValues::memberOf(const Datum& whole, const std::string& name) const {
    for (const ForeignMember& m : types_.plain(whole.type).members)
        if (m.name == name) return member(whole, m);
    return std::nullopt;
}

void ForeignValues::addRaw(View& view, const Datum& datum) const {
    Part raw{"[raw]", "", false, datum};
    raw.datum.isRaw = true;
    view.parts.push_back(std::move(raw));
}

// ---- numbers with a sentinel

/// The width is that of the name, else that of the storage.
std::optional<ForeignValues::View> ForeignValues::sentinel(const Datum& datum, unsigned width) const {
    std::optional<uint64_t> bits = word(datum);
    if (!bits || width > 64) return std::nullopt;
    if (width < 2) width = static_cast<unsigned>(8 * sizeOf(datum.type));
    auto value = static_cast<int64_t>(*bits);
    int64_t least = width == 64 ? INT64_MIN : -(int64_t{1} << (width - 1));
    View v;
    bool isError = value == least, isBeyond = value < least || value > -(least + 1);
    v.text = isError ? "ERR (sentinel)" : std::to_string(value) + (isBeyond ? " (OVERFLOW)" : "");
    v.presentation.isVirtual = v.presentation.hasFailed = isError || isBeyond;
    v.presentation.isData = !isError && !isBeyond;
    return v;
}

// ---- objects with a header

bool ForeignValues::isInNursery(uint64_t address) const {
    for (const SymbolRange& range : formatters_.regions) {
        if (range.type != "gc_nursery") continue;
        std::optional<std::pair<uint64_t, uint64_t>> at = bounds(range);
        if (at && at->first <= address && address < at->second) return true;
    }
    return false;
}

/// A symbol of such a bound is a variable that holds the address, or stands at the bound itself.
std::optional<std::pair<uint64_t, uint64_t>> ForeignValues::bounds(const SymbolRange& range) const {
    uint64_t start = program_.symbol(range.start), end = program_.symbol(range.end);
    if (start == 0 || end == 0) return std::nullopt;
    std::optional<uint64_t> first = wordAt(start, 8), last = wordAt(end, 8);
    uint8_t probe = 0;
    bool areVariables = first && last && *first != 0 && *first < *last &&
                        program_.memory.read(*first, {&probe, 1}) == 1 &&
                        program_.memory.read(*last - 1, {&probe, 1}) == 1;
    if (areVariables) return std::pair(*first, *last);
    return start < end ? std::optional(std::pair(start, end)) : std::nullopt;
}

void ForeignValues::addHeader(View& view, uint64_t object) const {
    if (header_ == TypeId::None || object < formatters_.headerBytes) return;
    view.parts.push_back({"[header]", "", false, Datum::at(header_, object - formatters_.headerBytes)});
}

std::optional<ForeignValues::View> ForeignValues::object(const Datum& datum, ShowOptions options,
                                                         unsigned depth) const {
    Datum held = datum;
    if (types_.plain(datum.type).kind == Kind::Struct) held = member(datum, types_.plain(datum.type).members.front());
    std::optional<uint64_t> address = word(held);
    if (!address) return std::nullopt;
    View v = pointer(held, options, depth);
    // What a part is called begins at the struct around the pointer.
    if (types_.plain(datum.type).kind == Kind::Struct)
        for (Part& part : v.parts) part.suffix = "." + types_.plain(datum.type).members.front().name + part.suffix;
    if (*address != 0) addHeader(v, *address);
    if (types_.plain(datum.type).kind == Kind::Struct) addRaw(v, datum);
    return v;
}

// ---- pointers with bounds

std::optional<uint64_t> ForeignValues::wordAt(uint64_t address, unsigned width) const {
    uint8_t read[8] = {};
    if (width > sizeof read || program_.memory.read(address, {read, width}) != width) return std::nullopt;
    uint64_t number = 0;
    for (unsigned i = 0; i < width; ++i) number |= uint64_t{read[i]} << 8 * i;
    return number;
}

bool ForeignValues::scopeHasExited(uint64_t scope) const {
    const ScopeTable& names = formatters_.scopes;
    auto symbol = [&](const std::string& name) { return name.empty() ? 0 : program_.symbol(name); };
    if (uint64_t at = symbol(names.counter))
        if (std::optional<uint64_t> last = wordAt(at, names.width); last && scope > *last) return true;
    uint64_t table = symbol(names.table), countAt = symbol(names.count);
    if (table == 0 || countAt == 0) return false;
    std::optional<uint64_t> count = wordAt(countAt, names.width);
    if (!count || *count > MostScopes) return false;
    for (uint64_t i = 0; i < *count; ++i) {
        std::optional<uint64_t> living = wordAt(table + i * names.width, names.width);
        if (!living || *living == scope) return false;
    }
    return true;
}

std::optional<ForeignValues::View> ForeignValues::fatPointer(const Datum& datum, const Formatter& f,
                                                             ShowOptions options, unsigned depth) const {
    std::optional<Datum> held = memberOf(datum, f.members[0]);
    if (!held) return std::nullopt;
    auto number = [&](size_t i) {
        std::optional<Datum> part = memberOf(datum, f.members[i]);
        return part ? word(*part) : std::nullopt;
    };
    std::optional<uint64_t> at = word(*held), base = number(1), size = number(2), scope = number(3);
    if (!at || !base || !size || !scope) return std::nullopt;
    View v;
    TypeId target = types_.plain(held->type).target;
    uint64_t needed =
        std::max<uint64_t>(target == TypeId::None ? 1 : sizeOf(target), 1); // all of the pointee has to fit
    if (*at == 0) {
        v.text = "null";
    } else if (*at < *base || *at - *base >= *size || *size - (*at - *base) < needed) {
        auto offset = static_cast<int64_t>(*at - *base);
        v.text = std::string("<out of bounds: offset ") + (offset < 0 ? "" : "+") + std::to_string(offset) + ">";
        v.presentation.isVirtual = v.presentation.hasFailed = true;
    } else if (scopeHasExited(*scope)) {
        v.text = "<dangling: scope exited>";
        v.presentation.isVirtual = v.presentation.isReadOnly = true;
    } else {
        v = pointer(*held, options, depth);
        for (Part& part : v.parts) part.suffix = "." + f.members[0] + part.suffix;
        v.text = hexText(*at);
        Datum pointee = Datum::at(target, *at);
        bool isValue = types_.plain(held->type).kind == Kind::Pointer && sizeOf(target) > 0;
        if (isValue) v.text += " → " + textOf(view(pointee, options, depth + 1), depth + 1);
    }
    v.target = *at == 0 ? std::nullopt : at;
    addRaw(v, datum);
    return v;
}

// ---- results

std::optional<ForeignValues::View> ForeignValues::result(const Datum& datum, const Formatter& f, unsigned depth) const {
    std::optional<Datum> error = memberOf(datum, f.members[0]), value = memberOf(datum, f.members[1]);
    std::optional<uint64_t> number = error ? word(*error) : std::nullopt;
    if (!number || !value) return std::nullopt;
    View v;
    Part err{f.members[0], "." + f.members[0], true, *error}, val{f.members[1], "." + f.members[1], true, *value};
    if (*number == 0) {
        v.text = "Ok(" + textOf(view(*value, {}, depth + 1), depth + 1) + ")";
        v.parts = {val, err};
    } else {
        bool isUnsigned = types_.plain(error->type).kind == Kind::Unsigned;
        v.text =
            "Error(" + (isUnsigned ? std::to_string(*number) : std::to_string(static_cast<int64_t>(*number))) + ")";
        v.presentation.isVirtual = v.presentation.hasFailed = true;
        v.parts = {err, val};
    }
    addRaw(v, datum);
    return v;
}

} // namespace sx::debugger
