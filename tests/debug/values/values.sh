#!/usr/bin/env bash
# Usage: values.sh SX SHOW_LOCALS
# The scripts for debuggers and the library debugger/inspect show the same texts: gdb stops in the programs of ../transcripts
# that have values of every kind, sane and damaged, and asks both about every variable. Exits with 77 where gdb is not there.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
sx=$(realpath "$1") show=$(realpath "$2")
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export LC_ALL=C.UTF-8 TERM=dumb SX_VALUES_ROOT=$root SX_VALUES_SHOW=$show SX_VALUES_PROGRAM
for name in values damaged; do
    SX_VALUES_PROGRAM=$root/tests/debug/transcripts/$name.sx
    "$sx" build -O0 "$SX_VALUES_PROGRAM" -o "$name" 2>/dev/null || { echo "FAIL: $name does not build"; exit 1; }
    rm -f answer
    timeout 60 gdb -nx -q -batch -iex 'set debuginfod enabled off' -iex 'set auto-load off' -x "$here/compare.py" "./$name" >said 2>&1 </dev/null
    [ -s answer ] || { cat said; echo "FAIL: nothing was compared in $name"; exit 1; }
    sed "s/^/$name: /" answer
    grep -q '^FAIL' answer && exit 1
done
exit 0
