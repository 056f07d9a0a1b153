// The heap registry against a model, and from several threads.
#include "heap.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <thread>
#include <vector>

namespace {

const sx_heap_record& recordOf(uint64_t index) {
    const sx_heap_table& t = *sx_heap_tables();
    auto** chunks = reinterpret_cast<sx_heap_record**>(t.record_chunks);
    return chunks[index / t.chunk][index % t.chunk];
}

const sx_heap_site& siteOf(uint32_t number) {
    const sx_heap_table& t = *sx_heap_tables();
    auto** chunks = reinterpret_cast<sx_heap_site**>(t.site_chunks);
    return chunks[(number - 1) / t.chunk][(number - 1) % t.chunk];
}

std::map<uint64_t, sx_heap_record> blocks(uint32_t state) {
    std::map<uint64_t, sx_heap_record> all;
    for (uint64_t i = 0; i < sx_heap_tables()->record_count; ++i)
        if (recordOf(i).state == state) all[recordOf(i).address] = recordOf(i);
    return all;
}

void* give(size_t size, uint64_t frame) { return sx_heap_allocate(size, 0, &frame, 1); }
void take(void* block, uint64_t frame) { sx_heap_release(block, &frame, 1); }
uint64_t addressOf(const void* p) { return reinterpret_cast<uint64_t>(p); }

} // namespace

TEST_CASE("the heap registry knows what is live and what was freed", "[heap]") {
    REQUIRE(sx_heap_decide(true));
    std::mt19937 random(1);
    std::map<void*, std::pair<size_t, uint64_t>> live;
    uint64_t freed = 0;
    for (int step = 0; step < 20'000; ++step) {
        if (live.empty() || random() % 5 < 3) {
            size_t size = random() % 300;
            uint64_t frame = 1000 + random() % 50;
            void* block = give(size, frame);
            REQUIRE(live.emplace(block, std::pair(size, frame)).second);
            std::memset(block, 0x11, size);
        } else {
            auto at = std::next(live.begin(), static_cast<long>(random() % live.size() % 16));
            take(at->first, 7);
            live.erase(at);
            ++freed;
        }
    }
    std::map<uint64_t, sx_heap_record> known = blocks(SX_HEAP_LIVE);
    REQUIRE(known.size() == live.size());
    CHECK(sx_heap_tables()->live_count == live.size());
    for (const auto& [block, what] : live) {
        const sx_heap_record& r = known.at(addressOf(block));
        CHECK((r.size == what.first && siteOf(r.site).frames[0] == what.second));
        for (size_t i = 0; i < SX_HEAP_GUARD; ++i)
            REQUIRE(static_cast<unsigned char*>(block)[r.size + i] == SX_HEAP_GUARD_BYTE);
    }
    CHECK(blocks(SX_HEAP_FREED).size() == freed);
    for (const auto& [address, r] : blocks(SX_HEAP_FREED)) CHECK(siteOf(r.freed_site).frames[0] == 7);
    for (const auto& [block, what] : live) take(block, 8);
    CHECK(sx_heap_tables()->live_bytes == 0);
}

TEST_CASE("freed memory is not given out again soon, and large blocks go at once", "[heap]") {
    REQUIRE(sx_heap_decide(true));
    void* block = give(100, 1);
    take(block, 2);
    for (int i = 0; i < 100; ++i) CHECK(give(100, 1) != block);
    void* large = give(2 * SX_HEAP_KEPT_BLOCK, 1);
    take(large, 3);
    CHECK(blocks(SX_HEAP_GONE).count(addressOf(large)) == 1);
}

TEST_CASE("the history of freed blocks is bounded", "[heap]") {
    REQUIRE(sx_heap_decide(true));
    for (int i = 0; i < SX_HEAP_HISTORY + 1000; ++i) take(give(8, 1), 2);
    CHECK(blocks(SX_HEAP_FREED).size() + blocks(SX_HEAP_GONE).size() == SX_HEAP_HISTORY);
    CHECK(sx_heap_tables()->record_count < 2 * SX_HEAP_HISTORY);
    for (int i = 0; i < 200; ++i) take(give(SX_HEAP_KEPT_BLOCK, 1), 2);
    uint64_t bytes = 0;
    for (const auto& [address, r] : blocks(SX_HEAP_FREED)) bytes += r.size;
    CHECK(bytes <= SX_HEAP_KEPT_BYTES);
}

TEST_CASE("blocks change their size with their content, and what is not the registry's is the C library's", "[heap]") {
    REQUIRE(sx_heap_decide(true));
    uint64_t frame = 1;
    char* block = static_cast<char*>(sx_heap_resize(nullptr, 10, &frame, 1));
    std::strcpy(block, "123456789");
    char* larger = static_cast<char*>(sx_heap_resize(block, 1000, &frame, 1));
    CHECK(std::strcmp(larger, "123456789") == 0);
    CHECK(blocks(SX_HEAP_FREED).count(addressOf(block)) == 1);
    CHECK(blocks(SX_HEAP_LIVE).at(addressOf(larger)).size == 1000);
    take(larger, 2);
    sx_heap_release(std::malloc(10), &frame, 1);
    void* other = sx_heap_resize(std::malloc(10), 100, &frame, 1);
    CHECK(blocks(SX_HEAP_LIVE).count(addressOf(other)) == 0);
    sx_heap_release(other, &frame, 1);
    CHECK(sx_heap_allocate(SIZE_MAX, 0, &frame, 1) == nullptr);
    void* aligned = sx_heap_allocate(100, 4096, &frame, 1);
    CHECK(addressOf(aligned) % 4096 == 0);
    take(aligned, 1);
}

TEST_CASE("threads allocate at the same time", "[heap]") {
    REQUIRE(sx_heap_decide(true));
    uint64_t before = sx_heap_tables()->live_count, serial = sx_heap_tables()->last_serial;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([] {
            std::vector<void*> mine;
            for (int i = 0; i < 5000; ++i) mine.push_back(give(16, 1));
            for (size_t i = 0; i < mine.size(); i += 2) take(mine[i], 2);
        });
    for (std::thread& t : threads) t.join();
    CHECK(sx_heap_tables()->live_count == before + 10'000);
    CHECK(sx_heap_tables()->last_serial == serial + 20'000);
}
