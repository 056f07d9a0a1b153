#include "debugger/evaluate/EvaluationMemory.h"

#include <algorithm>
#include <cstring>

namespace sx::debugger {

uint64_t EvaluationMemory::take(Area& area, uint64_t base, uint64_t bytes) {
    constexpr uint64_t Align = 16;
    uint64_t at = area.bytes.size();
    if (bytes > MostBytes || at + bytes + Align > MostBytes) return 0;
    area.blocks.emplace_back(at, bytes);
    area.bytes.resize((at + bytes + Align - 1) / Align * Align + Align); // no two blocks touch
    return base + at;
}

void EvaluationMemory::popTo(uint64_t top) {
    stack_.bytes.resize(top);
    while (!stack_.blocks.empty() && stack_.blocks.back().first >= top) stack_.blocks.pop_back();
}

std::pair<uint64_t, uint64_t> EvaluationMemory::blockAt(uint64_t address) const {
    const Area& area = areaOf(address);
    uint64_t offset = address & ~Mask;
    auto after = std::upper_bound(area.blocks.begin(), area.blocks.end(), std::pair(offset, UINT64_MAX));
    if (after == area.blocks.begin()) return {address, 0};
    auto [begin, size] = *std::prev(after);
    if (offset > begin + size) return {address, 0};
    return {address - (offset - begin), size};
}

uint64_t EvaluationMemory::allocate(uint64_t bytes, bool isBlock) {
    uint64_t at = take(heap_, HeapBase, bytes);
    if (isBlock && at != 0) asked_.insert(at);
    return at;
}

bool EvaluationMemory::isInBlock(uint64_t address) const {
    return isOwn(address) && !asked_.empty() && asked_.count(blockAt(address).first) != 0;
}

void EvaluationMemory::reset() {
    stack_ = heap_ = {};
    asked_.clear();
}

void EvaluationMemory::keepForUndo(bool keeps) {
    keeps_ = keeps;
    kept_.clear();
}

/// Of more pages than it keeps the later ones stay as they are written.
void EvaluationMemory::keepPages(uint64_t address, uint64_t size) {
    if (size == 0) return;
    for (uint64_t page = address / PageSize; page <= (address + size - 1) / PageSize; ++page) {
        auto kept = kept_.find(page);
        if (kept == kept_.end() && kept_.size() == MostKept) continue;
        uint64_t start = page * PageSize;
        uint64_t from = std::max(address, start) - start, end = std::min(address + size, start + PageSize) - start;
        if (kept == kept_.end()) kept = kept_.try_emplace(page, KeptPage{std::vector<uint8_t>(PageSize), {}}).first;
        KeptPage& k = kept->second;
        for (uint64_t at = from; at < end;) {
            uint64_t next = at;
            while (next < end && !k.written[next]) k.written.set(next++);
            if (next > at) program.read(start + at, llvm::MutableArrayRef(k.bytes).slice(at, next - at));
            at = next + 1;
        }
    }
}

void EvaluationMemory::undo() {
    for (const auto& [page, k] : kept_)
        for (uint64_t at = 0; at < PageSize;) {
            uint64_t end = at;
            while (end < PageSize && k.written[end]) ++end;
            if (end > at) program.write(page * PageSize + at, llvm::ArrayRef(k.bytes).slice(at, end - at));
            at = end + 1;
        }
    kept_.clear();
}

uint8_t* EvaluationMemory::own(uint64_t address, uint64_t size) {
    std::vector<uint8_t>& area = (address & Mask) == StackBase ? stack_.bytes : heap_.bytes;
    uint64_t offset = address & ~Mask;
    if (!isOwn(address) || offset > area.size() || size > area.size() - offset) return nullptr;
    return area.data() + offset;
}

size_t EvaluationMemory::read(uint64_t address, llvm::MutableArrayRef<uint8_t> into) {
    if (!isOwn(address)) return program.read(address, into);
    const std::vector<uint8_t>& area = areaOf(address).bytes;
    uint64_t offset = address & ~Mask;
    if (offset >= area.size()) return 0;
    size_t count = std::min<uint64_t>(into.size(), area.size() - offset);
    std::memcpy(into.data(), area.data() + offset, count);
    return count;
}

bool EvaluationMemory::write(uint64_t address, llvm::ArrayRef<uint8_t> bytes) {
    if (!isOwn(address)) {
        if (keeps_) keepPages(address, bytes.size());
        return program.write(address, bytes);
    }
    uint8_t* to = own(address, bytes.size());
    if (to && !bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
    return to != nullptr;
}

} // namespace sx::debugger
