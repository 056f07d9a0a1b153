#include <optional>
#include <sx/trace.hpp>

static std::optional<int> leaf(int n) {
    if (n > 0) return SX_RAISE(std::nullopt);
    return n;
}

static std::optional<int> caller(int n) { return SX_TRY(leaf(n)); }

int main(int argc, char**) {
    if (caller(argc)) return 1;
    sx_trace_print(1);
}
