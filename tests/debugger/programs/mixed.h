struct bits {
    short s;
    unsigned u : 5;
    int v : 3;
    _Bool b : 1;
};
union mix {
    struct {
        short lo, hi;
    };
    int all;
    unsigned low : 5;
};
int through(int n);
static inline int shorter(int n) { return n + 1; }
int endless(int n);
double weigh(int n, double a, float b, double c);

// Values of every class, which travel by value.
struct ints {
    int a, b;
};
struct floats {
    float x, y;
};
struct late {
    double d;
    int n;
};
struct text {
    char c[3];
};
struct wide {
    long a;
    struct text t[3];
};
struct odd {
    char c[17];
};
struct flag {
    float x;
    _Bool yes;
};
struct view {
    const int* at;
    long count;
};
struct lined {
    _Alignas(16) long a;
};
union number {
    double d;
    float f;
};
struct ints turn(struct ints s);
struct floats scale(struct floats s, float k);
struct late next(int n, struct late s);
struct text last(struct text s);
struct wide widened(struct wide s, int n);
struct odd reversed(struct odd s);
struct flag opposite(struct flag s);
struct view tail(struct view s);
union number half(union number s);
struct bits fewer(struct bits s);
int count(struct view s);
double many(int a, double b, struct late l, long c, struct text t, struct wide w, struct ints i, struct ints j,
            struct late k, struct flag f, int n);
long placed(long a, long b, long c, long d, long e, long f, long g, struct lined s, struct lined t, long h);
double sum(struct ints range, ...);
double gather(int n, ...);
