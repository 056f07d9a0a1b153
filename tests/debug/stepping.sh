#!/usr/bin/env bash
# Single-steps golden programs in gdb and compares the lines it stops at with stepping/<area>__<name>.lines; `next` must
# stay in main's file. Usage: stepping.sh SX [--accept] [AREA/NAME…]   (--accept: writes the lines, to be read by eye)
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sx=$(realpath "$1")
shift
accept=false
[ "${1:-}" = --accept ] && { accept=true; shift; }
command -v gdb >/dev/null || { echo "no gdb: scripts/setup installs it"; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# stops COMMAND PROGRAM: the stops of single-stepping it
stops() {
    : >stops.txt
    SX_STEP=$1 SX_STOPS=$work/stops.txt gdb -q -nx -batch -iex "set extension-language .sx c" -iex "set auto-load safe-path /" \
        -x "$here/stepping.py" "$2" >gdb.out 2>&1 </dev/null
    cat stops.txt
}

names=("$@")
if [ ${#names[@]} = 0 ]; then
    for file in "$here"/stepping/*.lines; do
        name=$(basename "$file" .lines)
        names+=("${name/__//}")
    done
fi

failed=0
for name in "${names[@]}"; do
    golden=$here/stepping/${name/\//__}.lines
    if ! "$sx" build -O0 -o program "$here/../corpus/$name.sx" >build.out 2>&1; then
        echo "FAILED $name: does not build"; cat build.out; failed=$((failed + 1)); continue
    fi
    stops step program >got.txt
    if $accept; then cp got.txt "$golden"; continue; fi
    if [ ! -s got.txt ] || ! diff -u --label expected --label stepped "$golden" got.txt >difference.txt; then
        echo "FAILED $name"; cat difference.txt; [ -s got.txt ] || cat gdb.out; failed=$((failed + 1)); continue
    fi
    stops next program >next.txt
    if [ ! -s next.txt ] || grep -nv '^ *[0-9]* *main | ' next.txt; then
        echo "FAILED $name: \`next\` leaves main"; failed=$((failed + 1))
    fi
done
echo "$((${#names[@]} - failed)) of ${#names[@]} programs step as expected"
[ $failed = 0 ]
