#!/usr/bin/env bash
# Checks the debug information of optimised code: of one golden program in twenty-five, llvm-dwarfdump finds nothing wrong at
# -O2, and at -O0 and -O2 the code is the same with debug information and without. (The corpus tests check that of -O0. The C
# compiler writes operations that llvm-dwarfdump does not know: programs with C sources are left out.)
# Usage: dwarf.sh SX
set -uo pipefail
export SX=$(realpath "$1")
corpus=$(cd "$(dirname "$0")/../corpus" && pwd)
export DWARFDUMP=$(command -v llvm-dwarfdump-19 || command -v llvm-dwarfdump) || { echo "no llvm-dwarfdump: scripts/setup installs it"; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# verify LEVEL FILE: prints what is wrong, then a line "checked"
verify() {
    local level=$1 file=$2 folder
    folder=$(mktemp -d -p "$WORK")
    cd "$folder" || return
    "$SX" build "$level" -g -o with "$file" >/dev/null 2>&1 || return
    if [ "$level" = -O2 ]; then
        "$DWARFDUMP" --verify with >report.txt 2>&1 || { echo "FAILED $level $file"; grep -i -m 5 error report.txt; }
        grep -q '^Verifying unit: 1 ' report.txt || echo "FAILED $level $file: no debug information"
    fi
    "$SX" build "$level" -g0 -o without "$file" >/dev/null 2>&1
    objdump -d with | tail -n +4 >with.txt
    objdump -d without | tail -n +4 >without.txt
    cmp -s with.txt without.txt || echo "FAILED $level $file: other code with debug information"
    echo checked
    rm -rf "$folder"
}
export -f verify
export WORK=$work

count=0
while read -r file; do
    [ $((++count % 25)) = 0 ] && printf '%s\n' "-O0 $file" "-O2 $file"
done < <(grep -LE 'expect-error|#source' "$corpus"/*/*.sx) | xargs -P "$(nproc)" -L 1 bash -c 'verify "$@"' verify >"$work/results"
grep -v '^checked$' "$work/results"
checked=$(grep -c '^checked$' "$work/results")
echo "$checked executables checked"
[ "$checked" -gt 40 ] && ! grep -q FAILED "$work/results"
