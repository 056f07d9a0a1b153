#include "debugger/inspect/Bits.h"

#include "types/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cstring>

namespace sx::debugger {

/// Only the lowest bits of a number count, or its sign.
static uint64_t extended(uint64_t number, unsigned count, bool isSigned) {
    unsigned unused = 64 - count;
    return isSigned ? static_cast<uint64_t>(static_cast<int64_t>(number << unused) >> unused)
                    : number << unused >> unused;
}

std::array<uint8_t, 8> bitsOf(llvm::ArrayRef<uint8_t> raw, unsigned shift, unsigned count, bool isSigned) {
    unsigned __int128 all = 0;
    for (size_t i = raw.size(); i-- > 0;) all = all << 8 | raw[i];
    uint64_t bits = extended(static_cast<uint64_t>(all >> shift), count, isSigned);
    std::array<uint8_t, 8> held{};
    std::memcpy(held.data(), &bits, sizeof bits);
    return held;
}

Result<void> assignBits(Memory& memory, Datum& field, llvm::ArrayRef<uint8_t> value, bool isSigned) {
    const Datum::Bits& bits = field.bits;
    uint64_t word = 0;
    std::memcpy(&word, value.data(), std::min(value.size(), sizeof word));
    uint64_t whole = extended(word, static_cast<unsigned>(8 * std::min(value.size(), sizeof word)), isSigned);
    if (extended(whole, bits.count, isSigned) != whole)
        return Failure{"the number does not fit " + std::to_string(bits.count) + " bits"};
    std::vector<uint8_t> raw((bits.shift + bits.count + 7) / 8);
    Failure unwritten{"the memory at " + hexText(bits.address) + " cannot be written"};
    if (memory.read(bits.address, raw) != raw.size()) return unwritten;
    for (unsigned i = 0; i < bits.count; ++i) {
        unsigned at = bits.shift + i;
        auto mask = static_cast<uint8_t>(1u << at % 8);
        if ((word >> i & 1) != 0) raw[at / 8] |= mask;
        else raw[at / 8] &= static_cast<uint8_t>(~mask);
    }
    if (!memory.write(bits.address, raw)) return unwritten;
    field.bytes.assign(value.begin(), value.end());
    return {};
}

Datum bitField(const TypeTable& types, Memory& memory, const Datum& record, const BitField& field) {
    uint64_t first = field.offset + field.shift / 8;
    unsigned shift = field.shift % 8;
    std::vector<uint8_t> raw((shift + field.count + 7) / 8);
    if (record.lacksSome(first, raw.size())) return Datum::nowhere(field.type, Datum::OptimizedOut);
    if (record.place == Datum::Place::Nowhere) return Datum::nowhere(field.type, record.note);
    if (record.place == Datum::Place::Memory) {
        if (memory.read(record.address + first, raw) != raw.size()) return Datum::nowhere(field.type, "<unreadable>");
    } else {
        if (first + raw.size() > record.bytes.size()) return Datum::nowhere(field.type, record.note);
        std::copy_n(record.bytes.begin() + static_cast<ptrdiff_t>(first), raw.size(), raw.begin());
    }
    Datum found = Datum::held(field.type, bitsOf(raw, shift, field.count, field.isSigned));
    found.bytes.resize(sizeOf(types, field.type));
    if (record.place == Datum::Place::Memory) found.bits = {record.address + first, shift, field.count};
    return found;
}

bool isFilling(const TypeTable& types, TypeId record, Name name, TypeId type, bool isInUnion) {
    const std::vector<BitField>* bits = types.recordsOfC.find(record);
    bool hasRoom = bits && !bits->empty() && isInUnion;
    if (!bits || name == Name::None || (!hasRoom && types.kind(type) != TypeKind::Array)) return false;
    llvm::StringRef number = types.names().text(name);
    return number.consume_front("bits_") && !number.empty() && llvm::all_of(number, llvm::isDigit);
}

} // namespace sx::debugger
