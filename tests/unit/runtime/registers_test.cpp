// The functions of the failing path keep the caller's general registers.
#include <catch2/catch.hpp>

#include "support.hpp"

#if defined(__x86_64__)

// rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r12, r13, r14, r15. r11 is the one register that
// preserve_most leaves to the callee; here it holds the function's address.
constexpr int REGISTERS = 14;
constexpr int RAX = 0, RDI = 5;

// Loads the registers from `values`, calls `function`, stores the registers to `values`.
extern "C" void callWithRegisters(const void* function, uint64_t* values);

__asm__(R"(
    .text
    .globl callWithRegisters
    .type callWithRegisters, @function
callWithRegisters:
    pushq %rbx
    pushq %rbp
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    pushq %rsi
    movq %rdi, %r11
    movq %rsi, %r10
    movq 0(%r10), %rax
    movq 8(%r10), %rbx
    movq 16(%r10), %rcx
    movq 24(%r10), %rdx
    movq 32(%r10), %rsi
    movq 40(%r10), %rdi
    movq 48(%r10), %rbp
    movq 56(%r10), %r8
    movq 64(%r10), %r9
    movq 80(%r10), %r12
    movq 88(%r10), %r13
    movq 96(%r10), %r14
    movq 104(%r10), %r15
    movq 72(%r10), %r10
    call *%r11
    popq %r11
    movq %rax, 0(%r11)
    movq %rbx, 8(%r11)
    movq %rcx, 16(%r11)
    movq %rdx, 24(%r11)
    movq %rsi, 32(%r11)
    movq %rdi, 40(%r11)
    movq %rbp, 48(%r11)
    movq %r8, 56(%r11)
    movq %r9, 64(%r11)
    movq %r10, 72(%r11)
    movq %r12, 80(%r11)
    movq %r13, 88(%r11)
    movq %r14, 96(%r11)
    movq %r15, 104(%r11)
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbp
    popq %rbx
    ret
    .size callWithRegisters, .-callWithRegisters
    .section .note.GNU-stack,"",@progbits
    .text
)");

// The same on a stack that is aligned to 8 bytes only.
extern "C" void callOnOddStack(const void* function, uint64_t* values);

__asm__(R"(
    .text
    .globl callOnOddStack
    .type callOnOddStack, @function
callOnOddStack:
    call callWithRegisters
    ret
    .size callOnOddStack, .-callOnOddStack
)");

using Caller = void (*)(const void* function, uint64_t* values);

// Calls `function(argument)`; returns what rax holds after. `hasResult`: rax may change.
template <typename Function>
uint64_t callAndCheck(Function* function, uint64_t argument, bool hasResult, Caller caller = callWithRegisters) {
    uint64_t before[REGISTERS], values[REGISTERS];
    for (int i = 0; i < REGISTERS; ++i) before[i] = 0x5EED000000000000u + 0x1111u * (i + 1);
    before[RDI] = argument;
    std::copy(before, before + REGISTERS, values);
    caller(reinterpret_cast<const void*>(function), values);
    for (int i = hasResult ? RAX + 1 : RAX; i < REGISTERS; ++i) {
        INFO("register " << i);
        CHECK(values[i] == before[i]);
    }
    return values[RAX];
}

TEST_CASE("raise, push, link and absorb keep all registers, overflowing and merging or not") {
    CleanTrace clean;
    Caller caller = GENERATE(callWithRegisters, callOnOddStack);
    for (uint64_t i = 1; i < 50; ++i) {
        callAndCheck(sx_trace_push, i, false, caller);
        callAndCheck(sx_trace_raise, i, false, caller);
        callAndCheck(sx_trace_link, SX_TRACE_CAUSE, false, caller);
        callAndCheck(sx_trace_raise, i, false, caller);
    }
    CHECK(sx_trace_chains() == 8);
    for (int i = 0; i < 98; ++i) callAndCheck(sx_trace_absorb, 0, false, caller);
    CHECK(sx_trace_chains() == 0);
}

TEST_CASE("handlers keep all registers") {
    CleanTrace clean;
    sx_trace_handler handlers[3];
    for (sx_trace_handler& handler : handlers) {
        sx_trace_raise(1);
        callAndCheck(sx_trace_enter, reinterpret_cast<uint64_t>(&handler), false);
    }
    sx_trace_raise(2);
    callAndCheck(sx_trace_leave, reinterpret_cast<uint64_t>(&handlers[2]), false);
    callAndCheck(sx_trace_pass, reinterpret_cast<uint64_t>(&handlers[1]), false);
    CHECK(sx_trace_chains() == 2);
    callAndCheck(sx_trace_leave, reinterpret_cast<uint64_t>(&handlers[0]), false);
    CHECK(sx_trace_chains() == 2);
}

// What the entries for inline assembly promise: all registers, and the 128 bytes below the stack pointer.
extern "C" uint64_t callKeepingRedZone(const void* entry, uint64_t first, uint64_t second);

__asm__(R"(
    .text
    .globl callKeepingRedZone
    .type callKeepingRedZone, @function
callKeepingRedZone:
    movq %rdi, %rax
    movq %rsi, %rdi
    movq %rdx, %rsi
    movq $-128, %rcx
1:  movq %rcx, (%rsp,%rcx)
    addq $8, %rcx
    jnz 1b
    movq -8(%rsp), %r11
    call *%rax
    movq %r11, -8(%rsp)
    movq $-128, %rcx
    xorl %eax, %eax
2:  cmpq %rcx, (%rsp,%rcx)
    jne 3f
    incq %rax
3:  addq $8, %rcx
    jnz 2b
    ret
    .size callKeepingRedZone, .-callKeepingRedZone
)");

extern "C" {
void sx_trace_inline_raise(uint64_t);
void sx_trace_inline_push(uint64_t);
void sx_trace_inline_link(uint32_t);
void sx_trace_inline_absorb(void);
void sx_trace_inline_enter(sx_trace_handler*, uint64_t);
void sx_trace_inline_leave(sx_trace_handler*);
void sx_trace_inline_pass(sx_trace_handler*, uint64_t);
}

template <typename Function> bool keepsRedZone(Function* entry, uint64_t first, uint64_t second = 0) {
    return callKeepingRedZone(reinterpret_cast<const void*>(entry), first, second) == 16;
}

TEST_CASE("the entries for inline assembly do what the functions do and keep what is below the stack") {
    CleanTrace clean;
    sx_trace_handler handler;
    uint64_t address = reinterpret_cast<uint64_t>(&handler);
    for (uint64_t i = 1; i < 50; ++i) {
        CHECK(keepsRedZone(sx_trace_inline_raise, i));
        CHECK(keepsRedZone(sx_trace_inline_push, i + 1));
        callAndCheck(sx_trace_inline_raise, i, false);
        callAndCheck(sx_trace_inline_push, i + 1, false);
        CHECK(keepsRedZone(sx_trace_inline_link, SX_TRACE_CAUSE));
        callAndCheck(sx_trace_inline_link, SX_TRACE_CAUSE, false);
    }
    CHECK(chainAt(7).link == SX_TRACE_CAUSE);
    CHECK(framesOfChain(7) == std::vector<uint64_t>{49, 50});
    sx_trace_clear();
    raiseChain(1, 1);
    CHECK(keepsRedZone(sx_trace_inline_enter, address, 5));
    raiseChain(2, 1);
    CHECK(keepsRedZone(sx_trace_inline_leave, address));
    CHECK(sx_trace_chains() == 2);
    CHECK(keepsRedZone(sx_trace_inline_absorb, 0));
    CHECK(sx_trace_chains() == 0);
    raiseChain(1, 1);
    callAndCheck(sx_trace_inline_enter, address, false);
    CHECK(keepsRedZone(sx_trace_inline_pass, address, 6));
    CHECK(sx_trace_frame_at(2) == 6);
    callAndCheck(sx_trace_inline_absorb, 0, false);
    callAndCheck(sx_trace_inline_leave, address, false);
    callAndCheck(sx_trace_inline_pass, address, false);
    CHECK(sx_trace_chains() == 1);
}

TEST_CASE("capture, restore, capture_newest and resume keep all but their result") {
    CleanTrace clean;
    raiseChain(10, 2);
    raiseChain(20, 40);
    sx_trace_snapshot snapshot;
    uint64_t address = reinterpret_cast<uint64_t>(&snapshot);
    CHECK(callAndCheck(sx_trace_capture, address, true) == 32);
    callAndCheck(sx_trace_restore, address, false);
    CHECK(sx_trace_chains() == 2);
    CHECK(callAndCheck(sx_trace_capture_newest, address, true) == 32);
    CHECK((callAndCheck(sx_trace_resume, address, true) & 0xFF) == 1);
    CHECK(sx_trace_chains() == 3);
    snapshot = {};
    CHECK((callAndCheck(sx_trace_resume, address, true) & 0xFF) == 0);
}

#endif
