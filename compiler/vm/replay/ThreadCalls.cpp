#include "vm/replay/ThreadCalls.h"

#include <cerrno>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

namespace sx::vm {

namespace {

using Kind = ThreadCall::Kind;

constexpr ThreadCall Calls[] = {
    {"pthread_mutex_lock", Kind::Lock},
    {"pthread_mutex_timedlock", Kind::Lock, 1},
    {"mtx_lock", Kind::Lock, -1, true},
    {"mtx_timedlock", Kind::Lock, 1, true},
    {"pthread_rwlock_rdlock", Kind::Read},
    {"pthread_rwlock_wrlock", Kind::Write},
    {"sem_wait", Kind::Semaphore},
    {"sem_timedwait", Kind::Semaphore, 1},
    {"pthread_cond_wait", Kind::Wait},
    {"pthread_cond_timedwait", Kind::Wait, 2},
    {"cnd_wait", Kind::Wait, -1, true},
    {"cnd_timedwait", Kind::Wait, 2, true},
    {"pthread_cond_signal", Kind::Signal},
    {"cnd_signal", Kind::Signal},
    {"pthread_cond_broadcast", Kind::Broadcast},
    {"cnd_broadcast", Kind::Broadcast},
    {"pthread_barrier_wait", Kind::Barrier},
    {"pthread_join", Kind::Join},
    {"thrd_join", Kind::Join, -1, true},
    {"nanosleep", Kind::Sleep, 0},
    {"thrd_sleep", Kind::Sleep, 0},
    {"usleep", Kind::Sleep},
    {"sleep", Kind::Sleep},
    {"pthread_barrier_destroy", Kind::Nothing},
    {"pthread_detach", Kind::Nothing},
    {"thrd_detach", Kind::Nothing},
    {"pthread_mutex_init", Kind::Plain},
    {"pthread_mutex_unlock", Kind::Plain},
    {"pthread_mutex_trylock", Kind::Plain},
    {"pthread_mutex_destroy", Kind::Plain},
    {"pthread_cond_init", Kind::Plain},
    {"pthread_cond_destroy", Kind::Plain},
    {"mtx_init", Kind::Plain},
    {"mtx_trylock", Kind::Plain},
    {"mtx_unlock", Kind::Plain},
    {"mtx_destroy", Kind::Plain},
    {"cnd_init", Kind::Plain},
    {"cnd_destroy", Kind::Plain},
    {"pthread_rwlock_init", Kind::Plain},
    {"pthread_rwlock_tryrdlock", Kind::Plain},
    {"pthread_rwlock_trywrlock", Kind::Plain},
    {"pthread_rwlock_unlock", Kind::Plain},
    {"pthread_rwlock_destroy", Kind::Plain},
    {"pthread_barrier_init", Kind::Plain},
    {"sem_init", Kind::Plain},
    {"sem_trywait", Kind::Plain},
    {"sem_post", Kind::Plain},
    {"sem_getvalue", Kind::Plain},
    {"sem_destroy", Kind::Plain},
};

/// Of a condition: how many waits have begun, and how many of these may end.
struct ConditionWords {
    uint64_t begun, woken;
};
constexpr size_t CondFlags = 36; ///< bit 1: its clock is the monotonic one

struct BarrierWords {
    uint32_t arrived, round, count;
};

template <typename T> T* at(uint64_t address) { return reinterpret_cast<T*>(address); }

constexpr timespec Past{0, 0};

} // namespace

const ThreadCall* threadCallOf(const std::string& symbol) {
    for (const ThreadCall& c : Calls)
        if (symbol == c.symbol) return &c;
    return nullptr;
}

uint64_t ThreadWait::result(int error) const {
    if (!call_.isC11 || error == 0) return static_cast<uint64_t>(error);
    return static_cast<uint64_t>(error == ETIMEDOUT ? thrd_timedout : thrd_error);
}

bool ThreadWait::isMutexFree(uint64_t mutex) const {
    auto* m = at<pthread_mutex_t>(mutex);
    bool isOwn = m->__data.__kind == PTHREAD_MUTEX_RECURSIVE && m->__data.__owner == syscall(SYS_gettid);
    return m->__data.__lock == 0 || isOwn;
}

bool ThreadWait::deadline(timespec& when, clockid_t& clock) const {
    clock = CLOCK_REALTIME;
    if (call_.kind == Kind::Sleep) {
        clock = CLOCK_MONOTONIC;
        clock_gettime(clock, &when);
        timespec length{};
        std::string_view name = call_.symbol;
        if (call_.time >= 0) length = *at<const timespec>(args_[0]);
        else if (name == "sleep") length.tv_sec = static_cast<uint32_t>(args_[0]);
        else length = {static_cast<uint32_t>(args_[0]) / 1'000'000, static_cast<uint32_t>(args_[0]) % 1'000'000 * 1000};
        when.tv_sec += length.tv_sec + (when.tv_nsec + length.tv_nsec) / 1'000'000'000;
        when.tv_nsec = (when.tv_nsec + length.tv_nsec) % 1'000'000'000;
        return true;
    }
    if (call_.time < 0) return false;
    when = *at<const timespec>(args_[call_.time]);
    if (call_.kind == Kind::Wait && (*at<const uint32_t>(args_[0] + CondFlags) & 2) != 0) clock = CLOCK_MONOTONIC;
    return true;
}

bool ThreadWait::prepare(uint64_t& value) {
    if (ticket_ != 0) return true;
    if (call_.kind == Kind::Wait) {
        if (int error = pthread_mutex_unlock(at<pthread_mutex_t>(args_[1])); error != 0) {
            value = result(error);
            return false;
        }
        ticket_ = ++at<ConditionWords>(args_[0])->begun;
    } else if (call_.kind == Kind::Barrier) {
        auto* b = at<BarrierWords>(args_[0]);
        ticket_ = uint64_t{b->round} + 1;
        ++b->arrived;
    } else if (call_.kind == Kind::Lock) {
        auto* m = at<pthread_mutex_t>(args_[0]);
        bool isDeadlock = m->__data.__kind == PTHREAD_MUTEX_ERRORCHECK && m->__data.__lock != 0 &&
                          m->__data.__owner == syscall(SYS_gettid);
        if (isDeadlock) value = result(EDEADLK);
        return !isDeadlock;
    }
    return true;
}

bool ThreadWait::isReady(bool isLate) const {
    switch (call_.kind) {
    case Kind::Lock: return isLate || isMutexFree(args_[0]);
    case Kind::Read: return (at<pthread_rwlock_t>(args_[0])->__data.__readers & 2) == 0;
    case Kind::Write: {
        unsigned readers = at<pthread_rwlock_t>(args_[0])->__data.__readers;
        return (readers & 2) == 0 && readers >> 3 == 0;
    }
    case Kind::Semaphore: return isLate || *at<const uint32_t>(args_[0]) != 0;
    case Kind::Wait: return (isLate || at<ConditionWords>(args_[0])->woken >= ticket_) && isMutexFree(args_[1]);
    case Kind::Barrier: return at<BarrierWords>(args_[0])->round + uint64_t{1} != ticket_;
    case Kind::Sleep: return isLate;
    default: return true;
    }
}

bool ThreadWait::attempt(bool isLate, uint64_t& value) {
    int error = 0;
    bool isDone = true;
    switch (call_.kind) {
    case Kind::Lock: error = pthread_mutex_trylock(at<pthread_mutex_t>(args_[0])); break;
    case Kind::Read: error = pthread_rwlock_tryrdlock(at<pthread_rwlock_t>(args_[0])); break;
    case Kind::Write: error = pthread_rwlock_trywrlock(at<pthread_rwlock_t>(args_[0])); break;
    case Kind::Semaphore:
        if (sem_trywait(at<sem_t>(args_[0])) != 0) error = errno == EAGAIN ? EBUSY : errno;
        break;
    case Kind::Wait: {
        auto* c = at<ConditionWords>(args_[0]);
        isDone = c->woken >= ticket_;
        if (!isDone && !isLate) break;
        if (pthread_mutex_trylock(at<pthread_mutex_t>(args_[1])) != 0) return false;
        if (isDone) break;
        // Which of them it was that goes is not known any more: all may go.
        c->woken = c->begun;
        break;
    }
    case Kind::Signal:
        if (auto* c = at<ConditionWords>(args_[0]); c->woken < c->begun) ++c->woken;
        break;
    case Kind::Broadcast: {
        auto* c = at<ConditionWords>(args_[0]);
        c->woken = c->begun;
        break;
    }
    case Kind::Barrier: {
        auto* b = at<BarrierWords>(args_[0]);
        bool isLast = b->round + uint64_t{1} == ticket_ && b->arrived == b->count;
        if (isLast) {
            b->arrived = 0;
            ++b->round;
            error = PTHREAD_BARRIER_SERIAL_THREAD;
        }
        isDone = b->round + uint64_t{1} != ticket_;
        break;
    }
    case Kind::Sleep: isDone = false; break;
    default: break;
    }
    if (error == EBUSY) {
        isDone = false;
        error = 0;
    }
    wasLate_ = !isDone && isLate;
    if (!isDone && !isLate) return false;
    if (wasLate_ && call_.kind != Kind::Sleep) error = ETIMEDOUT;
    ticket_ = 0;
    if (call_.kind == Kind::Semaphore && error != 0) {
        errno = error;
        value = static_cast<uint64_t>(-1);
    } else {
        value = result(error);
    }
    return true;
}

} // namespace sx::vm
