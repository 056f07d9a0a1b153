#include "debugger/vm/LongJumps.h"

#include "vm/debug/LeavingC.h"

#include <bit>
#include <csetjmp>
#include <dlfcn.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SX_JUMPS_ARE_TAKEN // by the sanitizer
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || !defined(__x86_64__) || !defined(__GLIBC__)
#define SX_JUMPS_ARE_TAKEN
#endif

namespace sx::debugger {

#if defined(SX_JUMPS_ARE_TAKEN)

void watchLongJumps() {}

#else

namespace {

using Jump = void (*)(void*, int);

/// Those of the C library. Handlers of signals jump, too: nothing is looked up there.
const Jump plainJump = reinterpret_cast<Jump>(dlsym(RTLD_NEXT, "siglongjmp"));
const Jump checkedJump = reinterpret_cast<Jump>(dlsym(RTLD_NEXT, "__longjmp_chk"));
bool looksAtJumps = false;

/// As glibc keeps it in the buffer.
vm::LongJump jumpIn(const void* buffer) {
    constexpr size_t StackInBuffer = 6, PcInBuffer = 7;
    constexpr int Rotated = 17;
    uintptr_t guard;
    asm("movq %%fs:0x30, %0" : "=r"(guard));
    auto saved = [&](size_t i) { return std::rotr(static_cast<const uintptr_t*>(buffer)[i], Rotated) ^ guard; };
    return {saved(StackInBuffer), saved(PcInBuffer)};
}

[[noreturn]] void jumpBy(Jump to, void* buffer, int value) {
    if (looksAtJumps) vm::refuseLongJump(jumpIn(buffer));
    to(buffer, value);
    __builtin_unreachable();
}

} // namespace

// The libraries of the program find these before those of the C library. The headers give them names of their own.
extern "C" {
#define SX_EXPORT __attribute__((visibility("default"), used))
[[noreturn]] SX_EXPORT void sxvm_longjmp(void* buffer, int value) asm("longjmp");
[[noreturn]] SX_EXPORT void sxvm_bare_longjmp(void* buffer, int value) asm("_longjmp");
[[noreturn]] SX_EXPORT void sxvm_siglongjmp(void* buffer, int value) asm("siglongjmp");
[[noreturn]] SX_EXPORT void sxvm_checked_longjmp(void* buffer, int value) asm("__longjmp_chk");
#undef SX_EXPORT
void sxvm_longjmp(void* buffer, int value) { jumpBy(plainJump, buffer, value); }
void sxvm_bare_longjmp(void* buffer, int value) { jumpBy(plainJump, buffer, value); }
void sxvm_siglongjmp(void* buffer, int value) { jumpBy(plainJump, buffer, value); }
void sxvm_checked_longjmp(void* buffer, int value) { jumpBy(checkedJump, buffer, value); }
}

void watchLongJumps() { looksAtJumps = true; }

#endif

} // namespace sx::debugger
