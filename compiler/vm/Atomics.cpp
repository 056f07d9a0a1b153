// Atomic operations, all sequentially consistent. Results are sign-extended; the translator truncates bools.
#include "vm/CallOut.h"

#include <algorithm>

namespace sx::vm {

namespace {

/// Calls `f` with a value of the integer type of that width.
template <typename F> uint64_t withWidth(unsigned widthLog, F f) {
    switch (widthLog) {
    case 0: return static_cast<uint64_t>(static_cast<int64_t>(f(int8_t{})));
    case 1: return static_cast<uint64_t>(static_cast<int64_t>(f(int16_t{})));
    case 2: return static_cast<uint64_t>(static_cast<int64_t>(f(int32_t{})));
    }
    return static_cast<uint64_t>(f(int64_t{}));
}

template <typename T> T extreme(T a, T b, bool isSigned, bool wantMax) {
    using U = std::make_unsigned_t<T>;
    bool less = isSigned ? a < b : static_cast<U>(a) < static_cast<U>(b);
    return less == wantMax ? b : a;
}

template <typename T> T modify(ir::AtomicOp op, T* p, T v, bool isSigned) {
    switch (op) {
    case ir::AtomicOp::Add: return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);
    case ir::AtomicOp::Sub: return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST);
    case ir::AtomicOp::And: return __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST);
    case ir::AtomicOp::Or: return __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST);
    case ir::AtomicOp::Xor: return __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST);
    case ir::AtomicOp::Swap: return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);
    case ir::AtomicOp::Min:
    case ir::AtomicOp::Max: break;
    }
    T old = __atomic_load_n(p, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(p, &old, extreme(old, v, isSigned, op == ir::AtomicOp::Max), false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {}
    return old;
}

} // namespace

uint64_t atomicLoad(uint64_t address, unsigned widthLog) {
    return withWidth(widthLog, [&](auto zero) {
        return __atomic_load_n(reinterpret_cast<decltype(zero)*>(address), __ATOMIC_SEQ_CST);
    });
}

void atomicStore(uint64_t address, uint64_t value, unsigned widthLog) {
    withWidth(widthLog, [&](auto zero) {
        using T = decltype(zero);
        __atomic_store_n(reinterpret_cast<T*>(address), static_cast<T>(value), __ATOMIC_SEQ_CST);
        return zero;
    });
}

uint64_t atomicModify(ir::AtomicOp op, uint64_t address, uint64_t operand, unsigned widthLog, bool isSigned) {
    return withWidth(widthLog, [&](auto zero) {
        using T = decltype(zero);
        return modify(op, reinterpret_cast<T*>(address), static_cast<T>(operand), isSigned);
    });
}

uint64_t atomicCompareExchange(uint64_t address, uint64_t expected, uint64_t desired, unsigned widthLog) {
    return withWidth(widthLog, [&](auto zero) {
        using T = decltype(zero);
        T found = static_cast<T>(expected);
        __atomic_compare_exchange_n(reinterpret_cast<T*>(address), &found, static_cast<T>(desired), false,
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        return found;
    });
}

} // namespace sx::vm
