int guard(int (*call)(int), int n);
int leave(int n);
int stay(int n);
int churn(int n);
int thread(int n);
int block(int n);
int blocked(int n);
int trap(int n);
int traps(int n);
