#include "vm/Fibers.h"
#include "vm/Foreign.h"
#include "vm/Program.h"
#include "vm/Thread.h"

#include "symbols.h"

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
    for (size_t i = stack.size(); i > 1; --i)
        text += "  at " + thread->program.module.fn(stack[i - 1].func).name + "\n";
    if (thread->program.output) { // among what the evaluation prints
        thread->program.output->append(text);
        return;
    }
    for (size_t sent = 0; sent < text.size();) {
        ssize_t n = write(STDOUT_FILENO, text.data() + sent, text.size() - sent);
        if (n <= 0) return;
        sent += static_cast<size_t>(n);
    }
}

} // namespace

void Foreign::defineRuntime() {
    size_t count = 0;
    const sx_program_symbol* table = sx_program_symbols(&count);
    for (size_t i = 0; i < count; ++i) symbols_[table[i].name] = reinterpret_cast<void*>(table[i].address);
    symbols_["sx_comptime_frames"] = reinterpret_cast<void*>(&printInterpreterFrames); // here there are frames
    defineFibers(*this);
}

} // namespace sx::vm
