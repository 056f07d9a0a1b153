#!/bin/bash
# Proves what the macros cost where it is not nothing:
#  - without optimisation and with -O1, a program that succeeds (success_path.cpp) executes little more than with branches
#    written by hand;
#  - of a large value SX_TRY makes the one copy that a variable takes, and SX_TRY_ASSIGN(auto&& …) none;
#  - 400 places make an object file of a bounded size. How long such a file is compiled is only told.
# Usage: costs.sh INCLUDE_FOLDER STATIC_LIBRARY
set -u
include=$(realpath "$1") library=$(realpath "$2") here=$(dirname "$(realpath "$0")")
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
failures=0
fail() { failures=$((failures + 1)); echo "FAILED: $*"; }

# count PROGRAM [ARGUMENT…]: its instructions
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null | sed -n 's/.*Collected : //p'
}

# atMost WHAT LIMIT COUNT OTHER: COUNT is at most LIMIT percent of OTHER.
atMost() {
    echo "$1: $3, by hand $4 ($(($3 * 1000 / $4 - 1000)) in a thousand more)"
    [ $(($3 * 100)) -le $(($4 * $2)) ] || fail "$1 takes more than $2 percent of $4"
}

# build COMPILER FLAGS SOURCE: traced and hand
build() {
    $1 -std=c++23 $2 -I"$include" -static -o traced "$3" "$library" && $1 -std=c++23 $2 -DHAND_WRITTEN -static -o hand "$3" ||
        fail "$1 $2 $3"
}

cat >large.cpp <<'END'
#include <array>
#include <expected>
enum class Err { bad };
using Large = std::array<int, 512>;
using Result = std::expected<Large, Err>;
__attribute__((noinline)) Result make(int i) {
    if (i < 0) [[unlikely]] return std::unexpected(Err::bad);
    Result r;
    (*r)[3] = i;
    return r;
}
#if defined(HAND_WRITTEN)
#define TRY_ASSIGN(target, ...) auto r = __VA_ARGS__; if (!r) [[unlikely]] return std::unexpected(r.error()); target = *std::move(r)
#if defined(VARIABLE)
#define TRY(target, kept) if (!kept) [[unlikely]] return std::unexpected(kept.error()); target = *kept
#else
#define TRY(target, ...) TRY_ASSIGN(target, __VA_ARGS__)
#endif
#else
#include "sx/trace.hpp"
#define TRY(target, ...) target = SX_TRY(__VA_ARGS__)
#define TRY_ASSIGN(target, ...) SX_TRY_ASSIGN(target, __VA_ARGS__)
#endif
__attribute__((noinline)) std::expected<int, Err> use(int i) {
#if defined(BY_REFERENCE)
    TRY_ASSIGN(auto&& a, make(i));
#elif defined(VARIABLE)
    Result kept = make(i);
    TRY(auto& a, kept);
#else
    TRY(auto a, make(i));
#endif
    return a[3] + a[static_cast<unsigned>(i) & 511];
}
int main() {
    long sum = 0;
    for (int i = 0; i < 1000; ++i) sum += *use(i);
    return sum == 1;
}
END

# places COUNT: a file of so many places that pass errors on, as programs have them
places() {
    printf '#include <expected>\n#include <map>\n#include <string>\n#include <string_view>\n#include <vector>\n#include "macros.hpp"\n'
    printf 'enum class Err { empty, missing, bad };\ntemplate <typename T> using Result = std::expected<T, Err>;\n'
    printf 'struct Config { std::map<std::string, std::string> values; std::vector<std::string> names; };\nResult<std::string> field(std::string_view line, size_t at);\n'
    for ((i = 0; i < $1 / 4; ++i)); do
        cat <<END
Result<std::pair<std::string, std::string>> pair$i(std::string_view line) {
    if (line.empty()) return RAISE(Err::empty);
    TRY(std::string key, field(line, 1));
    TRY(std::string value, field(line, $i));
    return std::pair(key + "=", std::move(value));
}
Result<size_t> store$i(Config& config, std::string_view line) {
    TRY(auto both, pair$i(line));
    config.names.push_back(both.first);
    config.values[both.first] = both.second + ";";
    return config.values.size();
}
END
    done
}
cat >macros.hpp <<'END'
#if defined(HAND_WRITTEN)
#define RAISE(e) std::unexpected(e)
#define TRY(target, ...) TRY_NAMED(JOIN(r, __COUNTER__), target, __VA_ARGS__)
#define TRY_NAMED(name, target, ...) auto name = __VA_ARGS__; if (!name) [[unlikely]] return std::unexpected(name.error()); target = *std::move(name)
#define JOIN(a, b) JOINED(a, b)
#define JOINED(a, b) a##b
#else
#include "sx/trace.hpp"
#define RAISE(e) SX_RAISE(e)
#define TRY(target, ...) target = SX_TRY(__VA_ARGS__)
#endif
END
places 400 >places.cpp

# compiled FLAGS…: "MILLISECONDS BYTES" of places.cpp
compiled() {
    local TIMEFORMAT=%U
    { time "$@" -std=c++23 -I"$include" -c places.cpp -o places.o; } 2>seconds
    echo "$(($(tr -d . <seconds | sed 's/^0*//;s/^$/0/'))) $(size places.o | awk 'NR == 2 { print $4 }')"
}

for compiler in g++ clang++-19; do
    command -v $compiler >/dev/null || { echo "skipped: $compiler is not installed"; continue; }
    for limit in -O0:105 -O1:105; do
        build $compiler ${limit%:*} "$here/success_path.cpp"
        atMost "$compiler ${limit%:*}" ${limit#*:} "$(count ./traced 500)" "$(count ./hand 500)"
    done
    for form in "" -DBY_REFERENCE -DVARIABLE; do
        build $compiler "-O2 $form" large.cpp
        atMost "$compiler a large value $form" 100 "$(count ./traced)" "$(count ./hand)"
    done
    read -r time size <<<"$(compiled $compiler -O2)"
    read -r timeByHand sizeByHand <<<"$(compiled $compiler -O2 -DHAND_WRITTEN)"
    echo "$compiler: 400 places are compiled in $time ms, by hand in $timeByHand ms"
    atMost "$compiler: bytes of 400 places" 125 "$size" "$sizeByHand"
done
[ $failures = 0 ]
