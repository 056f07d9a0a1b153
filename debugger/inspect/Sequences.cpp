// Arrays, vectors and slices.
#include "debugger/inspect/Reader.h"
#include "types/Layout.h"

namespace sx::debugger {

std::string Reader::spanProblem(uint64_t address, int64_t length, uint64_t itemSize, const char* what) {
    uint64_t size = std::max<uint64_t>(itemSize, 1);
    if (length < 0 || static_cast<uint64_t>(length) > LengthLimit / size)
        return "<bad length " + std::to_string(length) + ">";
    if (itemSize == 0 || canRead(address, static_cast<uint64_t>(length) * itemSize)) return "";
    return std::string("<") + what + " of length " + std::to_string(length) + " at " + hexText(address) +
           " cannot be read>";
}

View Reader::array(const Datum& datum) {
    View v;
    TypeId elem = types_.elem(datum.type);
    if (datum.place == Datum::Place::Memory) {
        v.text = spanProblem(datum.address, static_cast<int64_t>(types_.count(datum.type)), sizeOf(types_, elem),
                             "sequence");
        if (!v.text.empty()) return v;
    }
    v.kind = View::Kind::Elements;
    v.hasSummary = true;
    v.base = datum;
    v.elem = elem;
    v.count = types_.count(datum.type);
    return v;
}

View Reader::slice(const Datum& datum) {
    std::optional<uint64_t> address = word(datum, 0), length = word(datum, 8);
    if (!address || !length) return unreadable(datum);
    View v;
    TypeId elem = types_.elem(datum.type);
    if (!types_.isComplete(elem)) return View::of("len " + std::to_string(static_cast<int64_t>(*length)));
    v.text = spanProblem(*address, static_cast<int64_t>(*length), sizeOf(types_, elem), "sequence");
    if (*address != 0) v.target = *address;
    if (!v.text.empty()) return v;
    v.text = "len " + std::to_string(*length);
    v.kind = View::Kind::Elements;
    v.base = Datum::at(elem, *address);
    v.elem = elem;
    v.count = *length;
    return v;
}

} // namespace sx::debugger
