#!/bin/bash
# Proves: the library builds with clang without a warning, its failing path keeps vector registers there too, and it
# serves programs that gcc built, whose inline assembly relies on that. Usage: clang.sh RUNTIME_FOLDER
set -u
runtime=$(realpath "$1") here=$(dirname "$(realpath "$0")")
command -v clang-19 >/dev/null || { echo "skipped: clang-19 is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
failures=0
fail() { failures=$((failures + 1)); echo "FAILED: $*"; }

cmake -S "$runtime" -B build -DCMAKE_C_COMPILER=clang-19 -DCMAKE_C_FLAGS=-Werror -DSXTRACE_BUILD_TESTS=OFF >log 2>&1 &&
    cmake --build build >>log 2>&1 || { cat log; exit 1; }
for object in handler ring snapshot; do
    objdump -d "build/CMakeFiles/sxtrace.dir/src/$object.c.o" >code || fail "there is no object of $object.c"
    grep -qE '%[xyz]mm' code && fail "$object.c uses vector registers"
done
gcc -std=c11 -O2 -I"$runtime/include" -o test "$here/c_test.c" build/libsxtrace.a && ./test || fail "a C program of gcc"
g++ -std=c++20 -O2 -I"$runtime/include" -o test "$here/handlers_test.cpp" build/libsxtrace.so -Wl,-rpath,"$PWD/build" && ./test ||
    fail "a C++ program of g++"
[ $failures = 0 ]
