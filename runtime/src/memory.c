#define _GNU_SOURCE
#include "memory.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/uio.h>
#include <unistd.h>

/* The program headers, as the kernel has told where they are. */
static const ElfW(Phdr) * headers;
static size_t header_count;

bool sxi_in_executable(uint64_t address, size_t len) {
    const ElfW(Phdr)* first = __atomic_load_n(&headers, __ATOMIC_ACQUIRE);
    if (first == NULL) {
        first = (const ElfW(Phdr)*)getauxval(AT_PHDR);
        if (first == NULL) return false;
        __atomic_store_n(&header_count, getauxval(AT_PHNUM), __ATOMIC_RELAXED);
        __atomic_store_n(&headers, first, __ATOMIC_RELEASE);
    }
    uint64_t base = 0;
    size_t count = __atomic_load_n(&header_count, __ATOMIC_RELAXED);
    for (const ElfW(Phdr)* header = first; header < first + count; ++header) {
        if (header->p_type == PT_PHDR) base = (uint64_t)(uintptr_t)first - header->p_vaddr;
        if (header->p_type != PT_LOAD || (header->p_flags & PF_R) == 0) continue;
        uint64_t offset = address - (base + header->p_vaddr);
        if (offset < header->p_memsz && len <= header->p_memsz - offset) return true;
    }
    return false;
}

/* The same through a pipe, for systems that forbid the other call: the kernel looks as well. */
static bool read_through_pipe(uint64_t address, void* to, size_t len) {
    int ends[2];
    if (pipe(ends) != 0) return false;
    bool read_all =
        write(ends[1], (const void*)(uintptr_t)address, len) == (ssize_t)len && read(ends[0], to, len) == (ssize_t)len;
    close(ends[0]);
    close(ends[1]);
    return read_all;
}

/* The kernel looks whether the memory is there. */
bool sxi_read(uint64_t address, void* to, size_t len) {
    int saved_errno = errno;
    struct iovec local = {to, len}, remote = {(void*)(uintptr_t)address, len};
    bool read_all = process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)len;
    if (!read_all && errno != EFAULT) read_all = read_through_pipe(address, to, len);
    errno = saved_errno;
    return read_all;
}
