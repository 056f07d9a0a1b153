#!/bin/bash
# Proves: the headers work with each compiler that is there, without a warning, in both C++ standards, without exceptions
# and RTTI, with link-time optimisation and with Intel syntax. (CMakeLists.txt builds the same tests as C++20 with the
# project's compiler.) Usage: compilers.sh INCLUDE_FOLDER STATIC_LIBRARY
set -u
include=$(realpath "$1") library=$(realpath "$2") here=$(dirname "$(realpath "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
failures=0 runs=0
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"

# try COMPILER FLAGS TEST…: builds and runs each.
try() {
    local compiler=$1 flags=$2 test
    shift 2
    command -v $compiler >/dev/null || { echo "skipped: $compiler is not installed"; return; }
    for test; do
        runs=$((runs + 1))
        $compiler $flags $warnings -I"$include" -o test "$here/$test" "$library" -pthread >log 2>&1 && ./test >>log 2>&1 && continue
        failures=$((failures + 1))
        echo "FAILED: $compiler $flags $test"
        head -30 log
    done
}

all="results_test.cpp handlers_test.cpp frames_test.cpp tasks_test.cpp adoption_test.cpp unwind_test.cpp"
plain="-fno-exceptions -fno-rtti"
try g++ "-std=c++23 -O2 $plain" results_test.cpp unwind_test.cpp
try clang++-19 "-std=c++23 -O2 $plain" $all
try clang++-14 "-std=c++20 -O0" $all
try g++ "-std=c++20 -O2 -flto -masm=intel" handlers_test.cpp
try gcc "-std=c11 -O2 -flto" c_test.c
try clang-19 "-std=c11 -O2" c_test.c
try clang-14 "-std=c11 -O0 -fPIE -pie" c_test.c

# A standard that is too old is refused with a sentence.
echo '#include "sx/trace.hpp"' >old.cpp
for compiler in g++ clang++-14; do
    command -v $compiler >/dev/null || continue
    runs=$((runs + 1))
    $compiler -std=c++17 -I"$include" -c old.cpp -o old.o 2>log
    [ "$(grep -c 'error: .*sx/trace.hpp needs C++20: ' log)$(grep -c error: log)" = 11 ] || { failures=$((failures + 1)); echo "FAILED: $compiler -std=c++17"; head log; }
done
echo "$((runs - failures)) of $runs programs work"
[ $failures = 0 ]
