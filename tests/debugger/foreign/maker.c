// Maps an executable and announces its code by the interface that GDB has for code that is made in memory.
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct entry {
    struct entry *next, *previous;
    const char* object;
    uint64_t size;
};
struct {
    uint32_t version, action;
    struct entry *relevant, *first;
} __jit_debug_descriptor = {1, 0, 0, 0};
__attribute__((noinline)) void __jit_debug_register_code(void) { __asm__ volatile(""); }

static void announce(struct entry* entry, int isThere) {
    __jit_debug_descriptor.first = isThere ? entry : 0;
    __jit_debug_descriptor.relevant = entry;
    __jit_debug_descriptor.action = isThere ? 1 : 2;
    __jit_debug_register_code();
}

static char object[1 << 20];

int main(int count, char** args) {
    int file = open(args[count - 1], O_RDONLY), sum = 0;
    struct entry entry = {0, 0, object, (uint64_t)read(file, object, sizeof object)};
    const Elf64_Ehdr* header = (const void*)object;
    const Elf64_Phdr* parts = (const void*)(object + header->e_phoff);
    for (int turn = 1; turn <= 2; ++turn) {
        uint64_t begin = header->e_entry & ~0xfffull;
        char* at = mmap((void*)begin, 0x4000, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        for (int i = 0; i < header->e_phnum; ++i)
            if (parts[i].p_type == PT_LOAD && parts[i].p_vaddr >= begin)
                memcpy(at + (parts[i].p_vaddr - begin), object + parts[i].p_offset, parts[i].p_filesz);
        announce(&entry, 1);
        sum += ((int (*)(int))header->e_entry)(turn);
        announce(&entry, 0);
        munmap(at, 0x4000);
    }
    printf("%d\n", sum);
    return 0;
}
