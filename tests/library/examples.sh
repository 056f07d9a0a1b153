#!/bin/bash
# Builds the examples for C and C++ as their users do, stripped, with gcc and clang, and compares output, errors and exit
# status of every case. Usage: examples.sh INCLUDE_FOLDER STATIC_LIBRARY [--accept]
# (--accept writes what gcc's programs give as expected: review the difference)
set -u
include=$(realpath "$1") library=$(realpath "$2") accept=${3:-}
here=$(dirname "$(realpath "$0")")
examples=$here/../../examples
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset SX_TRACE SX_TRACE_COLOR NO_COLOR
failures=0 passed=0

# report COMMAND…: output, errors and exit status as one text.
report() {
    "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    local status=$?
    echo "--- stdout"; cat "$scratch/out"
    echo "--- stderr"; cat "$scratch/err"
    echo "--- exit $status"
}

for compilers in "gcc g++" "clang-19 clang++-19"; do
    read -r c cpp <<<"$compilers"
    command -v "$c" >/dev/null && command -v "$cpp" >/dev/null || { echo "skipped: $c is not installed"; continue; }
    "$c" -O2 -s -Wall -Wextra -Werror -I"$include" "$examples/c/check_ini.c" "$library" -o "$scratch/check_ini" &&
        "$cpp" -std=c++23 -O2 -s -Wall -Wextra -Werror -I"$include" "$examples/cpp/log_report.cpp" "$library" -o "$scratch/log_report" ||
        failures=$((failures + 1))
    for program in before after; do
        "$cpp" -std=c++23 -O2 -s -Wall -Wextra -Werror -I"$include" "$examples/cpp/adopt/$program.cpp" "$library" -o "$scratch/adopt_$program" ||
            failures=$((failures + 1))
    done
    while read -r name program arguments; do
        case $name in '' | '#'*) continue ;; esac
        if [ "$program" = check_ini ]; then cd "$examples/c"; else cd "$examples/cpp"; fi || exit 2
        # shellcheck disable=SC2086 # the arguments are words
        report "$scratch/$program" $arguments >"$scratch/got"
        [ "$accept" = --accept ] && { cp "$scratch/got" "$here/expected/$name"; continue; }
        if diff -u "$here/expected/$name" "$scratch/got"; then passed=$((passed + 1)); else
            echo "FAILED: $c: $name"
            failures=$((failures + 1))
        fi
    done <"$here/examples.cases"
    [ "$accept" = --accept ] && exit
done
echo "$passed cases as expected, $failures failed"
[ $failures = 0 ]
