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
