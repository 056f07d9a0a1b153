#include "source/Tracer.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

namespace sx {

int tracerOf(int pid) {
    auto status = llvm::MemoryBuffer::getFileAsStream("/proc/" + std::to_string(pid) + "/status");
    if (!status) return 0;
    int tracer = 0;
    llvm::StringRef rest = (*status)->getBuffer().split("TracerPid:").second;
    return rest.split('\n').first.trim().getAsInteger(10, tracer) ? 0 : tracer;
}

} // namespace sx
