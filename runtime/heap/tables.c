#define _GNU_SOURCE
#include "tables.h"

#include <string.h>
#include <sys/mman.h>

enum {
    MOST_CHUNKS = 1 << 16, /* 2^28 records */
    SITE_BUCKETS = 1 << 16,
    FIRST_BUCKETS = 1 << 16,
};

__attribute__((used, retain, visibility("hidden"))) sx_heap_table sx_heap_registry = {
    .version = SX_HEAP_VERSION,
    .record_bytes = sizeof(sx_heap_record),
    .site_bytes = sizeof(sx_heap_site),
    .chunk = SX_HEAP_CHUNK,
    .guard = SX_HEAP_GUARD,
};

static uint32_t *buckets, *site_buckets;
static uint64_t bucket_count, entered;
static uint32_t unused; /* records that are free, chained by `next` */

const sx_heap_undo* sxi_heap_undo;

#define KEEP(place) sxi_heap_keep(&(place), sizeof(place))

void sxi_heap_keep_tables(void) {
    if (sxi_heap_undo == NULL) return;
    KEEP(sx_heap_registry);
    KEEP(buckets);
    KEEP(bucket_count);
    KEEP(entered);
    KEEP(unused);
}

static void* map(size_t bytes) {
    void* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* ---- numbered things ---- */

static void* item(uint64_t chunks, uint32_t number, size_t bytes) {
    char** all = (char**)(uintptr_t)chunks;
    return all[(number - 1) / SX_HEAP_CHUNK] + (size_t)((number - 1) % SX_HEAP_CHUNK) * bytes;
}

/* Room for one more after `count`. */
static bool make_room(uint64_t* chunks, uint64_t count, size_t bytes) {
    if (*chunks == 0) *chunks = (uint64_t)(uintptr_t)map(MOST_CHUNKS * sizeof(char*));
    if (*chunks == 0 || count / SX_HEAP_CHUNK >= MOST_CHUNKS) return false;
    char** all = (char**)(uintptr_t)*chunks;
    if (all[count / SX_HEAP_CHUNK] != NULL) return true;
    KEEP(all[count / SX_HEAP_CHUNK]);
    all[count / SX_HEAP_CHUNK] = map(SX_HEAP_CHUNK * bytes);
    return all[count / SX_HEAP_CHUNK] != NULL;
}

sx_heap_record* sxi_heap_record(uint32_t number) {
    return item(sx_heap_registry.record_chunks, number, sizeof(sx_heap_record));
}

uint32_t sxi_heap_new_record(void) {
    sx_heap_table* t = &sx_heap_registry;
    if (unused != 0) {
        uint32_t number = unused;
        unused = sxi_heap_record(number)->next;
        return number;
    }
    if (!make_room(&t->record_chunks, t->record_count, sizeof(sx_heap_record))) return 0;
    return (uint32_t)++t->record_count;
}

void sxi_heap_drop_record(uint32_t number) {
    sx_heap_record* r = sxi_heap_record(number);
    KEEP(*r);
    r->state = SX_HEAP_UNUSED;
    r->next = unused;
    unused = number;
}

/* ---- blocks by address ---- */

static uint64_t mixed(uint64_t bits) {
    bits *= UINT64_C(0x9E3779B97F4A7C15);
    return bits ^ bits >> 29;
}

static uint32_t* bucket_of(uint64_t address) { return &buckets[mixed(address >> 4) & (bucket_count - 1)]; }

static void put(uint32_t number) {
    uint32_t* bucket = bucket_of(sxi_heap_record(number)->address);
    KEEP(*bucket);
    KEEP(sxi_heap_record(number)->next);
    sxi_heap_record(number)->next = *bucket;
    *bucket = number;
}

static bool grow(void) {
    uint64_t old_count = bucket_count, count = old_count == 0 ? FIRST_BUCKETS : old_count * 2;
    uint32_t *old = buckets, *fresh = map(count * sizeof *fresh);
    if (fresh == NULL) return old_count != 0;
    buckets = fresh;
    bucket_count = count;
    for (uint64_t i = 0; i < old_count; ++i)
        for (uint32_t n = old[i]; n != 0;) {
            uint32_t next = sxi_heap_record(n)->next;
            put(n);
            n = next;
        }
    if (old != NULL && sxi_heap_undo == NULL) munmap(old, old_count * sizeof *old);
    return true;
}

uint32_t sxi_heap_find(uint64_t address) {
    if (bucket_count == 0) return 0;
    uint32_t number = *bucket_of(address);
    while (number != 0 && sxi_heap_record(number)->address != address) number = sxi_heap_record(number)->next;
    return number;
}

bool sxi_heap_enter(uint32_t number) {
    if (entered >= bucket_count && !grow()) return false;
    ++entered;
    put(number);
    return true;
}

void sxi_heap_leave(uint32_t number) {
    uint32_t* at = bucket_of(sxi_heap_record(number)->address);
    while (*at != 0 && *at != number) at = &sxi_heap_record(*at)->next;
    if (*at == 0) return;
    KEEP(*at);
    *at = sxi_heap_record(number)->next;
    --entered;
}

/* ---- sites ---- */

static sx_heap_site* site_at(uint32_t number) {
    return item(sx_heap_registry.site_chunks, number, sizeof(sx_heap_site));
}

uint32_t sxi_heap_site(const uint64_t* frames, unsigned count) {
    sx_heap_table* t = &sx_heap_registry;
    if (count == 0) return 0;
    if (count > SX_HEAP_FRAMES) count = SX_HEAP_FRAMES;
    if (site_buckets == NULL) site_buckets = map(SITE_BUCKETS * sizeof *site_buckets);
    if (site_buckets == NULL) return 0;
    uint64_t hash = count;
    for (unsigned i = 0; i < count; ++i) hash = mixed(hash ^ frames[i]);
    uint32_t* bucket = &site_buckets[hash & (SITE_BUCKETS - 1)];
    for (uint32_t n = *bucket; n != 0; n = site_at(n)->next)
        if (site_at(n)->count == count && memcmp(site_at(n)->frames, frames, count * sizeof *frames) == 0) return n;
    if (t->site_count >= SX_HEAP_SITES || !make_room(&t->site_chunks, t->site_count, sizeof(sx_heap_site))) return 0;
    sx_heap_site* site = site_at((uint32_t)t->site_count + 1);
    KEEP(*site);
    KEEP(*bucket);
    memcpy(site->frames, frames, count * sizeof *frames);
    site->count = count;
    site->next = *bucket;
    *bucket = (uint32_t)++t->site_count;
    return *bucket;
}
