#include "vm/time/KnownCalls.h"

#include "sx/trace.h"

#include <algorithm>
#include <cctype>
#include <csignal>
#include <ctime>
#include <dirent.h>
#include <functional>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>

namespace sx::vm {

namespace {

// A line is a function, then what it writes: `ARGUMENT:SIZE`, where the argument counts from 0 or is `r`, the memory
// that the result points to. A size is a number of bytes; `aN`, the argument N; `aNxM`, M times that; `aN*aM`, the
// product of two; `pN`, a 32-bit number that the argument N points to; `text`; or `ADDRESSES`, what getaddrinfo gives.
// With `/r` no more than the result is written.
constexpr const char* Again[] = {
    "memcpy 0:a2",
    "memmove 0:a2",
    "memset 0:a2",
    "memchr",
    "memrchr",
    "memcmp",
    "strlen",
    "strnlen",
    "strcmp",
    "strncmp",
    "strchr",
    "strrchr",
    "strstr",
    "strspn",
    "strcspn",
    "strpbrk",
    "bcmp",
    "strcasecmp",
    "strncasecmp",
    "strtod 1:8",
    "strtof 1:8",
    "strtol 1:8",
    "strtoul 1:8",
    "strtoll 1:8",
    "strtoull 1:8",
    "atoi",
    "atol",
    "atoll",
    "atof",
    "strfromd 0:a1",
    "strfromf 0:a1",
    "abs",
    "labs",
    "llabs",
    "isalpha",
    "isdigit",
    "isspace",
    "isalnum",
    "isupper",
    "islower",
    "isprint",
    "ispunct",
    "isxdigit",
    "iscntrl",
    "toupper",
    "tolower",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "exp2",
    "log",
    "log2",
    "log10",
    "pow",
    "sqrt",
    "cbrt",
    "floor",
    "ceil",
    "trunc",
    "round",
    "fabs",
    "fmod",
    "fmin",
    "fmax",
    "fma",
    "hypot",
    "expm1",
    "log1p",
    "asinh",
    "acosh",
    "atanh",
    "rint",
    "nearbyint",
    "copysign",
    "sinf",
    "cosf",
    "tanf",
    "sqrtf",
    "powf",
    "expf",
    "logf",
    "floorf",
    "ceilf",
    "fabsf",
    "fmodf",
    "atan2f",
    "roundf",
    "truncf",
    "__errno_location",
    "gmtime_r 1:TM",
    "timegm 0:TM",
    "inet_pton 2:16",
    "pthread_mutex_init 0:MUTEX",
    "pthread_mutex_lock 0:MUTEX",
    "pthread_mutex_unlock 0:MUTEX",
    "pthread_mutex_trylock 0:MUTEX",
    "pthread_mutex_destroy 0:MUTEX",
    "pthread_cond_init 0:COND",
    "pthread_cond_signal 0:COND",
    "pthread_cond_broadcast 0:COND",
    "pthread_cond_destroy 0:COND",
    "sx_debug_fiber_wait", // of a thread: it says so in a record of its own
    "sx_debug_fiber_go",
    "sx_program_argc",
    "sx_program_argv",
    "sx_program_start",
    "sx_trace_raise",
    "sx_trace_raise_error",
    "sx_trace_push",
    "sx_trace_push_error",
    "sx_trace_rename",
    "sx_trace_note",
    "sx_trace_values",
    "sx_trace_link",
    "sx_trace_absorb",
    "sx_trace_clear",
    "sx_trace_len",
    "sx_trace_truncated",
    "sx_trace_omitted",
    "sx_trace_frame_at",
    "sx_trace_chains",
    "sx_trace_chain_at 1:CHAIN",
    "sx_trace_capture 0:SNAPSHOT",
    "sx_trace_restore",
    "sx_trace_capture_newest 0:SNAPSHOT",
    "sx_trace_capture_at 1:SNAPSHOT",
    "sx_trace_copy 0:SNAPSHOT",
    "sx_trace_forget 0:SNAPSHOT",
    "sx_trace_find",
    "sx_trace_resume",
    "sx_trace_resume_error",
    "sx_trace_swap 0:STATE",
    "sx_trace_format 0:a1",
    "sx_trace_line_window 2:a3",
    "sx_program_values",
};

constexpr const char* Outside[] = {
    "read 1:a2/r",
    "pread 1:a2/r",
    "recv 1:a2/r",
    "getrandom 0:a1/r",
    "getentropy 0:a1",
    "arc4random",
    "clock_gettime 1:16",
    "gettimeofday 0:16",
    "time 0:8",
    "clock",
    "localtime_r 1:TM",
    "mktime 0:TM",
    "strftime 0:a1",
    "pthread_self",
    "nanosleep 1:16",
    "usleep",
    "sleep",
    "write",
    "pwrite",
    "send",
    "writev",
    "fread 0:a1*a2",
    "popen",
    "pclose",
    "open",
    "openat",
    "creat",
    "close",
    "lseek",
    "unlink",
    "unlinkat",
    "rmdir",
    "mkdir",
    "access",
    "chmod",
    "fchmod",
    "rename",
    "fstat 1:STAT",
    "stat 1:STAT",
    "lstat 1:STAT",
    "fstatat 2:STAT",
    "ftruncate",
    "truncate",
    "symlink",
    "link",
    "readlink 1:a2/r",
    "getcwd 0:a1",
    "chdir",
    "fsync",
    "fdatasync",
    "utimensat",
    "opendir",
    "readdir r:DIRENT",
    "closedir",
    "getenv r:text",
    "secure_getenv r:text",
    "setenv",
    "unsetenv",
    "getpid",
    "getppid",
    "gettid",
    "getuid",
    "geteuid",
    "getgid",
    "getegid",
    "isatty",
    "dup",
    "dup2",
    "fcntl",
    "pipe 0:8",
    "pipe2 0:8",
    "poll 0:a1x8",
    "kill",
    "umask",
    "signal",
    "raise",
    "rand",
    "srand",
    "random",
    "srandom",
    "drand48",
    "lrand48",
    "sysconf",
    "atexit",
    "puts",
    "putchar",
    "fflush",
    "waitpid 1:4",
    "posix_spawn_file_actions_init 0:80",
    "posix_spawn_file_actions_destroy 0:80",
    "posix_spawn_file_actions_adddup2 0:80",
    "posix_spawn_file_actions_addopen 0:80",
    "posix_spawn_file_actions_addchdir_np 0:80",
    "posix_spawn 0:4",
    "posix_spawnp 0:4",
    "socket",
    "bind",
    "listen",
    "connect",
    "getaddrinfo 3:ADDRESSES",
    "accept 2:4 1:p2",
    "accept4 2:4 1:p2",
    "getsockname 2:4 1:p2",
    "getpeername 2:4 1:p2",
    "getsockopt 4:4 3:p4",
    "socketpair 3:8",
    "eventfd",
    "shutdown",
    "setsockopt",
    "epoll_create1",
    "epoll_ctl",
    "epoll_wait 1:a2x12",
    "sched_yield",
    "mmap",
    "mprotect",
    "madvise",
    "printf",
    "dprintf",
    "sx_trace_print",
    "sx_trace_report_unhandled",
};

/// Functions of threads, as they are known with a tape. In a program with one thread only the first ones are in other
/// tables, too.
constexpr const char* OfThreads[] = {
    "pthread_mutex_init 0:MUTEX",
    "pthread_mutex_lock 0:MUTEX",
    "pthread_mutex_unlock 0:MUTEX",
    "pthread_mutex_trylock 0:MUTEX",
    "pthread_mutex_destroy 0:MUTEX",
    "pthread_cond_init 0:COND",
    "pthread_cond_signal 0:COND",
    "pthread_cond_broadcast 0:COND",
    "pthread_cond_destroy 0:COND",
    "pthread_cond_wait 0:COND 1:MUTEX",
    "pthread_cond_timedwait 0:COND 1:MUTEX",
    "pthread_mutex_timedlock 0:MUTEX",
    "pthread_join 1:8",
    "pthread_create 0:8",
    "pthread_detach",
    "thrd_create 0:8",
    "thrd_join 1:4",
    "thrd_detach",
    "thrd_current",
    "thrd_equal",
    "thrd_sleep 1:16",
    "thrd_yield",
    "mtx_init 0:MUTEX",
    "mtx_lock 0:MUTEX",
    "mtx_timedlock 0:MUTEX",
    "mtx_trylock 0:MUTEX",
    "mtx_unlock 0:MUTEX",
    "mtx_destroy 0:MUTEX",
    "cnd_init 0:COND",
    "cnd_wait 0:COND 1:MUTEX",
    "cnd_timedwait 0:COND 1:MUTEX",
    "cnd_signal 0:COND",
    "cnd_broadcast 0:COND",
    "cnd_destroy 0:COND",
    "pthread_equal",
    "pthread_setname_np",
    "pthread_attr_init 0:ATTRIBUTES",
    "pthread_attr_destroy 0:ATTRIBUTES",
    "pthread_attr_setstacksize 0:ATTRIBUTES",
    "pthread_attr_setdetachstate 0:ATTRIBUTES",
    "pthread_mutexattr_init 0:4",
    "pthread_mutexattr_settype 0:4",
    "pthread_mutexattr_destroy 0:4",
    "pthread_rwlock_init 0:RWLOCK",
    "pthread_rwlock_rdlock 0:RWLOCK",
    "pthread_rwlock_wrlock 0:RWLOCK",
    "pthread_rwlock_tryrdlock 0:RWLOCK",
    "pthread_rwlock_trywrlock 0:RWLOCK",
    "pthread_rwlock_unlock 0:RWLOCK",
    "pthread_rwlock_destroy 0:RWLOCK",
    "pthread_barrier_init 0:BARRIER",
    "pthread_barrier_wait 0:BARRIER",
    "pthread_barrier_destroy 0:BARRIER",
    "sem_init 0:SEMAPHORE",
    "sem_wait 0:SEMAPHORE",
    "sem_trywait 0:SEMAPHORE",
    "sem_timedwait 0:SEMAPHORE",
    "sem_post 0:SEMAPHORE",
    "sem_getvalue 1:4",
    "sem_destroy 0:SEMAPHORE",
};

/// A number at the front of the text, which is taken off.
uint32_t takeNumber(std::string_view& text) {
    uint32_t n = 0;
    for (; !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())); text.remove_prefix(1))
        n = n * 10 + static_cast<uint32_t>(text.front() - '0');
    return n;
}

uint32_t sizeNamed(std::string_view name) {
    constexpr std::pair<std::string_view, uint32_t> Sizes[] = {
        {"TM", sizeof(tm)},
        {"STAT", sizeof(struct stat)},
        {"MUTEX", sizeof(pthread_mutex_t)},
        {"COND", sizeof(pthread_cond_t)},
        {"ATTRIBUTES", sizeof(pthread_attr_t)},
        {"RWLOCK", sizeof(pthread_rwlock_t)},
        {"BARRIER", sizeof(pthread_barrier_t)},
        {"SEMAPHORE", sizeof(sem_t)},
        {"DIRENT", sizeof(dirent)},
        {"CHAIN", sizeof(sx_trace_chain)},
        {"SNAPSHOT", sizeof(sx_trace_snapshot)},
        {"STATE", sizeof(sx_trace_state)},
    };
    for (auto [known, size] : Sizes)
        if (known == name) return size;
    return 0;
}

Written parseWritten(std::string_view text) {
    Written w;
    if (text.front() == 'r') w.argument = Written::ReturnedAddress, text.remove_prefix(1);
    else w.argument = static_cast<int8_t>(takeNumber(text));
    text.remove_prefix(1); // the colon
    if (text.size() > 2 && text.substr(text.size() - 2) == "/r") {
        w.byResult = true;
        text.remove_suffix(2);
    }
    if (text == "text") return w;
    if (text == "ADDRESSES") {
        w.isAddressList = true;
        w.bytes = sizeof(void*);
        return w;
    }
    if (text.front() == 'a' || text.front() == 'p') {
        w.isPointed = text.front() == 'p';
        text.remove_prefix(1);
        w.countArgument = static_cast<int8_t>(takeNumber(text));
        w.bytes = 1;
        if (text.starts_with("*a")) text.remove_prefix(2), w.timesArgument = static_cast<int8_t>(takeNumber(text));
        else if (!text.empty()) text.remove_prefix(1), w.bytes = takeNumber(text);
        return w;
    }
    w.bytes = std::isdigit(static_cast<unsigned char>(text.front())) ? takeNumber(text) : sizeNamed(text);
    return w;
}

} // namespace

void KnownCalls::add(Table& table, std::string_view line, KnownCall::Kind kind) {
    size_t end = line.find(' ');
    KnownCall& call = table[std::string(line.substr(0, end))];
    call.kind = kind;
    while (end != std::string_view::npos) {
        line.remove_prefix(end + 1);
        end = line.find(' ');
        call.writes.push_back(parseWritten(line.substr(0, end)));
    }
}

std::vector<std::string> KnownCalls::names() const {
    std::vector<std::string> all;
    for (const Table& table : {std::cref(calls_), std::cref(ofThreads_)})
        for (const auto& [name, call] : table) all.push_back(name);
    std::sort(all.begin(), all.end());
    return all;
}

KnownCalls::KnownCalls() {
    for (const char* line : Again) add(calls_, line, KnownCall::Kind::Again);
    for (const char* line : Outside) add(calls_, line, KnownCall::Kind::Outside);
    for (const char* line : OfThreads) add(ofThreads_, line, KnownCall::Kind::Outside);
    add(calls_, "malloc", KnownCall::Kind::Malloc);
    add(calls_, "calloc", KnownCall::Kind::Calloc);
    add(calls_, "realloc", KnownCall::Kind::Realloc);
    add(calls_, "aligned_alloc", KnownCall::Kind::AlignedAlloc);
    add(calls_, "memalign", KnownCall::Kind::AlignedAlloc);
    add(calls_, "posix_memalign", KnownCall::Kind::PosixMemalign);
    add(calls_, "free", KnownCall::Kind::Free);
    add(calls_, "freeaddrinfo", KnownCall::Kind::Free); // the program has a copy
    add(calls_, "munmap", KnownCall::Kind::Leave);
}

} // namespace sx::vm
