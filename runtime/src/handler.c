/*
 * Handlers: code that deals with an error while its chain is still there to be shown.
 *
 * A handler knows its chain by the chain's number, and what began in it by the generation in which it was entered.
 * The chain knows how deep the handler stands in others. Moves and the switch to another fiber keep all of that; a
 * chain that was merged into an older one is lost to its handler, which then takes one off what the older counts.
 */
#include "registers.h"

#include "change.h"

enum { DEEPEST = UINT8_MAX };

static uint32_t deepest(const sx_trace_buffer* t) {
    uint32_t deepest = 0;
    for (uint32_t chain = 0; chain < sxi_chain_count(t); ++chain) {
        uint32_t depth = t->depths[sxi_slot_of(t, chain)];
        if (depth > deepest) deepest = depth;
    }
    return deepest;
}

static void enter(sx_trace_handler* handler) {
    struct sx_trace_thread* thread = sxi_thread();
    sx_trace_buffer* t = &thread->trace;
    uint32_t depth = deepest(t) + 1;
    uint32_t slot = sxi_slot_of(t, sxi_chain_count(t) - 1);
    handler->number = t->numbers[slot];
    handler->began = sxi_generation(t) + 1;
    handler->entered = 1;
    t->depths[slot] = (uint8_t)(depth < DEEPEST ? depth : DEEPEST);
    t->sealed = t->end;
}

SX_TRACE_COLD void sx_trace_enter(sx_trace_handler* handler, uint64_t frame) {
    sxi_push(frame);
    enter(handler);
}

SX_TRACE_COLD void sx_trace_enter_error(sx_trace_handler* handler, uint64_t frame, uint64_t error) {
    sxi_push_error(frame, error);
    enter(handler);
}

static const uint32_t NONE = UINT32_MAX;

static uint32_t find(const sx_trace_buffer* t, uint64_t number) {
    for (uint32_t chain = sxi_chain_count(t); chain-- > 0;) {
        if (t->numbers[sxi_slot_of(t, chain)] == (uint32_t)number) return chain;
    }
    return NONE;
}

/* Ends the handler. The number of the chain that it handled, NONE if that is no longer there. */
static uint32_t end_handler(struct sx_trace_thread* thread, sx_trace_handler* handler) {
    sx_trace_buffer* t = &thread->trace;
    handler->entered = 0;
    uint32_t chain = find(t, handler->number);
    if (chain == NONE) return NONE;
    t->depths[sxi_slot_of(t, chain)] = 0;
    sxi_refresh(thread);
    return chain;
}

/* A chain that is not there any more was merged, if one that is older stands for several. */
static void take_off_merged(sx_trace_buffer* t, const sx_trace_handler* handler) {
    for (uint32_t chain = 0; chain < sxi_chain_count(t); ++chain) {
        uint32_t slot = sxi_slot_of(t, chain);
        if (t->counts[slot] == 1 || sxi_is_since(t->numbers[slot], handler->number)) continue;
        --t->counts[slot];
        return;
    }
}

static bool began_in(const sx_trace_buffer* t, uint32_t chain, const sx_trace_handler* handler) {
    return sxi_is_since(t->numbers[sxi_slot_of(t, chain)], handler->began);
}

static void absorb_number(struct sx_trace_thread* thread, uint64_t number) {
    sxi_bring_to_top(thread, (uint32_t)number, true);
    sxi_absorb();
}

SX_TRACE_COLD void sx_trace_leave(sx_trace_handler* handler) {
    if (handler->entered == 0) return;
    struct sx_trace_thread* thread = sxi_thread();
    sx_trace_buffer* t = &thread->trace;
    uint32_t chain = end_handler(thread, handler);
    if (chain == NONE) {
        take_off_merged(t, handler);
    } else if (chain + 1 < sxi_chain_count(t) && began_in(t, chain + 1, handler)) {
        uint8_t* link = &t->links[sxi_slot_of(t, chain + 1)];
        if ((*link & SXI_LINK) == SX_TRACE_UNLINKED) *link |= SX_TRACE_CAUSE;
    } else {
        absorb_number(thread, handler->number);
    }
}

SX_TRACE_COLD void sx_trace_pass(sx_trace_handler* handler, uint64_t frame) {
    struct sx_trace_thread* thread = sxi_thread();
    sx_trace_buffer* t = &thread->trace;
    if (handler->entered != 0 && end_handler(thread, handler) != NONE) {
        uint32_t top;
        while ((top = sxi_chain_count(t) - 1) > find(t, handler->number) && began_in(t, top, handler))
            sxi_drop_from(thread, top);
        sxi_bring_to_top(thread, (uint32_t)handler->number, true);
    }
    sxi_push(frame);
}

/* Drops the chains that began in generation `began` or later, one after the other. */
static void drop_since(struct sx_trace_thread* thread, uint64_t began) {
    sx_trace_buffer* t = &thread->trace;
    for (uint32_t chain = sxi_chain_count(t); chain-- > 0;) {
        uint32_t number = t->numbers[sxi_slot_of(t, chain)];
        if (!sxi_is_since(number, began)) continue;
        sxi_bring_to_top(thread, number, false);
        sxi_drop_from(thread, sxi_chain_count(t) - 1);
    }
}

SX_TRACE_COLD void sx_trace_unwind(sx_trace_handler* handler) {
    if (handler->entered == 0) return;
    struct sx_trace_thread* thread = sxi_thread();
    uint32_t chain = end_handler(thread, handler);
    drop_since(thread, handler->began);
    if (chain == NONE) {
        take_off_merged(&thread->trace, handler);
    } else {
        absorb_number(thread, handler->number);
    }
}

/* The depth stands above the generation. */
enum { DEPTH_BIT = 56 };

uint64_t sx_trace_mark(void) {
    const sx_trace_buffer* t = &sxi_thread()->trace;
    return (sxi_generation(t) + 1) | (uint64_t)deepest(t) << DEPTH_BIT;
}

void sx_trace_rewind(uint64_t mark) {
    struct sx_trace_thread* thread = sxi_thread();
    sx_trace_buffer* t = &thread->trace;
    drop_since(thread, mark);
    for (uint32_t chain = 0; chain < sxi_chain_count(t); ++chain) {
        uint8_t* depth = &t->depths[sxi_slot_of(t, chain)];
        if (*depth > mark >> DEPTH_BIT) *depth = 0;
    }
    sxi_refresh(thread);
}

SXI_INLINE_HANDLER_ENTRY("sx_trace_inline_enter", "sx_trace_enter");
SXI_INLINE_HANDLER_ENTRY("sx_trace_inline_enter_error", "sx_trace_enter_error");
SXI_INLINE_HANDLER_ENTRY("sx_trace_inline_leave", "sx_trace_leave");
SXI_INLINE_HANDLER_ENTRY("sx_trace_inline_pass", "sx_trace_pass");
SXI_INLINE_HANDLER_ENTRY("sx_trace_inline_unwind", "sx_trace_unwind");
