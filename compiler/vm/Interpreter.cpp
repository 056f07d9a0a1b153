// The dispatch loop: one handler an opcode, each ends by jumping to the next one's.
//
// The handlers stand in files by theme that are included where the labels have to be. State that outlives a handler is
// in a few locals; it is saved to the thread before anything that may look at it, call back, or fail.
#include "vm/Arithmetic.h"
#include "vm/CallOut.h"
#include "vm/Thread.h"

#include "sx/trace.h"
#include "values.h"

#include <cstring>

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

} // namespace

// What handlers are written with.
#define SX_NEXT() \
    do { \
        ++pc; \
        goto* labels[pc->op]; \
    } while (0)
#define SX_NEXT_AFTER_EXTRA() \
    do { \
        pc += 2; \
        goto* labels[pc->op]; \
    } while (0)
#define SX_GO(distance) \
    do { \
        pc += (distance); \
        goto* labels[pc->op]; \
    } while (0)
#define SX_SAVE() (t.pc = pc, t.regs = r, t.budget = budget)
#define SX_RELOAD() (budget = t.budget)
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
        } else { \
            t.pc = pc; \
        } \
    } while (0)

template <bool Checked> Thread::Outcome interpret(Thread& t, const Insn* pc, uint64_t* r) {
    static const void* const labels[] = {
#define VM_OP(name, format) &&op_##name,
#define VM_OPX(name, format, extra) &&op_##name,
#include "vm/code/Opcodes.def"
    };
    [[maybe_unused]] const ArenaView arena = t.program.arena.view();
    [[maybe_unused]] uint64_t badAddress = 0;
    [[maybe_unused]] Access badAccess = Access::Read;
    [[maybe_unused]] int64_t budget = t.budget;
    Callee* const callees = t.program.callees.base();
    const uint64_t* const frameLimit = t.frameLimit();
    uint64_t panicOperands[3] = {0, 0, 0};
    ir::PanicKind panicKind{};
    const Insn* loopHead = nullptr; ///< target of the last branch backwards

    goto* labels[pc->op];

#include "vm/handlers/Branches.inc"
#include "vm/handlers/Calls.inc"
#include "vm/handlers/Floats.inc"
#include "vm/handlers/Integers.inc"
#include "vm/handlers/Memory.inc"

division_by_zero:
    panicKind = ir::PanicKind::DivisionByZero;
    goto panic;
null_pointer:
    panicKind = ir::PanicKind::NullPointer;
    goto panic;
division_overflow:
    panicKind = ir::PanicKind::DivisionOverflow;
    goto panic;
panic:
    SX_SAVE();
    reportPanic(t, panicKind, panicOperands);
    return t.outcome();
invalid_access:
    __attribute__((unused));
    SX_SAVE();
    reportAccess(t, badAddress, badAccess);
    return t.outcome();
out_of_steps:
    __attribute__((unused));
    SX_SAVE();
    t.fail("the evaluation takes too long: it did not end within " + std::to_string(t.program.options.steps) +
           " steps");
    return t.outcome();
stack_overflow:
    SX_SAVE();
    reportStackOverflow(t);
    return t.outcome();
}

template Thread::Outcome interpret<true>(Thread&, const Insn*, uint64_t*);
template Thread::Outcome interpret<false>(Thread&, const Insn*, uint64_t*);

} // namespace sx::vm
