int own_sum(int a, int b) {
    int sum = a + b;
    return sum;
}
