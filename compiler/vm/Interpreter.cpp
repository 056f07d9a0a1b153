// The dispatch loop: one handler an opcode, each ends by jumping to the next one's.
//
// The handlers stand in files by theme that are included where the labels have to be. State that outlives a handler is
// in a few locals; it is saved to the thread before anything that may look at it, call back, or fail.
#include "vm/CallOut.h"
#include "vm/CallUndo.h"
#include "vm/History.h"
#include "vm/Thread.h"
#include "vm/code/Arithmetic.h"
#include "vm/replay/Tape.h"

#include "sx/trace.h"
#include "values.h"

#include <cstring>
#include <utility>

namespace sx::vm {

namespace {

// Memory is accessed by memcpy: pointers of interpreted programs may be unaligned and of any type.
template <typename T> T loadAs(uint64_t address) {
    T v;
    std::memcpy(&v, reinterpret_cast<const void*>(address), sizeof v);
    return v;
}
template <typename T> void storeAs(uint64_t address, uint64_t value) {
    T v = static_cast<T>(value);
    std::memcpy(reinterpret_cast<void*>(address), &v, sizeof v);
}

constexpr uint64_t NullPage = 4096;
constexpr int64_t CallSteps = 8; ///< what a call counts as: about a small function

inline void keepApart() { asm volatile("" ::: "memory"); }

/// What an instruction may do to watched memory: DebugHooks::Effect.
constexpr uint8_t formatEffects(const char* format) {
    for (const char* c = format; *c != 0; ++c)
        if (*c == 'w' || *c == 'x') return DebugHooks::WritesFrame;
    return 0;
}
uint32_t effectsOf(uint16_t op) {
    static constexpr uint8_t ByFormat[] = {
#define VM_OP(name, format) formatEffects(format),
#define VM_OPX(name, format, extra) formatEffects(format) | formatEffects(extra),
#include "vm/code/Opcodes.def"
    };
    constexpr uint32_t Memory = DebugHooks::WritesMemory | DebugHooks::WritesFrame;
    switch (static_cast<Opcode>(op)) {
    case Opcode::Ret: return DebugHooks::WritesFrame | DebugHooks::Frames;
    case Opcode::RetVoid:
    case Opcode::Call:
    case Opcode::CallW: return DebugHooks::Frames;
    case Opcode::Store8:
    case Opcode::Store16:
    case Opcode::Store32:
    case Opcode::Store64:
    case Opcode::StoreF8:
    case Opcode::StoreF16:
    case Opcode::StoreF32:
    case Opcode::StoreF64:
    case Opcode::StoreX8:
    case Opcode::StoreX16:
    case Opcode::StoreX32:
    case Opcode::StoreX64:
    case Opcode::Copy8:
    case Opcode::Copy16:
    case Opcode::Copy24:
    case Opcode::Copy:
    case Opcode::CopyW:
    case Opcode::StoreN:
    case Opcode::Zero:
    case Opcode::CopyN:
    case Opcode::AtomicStore:
    case Opcode::AtomicRmw:
    case Opcode::AtomicCmpXchg:
    case Opcode::CallForeign:
    case Opcode::TraceCapture:
    case Opcode::TraceCopy:
    case Opcode::TraceForget:
    case Opcode::TraceResolve: return Memory;
    case Opcode::CallInd: return Memory | DebugHooks::Frames;
    default: return ByFormat[op];
    }
}

/// The opcode at `pc` in the frame `r`, also where a breakpoint stands in its place.
uint16_t opcodeUnder(const Insn* pc, const uint64_t* r) {
    const FunctionCode* code = reinterpret_cast<const Callee*>(r[HeaderCallee])->code;
    return code && code->contains(pc) ? code->opcodes[code->indexOf(pc)] : pc->op;
}

} // namespace

// What handlers are written with.
#define SX_DISPATCH() \
    do { \
        if constexpr (Debugged) goto* dispatch[pc->op]; \
        else goto* labels[pc->op]; \
    } while (0)
#define SX_NEXT() \
    do { \
        ++pc; \
        SX_DISPATCH(); \
    } while (0)
#define SX_NEXT_AFTER_EXTRA() \
    do { \
        pc += 2; \
        SX_DISPATCH(); \
    } while (0)
#define SX_GO(distance) \
    do { \
        pc += (distance); \
        SX_DISPATCH(); \
    } while (0)
#define SX_SAVE() (t.pc = pc, t.regs = r, t.budget = budget)
// Two stores: as one of a vector, which the compiler would make of them, both values would live in vector registers.
#define SX_SAVE_PLACE() \
    do { \
        t.pc = pc; \
        keepApart(); \
        t.regs = r; \
        if constexpr (Counted) t.budget = budget; \
    } while (0)
#define SX_RELOAD() (budget = t.budget)
// Before memory is written: what it holds is kept for going back.
#define SX_KEEP(address, size) \
    do { \
        if constexpr (Logged) log->keep(address, size); \
    } while (0)
// A branch backwards, a call or a return has been done.
#define SX_COUNT() \
    do { \
        if constexpr (Counted) \
            if (__builtin_expect(--budget < 0, 0)) goto tick; \
    } while (0)
#define A r[pc->a]
#define B r[pc->b]
#define C r[pc->c]
#define SA static_cast<int64_t>(A)
#define SB static_cast<int64_t>(B)
#define SC static_cast<int64_t>(C)
#define IMM_B static_cast<int64_t>(pc->signedB())
#define IMM_C static_cast<int64_t>(pc->signedC())
#define FRAME(bytes) (reinterpret_cast<uint64_t>(r) + static_cast<uint64_t>(static_cast<int64_t>(bytes)))
#define OP(name) op_##name

// An access through a pointer. At compile time the common case is two comparisons that fall through. What may not be
// mapped ends in a fault: the position is saved for it.
#define SX_CHECK(address, access) \
    do { \
        if constexpr (Checked) { \
            uint64_t at_ = (address); \
            uint64_t offset_ = at_ - arena.base; \
            bool bad_ = at_ < NullPage; \
            if (offset_ < arena.size) { \
                bad_ = !(arena.shadow[offset_ >> 4] & static_cast<uint8_t>(access)); \
            } else { \
                SX_SAVE(); \
                bad_ |= t.isLeft(at_); \
            } \
            if (__builtin_expect(bad_, 0)) { \
                badAddress = at_; \
                badAccess = access; \
                goto invalid_access; \
            } \
        } else if constexpr (Debugged) { \
            SX_SAVE_PLACE(); \
        } else { \
            t.pc = pc; \
        } \
    } while (0)
#define SX_CHECK_RANGE(address, size, access) \
    do { \
        if constexpr (Checked) { \
            uint64_t at_ = (address), size_ = (size); \
            SX_SAVE(); \
            bool bad_ = at_ < NullPage || !t.program.arena.allows(at_, size_, access) || t.isLeft(at_) || \
                        t.isLeft(at_ + size_ - 1); \
            if (__builtin_expect(size_ != 0 && bad_, 0)) { \
                badAddress = at_; \
                badAccess = access; \
                goto invalid_access; \
            } \
        } else if constexpr (Debugged) { \
            SX_SAVE_PLACE(); \
        } else { \
            t.pc = pc; \
        } \
    } while (0)

// Tells the debugger, which may have changed where execution goes on.
#define SX_TELL(call) \
    do { \
        SX_SAVE_PLACE(); \
        if (!debugger->call) return t.outcome(); \
        if constexpr (Recorded) { \
            SX_RELOAD(); \
            t.wentBack = false; \
        } \
        dispatch = debugger->watching ? watchedLabels : labels; \
        if (t.pc != pc || t.regs != r) goto moved; \
    } while (0)
// The current instruction is one after which watched memory is looked at. Watches may be set wherever a thread stands
// or is in other code: then it has not begun with a look itself.
#define SX_LOOK_AFTER() (opBefore = opcodeUnder(pc, r))
// After a while in other code.
#define SX_LOOK_AGAIN() \
    do { \
        if constexpr (Debugged) { \
            dispatch = labels; \
            if (__builtin_expect(debugger->watching.load(std::memory_order_relaxed) != 0, 0)) { \
                dispatch = watchedLabels; \
                SX_LOOK_AFTER(); \
            } \
        } \
    } while (0)
// The same after a call of C, `words` long: history may begin anew there.
#define SX_AFTER_C(words) \
    do { \
        SX_RELOAD(); \
        SX_LOOK_AGAIN(); \
        pc += (words); \
        if constexpr (Recorded) { \
            if (__builtin_expect(history->isBroken(), 0)) { \
                SX_SAVE(); \
                history->restartAfterBreak(t); \
                SX_RELOAD(); \
            } \
        } \
        SX_DISPATCH(); \
    } while (0)
// Where a program could run for ever.
#define SX_POLL(bits, call) \
    do { \
        if constexpr (Debugged) \
            if (__builtin_expect(debugger->attention.load(std::memory_order_relaxed) & (bits), 0)) SX_TELL(call); \
    } while (0)

template <Mode M> Thread::Outcome interpret(Thread& t, const Insn* pc, uint64_t* r) {
    constexpr bool Checked = M == Mode::Checked, Recorded = M == Mode::Record;
    constexpr bool Logged = Recorded || M == Mode::Undo, Debugged = M == Mode::Debug || Logged;
    constexpr bool Counted = Recorded || M == Mode::Taped;
    static const void* const labels[] = {
#define VM_OP(name, format) &&op_##name,
#define VM_OPX(name, format, extra) &&op_##name,
#include "vm/code/Opcodes.def"
    };
    // Where memory is watched, every instruction begins with a look at what the one before it has done.
    [[maybe_unused]] static const void* const watchedLabels[] = {
#define VM_OP(name, format) &&watched,
#define VM_OPX(name, format, extra) &&watched,
#include "vm/code/Opcodes.def"
    };
    [[maybe_unused]] DebugHooks* const debugger = t.program.options.debugger;
    [[maybe_unused]] History* const history = t.history.get();
    [[maybe_unused]] WriteLog* const log = Recorded ? &history->log : M == Mode::Undo ? &t.undo->log() : nullptr;
    [[maybe_unused]] const void* const* dispatch = labels;
    [[maybe_unused]] uint16_t opBefore = static_cast<uint16_t>(Opcode::Extra);
    [[maybe_unused]] const ArenaView arena = t.program.arena.view();
    [[maybe_unused]] uint64_t badAddress = 0;
    [[maybe_unused]] Access badAccess = Access::Read;
    [[maybe_unused]] int64_t budget = t.budget;
    Callee* const callees = t.program.callees.base();
    const uint64_t* const frameLimit = t.frameLimit();
    uint64_t panicOperands[3] = {0, 0, 0};
    ir::PanicKind panicKind{};
    const Insn* loopHead = nullptr; ///< target of the last branch backwards

    if constexpr (Debugged) {
        if (t.wentBack) goto went_back;
        if constexpr (Recorded)
            if (std::exchange(t.goesOn, false)) {
                dispatch = debugger->watching ? watchedLabels : labels;
                SX_DISPATCH();
            }
        auto* callee = reinterpret_cast<Callee*>(r[HeaderCallee]);
        SX_POLL(DebugHooks::Pauses | DebugHooks::Calls, onCall(t, *callee, r));
        pc = callee->entry; // it may have been translated now
        dispatch = debugger->watching ? watchedLabels : labels;
    }
    SX_DISPATCH();

#include "vm/handlers/Branches.inc"
#include "vm/handlers/Calls.inc"
#include "vm/handlers/Debug.inc"
#include "vm/handlers/Failures.inc"
#include "vm/handlers/Floats.inc"
#include "vm/handlers/Integers.inc"
#include "vm/handlers/Memory.inc"
}

template Thread::Outcome interpret<Mode::Plain>(Thread&, const Insn*, uint64_t*);
template Thread::Outcome interpret<Mode::Checked>(Thread&, const Insn*, uint64_t*);
template Thread::Outcome interpret<Mode::Debug>(Thread&, const Insn*, uint64_t*);
template Thread::Outcome interpret<Mode::Record>(Thread&, const Insn*, uint64_t*);
template Thread::Outcome interpret<Mode::Undo>(Thread&, const Insn*, uint64_t*);
template Thread::Outcome interpret<Mode::Taped>(Thread&, const Insn*, uint64_t*);

} // namespace sx::vm
