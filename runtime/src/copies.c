/*
 * One state a thread, however many copies of the library are in the process.
 *
 * A program and a plugin that both link the static library have a copy each, whose symbols do not find each other. An
 * error that passes from one to the other would leave half of its path in each. So every copy carries a note, which
 * the loader maps, and a copy in a shared object looks through the notes when it is loaded: the first copy in the
 * loader's order, which is the program's if it has one, is the one whose state all use.
 *
 * A shared object finds a thread's state by a distance from the thread pointer, which stands in its global offset
 * table, in one slot for its own code and for hops in place, and is the same in all threads. That slot is changed. What
 * other objects may still do with the state that is left behind does no harm: it stays empty, and a hop in place makes
 * a call where it finds nothing in flight.
 *
 * The state that all use must stay: a plugin whose copy was the first is not to be closed before the others. (Loaders
 * have room for the state of one plugin, so a second one with a copy seldom loads at all.)
 */
#define _GNU_SOURCE
#include "thread.h"

#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__linux__)

#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define OWNER "sxtrace"

/* The state of the calling thread in this copy. */
#define HIDDEN __attribute__((used, visibility("hidden")))
HIDDEN struct sx_trace_thread* sxi_state_here(void);
struct sx_trace_thread* sxi_state_here(void) {
    return &sx_trace_thread;
}

/* The note: its type is the version of the layout, it holds the distance to the function above. */
__asm__(".pushsection .note.sxtrace,\"a\",%note\n"
        "  .p2align 2\n"
        "  .long 8, 4, 2\n"
        "  .asciz \"sxtrace\"\n"
        "  .long sxi_state_here - .\n"
        ".popsection\n");
_Static_assert(SXI_LAYOUT_VERSION == 2 && sizeof OWNER == 8, "as in the note");

/* The instruction that finds the state (debugger.h), and the slot that it reads; 0 where the linker has put the number
 * into the instruction itself. */
extern const uint8_t sx_trace_state_offset[] __attribute__((visibility("hidden")));

#if defined(__x86_64__)
static uintptr_t slot_here(void) {
    static const uint8_t load[] = {0x48, 0x8b, 0x05};
    int32_t distance;
    if (memcmp(sx_trace_state_offset, load, sizeof load) != 0) return 0;
    memcpy(&distance, sx_trace_state_offset + sizeof load, sizeof distance);
    return (uintptr_t)sx_trace_state_offset + sizeof load + sizeof distance + (uintptr_t)(intptr_t)distance;
}

static uintptr_t thread_pointer(void) {
    uintptr_t pointer;
    __asm__("mov %%fs:0, %0" : "=r"(pointer));
    return pointer;
}
#else
static uintptr_t slot_here(void) {
    uint32_t adrp, ldr;
    memcpy(&adrp, sx_trace_state_offset, sizeof adrp);
    memcpy(&ldr, sx_trace_state_offset + 4, sizeof ldr);
    if ((adrp & 0x9F000000) != 0x90000000 || (ldr & 0xFFC00000) != 0xF9400000) return 0;
    int32_t pages = (int32_t)((adrp << 8 & 0xFFFFE000) | (adrp >> 29 & 3) << 11) >> 11; /* 21 bits with a sign */
    return ((uintptr_t)sx_trace_state_offset & ~UINT64_C(4095)) + (uintptr_t)((int64_t)pages * 4096) +
           (ldr >> 10 & 4095) * 8;
}

static uintptr_t thread_pointer(void) {
    uintptr_t pointer;
    __asm__("mrs %0, tpidr_el0" : "=r"(pointer));
    return pointer;
}
#endif

struct search {
    uintptr_t slot;                          /* of this copy */
    uintptr_t protected_from, protected_end; /* what the loader has made read-only around the slot */
    struct sx_trace_thread* (*state)(void);  /* of the first copy */
    uint32_t version;
};

static void look_at_notes(struct search* s, const char* notes, size_t size, size_t align) {
    while (s->state == NULL && size > sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, notes, sizeof note);
        const char* name = notes + sizeof note;
        size_t text_at = sizeof note + ((note.n_namesz + align - 1) & -align);
        size_t next = text_at + ((note.n_descsz + align - 1) & -align);
        if (next > size || next < sizeof note) return;
        if (note.n_namesz == sizeof OWNER && memcmp(name, OWNER, sizeof OWNER) == 0 && note.n_descsz == 4) {
            int32_t distance;
            memcpy(&distance, notes + text_at, sizeof distance);
            s->state = (struct sx_trace_thread * (*)(void))((uintptr_t)notes + text_at + (uintptr_t)(intptr_t)distance);
            s->version = note.n_type;
        }
        notes += next;
        size -= next;
    }
}

static int look_at_object(struct dl_phdr_info* object, size_t size, void* context) {
    (void)size;
    struct search* s = context;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr)* part = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_NOTE) look_at_notes(s, (const char*)start, part->p_memsz, part->p_align == 8 ? 8 : 4);
        if (part->p_type == PT_GNU_RELRO && s->slot - start < part->p_memsz) {
            s->protected_from = start;
            s->protected_end = start + part->p_memsz;
        }
    }
    return 0;
}

/* False where the system does not allow it. */
static bool set_slot(const struct search* s, uint64_t distance) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void* start = (void*)(s->slot & -page);
    bool is_protected = s->slot < (s->protected_end & -page) && s->slot >= (s->protected_from & -page);
    if (is_protected && mprotect(start, page, PROT_READ | PROT_WRITE) != 0) return false;
    *(volatile uint64_t*)s->slot = distance;
    if (is_protected) mprotect(start, page, PROT_READ);
    return true;
}

HIDDEN void sxi_copies(void);

/* In an executable there is no slot: its copy is the first. */
__attribute__((constructor(101))) HIDDEN void sxi_copies(void) {
    struct search s = {.slot = slot_here()};
    if (s.slot == 0) return;
    dl_iterate_phdr(look_at_object, &s);
    if (s.state == NULL || s.state == sxi_state_here) return;
    bool shared = s.version == SXI_LAYOUT_VERSION && set_slot(&s, (uint64_t)((uintptr_t)s.state() - thread_pointer()));
    if (!shared) {
        static const char text[] =
            "warning: libsxtrace is in this process in two versions, each with traces of its own\n";
        ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
        (void)written;
    }
}

#endif
