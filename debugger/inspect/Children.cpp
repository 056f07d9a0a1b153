// The children of a value, and the text that its parts make.
#include "debugger/inspect/Bits.h"
#include "debugger/inspect/Reader.h"
#include "types/Layout.h"
#include "types/Parts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

namespace sx::debugger {

namespace {

struct RecordPart {
    Part part;
    const BitField* bits = nullptr; ///< null: it is none
};

/// The parts of a record of C as C has them: those of unions without a name among its own.
std::vector<RecordPart> partsOfC(const TypeTable& types, TypeId t, const std::vector<BitField>& bits) {
    std::vector<RecordPart> all;
    auto addMembers = [&](TypeId of, uint64_t offset) {
        for (const UnionMember& m : types.unionInfo(of).members)
            if (!isFilling(types, t, m.name, m.type, /*isInUnion=*/true))
                all.push_back({{m.name, m.type, offset + m.offset}, nullptr});
    };
    if (types.kind(t) == TypeKind::Union) addMembers(t, 0);
    else
        for (unsigned i = 0; i < types.structInfo(t).fields.size(); ++i) {
            const StructField& field = types.structInfo(t).fields[i];
            if (isNamelessUnion(types, field.type)) addMembers(field.type, fieldOffset(types, t, i));
            else if (!isFilling(types, t, field.name, field.type, /*isInUnion=*/false))
                all.push_back({{field.name, field.type, fieldOffset(types, t, i)}, nullptr});
        }
    for (const BitField& b : bits) all.push_back({{b.name, b.type, b.offset}, &b});
    auto bitOf = [](const RecordPart& p) { return p.part.offset * 8 + (p.bits ? p.bits->shift : 0); };
    llvm::stable_sort(all, [&](const RecordPart& a, const RecordPart& b) { return bitOf(a) < bitOf(b); });
    return all;
}

/// A part of a struct, tuple or union by its number.
Part partAt(const TypeTable& types, TypeId t, uint64_t index) {
    if (types.kind(t) == TypeKind::Union) {
        const UnionMember& member = types.unionInfo(t).members[index];
        return {member.name, member.type, member.offset};
    }
    auto i = static_cast<unsigned>(index);
    if (types.kind(t) == TypeKind::Tuple) {
        const TupleField& field = types.tupleFields(t)[index];
        return {field.name, field.type, fieldOffset(types, t, i)};
    }
    const StructField& field = types.structInfo(t).fields[index];
    return {field.name, field.type, fieldOffset(types, t, i)};
}

uint64_t partCount(const TypeTable& types, const View& view) {
    switch (view.kind) {
    case View::Kind::Plain:
    case View::Kind::Rows: return 0;
    case View::Kind::Elements:
    case View::Kind::Entries: return view.count;
    case View::Kind::Pointee: return 1;
    case View::Kind::Captures: return view.captures.size();
    case View::Kind::Results: return types.tupleFields(view.base.type).size() - 1;
    case View::Kind::Parts: break;
    }
    TypeId t = view.base.type;
    if (const std::vector<BitField>* bits = types.recordsOfC.find(t)) return partsOfC(types, t, *bits).size();
    if (types.kind(t) == TypeKind::Union) return types.unionInfo(t).members.size();
    return types.kind(t) == TypeKind::Tuple ? types.tupleFields(t).size() : types.structInfo(t).fields.size();
}

} // namespace

uint64_t Reader::indexedCount(const View& view) const {
    return view.kind == View::Kind::Elements || view.kind == View::Kind::Entries ? view.count : 0;
}

uint64_t Reader::namedCount(const View& view) const {
    return partCount(types_, view) - indexedCount(view) + view.rows.size() + (view.raw ? 1 : 0);
}

Child Reader::part(const View& view, llvm::StringRef name, uint64_t index) {
    Child c;
    std::string base = view.path ? selected(selected(name, *view.path), view.step) : "";
    if (view.kind == View::Kind::Elements) {
        uint64_t size = sizeOf(types_, view.elem);
        uint64_t place = view.wrap != 0 ? (view.first + index) % view.wrap : index;
        c.name = ("[" + llvm::Twine(index) + "]").str();
        c.datum = view.base.part(place * size, view.elem, size);
        c.evaluateName = selected(base, ("[" + llvm::Twine(place) + "]").str());
        return c;
    }
    if (view.kind == View::Kind::Entries) return MapReader(*this).entry(view, base, index);
    if (view.kind == View::Kind::Pointee) {
        c.name = view.step;
        c.datum = view.base;
        c.evaluateName = base;
        return c;
    }
    if (view.kind == View::Kind::Captures) {
        const ir::Capture& capture = view.captures[index];
        c.name = nameText(types_, capture.name);
        c.datum = partOf(types_, view.base, capture.offset, capture.type);
        return c;
    }
    if (const std::vector<BitField>* bits = types_.recordsOfC.find(view.base.type)) {
        RecordPart of = partsOfC(types_, view.base.type, *bits)[index];
        c.name = nameText(types_, of.part.name);
        c.datum = of.bits ? bitField(types_, memory_, view.base, *of.bits)
                          : partOf(types_, view.base, of.part.offset, of.part.type);
        c.evaluateName = selected(base, "." + c.name);
        return c;
    }
    Part p = partAt(types_, view.base.type, index);
    c.name = p.name == Name::None ? std::to_string(index) : nameText(types_, p.name);
    c.datum = partOf(types_, view.base, p.offset, p.type);
    c.evaluateName = selected(base, "." + c.name);
    return c;
}

Child Reader::child(const View& view, llvm::StringRef name, uint64_t index) {
    uint64_t parts = partCount(types_, view);
    if (index < parts) return part(view, name, index);
    if (index - parts < view.rows.size()) {
        Child row = view.rows[index - parts];
        bool isReached = view.path && !row.evaluateName.empty();
        row.evaluateName = isReached ? selected(selected(name, *view.path), row.evaluateName) : "";
        return row;
    }
    Child raw;
    raw.name = "[raw]";
    raw.datum = *view.raw;
    raw.datum.isRaw = true;
    if (view.path) raw.evaluateName = selected(name, *view.path);
    return raw;
}

// ---- texts of parts

std::string Reader::textOf(const View& view) { return view.hasSummary ? view.text + summary(view) : view.text; }

/// A part is shown one level deep.
std::string Reader::partText(const Datum& datum) {
    View v = viewInside(datum);
    if (!v.hasSummary) return v.text;
    bool isSequence = v.kind == View::Kind::Elements;
    if (partCount(types_, v) == 0) return v.text + (isSequence ? "[]" : "{}");
    return v.text + (isSequence ? "[…]" : "{…}");
}

std::string Reader::summary(const View& view) {
    bool isSequence = view.kind == View::Kind::Elements;
    std::string out = isSequence ? "[" : "{";
    uint64_t count = partCount(types_, view);
    for (uint64_t i = 0; i < count; ++i) {
        std::string before = i > 0 ? ", " : "";
        if (i == SummaryParts) {
            out += before + "…";
            break;
        }
        Child c = part(view, "", i);
        std::string label = isSequence ? "" : c.name + ": ", shown = partText(c.datum);
        bool fits = out.size() + before.size() + label.size() + shown.size() < SummaryBytes;
        out += before + (fits ? label + shown : "…");
        if (!fits) break;
    }
    return out + (isSequence ? "]" : "}");
}

} // namespace sx::debugger
