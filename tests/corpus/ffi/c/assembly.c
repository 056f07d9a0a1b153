/* Uses what assembly of the program defines. */
int asm_add(int, int, int);
extern int asm_cell;
long naked_next(long);
int call_asm(int n) { return asm_add(n, n, n) + asm_cell; }
long call_naked(long n) { return naked_next(n); }
