#include "lower/Registers.h"

#include "lower/body/Body.h"

#include "llvm/ADT/STLExtras.h"

#include <string>

namespace sx::lower {

namespace {

bool isOneOf(llvm::StringRef name, std::initializer_list<llvm::StringRef> names) {
    return llvm::is_contained(names, name);
}

/// A number below `count` without leading zeros.
bool isNumber(llvm::StringRef digits, unsigned count) {
    unsigned n = 0;
    return !digits.getAsInteger(10, n) && n < count && digits == std::to_string(n);
}

/// r8 to r15, whole or their low 32, 16 or 8 bits.
bool isNumbered(llvm::StringRef name) {
    if (!name.consume_front("r")) return false;
    if (!name.empty() && isOneOf(name.take_back(1), {"d", "w", "b"})) name = name.drop_back();
    return isNumber(name, 16) && (name.size() == 2 || name >= "8");
}

bool isVectorOrMask(llvm::StringRef name) {
    for (llvm::StringRef kind : {"xmm", "ymm", "zmm"})
        if (name.starts_with(kind)) return isNumber(name.drop_front(3), 32);
    if (name.starts_with("mm")) return isNumber(name.drop_front(2), 8);
    return name.consume_front("k") && isNumber(name, 8);
}

} // namespace

bool isRegister(llvm::StringRef name) {
    if (isOneOf(name, {"al", "ah", "bl", "bh", "cl", "ch", "dl", "dh", "sil", "dil", "bpl", "spl", "st", "flags",
                       "eflags", "rflags", "fpsr", "dirflag", "mxcsr"}))
        return true;
    llvm::StringRef low = name;
    if (low.size() == 3 && isOneOf(low.take_front(1), {"r", "e"})) low = low.drop_front();
    if (isOneOf(low, {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp"})) return true;
    return isNumbered(name) || isVectorOrMask(name);
}

} // namespace sx::lower
