// Watched memory: compared with what it held whenever an instruction may have changed it.
#pragma once

#include "ir/Dominators.h"
#include "vm/DebugHooks.h"
#include "vm/debug/Debugger.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace sx::vm {

/// The bytes at an address; empty if they cannot be read, as when the memory is gone.
std::vector<uint8_t> bytesAt(uint64_t address, uint64_t size);

/// Where code of a function leads from an instruction that has written. All instructions are of the function.
class Flow {
public:
    Flow(const FunctionCode& code, const ir::Function& fn, ir::StatementOrder& order)
        : code_(code), fn_(fn), order_(order) {}
    /// A thread that has written by the instruction before and comes to `now` goes on to the next statement, or to a
    /// call, before anything else can happen. What is written until then is told as one.
    bool isWithinStatement(const Insn* before, const Insn* now);
    /// What comes next is no statement that follows: where a loop's body ends, its next round does.
    bool beginsRound(const Insn* before, const Insn* now);

private:
    uint32_t statementOf(const Insn* at) const { return code_.statementOf[code_.indexOf(at)]; }
    bool leadsToRound(uint32_t index, uint32_t own);

    const FunctionCode& code_;
    const ir::Function& fn_;
    ir::StatementOrder& order_;
};

class Watches {
public:
    /// `onStack`: the memory is that of a frame, which instructions write as registers, too.
    void add(int id, uint64_t address, uint64_t size, const DebugFrame* frame, bool onStack);
    void remove(int id);

    /// The effects of instructions after which one has to look.
    uint32_t effects() const;

    struct Change {
        std::vector<int> ids;
        std::vector<uint8_t> before, after; ///< of the first one
    };
    /// Whether any does not hold what it held. Faults where memory is gone; holds nothing while it looks.
    bool mayHaveChanged() const;
    /// Those whose bytes have changed; they count as seen. Of a frame of the thread that is beyond `regs` they are not
    /// told: it is not there.
    std::optional<Change> findChange(DebugThreadId, const uint64_t* regs);
    /// Takes out those of frames of the thread that are beyond `regs`: they have returned.
    std::vector<int> takeEnded(DebugThreadId, const uint64_t* regs);
    /// Each frame that has any. `each`: the thread, and the frame.
    void forFrames(llvm::function_ref<void(DebugThreadId, const uint64_t* frame)> each) const;
    /// The frame of one; null: it has none.
    const uint64_t* frameOf(int id) const;
    bool has(int id) const;
    /// Takes out those of a frame.
    std::vector<int> takeFrame(const uint64_t* frame);
    /// What the bytes are now is what they were. With a frame: those of that one.
    void settle(const uint64_t* frame = nullptr);

private:
    struct Watch {
        bool isLeft(DebugThreadId by, const uint64_t* regs) const { return frame && thread == by && frame > regs; }
        int id = 0;
        uint64_t address = 0, size = 0;
        DebugThreadId thread = 0; ///< of the frame; 0: none
        const uint64_t* frame = nullptr;
        bool onStack = false;
        std::vector<uint8_t> bytes;
    };
    std::vector<Watch> watches_;
};

} // namespace sx::vm
