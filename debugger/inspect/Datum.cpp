#include "debugger/inspect/Datum.h"

#include "vm/code/Scalar.h"

#include <algorithm>
#include <cstring>

namespace sx::debugger {

Datum Datum::at(TypeId type, uint64_t address) {
    Datum d;
    d.type = type;
    d.place = Place::Memory;
    d.address = address;
    return d;
}

Datum Datum::held(TypeId type, llvm::ArrayRef<uint8_t> bytes) {
    Datum d;
    d.type = type;
    d.place = Place::Hand;
    d.bytes.assign(bytes.begin(), bytes.end());
    return d;
}

Datum Datum::nowhere(TypeId type, std::string note) {
    Datum d;
    d.type = type;
    d.note = std::move(note);
    return d;
}

/// What a gap has of the bytes from `offset` on; size 0: nothing.
static ByteRange overlap(const ByteRange& gap, uint64_t offset, uint64_t size) {
    uint64_t first = std::max(gap.offset, offset), end = std::min(gap.offset + gap.size, offset + size);
    return first < end ? ByteRange{first, end - first} : ByteRange{};
}

Datum Datum::part(uint64_t offset, TypeId partType, uint64_t partSize) const {
    if (place == Place::Memory) return at(partType, address + offset);
    if (place == Place::Nowhere) return nowhere(partType, note);
    llvm::ArrayRef<uint8_t> all(bytes);
    uint64_t begin = std::min<uint64_t>(offset, all.size());
    if (lacksAll(offset, partSize)) return nowhere(partType, OptimizedOut);
    Datum found = held(partType, all.slice(begin, std::min<uint64_t>(partSize, all.size() - begin)));
    for (const ByteRange& gap : missing)
        if (ByteRange here = overlap(gap, offset, partSize); here.size != 0)
            found.missing.push_back({here.offset - offset, here.size});
    return found;
}

static uint64_t lacking(llvm::ArrayRef<ByteRange> missing, uint64_t offset, uint64_t size) {
    uint64_t count = 0;
    for (const ByteRange& gap : missing) count += overlap(gap, offset, size).size;
    return count;
}

bool Datum::lacksSome(uint64_t offset, uint64_t size) const { return lacking(missing, offset, size) != 0; }
bool Datum::lacksAll(uint64_t offset, uint64_t size) const {
    return size != 0 && lacking(missing, offset, size) == size;
}

std::string hexText(uint64_t number) {
    std::string out = "0x";
    int shift = 60;
    while (shift > 0 && (number >> shift & 0xF) == 0) shift -= 4;
    for (; shift >= 0; shift -= 4) out += "0123456789abcdef"[number >> shift & 0xF];
    return out;
}

Datum fromRegister(const TypeTable& types, TypeId type, uint64_t word) {
    uint8_t bytes[sizeof word];
    std::memcpy(bytes, &word, sizeof word);
    return Datum::held(type, {bytes, vm::storageBytes(vm::scalarKind(types, type))});
}

uint64_t toRegister(const TypeTable& types, TypeId type, llvm::ArrayRef<uint8_t> bytes) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data(), std::min(bytes.size(), sizeof word));
    return vm::canonical(vm::scalarKind(types, type), word);
}

} // namespace sx::debugger
