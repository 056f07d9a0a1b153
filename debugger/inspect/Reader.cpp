#include "debugger/inspect/Reader.h"

#include "types/Predicates.h"

#include "llvm/Support/SaveAndRestore.h"

#include <cstring>

namespace sx::debugger {

// ---- bytes

bool Reader::canRead(uint64_t address, uint64_t size) {
    if (size == 0) return true;
    uint8_t byte = 0;
    return readAt(address, byte) && (size == 1 || readAt(address + size - 1, byte));
}

std::optional<uint64_t> Reader::word(const Datum& datum, uint64_t offset, uint64_t size) {
    uint8_t bytes[8] = {};
    if (size > sizeof bytes) return std::nullopt;
    if (datum.place == Datum::Place::Memory) {
        if (!readAt(datum.address + offset, {bytes, static_cast<size_t>(size)})) return std::nullopt;
    } else {
        if (datum.lacksSome(offset, size)) return std::nullopt;
        if (datum.bytes.size() < size || datum.bytes.size() - size < offset) return std::nullopt;
        std::memcpy(bytes, datum.bytes.data() + offset, size);
    }
    uint64_t number = 0;
    std::memcpy(&number, bytes, sizeof bytes);
    return number;
}

View unreadable(const Datum& datum) {
    if (datum.place == Datum::Place::Memory) return View::of("<at " + hexText(datum.address) + ", cannot be read>");
    return View::of(datum.missing.empty() ? "<cannot be read>" : Datum::OptimizedOut);
}

// ---- views

View Reader::view(const Datum& datum) {
    if (datum.place == Datum::Place::Nowhere) return View::of(datum.note);
    if (datum.lacksAll(0, datum.bytes.size())) return View::of(Datum::OptimizedOut);
    if (types_.kind(datum.type) == TypeKind::None) return View::of("<no type>");
    if (!types_.isComplete(datum.type)) return View::of("<a value of unknown size>");
    return viewByType(datum);
}

View Reader::viewInside(const Datum& datum) {
    if (nesting_ == NestingLimit) return View::of("…");
    llvm::SaveAndRestore<unsigned> deeper(nesting_, nesting_ + 1);
    return view(datum);
}

View Reader::viewByType(const Datum& datum) {
    switch (types_.kind(datum.type)) {
    case TypeKind::None:
    case TypeKind::Void:
    case TypeKind::NoReturn: return View::of("void");
    case TypeKind::Null: return View::of("null");
    case TypeKind::Bool: return boolean(datum);
    case TypeKind::Int: return integer(datum);
    case TypeKind::Float: return floating(datum);
    case TypeKind::String: return string(datum);
    case TypeKind::CString: return cstring(datum);
    case TypeKind::Type: return typeHandle(datum);
    case TypeKind::Any:
    case TypeKind::Protocol: return erased(datum);
    case TypeKind::Pointer:
    case TypeKind::ManyPointer: return pointer(datum);
    case TypeKind::Function: return function(datum);
    case TypeKind::Closure: return closure(datum);
    case TypeKind::Slice: return slice(datum);
    case TypeKind::Array:
    case TypeKind::Vector: return array(datum);
    case TypeKind::Optional: return optional(datum);
    case TypeKind::Tuple: return tuple(datum);
    case TypeKind::Struct: return structure(datum);
    case TypeKind::Union: return parts(datum);
    case TypeKind::Enum: return isTaggedEnum(types_, datum.type) ? taggedEnum(datum) : plainEnum(datum);
    case TypeKind::ErrorSet: return errorValue(datum);
    }
    return View::of("<no type>");
}

} // namespace sx::debugger
