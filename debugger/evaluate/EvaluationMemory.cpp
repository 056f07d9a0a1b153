#include "debugger/evaluate/EvaluationMemory.h"

#include <algorithm>
#include <cstring>

namespace sx::debugger {

uint64_t EvaluationMemory::take(std::vector<uint8_t>& area, uint64_t base, uint64_t bytes) {
    constexpr uint64_t Align = 16;
    uint64_t at = area.size();
    if (bytes > MostBytes || at + bytes + Align > MostBytes) return 0;
    area.resize((at + bytes + Align - 1) / Align * Align + Align); // no two blocks touch
    return base + at;
}

uint8_t* EvaluationMemory::own(uint64_t address, uint64_t size) {
    std::vector<uint8_t>& area = (address & Mask) == StackBase ? stack_ : heap_;
    uint64_t offset = address & ~Mask;
    if (!isOwn(address) || offset > area.size() || size > area.size() - offset) return nullptr;
    return area.data() + offset;
}

size_t EvaluationMemory::read(uint64_t address, llvm::MutableArrayRef<uint8_t> into) {
    if (!isOwn(address)) return program.read(address, into);
    const std::vector<uint8_t>& area = (address & Mask) == StackBase ? stack_ : heap_;
    uint64_t offset = address & ~Mask;
    if (offset >= area.size()) return 0;
    size_t count = std::min<uint64_t>(into.size(), area.size() - offset);
    std::memcpy(into.data(), area.data() + offset, count);
    return count;
}

bool EvaluationMemory::write(uint64_t address, llvm::ArrayRef<uint8_t> bytes) {
    if (!isOwn(address)) return program.write(address, bytes);
    uint8_t* to = own(address, bytes.size());
    if (to && !bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
    return to != nullptr;
}

} // namespace sx::debugger
