#!/bin/bash
# Proves: a handler may lie in the red zone, where calls of the failing path put their return address. red_zone.c is built
# as C and C++ with each compiler and optimisation, and run. Usage: red_zone.sh INCLUDE_FOLDER STATIC_LIBRARY
set -u
include=$(realpath "$1") library=$(realpath "$2") here=$(dirname "$(realpath "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
failures=0

for compiler in "gcc -std=c11" "clang-19 -std=c11" "g++ -std=c++20 -x c++" "clang++-19 -std=c++20 -x c++"; do
    command -v ${compiler%% *} >/dev/null || { echo "skipped: ${compiler%% *} is not installed"; continue; }
    for level in -O0 -O1 -O2 -O3 -Os; do
        $compiler $level -Wall -Wextra -I"$include" -c -o test.o "$here/red_zone.c" && ${compiler%% *} -o test test.o "$library" && ./test ||
            { failures=$((failures + 1)); echo "FAILED: $compiler $level"; }
    done
done
[ $failures = 0 ]
