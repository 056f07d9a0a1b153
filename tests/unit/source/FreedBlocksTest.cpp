// Under a sanitizer `new` and `delete` are its own; what the class does by itself is the same.
#include "source/FreedBlocks.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <thread>
#include <vector>

TEST_CASE("a block that was freed is taken for any size that it has room for") {
    sx::FreedBlocks blocks;
    for (size_t bytes = 0; bytes <= 2000; ++bytes) {
        CAPTURE(bytes);
        void* block = std::malloc(bytes);
        size_t room = malloc_usable_size(block);
        if (!blocks.keep(block)) {
            CHECK((bytes > 1000 || room < 24)); // the C library has no smaller ones
            std::free(block);
            continue;
        }
        void* again = blocks.take((room - 8) / 16 * 16 + 8);
        REQUIRE(again == block);
        std::memset(again, 0xff, bytes);
        std::free(again);
    }
}

TEST_CASE("a number of blocks of each size is kept, the last one freed first") {
    std::vector<void*> made;
    made.reserve(300);
    sx::FreedBlocks blocks;
    for (int i = 0; i < 300; ++i) made.push_back(std::malloc(40));
    size_t kept = 0;
    while (kept < made.size() && blocks.keep(made[kept])) ++kept;
    CHECK(kept >= 100);
    CHECK(kept < made.size());
    CHECK(blocks.take(40) == made[kept - 1]);
    CHECK(blocks.take(24) == nullptr);
    std::free(made[kept - 1]);
    for (size_t i = kept; i < made.size(); ++i) std::free(made[i]);
}

TEST_CASE("threads may free what others made, with and without kept blocks") {
    std::vector<std::vector<int>*> made;
    {
        sx::FreedBlocks blocks;
        for (int i = 0; i < 1000; ++i) made.push_back(new std::vector<int>(static_cast<size_t>(i), i));
        for (int i = 0; i < 1000; i += 3) delete made[static_cast<size_t>(i)], made[static_cast<size_t>(i)] = nullptr;
        std::thread([&] {
            sx::FreedBlocks own;
            for (int i = 0; i < 1000; i += 2)
                delete made[static_cast<size_t>(i)], made[static_cast<size_t>(i)] = nullptr;
            for (int i = 0; i < 1000; i += 2) made[static_cast<size_t>(i)] = new std::vector<int>(10, i);
        }).join();
    }
    for (int i = 0; i < 1000; ++i)
        if (auto* v = made[static_cast<size_t>(i)]) {
            CHECK(v->size() == static_cast<size_t>(i % 2 == 0 ? 10 : i));
            delete v;
        }
}

TEST_CASE("one inside of another leaves everything to the outer one") {
    sx::FreedBlocks outer;
    int* first = new int(1);
    {
        sx::FreedBlocks inner;
        delete first;
    }
    int* second = new int(2); // the same block where `delete` is ours
    CHECK(*second == 2);
    delete second;
}
