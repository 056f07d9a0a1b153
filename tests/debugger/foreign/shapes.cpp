// Types that formatters know, as languages other than C++ have them in their debug information.
#include <cstdint>
#include <cstdio>

typedef int8_t tbb8;
typedef int16_t tbb16;
typedef int32_t tbb32;
typedef int64_t tbb64;
typedef int32_t odd_tbb8;

namespace wide {
typedef int32_t tbb8; // in more storage than it needs
}

struct node {
    int value;
    node* next;
};

template <typename T> struct gc_ptr { T* ptr; };

template <typename T> struct result {
    int32_t err;
    T val;
};

struct fat_int {
    int* ptr;
    int* base;
    uint64_t size;
    uint64_t scope_id;
};

struct celsius {
    int degrees;
};

extern "C" {
uint8_t *__aria_gc_nursery_start, *__aria_gc_nursery_end;
uint64_t __aria_scope_table[4] = {1, 2, 7};
uint64_t __aria_scope_count = 3;
uint64_t __aria_scope_counter = 9;
}

alignas(16) static uint8_t nursery[256];
static uint64_t old_object[3];

int main() {
    __aria_gc_nursery_start = nursery;
    __aria_gc_nursery_end = nursery + sizeof nursery;
    tbb8 fine = -127, broken = -128;
    tbb16 error16 = INT16_MIN;
    tbb32 error32 = INT32_MIN, number32 = INT32_MAX;
    tbb64 error64 = INT64_MIN, number64 = 5;
    wide::tbb8 beyond = 200, below = -129, error8 = -128;
    odd_tbb8 plain = -128;

    // mark, nursery; size class 5; type 0xbeef
    uint64_t* header = reinterpret_cast<uint64_t*>(nursery + 16);
    *header = 0xbeefull << 32 | 5ull << 8 | 9;
    node* young = reinterpret_cast<node*>(nursery + 24);
    young->value = 11;
    old_object[0] = 1ull << 32 | 2ull << 8 | 6; // pinned, forwarded
    node* old = reinterpret_cast<node*>(&old_object[1]);
    old->value = 22;
    gc_ptr<node> held = {old}, none = {nullptr};

    int numbers[4] = {1, 2, 3, 4};
    fat_int inside = {numbers + 1, numbers, sizeof numbers, 2};
    fat_int after = {numbers + 5, numbers, sizeof numbers, 2};
    fat_int before = {numbers - 1, numbers, sizeof numbers, 2};
    fat_int over = {reinterpret_cast<int*>(reinterpret_cast<char*>(numbers) + 14), numbers, sizeof numbers, 2};
    fat_int exited = {numbers + 1, numbers, sizeof numbers, 3};
    fat_int future = {numbers + 1, numbers, sizeof numbers, 10};
    fat_int nothing = {nullptr, nullptr, 0, 0};

    result<int> ok = {0, 42}, bad = {7, 0};
    result<node> whole = {0, {1, nullptr}};
    celsius warm = {21};
    std::printf("%d\n", fine + ok.val + warm.degrees); // all is set
    return broken + error16 + error32 + number32 + (error64 < number64) + beyond + below + error8 + plain +
                       held.ptr->value + (none.ptr != nullptr) + young->value + (inside.ptr == after.ptr) +
                       (before.ptr == exited.ptr) + (future.ptr == nothing.ptr) + bad.err + whole.err ==
                   1
               ? 1
               : 0;
}
