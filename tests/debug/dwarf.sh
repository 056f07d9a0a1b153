#!/usr/bin/env bash
# Checks the debug information of every second golden program that builds: llvm-dwarfdump finds nothing wrong. For one in ten the
# same at -O2, and the code is the same with debug information and without. Usage: dwarf.sh SX
set -uo pipefail
export SX=$(realpath "$1")
corpus=$(cd "$(dirname "$0")/../corpus" && pwd)
export DWARFDUMP=$(command -v llvm-dwarfdump-19 || command -v llvm-dwarfdump) || { echo "no llvm-dwarfdump: scripts/setup installs it"; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# verify LEVEL FILE [code]: prints what is wrong, then a line "checked"
verify() {
    local level=$1 file=$2 code=${3:-} folder
    folder=$(mktemp -d -p "$WORK")
    cd "$folder" || return
    "$SX" build "$level" -g -o with "$file" >/dev/null 2>&1 || return
    "$DWARFDUMP" --verify with >report.txt 2>&1 || { echo "FAILED $level $file"; grep -i -m 5 error report.txt; }
    "$DWARFDUMP" --debug-info with | grep -q DW_TAG_compile_unit || echo "FAILED $level $file: no debug information"
    if [ -n "$code" ]; then
        "$SX" build "$level" -g0 -o without "$file" >/dev/null 2>&1
        objdump -d with | tail -n +4 >with.txt
        objdump -d without | tail -n +4 >without.txt
        cmp -s with.txt without.txt || echo "FAILED $level $file: other code with debug information"
    fi
    echo checked
    rm -rf "$folder"
}
export -f verify
export WORK=$work

count=0
while read -r file; do
    [ $((++count % 2)) = 0 ] || continue
    if [ $((count % 10)) = 0 ]; then printf '%s\n' "-O0 $file code" "-O2 $file code"; else echo "-O0 $file"; fi
done < <(grep -L 'expect-error' "$corpus"/*/*.sx) | xargs -P "$(nproc)" -L 1 bash -c 'verify "$@"' verify >"$work/results"
grep -v '^checked$' "$work/results"
checked=$(grep -c '^checked$' "$work/results")
echo "$checked executables checked"
[ "$checked" -gt 300 ] && ! grep -q FAILED "$work/results"
