/* Calls what the program exports, and keeps what it is given. */
#include <errno.h>
extern int on_tick(int n);
extern int sx_plus1(int n);
typedef struct {
    double x;
    long n;
} Pair;
extern Pair on_pair(Pair p);
static int (*kept)(int);
_Thread_local int per_thread = 3;
int zeroed[4];

int tick_twice(int n) { return on_tick(on_tick(n)); }
int through_pointer(int n) {
    int (*f)(int) = sx_plus1;
    return f(n);
}
Pair pair_twice(Pair p) { return on_pair(on_pair(p)); }
void keep(int (*f)(int)) { kept = f; }
int call_kept(int n) { return kept ? kept(n) : -1; }
int bump_thread(void) { return ++per_thread; }
int fail_with(int code) {
    errno = code;
    return -1;
}
long sum_of(const char* text) {
    long all = 0;
    while (*text) all += *text++;
    return all;
}
