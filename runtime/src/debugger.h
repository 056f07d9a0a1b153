/*
 * What a debugger needs to read a thread's trace from memory, in a process or a core file. Nothing
 * here runs. Included by ring.c only, so that whatever can record a trace carries it.
 *
 * The readers are editors/debug/sx_trace.py and whoever else likes. A stripped file has neither.
 */
#ifndef SX_TRACE_DEBUGGER_H
#define SX_TRACE_DEBUGGER_H

#include "thread.h"

/* `version` changes when the fields come to mean something else. The rest are numbers of entries,
 * and byte offsets in the state. */
struct sx_trace_layout {
    uint32_t version;
    uint32_t frame_slots, chain_slots, note_bytes;
    uint32_t frames, end, lost, stack;
    uint32_t origins, starts, errors, skipped, counts, numbers, links;
    uint32_t notes_used, notes;
    uint32_t pending;  /* not null: a change of the table is half done */
    uint32_t resolver; /* not null: frames are no addresses of sx_frame */
};

#define SXI_TRACE_OFFSET(field) offsetof(struct sx_trace_thread, trace.field)

__attribute__((used, retain, visibility("hidden"))) const struct sx_trace_layout sx_trace_layout = {
    .version = SXI_LAYOUT_VERSION,
    .frame_slots = SX_TRACE_FRAMES,
    .chain_slots = SX_TRACE_CHAINS,
    .note_bytes = SX_TRACE_NOTES,
    .frames = SXI_TRACE_OFFSET(frames),
    .end = SXI_TRACE_OFFSET(end),
    .lost = SXI_TRACE_OFFSET(lost),
    .stack = SXI_TRACE_OFFSET(stack),
    .origins = SXI_TRACE_OFFSET(origins),
    .starts = SXI_TRACE_OFFSET(starts),
    .errors = SXI_TRACE_OFFSET(errors),
    .skipped = SXI_TRACE_OFFSET(skipped),
    .counts = SXI_TRACE_OFFSET(counts),
    .numbers = SXI_TRACE_OFFSET(numbers),
    .links = SXI_TRACE_OFFSET(links),
    .notes_used = SXI_TRACE_OFFSET(notes_used),
    .notes = offsetof(struct sx_trace_thread, notes),
    .pending = offsetof(struct sx_trace_thread, pending),
    .resolver = offsetof(struct sx_trace_thread, resolver),
};

/*
 * Where the state stands, from the thread pointer on. Only an instruction can say it in every kind of link. On x86-64
 * it is either `mov $offset, %rax` (48 c7 c0, 32 bits) or `mov slot(%rip), %rax` (48 8b 05, 32 bits) with the offset in
 * that slot; on aarch64 `movz` and `movk`, or `adrp` and `ldr`. Copies.c reads it too, and is linked wherever
 * this is.
 */
#if defined(__x86_64__)
__asm__(".pushsection .text.sx_trace_state_offset,\"axR\",@progbits\n"
        ".globl sx_trace_state_offset\n"
        ".hidden sx_trace_state_offset\n"
        ".type sx_trace_state_offset,@function\n"
        "sx_trace_state_offset:\n"
        "  movq sx_trace_thread@gottpoff(%rip), %rax\n"
        "  ret\n"
        ".size sx_trace_state_offset,.-sx_trace_state_offset\n"
        ".reloc sx_trace_state_offset, R_X86_64_NONE, sxi_copies\n"
        ".popsection\n");
#elif defined(__aarch64__)
__asm__(".pushsection .text.sx_trace_state_offset,\"axR\",@progbits\n"
        ".p2align 2\n"
        ".globl sx_trace_state_offset\n"
        ".hidden sx_trace_state_offset\n"
        ".type sx_trace_state_offset,@function\n"
        "sx_trace_state_offset:\n"
        "  adrp x0, :gottprel:sx_trace_thread\n"
        "  ldr x0, [x0, :gottprel_lo12:sx_trace_thread]\n"
        "  ret\n"
        ".size sx_trace_state_offset,.-sx_trace_state_offset\n"
        ".reloc sx_trace_state_offset, R_AARCH64_NONE, sxi_copies\n"
        ".popsection\n");
#endif

#endif
