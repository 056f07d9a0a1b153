// Values of one word: numbers, truth values, names, pointers.
#include "debugger/inspect/Reader.h"

#include "ir/Ops.h"
#include "types/Layout.h"
#include "types/Predicates.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace sx::debugger {

namespace {

uint64_t maskOf(unsigned bits) { return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

template <typename Float> std::string floatText(Float number) {
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
    char text[64];
    return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

std::string integerText(const TypeTable& types, TypeId type, uint64_t bits, bool hex) {
    unsigned width = bitsOf(types, type);
    if (hex) return hexText(bits & maskOf(width));
    return types.isSigned(type) ? std::to_string(ir::signExtended(width, bits)) : std::to_string(bits & maskOf(width));
}

/// The name of the variant, or those of the flags; nothing where the number is none of the enum.
std::string variantText(const TypeTable& types, const EnumInfo& info, uint64_t number, unsigned bits) {
    uint64_t mask = maskOf(bits);
    for (const Variant& variant : info.variants)
        if ((static_cast<uint64_t>(variant.value) & mask) == number) return "." + nameText(types, variant.name);
    if (!info.isFlags) return "";
    std::string out;
    uint64_t named = 0;
    for (const Variant& variant : info.variants) {
        uint64_t flag = static_cast<uint64_t>(variant.value) & mask;
        if (flag == 0 || (number & flag) != flag) continue;
        out += (out.empty() ? "." : " | .") + nameText(types, variant.name);
        named |= flag;
    }
    if (named != number) return "";
    return out.empty() ? "0" : out;
}

} // namespace

// ---- numbers

View Reader::integer(const Datum& datum) {
    std::optional<uint64_t> bits = scalar(datum);
    return bits ? View::of(integerText(types_, datum.type, *bits, options_.hex)) : unreadable(datum);
}

View Reader::floating(const Datum& datum) {
    std::optional<uint64_t> bits = scalar(datum);
    if (!bits) return unreadable(datum);
    if (datum.type == TypeId::F32) {
        float number = 0;
        std::memcpy(&number, &*bits, sizeof number);
        return View::of(floatText(number));
    }
    double number = 0;
    std::memcpy(&number, &*bits, sizeof number);
    return View::of(floatText(number));
}

View Reader::boolean(const Datum& datum) {
    std::optional<uint64_t> bits = scalar(datum);
    if (!bits) return unreadable(datum);
    if (*bits > 1) return View::of("<bad bool " + std::to_string(*bits) + ">");
    return View::of(*bits != 0 ? "true" : "false");
}

// ---- names

View Reader::errorValue(const Datum& datum) {
    std::optional<uint64_t> tag = scalar(datum);
    if (!tag) return unreadable(datum);
    View v;
    v.presentation.isVirtual = datum.isResult;
    if (*tag == 0) {
        v.text = datum.isResult ? "ok" : "no error";
        return v;
    }
    llvm::ArrayRef<Name> tags = types_.tags();
    // A set that was inferred names no tags of its own: any tag of the program may be in it.
    bool isKnown = *tag <= tags.size();
    if (isKnown && datum.type != TypeId::InferredErrors) {
        Name name = tags[*tag - 1];
        const std::vector<Name>& set = types_.errorSetInfo(datum.type).tags;
        isKnown = std::find(set.begin(), set.end(), name) != set.end();
    }
    v.text = isKnown ? "error." + nameText(types_, tags[*tag - 1]) : "<bad error " + std::to_string(*tag) + ">";
    v.presentation.hasFailed = datum.isResult;
    return v;
}

View Reader::plainEnum(const Datum& datum) {
    std::optional<uint64_t> number = scalar(datum);
    if (!number) return unreadable(datum);
    std::string name = variantText(types_, types_.enumInfo(datum.type), *number,
                                   static_cast<unsigned>(8 * sizeOf(types_, datum.type)));
    return View::of(name.empty() ? "<bad value " + std::to_string(*number) + ">" : name);
}

// ---- pointers

View Reader::pointer(const Datum& datum) {
    std::optional<uint64_t> address = word(datum);
    if (!address) return unreadable(datum);
    if (*address == 0) return View::of("null");
    View v = View::of(hexText(*address));
    v.target = *address;
    TypeId pointee = types_.elem(datum.type);
    if (!types_.isComplete(pointee) || sizeOf(types_, pointee) == 0) return v;
    v.base = Datum::at(pointee, *address);
    bool isMany = types_.kind(datum.type) == TypeKind::ManyPointer;
    TypeKind kind = types_.kind(pointee);
    if (!isMany && (kind == TypeKind::Struct || kind == TypeKind::Tuple || kind == TypeKind::Union)) {
        // Its parts are at hand: `p.x` is that of what it points at.
        View inside = viewInside(v.base);
        if (inside.kind != View::Kind::Plain) {
            inside.text = std::move(v.text);
            inside.target = v.target;
            inside.hasSummary = false;
            inside.presentation = {};
            inside.isPointer = true;
            return inside;
        }
    }
    v.kind = View::Kind::Pointee;
    v.isPointer = true;
    v.step = isMany ? "[0]" : ".*";
    return v;
}

View Reader::function(const Datum& datum) {
    std::optional<uint64_t> code = word(datum);
    if (!code) return unreadable(datum);
    if (*code == 0) return View::of("null");
    std::optional<CodeName> found = addresses_.codeAt(*code);
    View v = View::of(found ? found->name : "<no code at " + hexText(*code) + ">");
    v.target = *code;
    return v;
}

} // namespace sx::debugger
