#include "source/Tracer.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

namespace sx {

/// A number that the system shows of a process or a thread; 0: it does not.
static int shown(int number, llvm::StringRef field) {
    auto status = llvm::MemoryBuffer::getFileAsStream("/proc/" + std::to_string(number) + "/status");
    if (!status) return 0;
    int value = 0;
    llvm::StringRef rest = (*status)->getBuffer().split(field).second;
    return rest.split('\n').first.trim().getAsInteger(10, value) ? 0 : value;
}

int tracerOf(int pid) { return shown(pid, "\nTracerPid:"); }
int processOf(int thread) { return shown(thread, "\nTgid:"); }

} // namespace sx
