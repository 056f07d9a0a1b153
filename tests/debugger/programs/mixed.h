int through(int n);
static inline int shorter(int n) { return n + 1; }
