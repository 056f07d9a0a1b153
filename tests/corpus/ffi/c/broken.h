int fine(void);
int broken(int a;
unknown_type other(void);
