#include "mixed.h"

int twice(int n);
int through(int n) { return twice(n) + 1; }
