#include "debugger/adapter/LeftBreakpoints.h"

#include "debugger/engine/ProcessFiles.h"

#include <algorithm>
#include <cstdint>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace sx::debugger {

namespace {

constexpr uint8_t Breakpoint = 0xcc; // int3 of x86-64

void restore(int memory, const ProcessMapping& m) {
    int file = open(m.path.c_str(), O_RDONLY | O_CLOEXEC);
    std::vector<uint8_t> is(size_t{1} << 16), was(is.size());
    for (uint64_t done = 0; file >= 0 && done < m.end - m.start; done += is.size()) {
        size_t wanted = std::min<uint64_t>(is.size(), m.end - m.start - done);
        ssize_t there = pread(memory, is.data(), wanted, static_cast<off_t>(m.start + done));
        ssize_t recorded = pread(file, was.data(), wanted, static_cast<off_t>(m.offset + done));
        for (ssize_t i = 0; i < std::min(there, recorded); ++i) {
            if (is[i] != Breakpoint || was[i] == Breakpoint) continue;
            if (pwrite(memory, &was[i], 1, static_cast<off_t>(m.start + done) + i) < 0) break;
        }
    }
    if (file >= 0) close(file);
}

} // namespace

void takeOutBreakpoints(int process) {
    int memory = open(("/proc/" + std::to_string(process) + "/mem").c_str(), O_RDWR | O_CLOEXEC);
    if (memory < 0) return;
    for (const ProcessMapping& m : mappingsOfProcess(process))
        if (m.permissions[2] == 'x' && m.path.starts_with("/")) restore(memory, m);
    close(memory);
}

} // namespace sx::debugger
