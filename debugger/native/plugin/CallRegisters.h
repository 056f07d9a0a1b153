// The registers of a thread, which a call needs and which the thread has again after it.
#pragma once

#include "debugger/native/target/Target.h"

#include "lldb/API/LLDB.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace sx::debugger::native {

/// Lives while the thread is away. By the calling convention of x86-64 under Linux.
class CallRegisters {
public:
    /// The thread stands still; what it has is kept.
    CallRegisters(lldb::SBProcess&, lldb::SBThread);

    /// Has the thread stand at the beginning of the function, which has its stack below `stack` and returns to `back`.
    /// Returns why it does not, or nothing.
    std::string enter(const ProgramCall&, uint64_t stack, uint64_t back);
    /// What the stack pointer is when the function has returned.
    uint64_t stackAfter() const { return stackAfter_; }
    /// What a function that has just returned gives, as `Target::call` does.
    uint64_t result(const ProgramCall&);
    /// The thread has all that it had. `hasReturned`: the function has, and nothing else was asked of the thread since.
    void putBack(bool hasReturned);

private:
    lldb::SBFrame top() { return thread_.GetFrameAtIndex(0); }
    void write(const char* name, uint64_t value);
    bool readAtOnce(const std::string& ofThread);
    using Vector = std::array<uint8_t, 16>;
    Vector readVector(unsigned number);
    void writeVector(unsigned number, const Vector&);
    uint64_t readWord(const char* name);
    bool writeMemory(uint64_t to, const void* bytes, size_t size);

    lldb::SBProcess& process_;
    lldb::SBThread thread_;
    std::vector<std::pair<const char*, uint64_t>> saved_;
    std::vector<Vector> vectors_;
    std::string all_; ///< what the debug server calls the state that it has kept; empty: it has not
    std::string problem_;
    uint64_t stackAfter_ = 0, resultAt_ = 0;
};

} // namespace sx::debugger::native
