// Writing values.
#include "debugger/inspect/Bits.h"
#include "debugger/inspect/Reader.h"

namespace sx::debugger {

Result<void> Values::assign(Datum& datum, llvm::ArrayRef<uint8_t> bytes) const {
    if (datum.place == Datum::Place::Nowhere) return Failure{"there is no value to change: " + datum.note};
    if (!datum.missing.empty())
        return Failure{"there is no place for all of the value: part of it is " + std::string(Datum::OptimizedOut)};
    if ((!isOther(datum.type) && !types_.isComplete(datum.type)) || bytes.size() != sizeOf(datum.type))
        return Failure{"the value has " + std::to_string(bytes.size()) + " bytes, which are not those of " +
                       code(nameOf(datum.type))};
    if (datum.bits.count != 0) {
        TypeId number = types_.kind(datum.type) == TypeKind::Enum ? types_.enumInfo(datum.type).backing : datum.type;
        return assignBits(memory_, datum, bytes, types_.kind(number) == TypeKind::Int && types_.isSigned(number));
    }
    if (datum.place == Datum::Place::Hand) {
        datum.bytes.assign(bytes.begin(), bytes.end());
        return {};
    }
    if (!bytes.empty() && !memory_.write(datum.address, bytes))
        return Failure{"the memory at " + hexText(datum.address) + " cannot be written"};
    return {};
}

} // namespace sx::debugger
