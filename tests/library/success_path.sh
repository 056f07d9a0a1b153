#!/bin/bash
# Proves: a function that succeeds executes no instruction more with the macros than with branches written by hand, saves
# no register more, and has its failing paths out of the way. Each function of success_path.cpp and success_path.c is counted by itself (valgrind
# --tool=callgrind) at -O2, with g++ and clang. (Without -fipa-ra: with it, gcc lets callers of a function in the same file
# use the registers that it leaves alone, and the failing path uses two.) Usage: success_path.sh INCLUDE_FOLDER STATIC_LIBRARY
set -u
include=$(realpath "$1") library=$(realpath "$2") here=$(dirname "$(realpath "$0")")
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
calls=2000 failures=0

# counts BINARY: "FUNCTION INSTRUCTIONS" of each path function, its own instructions only.
counts() {
    valgrind --tool=callgrind --callgrind-out-file=out "./$1" $calls >"$1.printed" 2>log || { cat log; return 1; }
    awk '/^fn=/ { name = $0; sub(/^fn=\([0-9]+\) ?/, "", name); match($0, /\([0-9]+\)/); id = substr($0, RSTART, RLENGTH)
                  if (name != "") names[id] = name; name = names[id]; called = 0; next }
         /^c?fn=|^cfi=|^cob=/ { if (/^cfn=\([0-9]+\) ./) { match($0, /\([0-9]+\)/); id = substr($0, RSTART, RLENGTH)
                                named = $0; sub(/^cfn=\([0-9]+\) /, "", named); names[id] = named }; next }
         /^calls=/ { called = 1; next }
         /^[0-9+*-]/ { if (!called) cost[name] += $2; called = 0 }
         END { for (n in cost) if (match(n, /path[A-Z][A-Za-z]*/)) print substr(n, RSTART, RLENGTH), cost[n] }' out | sort
}

# shape BINARY: "FUNCTION SAVES WHERE" of each path function: how many registers it saves, and whether all that records stands
# apart, behind a jump or a return, or a path runs "into" it.
shape() {
    objdump -dC --no-show-raw-insn "$1" | awk '
        /^[0-9a-f]+ <.*>:$/ { name = match($0, /path[A-Z][A-Za-z]*/) ? substr($0, RSTART, RLENGTH) : ""; if (name != "") { saves[name] += 0; last = "j?"; where[name] = "apart" } next }
        name == "" { next }
        $2 == "push" { ++saves[name] }
        $2 ~ /^(j|ret)/ { last = $2 }
        /sx_trace_/ && last !~ /^(jmp|ret)/ { where[name] = "into" }
        END { for (n in saves) print n, saves[n], where[n] }' | sort
}

# compare COMPILER STANDARD SOURCE
compare() {
    local flags="$2 -O2"
    [[ $1 == g* ]] && flags+=" -fno-ipa-ra"
    command -v "$1" >/dev/null || { echo "skipped: $1 is not installed"; return; }
    "$1" $flags -I"$include" -o traced "$here/$3" "$library" && "$1" $flags -DHAND_WRITTEN -o hand "$here/$3" || { failures=$((failures + 1)); return; }
    counts traced >traced.counts && counts hand >hand.counts || failures=$((failures + 1))
    cmp -s traced.printed hand.printed || { echo "FAILED: $1 $3: the two print different numbers"; failures=$((failures + 1)); }
    join <(shape traced) <(shape hand) >shapes
    awk -v title="$1 $3" '$2 > $4 { print "FAILED: " title ": " $1 " saves " $2 " registers, not " $4; bad = 1 }
                          $3 == "into" { print "FAILED: " title ": " $1 " records in the midst of its path"; bad = 1 }
                          END { exit bad || NR < 3 }' shapes || failures=$((failures + 1))
    [ "$(wc -l <hand.counts)" -ge 3 ] || { echo "FAILED: $1 $3: functions are missing"; failures=$((failures + 1)); }
    join -a1 -a2 -e missing -o 0,1.2,2.2 traced.counts hand.counts >both
    awk -v title="$1 $3" '{ printf "%-12s %-14s %10s with macros %10s by hand\n", title, $1, $2, $3
                            if ($2 == "missing" || $3 == "missing" || $2 > $3) { print "FAILED: " $1 " executes more"; bad = 1 } }
                          END { exit bad }' both || failures=$((failures + 1))
}

for compiler in g++ clang++-19; do compare $compiler -std=c++23 success_path.cpp; done
for compiler in gcc clang-19; do compare $compiler -std=c11 success_path.c; done
[ $failures = 0 ]
