// Values that say their type while the program runs: `any`, protocol values, and types themselves.
#include "debugger/inspect/Reader.h"

#include "ir/TypeDescriptor.h"
#include "syntax/Utf8.h"
#include "types/Layout.h"
#include "types/TypeNames.h"

namespace sx::debugger {

namespace {

bool isPrintable(llvm::StringRef text) {
    for (const char* at = text.begin(); at < text.end();) {
        Utf8Char c = decodeUtf8(at, text.end());
        if (!c.valid || c.codePoint < 0x20 || (c.codePoint >= 0x7F && c.codePoint <= 0x9F)) return false;
        at += c.length;
    }
    return true;
}

} // namespace

std::optional<std::string> Reader::typeNameAt(uint64_t descriptor) {
    if (TypeId type = addresses_.typeAt(descriptor); type != TypeId::None) return writtenName(types_, type);
    for (uint64_t at : {ir::desc::WrittenPtr, ir::desc::NamePtr}) { // the first is null where it would be the second
        Datum name = Datum::at(TypeId::String, descriptor + at);
        std::optional<uint64_t> text = word(name, 0), length = word(name, 8);
        if (!text || !length) return std::nullopt;
        if (*text == 0) continue;
        if (*length == 0 || *length > 10 * TextLimit) return std::nullopt;
        std::string bytes(*length, '\0');
        bool isRead = readAt(*text, {reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()});
        return isRead && isPrintable(bytes) ? std::optional(bytes) : std::nullopt;
    }
    return std::nullopt;
}

View Reader::typeHandle(const Datum& datum) {
    std::optional<uint64_t> descriptor = word(datum);
    if (!descriptor) return unreadable(datum);
    std::optional<std::string> name = typeNameAt(*descriptor);
    View v = View::of(name ? *name : "<no type at " + hexText(*descriptor) + ">");
    v.target = *descriptor;
    return v;
}

View Reader::erased(const Datum& datum) {
    std::optional<uint64_t> data = word(datum, 0), descriptor = word(datum, 8);
    if (!data || !descriptor) return unreadable(datum);
    std::optional<std::string> name = typeNameAt(*descriptor);
    if (!name) return View::of("<no value: no type at " + hexText(*descriptor) + ">");
    TypeId type = addresses_.typeAt(*descriptor);
    View v;
    std::string before = "(" + *name + ") ";
    if (type == TypeId::None || !types_.isComplete(type)) {
        v.text = before + "at " + hexText(*data);
    } else if (TypeKind kind = types_.kind(type);
               kind != TypeKind::Array && !canRead(*data, std::max<uint64_t>(sizeOf(types_, type), 1))) {
        v.text = before + "<at " + hexText(*data) + ", cannot be read>";
    } else {
        v = viewInside(Datum::at(type, *data));
        v.text = v.text.empty() && !v.hasSummary ? "(" + *name + ")" : before + v.text;
        bool isAny = types_.kind(datum.type) == TypeKind::Any;
        v.path = isAny && v.path ? std::optional(".(" + *name + ")" + *v.path) : std::nullopt;
    }
    v.target = *data;
    return v;
}

} // namespace sx::debugger
