/* Has an executable call the registry instead of the allocator, by the words through which it calls other files. */
#define _GNU_SOURCE
#include "heap.h"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#define IS_ADDRESS(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT || (type) == R_X86_64_64)
#elif defined(__aarch64__)
#define IS_ADDRESS(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT || (type) == R_AARCH64_ABS64)
#else
#define IS_ADDRESS(type) 0
#endif

struct dynamic {
    uintptr_t base;
    const ElfW(Sym) * symbols;
    const char* names;
};

/* What the loader has made read-only, it stays. */
static void replace(uintptr_t word, sx_heap_function by) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void* start = (void*)(word / page * page);
    if (mprotect(start, page, PROT_READ | PROT_WRITE) != 0) return;
    *(uintptr_t*)word = (uintptr_t)by;
}

static void replace_all(const struct dynamic* d, const ElfW(Rela) * entries, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        size_t symbol = ELF64_R_SYM(entries[i].r_info);
        if (symbol == 0 || !IS_ADDRESS(ELF64_R_TYPE(entries[i].r_info))) continue;
        sx_heap_function by = sx_heap_replacement(d->names + d->symbols[symbol].st_name);
        if (by != NULL) replace(d->base + entries[i].r_offset, by);
    }
}

/* The loader has put addresses of its own where the file has offsets; not every one does. */
static uintptr_t address_in(const struct dl_phdr_info* file, uintptr_t value) {
    return value < file->dlpi_addr ? file->dlpi_addr + value : value;
}

/* The first file that is told of is the executable. */
static int visit(struct dl_phdr_info* file, size_t size, void* nothing) {
    const ElfW(Dyn)* at = NULL;
    (void)size;
    (void)nothing;
    for (int i = 0; i < file->dlpi_phnum; ++i)
        if (file->dlpi_phdr[i].p_type == PT_DYNAMIC)
            at = (const ElfW(Dyn)*)(file->dlpi_addr + file->dlpi_phdr[i].p_vaddr);
    struct dynamic d = {file->dlpi_addr, NULL, NULL};
    const ElfW(Rela)* calls = NULL, *others = NULL;
    size_t call_bytes = 0, other_bytes = 0;
    for (; at != NULL && at->d_tag != DT_NULL; ++at) {
        uintptr_t value = address_in(file, at->d_un.d_ptr);
        switch (at->d_tag) {
        case DT_SYMTAB: d.symbols = (const ElfW(Sym)*)value; break;
        case DT_STRTAB: d.names = (const char*)value; break;
        case DT_JMPREL: calls = (const ElfW(Rela)*)value; break;
        case DT_RELA: others = (const ElfW(Rela)*)value; break;
        case DT_PLTRELSZ: call_bytes = at->d_un.d_val; break;
        case DT_RELASZ: other_bytes = at->d_un.d_val; break;
        default: break;
        }
    }
    if (d.symbols == NULL || d.names == NULL) return 1;
    if (calls != NULL) replace_all(&d, calls, call_bytes / sizeof *calls);
    if (others != NULL) replace_all(&d, others, other_bytes / sizeof *others);
    return 1;
}

void sx_heap_start(void) {
    if (sx_heap_is_decided() || !sx_heap_decide(false)) return;
    dl_iterate_phdr(visit, NULL);
}
