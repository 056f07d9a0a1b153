#!/usr/bin/env bash
# Drives lldb and gdb over the programs in tests/debug/transcripts/ and compares what they say with the transcripts there: stops at
# lines, steps, backtraces, values, damaged values, and the error in flight; in executables, under `sx run`, and in core
# files. Usage: scripts/debug_stepping_smoke.sh [--update] [SX]   (--update writes the transcripts anew)
# A transcript NAME.DEBUGGER.txt belongs to the commands NAME.DEBUGGER. Needs lldb-19 (or lldb) and gdb.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
update=0
[ "${1:-}" = --update ] && { update=1; shift; }
sx=$(realpath "${1:-$root/build/release/sx}")
tests=$root/tests/debug/transcripts
lldb=$(command -v lldb-19 || command -v lldb) || { echo "FAIL: lldb is not installed (scripts/setup installs it)"; exit 1; }
gdb=$(command -v gdb) || { echo "FAIL: gdb is not installed (scripts/setup installs it)"; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$tests"/*.sx "$folder"
ln -s "$root/editors" "$folder/editors"
cd "$folder" || exit 1
export LC_ALL=C.UTF-8 TERM=dumb SX_TRACE= SX_TRACE_COLOR= NO_COLOR=1
failures=$folder/failures # a line for each: `compare` runs in a pipeline, where a variable would be lost
: >"$failures"
failed() { echo "FAIL: $1" | tee -a "$failures"; }

# What differs between two runs or two machines: addresses, process numbers, folders, what the debugger says of itself.
normalized() {
    sed -E -e "s#$folder/##g; s#$root/##g; s#$sx#sx#g" \
        -e 's/0x[0-9a-f]{5,}/0xADDRESS/g; s/[Pp]rocess [0-9]+/process N/; s/\((LWP|process) [0-9]+\)/(process N)/; s/LWP [0-9]+/LWP N/' \
        -e '/^[+][+]|^Using host libthread_db|^\[Thread debugging using|^warning: (Error disabling address|Memory read failed for corefile|could not find|.*[.]debug file)/d' \
        -e '/^\[New LWP|^Missing separate debug|^Try: |^Download failed|^Reading symbols|^Core was generated/d' \
        -e '/^\(lldb\) (command script import|settings set|target create)|^Current executable set|^Saved corefile|^Core file .* was loaded/d' \
        -e 's/(`[a-z_]+) [+] [0-9]+ (\[inlined\])/\1 + N \2/; s/[[:space:]]+$//'
}

# compare NAME DEBUGGER < what the debugger said
compare() {
    local expected=$tests/$1.$2.txt
    normalized >"$1.$2.txt"
    if [ $update = 1 ]; then cp "$1.$2.txt" "$expected"; return; fi
    if diff -u --label "expected $1.$2" --label "got" "$expected" "$1.$2.txt"; then
        echo "ok: $1 in $2"
    else
        failed "$1 in $2"
    fi
}

# with_lldb NAME ARGUMENT…
with_lldb() {
    timeout 60 "$lldb" --no-lldbinit --no-use-colors -b -o "command script import $root/editors/lldb/sx.py" -s "$tests/lldb.setup" \
        -s "$tests/$1.lldb" "${@:2}" 2>&1 </dev/null | compare "$1" lldb
}
# with_gdb NAME ARGUMENT…    (the formatters come with the program)
with_gdb() {
    timeout 60 "$gdb" -nx -q -batch -iex 'set auto-load safe-path /' -iex 'set debuginfod enabled off' -x "$tests/gdb.setup" \
        -x "$tests/$1.gdb" "${@:2}" 2>&1 </dev/null | compare "$1" gdb
}

for program in stepping values damaged; do
    "$sx" build --emit-obj "$program.sx" -o "$program" 2>/dev/null || { echo "FAIL: $program does not build"; exit 1; }
    readelf -S .sx-tmp/main.o | grep -q '[.]debug_line' || failed "the object of $program has no lines"
done
"$sx" build -O2 -g optimized.sx -o optimized 2>/dev/null || { echo "FAIL: optimized does not build"; exit 1; }
cp stepping stripped && strip stripped
has_script() { readelf -SW "$1" | grep -q debug_gdb_scripts; }
"$sx" build --linker "${CC:-cc}" -O0 stepping.sx -o by_command 2>/dev/null
"$sx" build -g0 -O0 stepping.sx -o without 2>/dev/null
if ! has_script by_command || has_script without || has_script stripped; then
    failed "the script for gdb has to be in programs with debug information, and in no others"
fi

for debugger in lldb gdb; do
    "with_$debugger" stepping ./stepping
    "with_$debugger" values ./values
    "with_$debugger" damaged ./damaged
    "with_$debugger" optimized ./optimized
    "with_$debugger" stripped ./stripped
done
with_lldb jit -- "$sx" run -O0 stepping.sx
with_gdb jit --args "$sx" run -O0 stepping.sx
with_gdb trace ./stepping # leaves a core file
with_lldb core ./stepping -c stepping.core
with_gdb core ./stepping stepping.core

# The runtime and the debuggers show the same text for the same state.
"${CC:-cc}" -g -I"$root/runtime/include" "$tests/trace_text.c" -o trace_text "$(dirname "$sx")/runtime/libsxtrace.a" || exit 1
./trace_text >printed
"$lldb" --no-lldbinit --no-use-colors -b -o 'command script import editors/lldb/sx.py' -o 'settings set target.output-path /dev/null' \
    -o 'breakpoint set --name stop' -o run -o 'sx trace' ./trace_text 2>&1 </dev/null | sed '1,/^(lldb) sx trace/d' >lldb.text
"$gdb" -nx -q -batch -ex 'source editors/gdb/sx.py' -ex 'break stop' -ex 'run >printed.again' -ex 'echo sx trace\n' -ex 'sx trace' \
    ./trace_text 2>&1 </dev/null | sed '1,/^sx trace/d' >gdb.text
for debugger in lldb gdb; do
    if diff -u printed $debugger.text; then echo "ok: the text of traces in $debugger"; else failed "the text of traces in $debugger"; fi
done

# A core file that the kernel writes holds no pages of files: what is constant is read from the executable. Both debuggers
# show what the program itself has shown before it ended.
"$sx" build -O0 crash.sx -o crash 2>/dev/null || { echo "FAIL: crash does not build"; exit 1; }
mkdir dumped
(cd dumped && ulimit -c unlimited && ../crash) 2>printed.crash
core=$(find dumped -type f | head -1)
if [ -n "$core" ]; then
    sed -n '/^error return trace/,$p' printed.crash >printed
    "$lldb" --no-lldbinit --no-use-colors -b -o 'command script import editors/lldb/sx.py' -o 'sx trace' ./crash -c "$core" \
        2>&1 </dev/null | sed '1,/^(lldb) sx trace/d' >lldb.text
    "$gdb" -nx -q -batch -iex 'set debuginfod enabled off' -ex 'source editors/gdb/sx.py' -ex 'echo sx trace\n' -ex 'sx trace' ./crash "$core" \
        2>&1 </dev/null | sed '1,/^sx trace/d' >gdb.text
    for debugger in lldb gdb; do
        if [ -s printed ] && diff -u printed $debugger.text; then
            echo "ok: the trace in a core file of the kernel in $debugger"
        else
            failed "the trace in a core file of the kernel in $debugger"
        fi
    done
else
    echo "left out: core files of the kernel, which go to '$(cat /proc/sys/kernel/core_pattern)' here (ulimit -H -c: $(ulimit -H -c))"
fi

[ ! -s "$failures" ] || { echo "$(wc -l <"$failures") differences"; exit 1; }
