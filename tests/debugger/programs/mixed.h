struct bits {
    short s;
    unsigned u : 5;
    int v : 3;
    _Bool b : 1;
};
int through(int n);
static inline int shorter(int n) { return n + 1; }
int endless(int n);
