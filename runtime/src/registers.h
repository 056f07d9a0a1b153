/*
 * How the functions of the failing path keep the caller's general registers.
 *
 * Compiled code calls them with LLVM's preserve_most convention: all general registers but r11 (on
 * x86-64) survive the call, vector registers do not have to. An ordinary caller notices nothing.
 *
 * Vector registers are kept as well: gcc requires it here, clang is told to (-mgeneral-regs-only in
 * the build), and sx/trace_calls.h relies on it.
 *
 * Raise, push, link and absorb need no aligned stack either: aligning it costs a call more than the
 * rest of it.
 *
 * Include this before sx/trace.h in a file that defines such functions.
 */
#ifndef SX_TRACE_REGISTERS_H
#define SX_TRACE_REGISTERS_H

/*
 * Functions without a result: the compiler itself saves what it uses. gcc wants a promise that the
 * vector registers stay untouched, which is given for the rest of the file. (Cold is what they are
 * to their callers. Here that would only make them slow.)
 */
#if defined(__clang__) && (defined(__x86_64__) || defined(__aarch64__))
#define SX_TRACE_COLD __attribute__((preserve_most))
#elif defined(__GNUC__) && defined(__x86_64__)
#pragma GCC target("general-regs-only")
#define SX_TRACE_COLD __attribute__((no_caller_saved_registers))
#endif

/*
 * Functions with a result: a stub around an ordinary function, for clang before version 17 restores
 * rax over the result of a preserve_most function. `implementation` is a hidden function, `name`
 * the public one, both given as strings. What all stubs share, SXI_REGISTER_KEEPER, stands in the same file once: eight
 * registers, the return address and 8 bytes more keep rsp aligned.
 */
#if defined(__x86_64__) && defined(__GNUC__)
#define SXI_KEEPS_REGISTERS(name, implementation) \
    __asm__(".pushsection .text." name ",\"ax\",@progbits\n" \
            ".globl " name "\n" \
            ".type " name ",@function\n" name ":\n" \
            ".cfi_startproc\n" \
            "  leaq " implementation "(%rip), %rax\n" \
            "  jmp sxi_keep_registers\n" \
            ".cfi_endproc\n" \
            ".size " name ",.-" name "\n" \
            ".popsection\n")
#define SXI_REGISTER_KEEPER \
    __asm__(".pushsection .text.sxi_keep_registers,\"ax\",@progbits\n" \
            ".type sxi_keep_registers,@function\n" \
            "sxi_keep_registers:\n" \
            ".cfi_startproc\n" \
            "  pushq %rcx\n  pushq %rdx\n  pushq %rsi\n  pushq %rdi\n" \
            "  pushq %r8\n  pushq %r9\n  pushq %r10\n  pushq %r11\n  pushq %r11\n" \
            "  .cfi_adjust_cfa_offset 72\n" \
            "  call *%rax\n" \
            "  popq %r11\n  popq %r11\n  popq %r10\n  popq %r9\n  popq %r8\n" \
            "  popq %rdi\n  popq %rsi\n  popq %rdx\n  popq %rcx\n" \
            "  .cfi_adjust_cfa_offset -72\n" \
            "  ret\n" \
            ".cfi_endproc\n" \
            ".size sxi_keep_registers,.-sxi_keep_registers\n" \
            ".popsection\n")
#endif

/*
 * The ways in for inline assembly (sx/trace_calls.h tells the convention). r11 holds what stood in
 * the eight bytes that the return address has taken; the rest of the caller's red zone is stepped
 * over. `function` is what to call, as a string, a public function of the same file: it is called by a
 * local name, so that nothing can come between.
 *
 * SXI_INLINE_ENTRY is for functions that look at nothing of the caller's. SXI_INLINE_HANDLER_ENTRY is for
 * those that are given a handler, which may lie in the red zone, or astride its start, and so where the
 * return address is. That is moved out of the way for the time of the call, and r11 brings back what stands
 * in its place afterwards.
 */
#if defined(__x86_64__) && defined(__GNUC__) && defined(__ELF__)
#if defined(__CET__) && (__CET__ & 1)
#define SXI_BRANCH_TARGET "  endbr64\n"
#else
#define SXI_BRANCH_TARGET ""
#endif
#define SXI_ENTRY(name, function, keep, bring_back) \
    __asm__(".pushsection .text." name ",\"ax\",@progbits\n" \
            ".globl " name "\n" \
            ".type " name ",@function\n" name ":\n" \
            ".cfi_startproc\n" SXI_BRANCH_TARGET "  subq $120, %rsp\n" \
            "  .cfi_adjust_cfa_offset 120\n" keep "  call .L" function "\n" bring_back "  addq $120, %rsp\n" \
            "  .cfi_adjust_cfa_offset -120\n" \
            "  ret\n" \
            ".cfi_endproc\n" \
            ".size " name ",.-" name "\n" \
            ".popsection\n" \
            ".set .L" function ", " function "\n")
#define SXI_INLINE_ENTRY(name, function) \
    SXI_ENTRY(name, function, \
              "  pushq %r11\n" \
              "  .cfi_adjust_cfa_offset 8\n", \
              "  popq %r11\n" \
              "  .cfi_adjust_cfa_offset -8\n")
#define SXI_INLINE_HANDLER_ENTRY(name, function) \
    SXI_ENTRY(name, function, \
              "  pushq 120(%rsp)\n" \
              "  .cfi_adjust_cfa_offset 8\n" \
              "  .cfi_offset %rip, -136\n" \
              "  movq %r11, 128(%rsp)\n", \
              "  movq 128(%rsp), %r11\n" \
              "  popq 120(%rsp)\n" \
              "  .cfi_adjust_cfa_offset -8\n" \
              "  .cfi_offset %rip, -8\n")
#else
#define SXI_INLINE_ENTRY(name, function) _Static_assert(1, "no such entries here")
#define SXI_INLINE_HANDLER_ENTRY(name, function) _Static_assert(1, "no such entries here")
#endif

#endif
