#include "debugger/evaluate/PageCache.h"

#include <algorithm>
#include <cstring>

namespace sx::debugger {

const PageCache::Page* PageCache::page(uint64_t number) {
    auto known = pages_.find(number);
    if (known != pages_.end()) return known->second.get();
    if (pages_.size() >= MostPages) pages_.clear();
    auto page = std::make_unique<Page>();
    if (program_.read(number * PageSize, *page) != PageSize) page.reset();
    return (pages_[number] = std::move(page)).get();
}

size_t PageCache::read(uint64_t address, llvm::MutableArrayRef<uint8_t> into) {
    size_t done = 0;
    while (done < into.size()) {
        uint64_t at = address + done, offset = at % PageSize;
        size_t count = std::min<uint64_t>(into.size() - done, PageSize - offset);
        if (const Page* p = page(at / PageSize)) {
            std::memcpy(into.data() + done, p->data() + offset, count);
            done += count;
            continue;
        }
        size_t some = program_.read(at, into.slice(done, count));
        done += some;
        if (some != count) break;
    }
    return done;
}

bool PageCache::writeApart(uint64_t address, llvm::ArrayRef<uint8_t> bytes) {
    for (uint64_t at = address / PageSize; !bytes.empty() && at <= (address + bytes.size() - 1) / PageSize; ++at)
        pages_.erase(at);
    return program_.write(address, bytes);
}

bool PageCache::write(uint64_t address, llvm::ArrayRef<uint8_t> bytes) {
    if (!writeApart(address, bytes)) return false;
    changes_.any = true;
    if (changes_.ranges.size() < Changes::MostRanges) changes_.ranges.emplace_back(address, bytes.size());
    return true;
}

} // namespace sx::debugger
