// What a call of the debugger has written: where it ends in something that it may not do, the program is as if it had
// not begun that.
#pragma once

#include "vm/ForeignFibers.h"
#include "vm/time/WriteLog.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sx::vm {

class Thread;

/// What a function of C does to memory, and does nothing else. `Writes`: as many bytes as its third argument says,
/// where the first one points.
enum class MemoryCall : uint8_t { None, Takes, Frees, Reads, Writes };
MemoryCall memoryCallOf(const std::string& symbol);

/// While it lives, the thread's interpreted code can be undone to where it last called C: what C has made of memory is
/// not known. The allocator does not count: what is freed is freed at the end. Nor does what copies or compares memory.
class CallUndo {
public:
    explicit CallUndo(Thread&);
    ~CallUndo();
    CallUndo(const CallUndo&) = delete;

    WriteLog& log() { return log_; }
    /// What is done in place of a call of C: whether the thread goes on; nothing: C is called.
    /// `name`: of the function, for messages.
    std::optional<bool> inPlaceOf(Thread&, FiberCall, MemoryCall, const std::string& name, uint32_t site,
                                  const uint64_t* args);
    /// A call of C: what was written before it, and what C has had written, stays.
    class AroundC {
    public:
        /// `undo` null: nothing is undone.
        AroundC(CallUndo* undo, FiberCall fiber, MemoryCall memory)
            : undo_(fiber == FiberCall::Note || memory != MemoryCall::None ? nullptr : undo) {
            if (undo_) undo_->settle();
        }
        ~AroundC() {
            if (undo_) undo_->settle();
        }
        AroundC(const AroundC&) = delete;

    private:
        CallUndo* undo_;
    };

    /// The call has returned, on the thread, which frees what was held.
    void finish(Thread&);
    /// It has not: what it has done since it last called C is undone if it was refused, or has called none at all.
    void fail();

private:
    static constexpr uint64_t MostBytes = uint64_t{64} << 20;
    void begin();
    void settle();
    void keepRecordOf(uint64_t fiber);
    bool refuse(Thread&, const char* why);

    Thread& thread_;
    WriteLog log_{MostBytes};
    WriteLog::Mark start_;
    uint64_t first_ = 0; ///< what the log begins with, so that it has a beginning
    std::vector<std::pair<uint32_t, uint64_t>> heldFrees_;
    bool hasCalled_ = false, isRefused_ = false;
};

} // namespace sx::vm
