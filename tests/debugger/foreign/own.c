static _Thread_local int calls;

int own_sum(int a, int b) {
    int sum = a + b;
    calls += sum > 100;
    return sum;
}
