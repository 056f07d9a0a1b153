#include "debugger/objects/Registry.h"

#include "heap.h"

#include <algorithm>
#include <cstring>

namespace sx::debugger::objects {

bool Block::isLive() const { return state == SX_HEAP_LIVE; }

namespace {

template <typename T> bool readInto(Memory& memory, uint64_t address, T* to, size_t count) {
    llvm::MutableArrayRef<uint8_t> bytes(reinterpret_cast<uint8_t*>(to), count * sizeof(T));
    return memory.read(address, bytes) == bytes.size();
}

Block blockOf(const sx_heap_record& r) {
    return {r.address, r.size, r.serial, r.state, r.site, r.freed_site, r.thread, r.fiber};
}

} // namespace

Result<Registry> Registry::read(Memory& memory, uint64_t tables) {
    sx_heap_table table{};
    const char* const off = "the heap is not tracked: launch with `heap`: \"track\"";
    if (tables == 0 || !readInto(memory, tables, &table, 1)) return Failure{off};
    if (table.version != SX_HEAP_VERSION || table.record_bytes != sizeof(sx_heap_record) ||
        table.site_bytes != sizeof(sx_heap_site) || table.chunk != SX_HEAP_CHUNK)
        return Failure{"the program records its heap as another version of sx does"};
    if (!table.on) return Failure{off};
    Registry r;
    r.packed_ = table.packed != 0;
    r.siteChunks_ = table.site_chunks;
    r.siteCount_ = table.site_count;
    std::vector<uint64_t> chunks((table.record_count + SX_HEAP_CHUNK - 1) / SX_HEAP_CHUNK);
    if (table.record_count > uint64_t{1} << 28 ||
        (!chunks.empty() && !readInto(memory, table.record_chunks, chunks.data(), chunks.size())))
        return Failure{"the tables of the heap cannot be read"};
    r.blocks_.reserve(table.record_count);
    std::vector<sx_heap_record> records(SX_HEAP_CHUNK);
    for (size_t i = 0; i < chunks.size(); ++i) {
        size_t count = std::min<uint64_t>(SX_HEAP_CHUNK, table.record_count - i * SX_HEAP_CHUNK);
        if (!readInto(memory, chunks[i], records.data(), count))
            return Failure{"the tables of the heap cannot be read"};
        for (size_t k = 0; k < count; ++k) {
            if (records[k].state == SX_HEAP_GONE) r.gone_.push_back(blockOf(records[k]));
            else if (records[k].state != SX_HEAP_UNUSED) r.blocks_.push_back(blockOf(records[k]));
        }
    }
    auto byAddress = [](const Block& a, const Block& b) { return a.address < b.address; };
    if (!std::is_sorted(r.blocks_.begin(), r.blocks_.end(), byAddress))
        std::sort(r.blocks_.begin(), r.blocks_.end(), byAddress);
    r.bySerial_.resize(r.blocks_.size());
    for (uint32_t i = 0; i < r.bySerial_.size(); ++i) r.bySerial_[i] = i;
    auto bySerial = [&](uint32_t a, uint32_t b) { return r.blocks_[a].serial < r.blocks_[b].serial; };
    if (!std::is_sorted(r.bySerial_.begin(), r.bySerial_.end(), bySerial))
        std::sort(r.bySerial_.begin(), r.bySerial_.end(), bySerial);
    return r;
}

Located Registry::locate(uint64_t address) const {
    auto after = std::upper_bound(blocks_.begin(), blocks_.end(), address,
                                  [](uint64_t a, const Block& b) { return a < b.address; });
    if (after != blocks_.begin()) {
        const Block& block = *std::prev(after);
        if (address - block.address < block.size + SX_HEAP_GUARD)
            return {&block, static_cast<int64_t>(address - block.address)};
    }
    for (const Block& block : gone_)
        if (address - block.address < std::max<uint64_t>(block.size, 1))
            return {&block, static_cast<int64_t>(address - block.address)};
    // In front of a block is the allocator's own word.
    if (after != blocks_.end() && after->address - address <= 8)
        return {&*after, -static_cast<int64_t>(after->address - address)};
    return {};
}

const Block* Registry::withSerial(uint64_t serial) const {
    auto found = std::lower_bound(bySerial_.begin(), bySerial_.end(), serial,
                                  [&](uint32_t i, uint64_t s) { return blocks_[i].serial < s; });
    if (found != bySerial_.end() && blocks_[*found].serial == serial) return &blocks_[*found];
    for (const Block& block : gone_)
        if (block.serial == serial) return &block;
    return nullptr;
}

std::vector<uint64_t> Registry::frames(Memory& memory, uint32_t site) const {
    sx_heap_site s{};
    uint64_t chunk = 0, at = site - 1;
    if (site == 0 || site > siteCount_ ||
        !readInto(memory, siteChunks_ + at / SX_HEAP_CHUNK * sizeof chunk, &chunk, 1) ||
        !readInto(memory, chunk + at % SX_HEAP_CHUNK * sizeof s, &s, 1))
        return {};
    return {s.frames, s.frames + std::min<uint32_t>(s.count, SX_HEAP_FRAMES)};
}

} // namespace sx::debugger::objects
