#include "debugger/native/engine/PageCache.h"

#include "debugger/engine/ProcessMemory.h"

#include <algorithm>
#include <cstring>

namespace sx::debugger::native {

const std::vector<uint8_t>& PageCache::page(uint64_t number) {
    auto [at, isNew] = pages_.try_emplace(number);
    if (!isNew) return at->second;
    if (pages_.size() > MostPages) {
        pages_.clear();
        at = pages_.try_emplace(number).first;
    }
    at->second.resize(PageSize);
    at->second.resize(target_ ? target_->readMemory(number * PageSize, at->second.data(), PageSize) : 0);
    return at->second;
}

size_t PageCache::read(uint64_t address, llvm::MutableArrayRef<uint8_t> into) {
    size_t done = 0;
    while (done < into.size()) {
        uint64_t from = address + done;
        if (from < address) break; // beyond the last address
        const std::vector<uint8_t>& bytes = page(from / PageSize);
        size_t offset = from % PageSize;
        if (offset >= bytes.size()) break;
        size_t count = std::min(into.size() - done, bytes.size() - offset);
        std::memcpy(into.data() + done, bytes.data() + offset, count);
        done += count;
        if (offset + count < PageSize && done < into.size()) break;
    }
    return done;
}

size_t PageCache::readData(uint64_t address, llvm::MutableArrayRef<uint8_t> into) {
    const int pid = target_ && isLive ? target_->processId() : 0;
    size_t n = readProcessMemory(pid, address, into.data(), into.size());
    return n == into.size() ? n : read(address, into);
}

bool PageCache::write(uint64_t address, llvm::ArrayRef<uint8_t> bytes) {
    pages_.clear();
    if (!target_ || !target_->writeMemory(address, bytes.data(), bytes.size())) return false;
    if (written) written(address, bytes);
    return true;
}

std::optional<uint64_t> PageCache::word(uint64_t address, size_t bytes) {
    uint64_t value = 0;
    auto* into = reinterpret_cast<uint8_t*>(&value);
    return read(address, {into, bytes}) == bytes ? std::optional(value) : std::nullopt;
}

} // namespace sx::debugger::native
