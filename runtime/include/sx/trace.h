/*
 * Error return traces: the path an error took from where it was raised to where it is handled.
 *
 * A frame is one hop of that path, an opaque uint64_t. A chain is the frames of one error, oldest
 * first; the frame that begins it is its origin. The chains of all errors on their way in a thread
 * are a stack: an error raised while another is being handled stands on top of it. Chains can be
 * linked, and linked chains are dropped together.
 *
 * A chain with all that it is tied to is a group: one error, with what led to it.
 *
 * Each thread has its own trace: a ring of SX_TRACE_FRAMES frames and a table of SX_TRACE_CHAINS
 * chains. When the ring is full the oldest frame is overwritten; the table still holds the origin
 * of each chain, and the number of frames lost between is exact. When the table is full the two
 * oldest chains become one, which counts how many errors it stands for.
 *
 * A chain can know its error, a number that is not 0: a tag (a small number), or any other identity, with
 * bit 63 set. Hops that say their error find its chain, wherever it stands in the stack.
 *
 * Nothing here allocates, and every function is async-signal-safe: a signal handler may print the
 * trace, and may raise errors of its own as long as it absorbs them, whatever it interrupts.
 *
 * No function fails, and none changes errno. All but the rendering take constant time, at most that
 * of copying a trace.
 *
 * In the environment, SX_TRACE=off shows no frames, SX_TRACE=short no source lines, SX_TRACE=json one
 * JSON object a trace on one line. SX_TRACE_COLOR=always or never decides over the colours; else they
 * are for terminals only, and not with NO_COLOR or TERM=dumb. A debugger stops where an error begins
 * with a breakpoint at sx_trace_raise and sx_trace_raise_error. SX_TRACE_VALUES=0 leaves values out.
 *
 * C11, usable from C++. Nothing is needed at run time but libc. sx/trace_c.h and sx/trace.hpp have
 * macros that make the frames; this is what they stand on, for other compilers and other needs.
 */
#ifndef SX_TRACE_H
#define SX_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Exported from the shared library; everything else in it is hidden. */
#if !defined(SX_TRACE_API)
#if defined(__GNUC__)
#define SX_TRACE_API __attribute__((visibility("default")))
#else
#define SX_TRACE_API
#endif
#endif

/*
 * Marks the functions that stand on a failing path. They are cold, and on x86-64 they keep all of
 * the caller's general registers (but r11, and the one a result is returned in). An ordinary call does not
 * know that, which is always correct; sx/trace_calls.h has calls that do.
 */
#if !defined(SX_TRACE_COLD)
#if defined(__GNUC__)
#define SX_TRACE_COLD __attribute__((cold))
#else
#define SX_TRACE_COLD
#endif
#endif

enum {
    SX_TRACE_FRAMES = 32,      /* frames a thread's ring holds */
    SX_TRACE_CHAINS = 8,       /* chains a thread can tell apart */
    SX_TRACE_NOTES = 768,      /* bytes of notes and values of a thread, and */
    SX_TRACE_KEPT_NOTES = 256, /* of a snapshot, each with 12 bytes of its own */
    SX_TRACE_NOTE_MAX = 200,   /* bytes of a note */
    SX_TRACE_VALUES_MAX = 120, /* bytes of a frame's values */
    SX_TRACE_TEXT_MAX = 65536  /* bytes of the longest text that is shown, see sx_string */
};

/* How a chain is tied to the one below it. */
enum {
    SX_TRACE_UNLINKED = 0, /* not tied: dropped by itself */
    SX_TRACE_CAUSE = 1,    /* raised while the error below was being handled */
    SX_TRACE_ATTEMPT = 2   /* a later attempt, after the one below failed */
};

/*
 * Text that need not end in NUL. `ptr` may be NULL where `len` (in bytes) is 0. Where a text is shown,
 * one without a pointer, with a negative length, or longer than SX_TRACE_TEXT_MAX counts as empty, and
 * no byte of it is read: such a length is a mistake and not a text.
 */
typedef struct sx_string {
    const char* ptr;
    int64_t len;
} sx_string;

/*
 * What a frame stands for. Programs keep these in read-only data and use their address as the
 * frame; the runtime never frees or changes one. Text is UTF-8; invalid bytes are tolerated, and so is
 * any line and column. The address itself is trusted, unless it is below 4096 or not aligned.
 */
typedef struct sx_frame {
    sx_string file;      /* path as it is to be shown */
    int32_t line;        /* 1-based; 0 = not known */
    int32_t col;         /* 1-based, in bytes; 0 = not known */
    sx_string func;      /* name as a programmer writes it */
    sx_string line_text; /* source line without its end, empty = not known; see
                            sx_trace_line_window for long lines. Where the line is not to be
                            had, as in a macro: '\n', then the part of it from col on */
} sx_frame;

/* One chain, as sx_trace_chain_at shows it. pushed = surviving + omitted, + 1 if only the table
 * still holds the origin. */
typedef struct sx_trace_chain {
    uint64_t origin;     /* the frame that began it; known even when it was overwritten */
    uint64_t pushed;     /* how many frames it has had, the origin included */
    uint64_t omitted;    /* how many of these can no longer be shown */
    uint32_t first;      /* 0-based index of its first surviving frame, for sx_trace_frame_at */
    uint32_t surviving;  /* how many frames from there on are its own; may be 0 */
    uint32_t link;       /* SX_TRACE_UNLINKED, SX_TRACE_CAUSE or SX_TRACE_ATTEMPT */
    uint32_t errors;     /* how many errors it stands for: 1, or more where chains became one */
    uint64_t error;      /* whose frames these are; 0 = not known */
    bool unknown_origin; /* it began with a hop: nobody recorded where the error was made */
} sx_trace_chain;

/* The frames and chains of a trace. The fields are the runtime's own; src/buffer.h tells what they mean. */
typedef struct sx_trace_buffer {
    uint64_t frames[SX_TRACE_FRAMES];
    uint64_t end;
    uint64_t lost;
    uint64_t sealed;
    uint64_t error;
    uint64_t stack;
    uint64_t origins[SX_TRACE_CHAINS];
    uint64_t errors[SX_TRACE_CHAINS];
    uint64_t starts[SX_TRACE_CHAINS];
    uint32_t skipped[SX_TRACE_CHAINS];
    uint32_t counts[SX_TRACE_CHAINS];
    uint8_t links[SX_TRACE_CHAINS];
    uint32_t numbers[SX_TRACE_CHAINS];
    uint8_t depths[SX_TRACE_CHAINS];
    uint8_t notes_from[SX_TRACE_CHAINS];
    uint16_t notes_used;
    uint16_t notes_whole;
    uint16_t notes_busy;
    uint16_t is_state;
} sx_trace_buffer;

/*
 * A copy of chains, to be kept beside an error value or handed to another thread, with the newest
 * SX_TRACE_KEPT_NOTES bytes of their notes and values. Plain data: it may be copied with = or memcpy and
 * owns nothing. All zero is the empty snapshot.
 */
typedef struct sx_trace_snapshot {
    sx_trace_buffer trace;
    uint8_t notes[SX_TRACE_KEPT_NOTES];
} sx_trace_snapshot;

/* The trace of a fiber that is not running, for sx_trace_swap. All zero: nothing in flight. It is filled by
 * sx_trace_swap only. */
typedef struct sx_trace_state {
    sx_trace_buffer trace;
    uint8_t notes[SX_TRACE_NOTES];
} sx_trace_state;

/* ---- The failing path. Constant time, whatever is in flight. ---- */

/* Begins a new chain on top of what is in flight, with `frame` as its origin. */
SX_TRACE_API SX_TRACE_COLD void sx_trace_raise(uint64_t frame);

/* Adds a hop to the newest chain. With nothing in flight it begins a chain of unknown origin. */
SX_TRACE_API SX_TRACE_COLD void sx_trace_push(uint64_t frame);

/* As sx_trace_raise, and the chain knows its error; 0 = not known. A `frame` of 0 begins a chain without an
 * origin frame: it is not shown before it has a hop, but absorbed, linked and counted like any other. */
SX_TRACE_API SX_TRACE_COLD void sx_trace_raise_error(uint64_t frame, uint64_t error);

/*
 * Adds a hop to the chain of this error: the newest chain, if it has it, or is of an unknown error, and then
 * takes it; else the newest chain in flight that has it, which comes to the top with its group. A chain that
 * was tied to it is untied and stays below. Chains that are being handled and merged ones are not found.
 * Where none is found a chain of unknown origin begins. `error` 0: as sx_trace_push. `frame` 0: no hop, but all
 * else.
 */
SX_TRACE_API SX_TRACE_COLD void sx_trace_push_error(uint64_t frame, uint64_t error);

/* From here on the error of the newest chain is this one. Does nothing with nothing in flight. */
SX_TRACE_API SX_TRACE_COLD void sx_trace_rename(uint64_t error);

/*
 * Ties the newest chain to the one below it; `kind` is SX_TRACE_CAUSE or SX_TRACE_ATTEMPT. Where
 * the newest chain is tied already, the lowest of the chains it is tied to is what gets tied, so an
 * error that leaves two nested handlers ties both of their errors. Does nothing for another `kind`
 * and when no chain is left to tie to.
 */
SX_TRACE_API SX_TRACE_COLD void sx_trace_link(uint32_t kind);

/* Drops the newest chain and each chain that it is tied to. Of a chain that stands for several errors it takes
 * one off, and that one and what it is tied to stay. Does nothing with nothing in flight. */
SX_TRACE_API SX_TRACE_COLD void sx_trace_absorb(void);

/* Drops everything that is in flight in this thread. For a place where no error can be on its way,
 * such as the top of a server's loop: errors that somebody ignored end here. */
SX_TRACE_API void sx_trace_clear(void);

/* ---- What the error knew. ---- */

/*
 * Attaches a note to the newest frame of the newest chain: `len` bytes of text, which are copied. What is longer
 * than SX_TRACE_NOTE_MAX is cut between characters, and an ellipsis follows. With nothing in flight nothing is
 * recorded. When there is no room, the oldest values go, then the oldest notes. A signal handler that
 * interrupts the making of a note may find no room for one of its own.
 */
SX_TRACE_API SX_TRACE_COLD void sx_trace_note(const char* text, size_t len);

/* The same, made as printf does of a format with nothing but %s %.*s %c %d %i %u %x %p %% (and h l ll z): from
 * anything else on the format is taken as text. SX_NOTE calls it. */
SX_TRACE_API SX_TRACE_COLD void sx_trace_note_format(const char* format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;

/* A variable and its value as text. */
typedef struct sx_trace_value {
    sx_string name;
    sx_string text;
} sx_trace_value;

/* Attaches values to the newest frame of the newest chain, in this order. They are copied; what is more than
 * SX_TRACE_VALUES_MAX bytes, names and all, is left out, and an ellipsis stands for it. */
SX_TRACE_API SX_TRACE_COLD void sx_trace_values(const sx_trace_value* values, size_t count);

/* ---- Handling an error. ---- */

/* A handler that has been entered; the fields are the runtime's own. It lives on the stack of the
 * function that handles the error. */
typedef struct sx_trace_handler {
    uint64_t number;
    uint64_t began;
    uint64_t entered;
} sx_trace_handler;

/*
 * Enters a handler: adds `frame` as a hop, and from here on takes the newest chain for an error that
 * is being handled. It stays in flight, to be shown; but a hop that follows begins a chain of its
 * own, since it belongs to another error, one whose origin was not recorded. Every handler that is
 * entered is left, once, by sx_trace_leave or sx_trace_pass; nested ones in reverse order.
 */
SX_TRACE_API SX_TRACE_COLD void sx_trace_enter(sx_trace_handler* handler, uint64_t frame);

/* The same for an error that is known: the hop is added as sx_trace_push_error does. */
SX_TRACE_API SX_TRACE_COLD void sx_trace_enter_error(sx_trace_handler* handler, uint64_t frame, uint64_t error);

/*
 * Leaves a handler whose error has been dealt with: drops its chain as sx_trace_absorb does. Where
 * another error was raised in the handler and is still in flight, that error is what leaves, and
 * nothing is dropped: its chain is tied to the handled one as SX_TRACE_CAUSE, unless it is already.
 * Does nothing for a handler that was left before.
 */
SX_TRACE_API SX_TRACE_COLD void sx_trace_leave(sx_trace_handler* handler);

/* Leaves a handler that passes its error on: what was raised above it is dropped, and `frame` is
 * added as a hop. The one way for an error that is being handled to travel on. */
SX_TRACE_API SX_TRACE_COLD void sx_trace_pass(sx_trace_handler* handler, uint64_t frame);

/* Leaves a handler that an exception passes through: drops its chain and all that began in it. */
SX_TRACE_API SX_TRACE_COLD void sx_trace_unwind(sx_trace_handler* handler);

/* For longjmp: a mark is taken where setjmp is called, and sx_trace_rewind, where it returns, drops what began
 * since, and forgets handlers that were entered since. */
SX_TRACE_API uint64_t sx_trace_mark(void);
SX_TRACE_API void sx_trace_rewind(uint64_t mark);

/* ---- Reading what is in flight in this thread. ---- */

/* Number of surviving frames of all chains, 0 to SX_TRACE_FRAMES. It can be 0 with a chain in
 * flight, of which only the origin is known: sx_trace_chains tells whether anything is. */
SX_TRACE_API uint32_t sx_trace_len(void);

/* 1 when a frame of what is in flight was overwritten, else 0. */
SX_TRACE_API uint32_t sx_trace_truncated(void);

/* How many frames of what is in flight can no longer be shown: the overwritten ones, less the
 * origins that the table keeps, and those of chains that became one. Exact up to UINT32_MAX, where it stays. */
SX_TRACE_API uint32_t sx_trace_omitted(void);

/* Surviving frame `i`, 0-based, from the bottom of the stack to its top. 0 out of range. */
SX_TRACE_API uint64_t sx_trace_frame_at(uint32_t i);

/* Number of chains in flight, 0 to SX_TRACE_CHAINS. */
SX_TRACE_API uint32_t sx_trace_chains(void);

/* Describes chain `i`, 0-based, from the bottom of the stack to its top, in `*out`. False, with `*out` untouched, out
 * of range. */
SX_TRACE_API bool sx_trace_chain_at(uint32_t i, sx_trace_chain* out);

/* ---- Keeping a trace for later. `out` and `snapshot` are the caller's, never NULL. ---- */

/* Copies all that is in flight to `*out`; nothing is dropped. Returns the number of surviving
 * frames copied. */
SX_TRACE_API SX_TRACE_COLD size_t sx_trace_capture(sx_trace_snapshot* out);

/* Makes the snapshot this thread's trace, in place of what is in flight, which is dropped. For
 * joining a thread and resuming a task. */
SX_TRACE_API SX_TRACE_COLD void sx_trace_restore(const sx_trace_snapshot* snapshot);

/*
 * Copies the newest chain, with the chains that it is tied to, to `*out`; nothing is dropped. What
 * an error variable keeps: the chains below belong to handlers further out. Returns the number of
 * surviving frames copied; with nothing in flight `*out` becomes the empty snapshot.
 */
SX_TRACE_API SX_TRACE_COLD size_t sx_trace_capture_newest(sx_trace_snapshot* out);

/* The same for the group that stands `below` groups below the newest; 0 is the newest. A chain that stands for several
 * errors counts for as many. */
SX_TRACE_API SX_TRACE_COLD size_t sx_trace_capture_at(uint32_t below, sx_trace_snapshot* out);

/* What = does, for code that must keep its registers. */
SX_TRACE_API SX_TRACE_COLD void sx_trace_copy(sx_trace_snapshot* to, const sx_trace_snapshot* from);

/* Makes a snapshot the empty one, whatever it held. */
SX_TRACE_API SX_TRACE_COLD void sx_trace_forget(sx_trace_snapshot* out);

/*
 * Puts the chains of a snapshot on top of what is in flight, tied to each other as they were, the
 * lowest of them tied to nothing. Returns true; for an empty snapshot false, and nothing happens,
 * so the caller can raise instead. The ring keeps the newest frames here as everywhere.
 */
SX_TRACE_API SX_TRACE_COLD bool sx_trace_resume(const sx_trace_snapshot* snapshot);

/* The same, but false for a snapshot of another error, too: for a variable that may have been written through a
 * pointer. Where one of the two is not known, or one is a tag and the other an identity, they count as one. */
SX_TRACE_API SX_TRACE_COLD bool sx_trace_resume_error(const sx_trace_snapshot* snapshot, uint64_t error);

/*
 * Which group in flight this snapshot was copied from: 1 for the newest, 2 for the one below it, and so on; of a chain
 * that stands for several errors each counts, and the oldest is found. 0 where that group is no longer in flight, or
 * the snapshot is empty or of another error (as above). So code knows whether a kept error is one that it is just
 * handling.
 */
SX_TRACE_API SX_TRACE_COLD uint32_t sx_trace_find(const sx_trace_snapshot* snapshot, uint64_t error);

/* Exchanges this thread's trace with `*mine`: called when a fiber is switched to, with the state
 * of that fiber, and when it is left, with the same. The thread's resolver stays. */
SX_TRACE_API void sx_trace_swap(sx_trace_state* mine);

/* ---- Showing a trace. ---- */

/*
 * How frames are turned into descriptions. `resolve` fills `*out` and returns true, or returns
 * false for a frame that it does not know. What `*out` points to must stay valid until the
 * rendering ends. It has to be async-signal-safe for a trace to be printed from a signal handler.
 */
typedef struct sx_trace_resolver {
    bool (*resolve)(uint64_t frame, sx_frame* out, void* ctx); /* NULL = a frame is the address of an sx_frame */
    void* ctx;                                                 /* handed to both */
    /* The name of an error, such as `NotFound`; false where it has none. NULL = tags have the names of
     * sx_trace_error_names, nothing else has any. */
    bool (*name)(uint64_t error, sx_string* out, void* ctx);
} sx_trace_resolver;

/* The names of tags, which the program may define, in read-only data: names[0] is of tag 0, which is no error. A
 * shared library can see it if the program exports it (linkers do so by themselves). */
struct sx_trace_error_names {
    uint64_t count;
    sx_string names[1]; /* `count` of them */
};
extern const struct sx_trace_error_names sx_trace_error_names __attribute__((weak));

/* Names of tags for the whole process, in place of those that the linker has found; NULL = those. For a program that
 * was compiled into the process. `*names` is the caller's and stays. */
SX_TRACE_API void sx_trace_set_error_names(const struct sx_trace_error_names* names);

/* Takes `len` bytes of a rendered trace: whole lines, but for a line longer than 2 KB, which
 * comes in pieces. Returns false to get no more. */
typedef bool (*sx_trace_write_fn)(const char* bytes, size_t len, void* ctx);

enum {
    SX_TRACE_STYLE_ENV = 0,   /* what SX_TRACE says in the environment, else text */
    SX_TRACE_STYLE_TEXT = 1,  /* frames with their source lines */
    SX_TRACE_STYLE_SHORT = 2, /* frames only */
    SX_TRACE_STYLE_JSON = 3,  /* one object on one line */
    SX_TRACE_STYLE_OFF = 4    /* nothing */
};

/* How to render. All zero is a good default. */
typedef struct sx_trace_options {
    uint32_t style;  /* SX_TRACE_STYLE_... */
    bool color;      /* with ANSI colours; the text between them is the same */
    sx_string error; /* the name that JSON shows as "error"; empty = that of the newest chain, else null */
    const sx_trace_resolver* resolver; /* NULL = the thread's */
    sx_string title;   /* a line of its own above the trace, also where nothing is in flight; empty = none. In JSON
                          it is the "message" */
    sx_string heading; /* in place of `error return trace (most recent call last):`; empty = that */
    uint64_t reported; /* the error whose group is the report, if there is one, and `error` its name; 0 = the newest */
} sx_trace_options;

/*
 * Sets how frames of this thread are resolved where the options do not say, and returns what was
 * set before. NULL, as a thread starts out: a frame is the address of an sx_frame. The resolver
 * belongs to what runs on the thread, a compiled program or an interpreter, and not to the trace:
 * snapshots and fibers do not carry it, so each thread that runs interpreted code sets it, and
 * sets the former one again when it leaves. `*resolver` is the caller's and must stay until then.
 */
SX_TRACE_API const sx_trace_resolver* sx_trace_set_resolver(const sx_trace_resolver* resolver);

/*
 * Renders a snapshot, or what is in flight where `snapshot` is NULL, through `write`: the newest group, then
 * what else there is, newest first, two groups in full and the others by their number. `options` may be NULL. An empty
 * trace renders as nothing but its title, in every style but JSON with an `error`. Returns false when `write` did.
 */
SX_TRACE_API bool sx_trace_render(const sx_trace_snapshot* snapshot, const sx_trace_options* options,
                                  sx_trace_write_fn write, void* ctx);

/*
 * The same into a buffer of `capacity` bytes, like snprintf: what does not fit is cut, a NUL ends
 * what does (unless `capacity` is 0, where `buffer` may be NULL), and the result is the length of
 * the whole text in bytes without the NUL.
 */
SX_TRACE_API size_t sx_trace_format(char* buffer, size_t capacity, const sx_trace_snapshot* snapshot,
                                    const sx_trace_options* options);

/* Writes what is in flight to a file descriptor, in the style and colour that the environment
 * asks for; nothing when nothing is in flight. Write errors are ignored and errno is kept. */
SX_TRACE_API void sx_trace_print(int fd);

/*
 * Writes a report of one's own wording to a file descriptor: renders the snapshot, or what is in flight where
 * `snapshot` is NULL, as the options say, in the colours that the environment asks for. Write errors are ignored and
 * errno is kept.
 *
 *     sx_trace_options words = {.title = {"fatal: cannot start", 19}, .heading = {"How it came to that:", 20}};
 *     sx_trace_report(2, NULL, &words);
 */
SX_TRACE_API void sx_trace_report(int fd, const sx_trace_snapshot* snapshot, const sx_trace_options* options);

/*
 * The reporter of a failable main: writes `error: unhandled error reached main: error.NAME` and
 * what is in flight to stderr: first the group of the error `tag`, if one has it, else the newest. `name` (`name_len`
 * bytes) is the name of the tag; where it is empty the number `tag` is shown, in JSON as "tag" beside an "error" of
 * null. Nothing is dropped, and the process goes on.
 */
SX_TRACE_API void sx_trace_report_unhandled(uint32_t tag, const char* name, size_t name_len);

/*
 * Cuts a source line to what a frame's line_text may hold: a line wider than 200 columns becomes a
 * window around byte column `col` (1-based), with an ellipsis at a cut end. Where the left end is
 * cut, exactly 100 columns stand before the position (the renderer finds it by that). Every maker
 * of frames uses this. Writes at most `capacity` bytes to `buffer`, without a NUL, and returns the
 * length of the whole in bytes, as if there were room.
 */
SX_TRACE_API size_t sx_trace_line_window(sx_string line, int32_t col, char* buffer, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
