#include "vm/Foreign.h"
#include "vm/Program.h"
#include "vm/Thread.h"

#include "args.h"
#include "panic.h"
#include "sx/trace.h"

#include <cstdlib>
#include <string>
#include <unistd.h>

namespace sx::vm {

namespace {
/// The active functions of this thread's evaluation, outermost first, without the one that asks (library.md 7.2).
void printInterpreterFrames() {
    const Thread* thread = Thread::current();
    if (!thread) return;
    std::vector<Thread::Position> stack = thread->backtrace();
    std::string text = "comptime call frames (most recent call last):\n";
    for (size_t i = stack.size(); i > 1; --i) text += "  at " + thread->program.module.fn(stack[i - 1].func).name + "\n";
    for (size_t sent = 0; sent < text.size();) {
        ssize_t n = write(STDOUT_FILENO, text.data() + sent, text.size() - sent);
        if (n <= 0) return;
        sent += static_cast<size_t>(n);
    }
}

template <typename Function> void* address(Function* function) { return reinterpret_cast<void*>(function); }
} // namespace

llvm::ArrayRef<std::pair<const char*, void*>> runtimeSymbols() {
    static const std::pair<const char*, void*> table[] = {
        {"sx_trace_raise", address(sx_trace_raise)},
        {"sx_trace_push", address(sx_trace_push)},
        {"sx_trace_link", address(sx_trace_link)},
        {"sx_trace_absorb", address(sx_trace_absorb)},
        {"sx_trace_clear", address(sx_trace_clear)},
        {"sx_trace_len", address(sx_trace_len)},
        {"sx_trace_truncated", address(sx_trace_truncated)},
        {"sx_trace_omitted", address(sx_trace_omitted)},
        {"sx_trace_frame_at", address(sx_trace_frame_at)},
        {"sx_trace_chains", address(sx_trace_chains)},
        {"sx_trace_chain_at", address(sx_trace_chain_at)},
        {"sx_trace_capture", address(sx_trace_capture)},
        {"sx_trace_restore", address(sx_trace_restore)},
        {"sx_trace_capture_newest", address(sx_trace_capture_newest)},
        {"sx_trace_resume", address(sx_trace_resume)},
        {"sx_trace_swap", address(sx_trace_swap)},
        {"sx_trace_set_resolver", address(sx_trace_set_resolver)},
        {"sx_trace_render", address(sx_trace_render)},
        {"sx_trace_format", address(sx_trace_format)},
        {"sx_trace_print", address(sx_trace_print)},
        {"sx_trace_report_unhandled", address(sx_trace_report_unhandled)},
        {"sx_trace_line_window", address(sx_trace_line_window)},
        {"sx_comptime_frames", address(printInterpreterFrames)},
        {"sx_panic_message", address(sx_panic_message)},
        {"sx_panic_index", address(sx_panic_index)},
        {"sx_panic_slice", address(sx_panic_slice)},
        {"sx_program_start", address(sx_program_start)},
        {"sx_program_argc", address(sx_program_argc)},
        {"sx_program_argv", address(sx_program_argv)},
        {"atexit", address(atexit)}, // glibc has it in the static part of libc only
    };
    return table;
}

} // namespace sx::vm
