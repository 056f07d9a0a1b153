/*
 * The calls of a failing path, so that they cost the function around them nothing.
 *
 * sx_trace_cold_raise and its like do what sx_trace_raise and its like do. The library's functions
 * keep the caller's registers, but an ordinary call in a cold block does not know that: it makes
 * the whole function save registers on entry, and a leaf function move the stack pointer.
 *
 * So on x86-64 gcc and clang call entries of their own by inline assembly, which says exactly what
 * is lost: r11 and the flags. (clang's preserve_most says that too, but not for leaf functions, and a
 * lazily bound call through the dynamic linker loses r10.) The function around may keep variables
 * in the 128 bytes below the stack pointer, of which the return address takes eight. So it loads
 * these into r11 before the call and stores r11 there after it; the entry keeps r11 and stays below
 * the others. (A handler may itself lie there: while it is used, r11's value stands in its place, and the
 * return address elsewhere.) Stacks can be unwound at each instruction. The call goes through the global offset
 * table, which a static link makes a direct one. Elsewhere these are ordinary calls.
 *
 * Programs use sx/trace_c.h or sx/trace.hpp.
 */
#ifndef SX_TRACE_CALLS_H
#define SX_TRACE_CALLS_H

#include "sx/trace.h"

#if defined(__GNUC__)
#define SXI_INLINE static inline __attribute__((always_inline, artificial))
#else
#define SXI_INLINE static inline
#endif

#if defined(__GNUC__) && defined(__x86_64__) && defined(__ELF__) && !defined(__ILP32__)

/* A label can tell gcc that its block is cold. */
#if defined(__clang__)
#define SXI_COLD_BLOCK
#else
#define SXI_COLD_BLOCK \
    cold: \
    __attribute__((cold, unused));
#endif

#define SXI_CALL_ENTRY(name, ...) \
    SXI_COLD_BLOCK \
    __asm__ volatile("{movq -8(%%rsp), %%r11|mov r11, QWORD PTR [rsp-8]}\n\t" \
                     "call {*" name "@GOTPCREL(%%rip)|QWORD PTR " name "@GOTPCREL[rip]}\n\t" \
                     "{movq %%r11, -8(%%rsp)|mov QWORD PTR [rsp-8], r11}" \
                     : \
                     : __VA_ARGS__ \
                     : "r11", "cc", "memory")

/* A hop in place (sx/trace_in_place.h tells why): what sx_trace_push does, or else the call. It is one
 * statement of assembly because the optimiser would weigh the branches of C, and lay out the path that
 * succeeds in another way. For the optimiser this is the call, but for two registers more. */
#if defined(SX_TRACE_HOPS_IN_PLACE)
#include "sx/trace_in_place.h"
#define SXI_HOP(is_its_own, entry, ...) \
    SXI_COLD_BLOCK \
    uint64_t sxi_base, sxi_end; \
    __asm__ __inline__ volatile( \
        "{movq sx_trace_thread@gottpoff(%%rip), %0|mov %0, QWORD PTR sx_trace_thread@gottpoff[rip]}\n\t" \
        "{movq %%fs:%c2(%0), %1|mov %1, QWORD PTR fs:%c2[%0]}\n\t" \
        "{leaq -1(%1), %%r11|lea r11, [%1-1]}\n\t" \
        "{subq %%fs:%c3(%0), %%r11|sub r11, QWORD PTR fs:%c3[%0]}\n\t" \
        "{cmpq %5, %%r11|cmp r11, %5}\n\t" \
        "ja 1f\n\t" \
        "{cmpq %%fs:%c4(%0), %1|cmp %1, QWORD PTR fs:%c4[%0]}\n\t" \
        "je 1f\n\t" is_its_own "{movl %k1, %%r11d|mov r11d, %k1}\n\t" \
        "{andl %6, %%r11d|and r11d, %6}\n\t" \
        "{movq %7, %%fs:(%0,%%r11,8)|mov QWORD PTR fs:[%0+r11*8], %7}\n\t" \
        "{incq %1|inc %1}\n\t" \
        "{movq %1, %%fs:%c2(%0)|mov QWORD PTR fs:%c2[%0], %1}\n\t" \
        "jmp 2f\n" \
        "1:\t{movq -8(%%rsp), %%r11|mov r11, QWORD PTR [rsp-8]}\n\t" \
        "call {*" entry "@GOTPCREL(%%rip)|QWORD PTR " entry "@GOTPCREL[rip]}\n\t" \
        "{movq %%r11, -8(%%rsp)|mov QWORD PTR [rsp-8], r11}\n" \
        "2:" \
        : "=&r"(sxi_base), "=&r"(sxi_end) \
        : "i"(offsetof(struct sx_trace_thread, trace.end)), "i"(offsetof(struct sx_trace_thread, trace.lost)), \
          "i"(offsetof(struct sx_trace_thread, trace.sealed)), "i"(SX_TRACE_FRAMES - 2), "i"(SX_TRACE_FRAMES - 1), \
          __VA_ARGS__ \
        : "r11", "cc", "memory")
#define SXI_PUSH(frame) SXI_HOP("", "sx_trace_inline_push", "D"(frame))
#define SXI_PUSH_ERROR(frame, error) \
    SXI_HOP("{cmpq %8, %%fs:%c9(%0)|cmp QWORD PTR fs:%c9[%0], %8}\n\t" \
            "jne 1f\n\t", \
            "sx_trace_inline_push_error", "D"(frame), "S"(error), "i"(offsetof(struct sx_trace_thread, trace.error)))
#else
#define SXI_PUSH(frame) SXI_CALL_1(push, frame)
#define SXI_PUSH_ERROR(frame, error) SXI_CALL_2(push_error, frame, error)
#endif

#define SXI_CALL_0(name) SXI_CALL_ENTRY("sx_trace_inline_" #name, "i"(0))
#define SXI_CALL_1(name, a) SXI_CALL_ENTRY("sx_trace_inline_" #name, "D"(a))
#define SXI_CALL_2(name, a, b) SXI_CALL_ENTRY("sx_trace_inline_" #name, "D"(a), "S"(b))
#define SXI_CALL_3(name, a, b, c) SXI_CALL_ENTRY("sx_trace_inline_" #name, "D"(a), "S"(b), "d"(c))

#else

#define SXI_PUSH(frame) sx_trace_push(frame)
#define SXI_PUSH_ERROR(frame, error) sx_trace_push_error(frame, error)
#define SXI_CALL_0(name) sx_trace_##name()
#define SXI_CALL_1(name, a) sx_trace_##name(a)
#define SXI_CALL_2(name, a, b) sx_trace_##name(a, b)
#define SXI_CALL_3(name, a, b, c) sx_trace_##name(a, b, c)

#endif

SXI_INLINE void sx_trace_cold_raise(uint64_t frame) { SXI_CALL_1(raise, frame); }
SXI_INLINE void sx_trace_cold_raise_error(uint64_t frame, uint64_t error) { SXI_CALL_2(raise_error, frame, error); }
SXI_INLINE void sx_trace_cold_push(uint64_t frame) { SXI_PUSH(frame); }
SXI_INLINE void sx_trace_cold_rename(uint64_t error) { SXI_CALL_1(rename, error); }
SXI_INLINE void sx_trace_cold_link(uint32_t kind) { SXI_CALL_1(link, kind); }
SXI_INLINE void sx_trace_cold_absorb(void) { SXI_CALL_0(absorb); }
SXI_INLINE void sx_trace_cold_enter(sx_trace_handler* handler, uint64_t frame) { SXI_CALL_2(enter, handler, frame); }
SXI_INLINE void sx_trace_cold_leave(sx_trace_handler* handler) { SXI_CALL_1(leave, handler); }
SXI_INLINE void sx_trace_cold_pass(sx_trace_handler* handler, uint64_t frame) { SXI_CALL_2(pass, handler, frame); }
SXI_INLINE void sx_trace_cold_unwind(sx_trace_handler* handler) { SXI_CALL_1(unwind, handler); }

/* `frame` is not 0 here. */
SXI_INLINE void sx_trace_cold_push_error(uint64_t frame, uint64_t error) { SXI_PUSH_ERROR(frame, error); }

SXI_INLINE void sx_trace_cold_enter_error(sx_trace_handler* handler, uint64_t frame, uint64_t error) {
    SXI_CALL_3(enter_error, handler, frame, error);
}

#undef SXI_CALL_0
#undef SXI_CALL_1
#undef SXI_CALL_2
#undef SXI_CALL_3
#undef SXI_CALL_ENTRY
#undef SXI_COLD_BLOCK
#undef SXI_INLINE
#undef SXI_HOP
#undef SXI_PUSH
#undef SXI_PUSH_ERROR

#endif
