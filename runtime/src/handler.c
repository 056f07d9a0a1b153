/*
 * Handlers: code that deals with an error while its chain is still there to be shown.
 *
 * A handler is known by two positions: where the chain that it handles starts, and where it ended
 * when the handler was entered. The latter is the seal: as long as `end` stands there, a hop begins
 * a chain of its own. Positions are what a swap to another fiber and the merging of chains keep.
 *
 * Handlers of a thread nest. Each keeps the seal of the one around it and puts it back.
 */
#include "registers.h"

#include "thread.h"

SX_TRACE_COLD void sx_trace_enter(sx_trace_handler *handler, uint64_t frame) {
    sx_trace_snapshot *t = &sx_trace_thread.trace;
    handler->outer = sx_trace_thread.sealed;
    sxi_push(frame);
    handler->start = sxi_chain_start(t, t->top - 1);
    handler->sealed = t->end;
    sx_trace_thread.sealed = t->end;
}

/* Ties the lowest chain that was begun in the handler to the one that it handles. */
static void link_to_handled(sx_trace_snapshot *t, uint64_t handled_start) {
    uint64_t chain = t->top - 1;
    while (chain != t->bottom && sxi_chain_start(t, chain - 1) > handled_start) --chain;
    if (chain != t->bottom && !sxi_is_tied(t, chain)) t->links[chain % SX_TRACE_CHAINS] = SXI_CAUSE;
}

/* Ends the handler. False when it has ended before, or what it handles is no longer there. */
static bool end_handler(sx_trace_handler *handler) {
    const sx_trace_snapshot *t = &sx_trace_thread.trace;
    if (handler->sealed == 0) return false;
    bool intact = sx_trace_thread.sealed == handler->sealed && sxi_chain_count(t) > 0;
    handler->sealed = 0;
    if (intact || sx_trace_thread.sealed == 0) {
        sx_trace_thread.sealed = handler->outer <= t->end ? handler->outer : 0;
    }
    return intact;
}

static bool newest_is_above(uint64_t handled_start) {
    const sx_trace_snapshot *t = &sx_trace_thread.trace;
    return sxi_chain_count(t) > 0 && sxi_chain_start(t, t->top - 1) > handled_start;
}

SX_TRACE_COLD void sx_trace_leave(sx_trace_handler *handler) {
    if (!end_handler(handler)) return;
    if (newest_is_above(handler->start)) {
        link_to_handled(&sx_trace_thread.trace, handler->start);
    } else {
        sxi_absorb();
    }
}

SX_TRACE_COLD void sx_trace_pass(sx_trace_handler *handler, uint64_t frame) {
    if (end_handler(handler)) {
        while (newest_is_above(handler->start)) sxi_absorb();
    }
    sxi_push(frame);
}

SXI_INLINE_HANDLER_ENTRY("sx_trace_inline_enter", "sx_trace_enter");
SXI_INLINE_HANDLER_ENTRY("sx_trace_inline_leave", "sx_trace_leave");
SXI_INLINE_HANDLER_ENTRY("sx_trace_inline_pass", "sx_trace_pass");
