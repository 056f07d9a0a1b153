#!/bin/bash
# Proves: what each command prints and where, the table of --time, the dumps of each stage, that a built program needs
# libc alone, that --emit-obj keeps the object, and that colour goes to terminals only.
. "$(dirname "$0")/lib.sh"

cat >hello.sx <<'END'
#import "modules/std.sx";
main :: () { print("hello\n"); }
END
mkdir folder
cp hello.sx folder/there.sx

# --- check, build, asm -------------------------------------------------------------------------------------------

sx check hello.sx
expect_status 0
expect_quiet

sx build hello.sx
expect_status 0
check "nothing on stdout" [ ! -s "$out" ]
expect_err 'compiled: hello\n'
sx build folder/there.sx
expect_err 'compiled: there\n'
sx build -o folder/other hello.sx
expect_err 'compiled: folder/other\n'
sx build hello.sx -o ./with.dots
expect_err 'compiled: ./with.dots\n'
# A source is not written over.
cp hello.sx tool
printf 'a :: #import "part.sx";\nmain :: () -> i32 { a.X }\n' >whole.sx
printf 'X : i32 : 3;\n' >part.sx
for command in 'build tool' 'build hello.sx -o hello.sx' 'build whole.sx -o part.sx' 'asm whole.sx -o part.sx'; do
    sx $command
    expect_status 1
    expect_one_error 'it is a source of the program'
done
check "sources stay" cmp -s hello.sx tool
rm tool whole.sx part.sx
for program in hello there folder/other with.dots; do
    run "./$program"
    expect_status 0
    expect_out 'hello\n'
done
check "no intermediate files" same "$(ls -A)" $'folder\nhello\nhello.sx\nthere\nwith.dots'

for level in 0 1 2 3; do
    "$SX" build "-O$level" -o "level$level" hello.sx 2>"$err"
    run ldd "level$level"
    check "libc, its loader and the kernel's own are all it needs" same \
        "$(awk '{print $1}' "$out" | grep -vE '^(linux-vdso\.so\.1|libc\.so\.6|/lib64/ld-linux-x86-64\.so\.2)$')" ''
    expect_out_has 'libc\.so\.6'
done

sx asm hello.sx
expect_status 0
check "nothing on stdout" [ ! -s "$out" ]
expect_err 'emitted: hello.s\n'
check "assembly with a main" grep -q '^main:' hello.s
sx asm -o folder/text.s folder/there.sx
expect_err 'emitted: folder/text.s\n'
check "assembly with a main" grep -q '^main:' folder/text.s

# --- --emit-obj --------------------------------------------------------------------------------------------------

sx build --emit-obj hello.sx
expect_status 0
expect_err 'compiled: hello\nobject: .sx-tmp/main.o\n'
check "an object with a main" grep -q ' T main$' <(nm .sx-tmp/main.o)
object_at() { "$SX" build --emit-obj "$@" hello.sx 2>"$err"; what="sx build --emit-obj $*"; objdump -d --no-show-raw-insn .sx-tmp/main.o | tail -n +4; }
check "level 0 is implied" same "$(object_at)" "$(object_at -O0)"
check "a level that is given holds" [ "$(object_at)" != "$(object_at -O2)" ]
mkdir other
(cd other && "$SX" build --emit-obj ../hello.sx 2>"$err")
check "the object stands in the working directory" [ -s other/.sx-tmp/main.o ]

# --- --time ------------------------------------------------------------------------------------------------------

# The table alone, with the digits of the times as `0`.
table() { sed 's/ *[0-9]*\.[0-9] ms$/ TIME/' "$err"; }
# An empty line, the title, and one line a stage: its name in 10 columns and the time in 7.
expect_table() {
    local text=$'\n--- timing ---' stage
    for stage in "$@" total; do text+=$(printf '\n  %-10s TIME' "$stage"); done
    check "the table of stages $*" same "$(table | sed 's/ *TIME$/ TIME/')" "$(sed 's/ *TIME$/ TIME/' <<<"$text")"
    check "columns of the table" same "$(tail -n +3 "$err" | grep -cvE '^  [a-z-]+ +[0-9]+\.[0-9] ms$')" 0
    check "width of the table" same "$(tail -n +3 "$err" | awk '{print length}' | sort -u)" 23
}
for mode in '' --vm -O2; do
    sx run $mode --time hello.sx
    expect_status 0
    expect_out 'hello\n'
    expect_table read parse imports codegen emit c-import jit
done
sx check --time hello.sx
expect_table read parse imports check
sx build --time hello.sx
sed -i '/^compiled: hello$/d' "$err"
expect_table read parse imports codegen emit c-import link

cat >fails.sx <<'END'
E :: error { Bad }
main :: () -> !E { raise error.Bad; }
END
sx run --time fails.sx
expect_status 1
check "the table follows what the program printed" same "$(grep -nE '^(error: unhandled|--- timing)' "$err" | cut -d: -f2 | tr '\n' ' ')" 'error --- timing --- '
printf 'main :: () { x : i64 = "text"; }\n' >rejected.sx
sx run --time rejected.sx
expect_status 1
check "no table for a rejected program" lacks "$err" timing

# --- dumps -------------------------------------------------------------------------------------------------------

cat >dump.sx <<'END'
E :: error { Bad }
leaf :: (n: i64) -> (i64, !E) { if n < 0 { raise error.Bad; } return n; }
main :: () -> !E { v := try leaf(-1); }
END
# dumped TEXT: the last command printed a dump with TEXT, and did not run the program.
dumped() {
    expect_status 0
    check "nothing on stderr" [ ! -s "$err" ]
    expect_out_has "$1"
}
for command in run build check ir ir-dump asm; do
    sx "$command" --dump=tokens dump.sx
    dumped '^1:1-1:2 name E$'
    sx "$command" --dump=ast dump.sx
    dumped '^  Function leaf <2:1-2:74>$'
    sx "$command" --dump=ir dump.sx
    dumped 'trace_raise'
    sx "$command" --dump bytecode dump.sx
    dumped '^leaf: [0-9]+ words$'
    sx "$command" --dump=llvm dump.sx
    dumped '^define .*@main\('
done
check "nothing was built" missing dump
check "no assembly was written" missing dump.s

sx ir-dump dump.sx
dumped 'trace_push'
cp "$out" ir-dump.txt
sx run --dump=ir dump.sx
check "--dump=ir prints what ir-dump prints" cmp -s "$out" ir-dump.txt
sx ir dump.sx
dumped '^define .*@main\('
check "LLVM IR with traces at level 0" has "$out" sx_trace_raise
sx ir -O2 dump.sx
dumped '^define .*@main\('
check "LLVM IR without traces at level 2" lacks "$out" 'sx_trace_(raise|push)'
sx ir -O2 --release-traces dump.sx
check "LLVM IR with traces that were asked for" has "$out" sx_trace_raise
sx ir --no-traces dump.sx
check "LLVM IR without traces that were turned off" lacks "$out" 'sx_trace_(raise|push)'

# A program with an error has its tokens and its tree, if it can be parsed, but nothing after.
for stage in tokens ast; do
    sx run "--dump=$stage" rejected.sx
    dumped '.'
done
for stage in ir bytecode llvm; do
    sx run "--dump=$stage" rejected.sx
    expect_status 1
    check "nothing on stdout" [ ! -s "$out" ]
    expect_err_has '^  --> rejected.sx:1:24$'
done
printf 'main :: () {\n' >unparsed.sx
sx run --dump=tokens unparsed.sx
dumped 'end$'
sx run --dump=ast unparsed.sx
expect_status 1
expect_err_has '^  --> unparsed.sx:'

# What cannot be printed is an error, not a crash.
for command in help version 'ir hello.sx' 'ir-dump hello.sx' 'run --dump=tokens hello.sx' 'run --dump=ast hello.sx' 'run --dump=bytecode hello.sx'; do
    what="sx $command >/dev/full"
    "$SX" $command >/dev/full 2>"$err"
    status=$?
    : >"$out"
    expect_status 1
    expect_one_error 'cannot write to standard output'
    what="sx $command, stdout closed"
    "$SX" $command >&- 2>"$err"
    status=$?
    expect_status 1
    expect_one_error 'cannot write to standard output'
done

# --- colour ------------------------------------------------------------------------------------------------------

escape=$'\e'
export TERM=xterm
for command in 'check rejected.sx' 'run fails.sx'; do
    sx $command
    check "no colour into a pipe" lacks "$err" "$escape"
    if script -qec true /dev/null >/dev/null 2>&1; then
        # `script` gives the command a terminal.
        in_terminal() { script -qec "$*" /dev/null </dev/null >"$out" 2>"$err"; what="$* in a terminal"; }
        in_terminal "$SX $command"
        check "colour in a terminal" has "$out" "$escape"
        in_terminal "NO_COLOR=1 $SX $command"
        check "no colour with NO_COLOR" lacks "$out" "$escape"
        in_terminal "TERM=dumb $SX $command"
        check "no colour with TERM=dumb" lacks "$out" "$escape"
    fi
done
what='SX_TRACE_COLOR=always sx run fails.sx'
SX_TRACE_COLOR=always "$SX" run fails.sx >"$out" 2>"$err"
check "colour where it is asked for" has "$err" "$escape"

finish
