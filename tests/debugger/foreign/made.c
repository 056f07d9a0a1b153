int twice(int n) {
    int doubled = 2 * n;
    return doubled;
}
