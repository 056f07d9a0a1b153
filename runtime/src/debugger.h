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
    uint32_t frame_slots, chain_slots;
    uint32_t frames, origins, starts, links, first_origin, merged;
    uint32_t lost, end, bottom, top;
    uint32_t resolver; /* not null: frames are no addresses of sx_frame */
};

#define SXI_TRACE_OFFSET(field) offsetof(struct sx_trace_thread, trace.field)

__attribute__((used, retain, visibility("hidden"))) const struct sx_trace_layout sx_trace_layout = {
    .version = 1,
    .frame_slots = SX_TRACE_FRAMES,
    .chain_slots = SX_TRACE_CHAINS,
    .frames = SXI_TRACE_OFFSET(frames),
    .origins = SXI_TRACE_OFFSET(origins),
    .starts = SXI_TRACE_OFFSET(starts),
    .links = SXI_TRACE_OFFSET(links),
    .first_origin = SXI_TRACE_OFFSET(first_origin),
    .merged = SXI_TRACE_OFFSET(merged),
    .lost = SXI_TRACE_OFFSET(lost),
    .end = SXI_TRACE_OFFSET(end),
    .bottom = SXI_TRACE_OFFSET(bottom),
    .top = SXI_TRACE_OFFSET(top),
    .resolver = offsetof(struct sx_trace_thread, resolver),
};

/*
 * Where the state stands, from the thread pointer (fs_base) on. Only an instruction can say it in
 * every kind of link. It is either `mov $offset, %rax` (48 c7 c0, 32 bits) or `mov slot(%rip), %rax`
 * (48 8b 05, 32 bits) with the offset in that slot.
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
        ".popsection\n");
#endif

#endif
