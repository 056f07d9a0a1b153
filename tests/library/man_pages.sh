#!/bin/bash
# Proves: the man pages have every macro, type and function that the headers offer, and show without a complaint.
# Usage: man_pages.sh RUNTIME_FOLDER
set -u
runtime=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$runtime/include/sx" || exit 2
cmake -S "$runtime" -B "$scratch" -DSXTRACE_BUILD_TESTS=OFF -DSXTRACE_INSTALL=ON >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
failures=0
fail() { failures=$((failures + 1)); echo "FAILED: $*"; }

macros() { sed -nE 's/^ *# *define (SX_[A-Z0-9_]+)\(.*/\1/p' "$@"; }
c_names() {
    sed -nE 's/^(SX_TRACE_API|SXI_INLINE) .*[ *](sx_trace_[a-z_]+)\(.*/\2/p' "$@"
    sed -nE -e 's/^typedef .*\(?\*?(sx_[a-z_]+)\)?(\(.*|;)$/\1/p' -e 's/^\} (sx_[a-z_]+);.*/\1/p' -e 's/^(typedef )?struct (sx_[a-z_]+) \{.*/\2/p' "$@"
    sed -nE 's/^ +(SX_TRACE_[A-Z_]+) = [0-9]+.*/\1/p' "$@"
}
# What stands in namespace sx itself at the left margin.
cpp_names() {
    sed -E '/^namespace (sx::)?detail/,/^\} *\/\/ namespace (sx::)?detail/d; /^[ #\/}]/d' "$@" |
        sed -nE -e 's/^(template <.*> )?(class|struct|concept) ([a-z_]+)( .*|;)$/\3/p' -e 's/^[^=]*[ &*]([a-z_]+)\(.*/\1/p'
}

check() { # PAGE NAMES…
    local page=$scratch/man/$1.3 shown name count=0
    shown=$(MANWIDTH=1000 man -l "$page" 2>"$scratch/complaints") || fail "$page does not show"
    [ -s "$scratch/complaints" ] && { fail "$page has mistakes"; cat "$scratch/complaints"; }
    for name in "${@:2}"; do
        count=$((count + 1))
        grep -qw -- "$name" <<<"$shown" || fail "$1(3) does not have $name"
    done
    echo "$1(3) has $count names"
    [ $count -gt 7 ] || fail "$1(3): the names are not found in the headers"
}

command -v man >/dev/null || { echo "skipped: there is no man"; exit 77; }
check sxtrace $(c_names trace.h trace_calls.h trace_in_place.h)
check sxtrace_c $(macros trace_c.h)
check sxtrace_cpp $(macros trace.hpp trace/*.hpp) $(cpp_names trace/*.hpp)
[ $failures = 0 ]
