#!/bin/bash
# Proves: `run --no-traces`, compiled or interpreted, prints no trace; and without --release-traces a build at -O2 has
# nothing of traces in it, nor one at -O3 (of every fourth program). For each program of the trace corpus (arguments: SX
# FOLDER):
#   * the failure is reported by its header line alone, with the same output and exit status;
#   * the object refers to no trace function of the runtime but the reporter of failable mains (and, if the program
#     imports std/trace.sx, to the printers that it calls itself);
#   * none of its lines is in the object, or in the executable. (Its name is: faults tell the function they happened in.)
# The same searches find all of these in the build with --release-traces, so they would find them here.
. "$(dirname "$0")/lib.sh"
corpus=$(realpath "$OLDPWD/$2" 2>/dev/null || realpath "$2")

# The lines that a frame could show, trimmed as printed text need not be: those with a failing call or a raise.
frame_lines() { grep -E 'raise|try|catch|:= ' "$1" | grep -E '.{12}'; }
# What the object needs of the trace runtime.
trace_calls() { nm -u .sx-tmp/main.o | awk '{print $2}' | grep '^sx_trace_' | sort | tr '\n' ' '; }
# The trace texts that are in a file, debug information left out.
texts_in() {
    strip --strip-debug -o stripped "$1"
    grep -oaF -f <(frame_lines "$source") stripped
}

programs=0
# The programs whose trace is pinned byte for byte.
for expected in "$corpus"/*.err; do
  source=${expected%.err}.sx
    name=$(basename "$source" .sx)
    programs=$((programs + 1))
    allowed='sx_trace_report_unhandled'
    grep -q 'std/trace.sx' "$source" && allowed+='|sx_trace_print|sx_trace_format|sx_trace_note'

    levels=2
    [ $((programs % 4)) = 0 ] && levels+=' 3'
    for level in $levels; do
        what="$name at -O$level"
        "$SX" build --emit-obj "-O$level" -o program "$source" >"$out" 2>"$err"
        status=$?
        expect_status 0
        check "no trace function but $allowed" same "$(trace_calls | tr ' ' '\n' | grep -vxE "($allowed)?")" ''
        check "no text of a frame in the object" same "$(texts_in .sx-tmp/main.o)" ''
        check "no text of a frame in the executable" same "$(texts_in program)" ''

        run ./program
        what="$name at -O$level"
        expect_status "$(cat "$corpus/$name.exit")"
        check "stdout of $name.out" cmp -s "$out" "$corpus/$name.out"
        check "the header line alone on stderr" same "$(cat "$err")" "$(grep '^error: unhandled error reached main: ' "$corpus/$name.err")"
    done

    for machine in --vm -O0; do # nor where they are turned off, on any machine
        sx run $machine --no-traces --warnings=off "$source"
        expect_status "$(cat "$corpus/$name.exit")"
        check "stdout of $name.out" cmp -s "$out" "$corpus/$name.out"
        check "the header line alone on stderr" same "$(cat "$err")" "$(grep '^error: unhandled error reached main: ' "$corpus/$name.err")"
    done

    what="$name at -O2 --release-traces"
    "$SX" build --emit-obj -O2 --release-traces -o program "$source" >"$out" 2>"$err"
    status=$?
    expect_status 0
    check "the same search finds calls that record" has <(trace_calls) 'sx_trace_(raise|push)'
    check "the same search finds a line" has <(texts_in program) "^ .*|::"
done
what="programs of $corpus"
check "there are programs" [ "$programs" -ge 10 ]
echo "$programs programs"

finish
